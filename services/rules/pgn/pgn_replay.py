"""Plays the moves of a PGN: the starting position of a game, and the UCI and SAN of each move."""

from collections import deque
from dataclasses import dataclass

import chess

from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import Text, say
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.keys import position_key
from services.rules.limits import InputLimits
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.notation_in import read_move
from services.rules.notation.position_check import check_position, check_start
from services.rules.pgn.pgn_lines import RawLine, RawMove
from services.rules.refused import Rejected, end_text, quoted
from services.rules.standing import Standing, stand, wins
from services.rules.text.moves_out import sign, write_san


@dataclass(frozen=True, slots=True)
class Beginning:
    """The rules and the starting position of a game. `fen` is in Flagfall's spelling; empty for the variant's own."""

    family: Family
    board: chess.Board
    fen: str


def begin(variant: Variant, fen: str, rule_set: RuleSet, limits: InputLimits) -> Beginning:
    """The beginning of a game. Raises Rejected if no game can begin there."""
    family = family_of(variant, rule_set)
    board = read_fen(fen or family.start_fen, limits, family)
    check_start(board, family)
    check_position(board, family)
    return Beginning(family, board, write_fen(board, family) if fen else "")


class BadMove(Exception):
    """An illegal or invalid move. `label` is its number, `3.` for White and `3...` for Black; `problem` names both."""

    def __init__(self, move: RawMove, label: str, text: Text, code: RefusalCode) -> None:
        super().__init__(text)
        self.move, self.label, self.code = move, label, code
        self.problem = say("rules.pgn_move", label=label, problem=text)


def play_lines(lines: list[RawLine], beginning: Beginning, limits: InputLimits) -> "Replay":
    """Make all moves of a game and set their UCI and SAN. Return the end of the main line. Raises BadMove."""
    main = Replay(beginning.family, beginning.board.copy(stack=False), limits)
    for move in lines[0].moves:
        _play(move, main)
    for line in lines[1:]:
        if line.dropped or line.board is None:
            continue
        side = Replay(beginning.family, line.board.copy(stack=False), limits)
        for move in line.moves:
            _play(move, side)
    return main


def _play(move: RawMove, replay: "Replay") -> None:
    if move.lines:
        before = replay.board.copy(stack=False)
        for side in move.lines:
            side.board = before
    label = f"{replay.board.fullmove_number}{'.' if replay.board.turn else '...'}"
    if replay.end is not None:
        text = say("rules.move_after_end", move=quoted(move.text), reason=end_text(replay.end))
        raise BadMove(move, label, text, RefusalCode.ILLEGAL_MOVE)
    try:
        move.uci, move.san = replay.play(move.text)
    except Rejected as refused:
        raise BadMove(move, label, refused.text, refused.refusal.code) from refused


class Replay:
    """A board that makes the moves of a line, one by one."""

    def __init__(self, family: Family, board: chess.Board, limits: InputLimits) -> None:
        self.board = board
        self._family = family
        self._limits = limits
        self._keys: deque[bytes] = deque([position_key(board, family)], maxlen=limits.keys_max)
        self.end = family.ended(board, family.is_check(board))
        """Mate, stalemate or the variant's goal, or None; never a draw by count."""

    def play(self, text: str) -> tuple[str, str]:
        """Make the move that `text` names; return its UCI and SAN. Raises Rejected. Signs of check are ignored."""
        move = read_move(self.board, text.rstrip("+#"), self._limits, self._family)
        uci, san = self._family.write_uci(self.board, move), write_san(self.board, move, self._family.is_capture)
        mover = self.board.turn
        if self._family.apply(self.board, move):
            self._keys.clear()
        self._keys.append(position_key(self.board, self._family))
        check = self._family.is_check(self.board)
        self.end = self._family.ended(self.board, check)
        return uci, san + sign(check, wins(self.end, mover))

    def standing(self, rule_set: RuleSet) -> Standing:
        """The standing of the current position."""
        keys = list(self._keys)[:-1]
        return stand(self.board, self._family, b"".join(keys), rule_set)
