"""What the structure of a position rules out, without a search: reach, mating squares and the walk of the kings."""

from functools import cached_property

import chess

from services.domain.colour import Colour
from services.rules.kings_walk import positions_after_captures
from services.rules.material import cannot_win
from services.rules.mating_squares import can_mate_somewhere
from services.rules.reach import Reach

_CAPTURES_SETTLED_MAX = 3
"""Positions after captures whose own structure is looked at."""


class Structure:
    """Looked at once for both sides. The side to move of the board has a legal move."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board

    def rules_out(self, side: Colour) -> bool:
        """Whether the structure rules out that a side ever mates. True is sure."""
        white = side is Colour.WHITE
        return not can_mate_somewhere(self._board, self._reach, white) or self._walk_rules_out(side)

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._board)

    @cached_property
    def _after_captures(self) -> list[chess.Board] | None:
        """The positions that end the walk of the kings and are not stalemate; None if the walk says nothing."""
        positions = positions_after_captures(self._board)
        if positions is None:
            return None
        going_on = [position for position in positions if position.is_check() or any(position.generate_legal_moves())]
        return going_on if len(going_on) <= _CAPTURES_SETTLED_MAX else None

    def _walk_rules_out(self, side: Colour) -> bool:
        if self._after_captures is None:
            return False
        return all(
            cannot_win(position, side)
            or not (position.is_check() or can_mate_somewhere(position, Reach(position), side is Colour.WHITE))
            for position in self._after_captures
        )
