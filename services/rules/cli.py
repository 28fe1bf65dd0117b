"""The rules for people: `python -m services.rules judge`.

    judge [--variant KEY] [--rules claimed|automatic] [--fen FEN] MOVE...

Plays the moves (UCI or SAN) from the start position or a FEN and prints one JSON object.

With a result (exit status 0): `fen`; `uci` and `san`, the moves given; `legal` and `legal_san`, the moves now, none
when the game is over; `check`; `status` (`started`, `mate`, `stalemate`, `draw`); `outcome` with `winner` and `reason`,
or null; `claims`; `can_mate` for each side (`mate_search`).

With an error (exit status 1): `error` with `code`, `message` and `at`. `at` is the
option, the field of the FEN (`fen.castling`) or the move: `moves[2]` is the third one given.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import DEFAULT_PRESET, PRESETS, RuleSet
from services.domain.variant import Variant
from services.rules.fen import read_fen
from services.rules.judge import Play, Position, Start, inspect, play
from services.rules.limits import Limits
from services.rules.mate_search import can_mate
from services.rules.notation_out import sign, write_san
from services.rules.refused import Refused, quoted
from services.rules.settings import RulesSettings
from services.runtime.settings import load

OPTIONS = ("variant", "rules", "fen")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for. `fen` None is the variant's own array."""

    variant: str
    rule_set: RuleSet
    fen: str | None
    moves: tuple[str, ...]


def judge_command(arguments: Sequence[str]) -> int:
    """Answer on standard output; the exit status."""
    settings = load(RulesSettings)
    try:
        report = _report(_wanted(arguments), settings.limits(), settings.can_mate_positions_max)
    except Refused as refused:
        refusal = refused.refusal
        error = {"code": str(refusal.code), "message": refusal.message, "at": refusal.at}
        print(json.dumps({"error": error}))
        return 1
    print(json.dumps(report))
    return 0


def _wanted(arguments: Sequence[str]) -> Wanted:
    """Read options and moves. By hand, since the usual parsers drop the argument `--`, which here is a null move."""
    options: dict[str, str] = {}
    moves: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        name, equals, value = argument.removeprefix("--").partition("=")
        if argument == "--" or not argument.startswith("--"):
            moves.append(argument)
            continue
        if name not in OPTIONS:
            raise Refused(RefusalCode.MALFORMED, f"there is no option {quoted(argument)}", "options")
        if not equals and not rest:
            raise Refused(RefusalCode.MALFORMED, f"--{name} needs a value", name)
        options[name] = value if equals else rest.pop(0)
    rules = options.get("rules", DEFAULT_PRESET)
    if rules not in PRESETS:
        raise Refused(RefusalCode.MALFORMED, f"rules are one of {', '.join(PRESETS)}, not {quoted(rules)}", "rules")
    return Wanted(options.get("variant", Variant.STANDARD), PRESETS[rules], options.get("fen"), tuple(moves))


def _report(wanted: Wanted, limits: Limits, can_mate_positions_max: int) -> dict[str, object]:
    if wanted.fen is not None and not wanted.fen.strip():
        raise Refused(RefusalCode.BAD_POSITION, "the FEN is empty", "fen")
    standing = inspect(Start(wanted.variant, wanted.fen or ""), wanted.rule_set, limits)
    uci: list[str] = []
    san: list[str] = []
    for index, text in enumerate(wanted.moves):
        at = f"moves[{index}]"
        if standing.outcome is not None:
            raise Refused(RefusalCode.GAME_OVER, f"the game was over before {quoted(text)}", at)
        try:
            played = play(Play(Position(wanted.variant, standing.fen, standing.keys), text), wanted.rule_set, limits)
        except Refused as refused:
            raise Refused(refused.refusal.code, refused.refusal.message, at) from refused
        uci.append(played.uci)
        san.append(played.san)
        standing = played.standing
    board = read_fen(standing.fen, limits)
    return {
        "fen": standing.fen,
        "uci": uci,
        "san": san,
        "legal": list(standing.legal),
        "legal_san": [_signed_san(board, move) for move in standing.legal],
        "check": standing.check,
        "status": status(standing.outcome),
        "outcome": standing.outcome and {"winner": standing.outcome.winner, "reason": standing.outcome.reason},
        "claims": [claim for claim in Claim if claim in standing.claims],
        "can_mate": {side: can_mate(board, side, can_mate_positions_max) for side in Colour},
    }


def status(outcome: Outcome | None) -> str:
    """The public API's name for how a game stands."""
    if outcome is None:
        return "started"
    return {EndReason.CHECKMATE: "mate", EndReason.STALEMATE: "stalemate"}.get(outcome.reason, "draw")


def _signed_san(board: chess.Board, uci: str) -> str:
    move = chess.Move.from_uci(uci)
    after = board.copy(stack=False)
    after.push(move)
    return write_san(board, move) + sign(after.is_check(), after.is_checkmate())
