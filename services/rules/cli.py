"""The rules for people: `python -m services.rules judge`.

    judge [--variant KEY] [--rules PRESET] [--set FIELD=VALUE]... [--fen FEN | --number N] MOVE...

Plays the moves (UCI or SAN) from the start position, a FEN, or one of the 960 numbered positions, and prints one JSON
object. `--set` changes one field of the preset, also `chaturanga.elephant` and its like; the words are those of
`services/domain/rule_set.py`.

With a result (exit status 0): `fen`; `uci` and `san`, the moves given; `legal` and `legal_san`, the moves now, none
when the game is over; `check`; `status`, the public API's word; `outcome` with `winner` and `reason`,
or null; `claims`; `can_mate` for each side: whether it can still win (`dead_position`), for variants by material alone.

With an error (exit status 1): `error` with `code`, `message` and `at`. `at` is the
option, the field of the FEN (`fen.castling`) or the move: `moves[2]` is the third one given.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from services.domain.chaturanga import ChaturangaRules
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import DEFAULT_PRESET, PRESETS, RuleSet
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.dead.dead_position import can_mate
from services.rules.dead.possible_mate import CanMate
from services.rules.families.variants import family_of
from services.rules.forfeit import possible_win
from services.rules.judge import Play, Position, Start, inspect, play
from services.rules.legal_moves import legal_moves
from services.rules.limits import InputLimits
from services.rules.notation.fen import read_fen
from services.rules.refused import Rejected, end_text, quoted
from services.rules.settings import RulesSettings
from services.rules.standing import Standing
from services.runtime.settings import load
from services.words.catalogue import sentence

OPTIONS = ("variant", "rules", "set", "fen", "number")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The request of the command line. If `fen` is None, it is the variant's starting position."""

    variant: str
    rule_set: RuleSet
    fen: str | None
    number: int | None
    moves: tuple[str, ...]


def judge_command(arguments: Sequence[str]) -> int:
    """Print the answer to standard output and return the exit status."""
    settings = load(RulesSettings)
    try:
        report = _report(_wanted(arguments), settings.limits(), settings.judge_nodes_max)
    except Rejected as refused:
        refusal = refused.refusal
        error = {"code": str(refusal.code), "message": sentence(refusal.text), "at": refusal.at}
        print(json.dumps({"error": error}))
        return 1
    print(json.dumps(report))
    return 0


def _wanted(arguments: Sequence[str]) -> Wanted:
    """Parse options and moves. This is own code, since the usual parsers drop the argument `--`, here a null move."""
    options: dict[str, str] = {}
    changes: list[str] = []
    moves: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument == "--" or not argument.startswith("--"):
            moves.append(argument)
            continue
        if name not in OPTIONS:
            raise Rejected(RefusalCode.MALFORMED, say("rules.cli_option_unknown", given=quoted(argument)), "options")
        if not equals and not rest:
            raise Rejected(RefusalCode.MALFORMED, say("rules.cli_value_missing", option=name), name)
        value = value if equals else rest.pop(0)
        if name == "set":
            changes.append(value)
        else:
            options[name] = value
    rules = options.get("rules", DEFAULT_PRESET)
    if rules not in PRESETS:
        text = say("rules.cli_rules_unknown", given=quoted(rules), known=", ".join(PRESETS))
        raise Rejected(RefusalCode.MALFORMED, text, "rules")
    rule_set = PRESETS[rules]
    for change in changes:
        rule_set = changed(rule_set, change)
    number = options.get("number")
    if number is not None and not (number.isascii() and number.isdigit() and len(number) < 4):
        raise Rejected(RefusalCode.MALFORMED, say("rules.start_number", given=quoted(number)), "number")
    return Wanted(
        options.get("variant", Variant.STANDARD),
        rule_set,
        options.get("fen"),
        None if number is None else int(number),
        tuple(moves),
    )


def changed(rule_set: RuleSet, change: str) -> RuleSet:
    """The rule set with one field changed by `field=value`; names and values are spelled as in the public API."""
    name, _, value = change.partition("=")
    if name.startswith("chaturanga."):
        field = name.removeprefix("chaturanga.")
        options = replace(rule_set.chaturanga, **_one(rule_set.chaturanga, field, name, value))
        return replace(rule_set, chaturanga=options)
    return replace(rule_set, **_one(rule_set, name, name, value))


def _one(values: RuleSet | ChaturangaRules, field: str, shown: str, value: str) -> dict[str, Any]:
    names = {_camel(each.name): each.name for each in fields(values) if each.name != "chaturanga"}
    if field not in names:
        options = [f"chaturanga.{_camel(each.name)}" for each in fields(ChaturangaRules)]
        known = [*names, *options] if isinstance(values, RuleSet) else options
        text = say("rules.cli_field_unknown", given=quoted(shown), known=", ".join(known))
        raise Rejected(RefusalCode.MALFORMED, text, "set")
    present = getattr(values, names[field])
    allowed: dict[str, Any] = {"true": True, "false": False}
    if isinstance(present, StrEnum):
        allowed = {str(member): member for member in type(present)}
    if value not in allowed:
        text = say("rules.cli_value_unknown", field=shown, given=quoted(value), known=", ".join(allowed))
        raise Rejected(RefusalCode.MALFORMED, text, "set")
    return {names[field]: allowed[value]}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def _report(wanted: Wanted, limits: InputLimits, nodes_max: int) -> dict[str, object]:
    if wanted.fen is not None and not wanted.fen.strip():
        raise Rejected(RefusalCode.BAD_POSITION, say("rules.fen_empty"), "fen")
    first = Start(wanted.variant, wanted.fen or "", wanted.number)
    standing = inspect(first, wanted.rule_set, limits)
    uci: list[str] = []
    san: list[str] = []
    for index, text in enumerate(wanted.moves):
        at = f"moves[{index}]"
        if standing.outcome is not None:
            over = say("rules.move_after_end", move=quoted(text), reason=end_text(standing.outcome))
            raise Rejected(RefusalCode.GAME_OVER, over, at)
        try:
            played = play(Play(_position(standing), text), wanted.rule_set, limits)
        except Rejected as refused:
            raise Rejected(refused.refusal.code, refused.text, at) from refused
        uci.append(played.uci)
        san.append(played.san)
        standing = played.standing
    moves = [] if standing.outcome is not None else legal_moves(_position(standing), wanted.rule_set, limits)[1]
    return {
        "fen": standing.fen,
        "uci": uci,
        "san": san,
        "legal": list(standing.legal),
        "legal_san": [move.san for move in moves],
        "check": standing.check,
        "status": status(standing.outcome),
        "outcome": standing.outcome and {"winner": standing.outcome.winner, "reason": standing.outcome.reason},
        "claims": [claim for claim in Claim if claim in standing.claims],
        "can_mate": _can_mate(standing, wanted.rule_set, limits, nodes_max),
    }


def status(outcome: Outcome | None) -> str:
    """The name of a game's status in the public API."""
    if outcome is None:
        return "started"
    match outcome.reason:
        case EndReason.CHECKMATE:
            return "mate"
        case EndReason.STALEMATE if outcome.winner is None:
            return "stalemate"
        case _:
            return "draw" if outcome.winner is None else "variantEnd"


def _position(standing: Standing) -> Position:
    return Position(standing.variant, standing.fen, standing.keys)


def _can_mate(standing: Standing, rule_set: RuleSet, limits: InputLimits, nodes_max: int) -> dict[str, CanMate]:
    family = family_of(standing.variant, rule_set)
    board = read_fen(standing.fen, limits, family)
    if family.exact_dead_positions:
        return {side: can_mate(board, side, nodes_max) for side in Colour}
    return {side: possible_win(board, family, side) for side in Colour}
