"""What the structure of a position rules out, without a search: reach, mating squares and the walk of the kings."""

from functools import cached_property

import chess

from services.domain.colour import Colour
from services.rules.dead.kings_walk import positions_after_captures
from services.rules.dead.mating_squares import can_mate_somewhere
from services.rules.dead.reach import Reach
from services.rules.dead.square_sets import ALL, ahead, king, orthogonal
from services.rules.families.material import cannot_win

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


class KnownStructures:
    """What was found about structures, so that one is not looked at again when only the kings have moved."""

    def __init__(self, side: Colour) -> None:
        self._side = side
        self._found: dict[tuple[int, ...], list[tuple[int, int, bool]]] = {}

    def rule_out(self, board: chess.Board) -> bool:
        """Whether the structure rules out that the side ever mates. True is sure."""
        if not worth_a_look(board, self._side is Colour.WHITE):
            return False
        black_king, white_king = (board.kings & own for own in board.occupied_co)
        men = (
            board.pawns, board.knights, board.bishops, board.rooks, board.queens,
            board.occupied_co[chess.WHITE] & ~board.kings, board.castling_rights, board.ep_square or 0,
        )  # fmt: skip
        known = self._found.setdefault(men, [])
        for black_squares, white_squares, ruled_out in known:
            # what cannot come from where the kings were cannot come from where they could go
            if black_king & black_squares and white_king & white_squares:
                return ruled_out
        reach = Reach(board)
        ruled_out = not can_mate_somewhere(board, reach, self._side is Colour.WHITE)
        known.append((reach.kings[chess.BLACK], reach.kings[chess.WHITE], ruled_out))
        return ruled_out


def worth_a_look(board: chess.Board, white: bool) -> bool:
    """Whether the structure might rule out that a side mates: no free pawn, no queen or rook that can move.

    A rook or queen behind a wall of pawns can be given away for one of them, and the wall is open.
    """
    own, empty = board.occupied_co[white], ALL & ~board.occupied
    if own & board.queens & king(empty) or own & board.rooks & orthogonal(empty):
        return False
    stopped = board.pawns
    for _ in range(5):
        stopped |= ahead(stopped, not white)
    return not own & board.pawns & ahead(empty & ~stopped, not white)
