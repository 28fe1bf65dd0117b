"""Reads the games of a PGN: all of them, or a refusal that names game, line and move. There is no partial result.

PGN 8.2.3 has no null moves: in the main line they are refused; a variation is cut before its first null move. In
dropped variations only the brackets are checked.
"""

from typing import NoReturn

from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import Text, say
from services.rules.limits import InputLimits, PgnLimits
from services.rules.notation.notation_in import is_null_move
from services.rules.pgn.pgn_decode import decode
from services.rules.pgn.pgn_end import Contradiction, told_outcome, told_result
from services.rules.pgn.pgn_lines import RawLine, frozen
from services.rules.pgn.pgn_parse import Lines, RawGame, parse, refuse
from services.rules.pgn.pgn_replay import BadMove, Beginning, begin, play_lines
from services.rules.pgn.pgn_tokens import Token
from services.rules.pgn.pgn_tree import PgnGame, PgnOptions
from services.rules.pgn.pgn_variants import variant_named
from services.rules.refused import Rejected


def read_pgn(
    data: bytes, rule_set: RuleSet, options: PgnOptions, limits: InputLimits, pgn_limits: PgnLimits
) -> list[PgnGame]:
    """The games in these bytes, at least one. Raises Rejected if any part of them is invalid.

    Only the rule set's options of Chaturanga are used. The limits bound the work; with the default limits it takes some
    seconds at most, so do not run it on an event loop.
    """
    text = decode(data, pgn_limits)
    games = parse(text, options, pgn_limits)
    lines = Lines(text)
    return [_Game(game, lines, rule_set, limits).read() for game in games]


class _Game:
    """Reads one game from text to moves."""

    def __init__(self, raw: RawGame, lines: Lines, rule_set: RuleSet, limits: InputLimits) -> None:
        self._raw = raw
        self._lines = lines
        self._rule_set = rule_set
        self._limits = limits

    def read(self) -> PgnGame:
        raw = self._raw
        beginning = self._begin()
        _cut_null_moves(raw.lines)
        try:
            main = play_lines(raw.lines, beginning, self._limits)
        except BadMove as bad:
            line = self._lines.at(bad.move.offset)
            refuse(raw.index, line, bad.problem, bad.code, f"move[{bad.label}]")
        result = self._result()
        try:
            outcome = told_outcome(result, main.end, self._value("Termination"))
        except Contradiction as contradiction:
            place = raw.result or raw.tags["Result"]
            self._refuse(place, contradiction.text)
        return PgnGame(
            tags=tuple((name, result if name == "Result" else token.text) for name, token in raw.tags.items()),
            variant=beginning.family.variant,
            initial_fen=beginning.fen,
            line=frozen(raw.lines),
            result=result,
            outcome=outcome,
            final=main.standing(self._rule_set),
            first_line=raw.line,
        )

    def _begin(self) -> Beginning:
        fen, set_up, variant = (self._raw.tags.get(name) for name in ("FEN", "SetUp", "Variant"))
        try:
            key = variant_named("" if variant is None else variant.text)
        except Rejected as refused:
            self._refuse(variant, refused.text, refused.refusal.code, refused.refusal.at)
        if set_up is not None and set_up.text == "1" and fen is None:
            self._refuse(set_up, say("rules.pgn_fen_missing"))
        try:
            beginning = begin(key, "" if fen is None else fen.text, self._rule_set, self._limits)
        except Rejected as refused:
            refusal = refused.refusal
            self._refuse(fen, say("rules.pgn_tag_fen", problem=refused.text), refusal.code, refusal.at)
        if set_up is not None and set_up.text == "0" and beginning.fen not in ("", beginning.family.start_fen):
            self._refuse(set_up, say("rules.pgn_fen_surplus"))
        return beginning

    def _result(self) -> str:
        tag, marker = self._raw.tags.get("Result"), self._raw.result
        try:
            return told_result(None if tag is None else tag.text, None if marker is None else marker.text)
        except Contradiction as contradiction:
            self._refuse(marker or tag, contradiction.text)

    def _value(self, name: str) -> str:
        token = self._raw.tags.get(name)
        return "" if token is None else token.text

    def _refuse(
        self, token: Token | None, problem: Text, code: RefusalCode = RefusalCode.MALFORMED, at: str = ""
    ) -> NoReturn:
        """Raise Rejected for a wrong tag or result."""
        line = self._raw.line if token is None else self._lines.at(token.offset)
        refuse(self._raw.index, line, problem, code, at)


def _cut_null_moves(lines: list[RawLine]) -> None:
    """Cut each variation before its first null move. Variations of the removed moves are not reached any more."""
    for line in lines[1:]:
        nulls = (index for index, move in enumerate(line.moves) if is_null_move(move.text))
        del line.moves[next(nulls, len(line.moves)) :]
        line.dropped = not line.moves
