"""King of the Hill: a king on d4, e4, d5 or e5 wins.

The step there must be legal (FIDE 3.9.2). A bare king can still walk, so no position is dead by material, and any
material passes each test after a flag fall.
"""

import chess
from chess.variant import KingOfTheHillBoard

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family

STEP_TO_HILL = 12
"""The value of a king's step towards the hill, for the small search."""


class KingOfTheHill(Family):
    """The rules of King of the Hill: standard chess, and a king on a central square wins."""

    variant = Variant.KING_OF_THE_HILL
    board_class = KingOfTheHillBoard
    exact_dead_positions = False
    bare_king_can_win = True

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win by a king on the hill, or None."""
        on_hill = board.kings & chess.BB_CENTER
        if not on_hill:
            return None
        white = on_hill & board.occupied_co[chess.WHITE]
        return Outcome(Colour.WHITE if white else Colour.BLACK, EndReason.HILL)

    def dead_by_material(self, board: chess.Board) -> bool:
        """False: either king may reach the hill."""
        return False

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """False: either king may reach the hill."""
        return False

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """True: a bare king can win."""
        return True

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """How near the king of `side` is to the hill, as a value that is at most 0."""
        king = board.king(side)
        assert king is not None, "a checked board has both kings"
        return -STEP_TO_HILL * min(chess.square_distance(king, hill) for hill in chess.scan_forward(chess.BB_CENTER))


KING_OF_THE_HILL = KingOfTheHill()
