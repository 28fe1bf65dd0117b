"""Three-check: who has given check three times has won.

`remaining_checks` of the board counts down for each side. A check is given once by a move, by however many men. It
cannot be taken back, so no earlier position can return; but it does not restart the move count, which asks for a
capture or a pawn move as in standard chess (FIDE 9.3).
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
"""What a check is worth to the small search."""


class ThreeCheckBoard(chess.variant.ThreeCheckBoard):
    """The library's board, which asks after each move whether it gave check, with a quicker answer."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self)

    def copy(self, *, stack: bool | int = True) -> Self:
        """A board of one's own; without the moves that led here it costs a third of the library's."""
        if stack:
            return super().copy(stack=stack)
        other = without_moves(self)
        other._three_check_stack = []
        other.remaining_checks = self.remaining_checks.copy()
        return other


class ThreeCheck(Family):
    """Standard chess with a second way to win."""

    variant = Variant.THREE_CHECK
    board_class = ThreeCheckBoard
    counts_checks = True
    exact_dead_positions = False
    one_minor_can_win = True

    @property
    def start_fen(self) -> str:
        """The array of standard chess; nobody has given check."""
        return f"{chess.STARTING_FEN} +0+0"

    def goal(self, board: chess.Board) -> Outcome | None:
        """The third check."""
        white, black = _remaining(board)[chess.WHITE], _remaining(board)[chess.BLACK]
        if white > 0 and black > 0:
            return None
        return Outcome(Colour.WHITE if white <= 0 else Colour.BLACK, EndReason.THIRD_CHECK)

    def apply(self, board: chess.Board, move: chess.Move) -> bool:
        """Irreversible too: a check."""
        mover, left = board.turn, _remaining(board)[board.turn]
        return apply_move(board, move) or _remaining(board)[mover] != left

    def key_state(self, board: chess.Board) -> bytes:
        """The checks that each side has still to give."""
        return bytes(_remaining(board))

    def dead_by_material(self, board: chess.Board) -> bool:
        """Kings alone: any other man can give check."""
        return board.occupied == board.kings

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """A bare king gives no check, not even by uncovering one."""
        return not board.occupied_co[side is Colour.WHITE] & ~board.kings

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Any man but the king: a knight or bishop alone forces a safe check on a bare king from nearly everywhere."""
        return not self.cannot_win(board, side)

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """The checks that `side` has given."""
        return -CHECK_GIVEN * _remaining(board)[side]


def _remaining(board: chess.Board) -> list[int]:
    assert isinstance(board, ThreeCheckBoard)
    return board.remaining_checks


THREE_CHECK = ThreeCheck()
