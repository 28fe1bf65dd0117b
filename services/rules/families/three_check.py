"""Three-check: a side that has given check three times wins.

`remaining_checks` of the board counts down for each side. A move gives at most one check, also by several pieces. A
check is irreversible, so no earlier position can come again. But it does not restart the move count: as in standard
chess only a capture or a pawn move does (FIDE 9.3).
"""

from typing import Self

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.targets import in_check
from services.rules.families.without_moves import without_moves
from services.rules.moves import apply_move

CHECK_GIVEN = 150
"""The value of a check that was given, for the small search."""


class ThreeCheckBoard(chess.variant.ThreeCheckBoard):
    """The library's board with a faster test for check, which it makes after each move."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self)

    def copy(self, *, stack: bool | int = True) -> Self:
        """A copy of the board; with `stack=False` it takes a third of the library's time."""
        if stack:
            return super().copy(stack=stack)
        other = without_moves(self)
        other._three_check_stack = []
        other.remaining_checks = self.remaining_checks.copy()
        return other


class ThreeCheck(Family):
    """The rules of Three-check: standard chess, and the third check wins."""

    variant = Variant.THREE_CHECK
    board_class = ThreeCheckBoard
    counts_checks = True
    exact_dead_positions = False
    one_minor_can_win = True

    @property
    def start_fen(self) -> str:
        """The starting position of standard chess, with no checks given."""
        return f"{chess.STARTING_FEN} +0+0"

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win by the third check, or None."""
        white, black = _remaining(board)[chess.WHITE], _remaining(board)[chess.BLACK]
        if white > 0 and black > 0:
            return None
        return Outcome(Colour.WHITE if white <= 0 else Colour.BLACK, EndReason.THIRD_CHECK)

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """As in the base class; a check is irreversible too."""
        mover, left = board.turn, _remaining(board)[board.turn]
        return apply_move(board, move) or _remaining(board)[mover] != left

    def key_state(self, board: chess.Board) -> bytes:
        """The checks that each side still needs."""
        return bytes(_remaining(board))

    def dead_by_material(self, board: chess.Board) -> bool:
        """Whether there are only kings: any other piece can give check."""
        return board.occupied == board.kings

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` has only its king: it cannot give check, not even a discovered one."""
        return not board.occupied_co[side is Colour.WHITE] & ~board.kings

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` has more than its king.

        One knight or bishop can force a safe check on a bare king from nearly any square.
        """
        return not self.cannot_win(board, side)

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """The checks that `side` has given."""
        return -CHECK_GIVEN * _remaining(board)[side]


def _remaining(board: chess.Board) -> list[int]:
    assert isinstance(board, ThreeCheckBoard)
    return board.remaining_checks


THREE_CHECK = ThreeCheck()
