"""Rules out mates by the structure of a position, without a search: reach, mating squares and the kings' walk."""

from functools import cached_property

import chess

from services.domain.colour import Colour
from services.rules.dead.kings_walk import positions_after_captures
from services.rules.dead.mating_squares import can_mate_somewhere
from services.rules.dead.reach import Reach
from services.rules.dead.square_sets import ALL, ahead, king, orthogonal
from services.rules.families.material import cannot_win

_CAPTURES_SETTLED_MAX = 3
"""The most positions after captures whose own structure is checked."""


class Structure:
    """The structure of one position, checked once for both sides. The side to move must have a legal move."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board

    def rules_out(self, side: Colour) -> bool:
        """Whether the structure rules out a mate by `side`. True is proved."""
        white = side is Colour.WHITE
        return not can_mate_somewhere(self._board, self._reach, white) or self._walk_rules_out(side)

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._board)

    @cached_property
    def _after_captures(self) -> list[chess.Board] | None:
        """The positions at the end of the kings' walk that are not stalemate; None if the walk proves nothing."""
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
    """A cache of results, so that a structure is not checked again if only the kings have moved."""

    def __init__(self, side: Colour) -> None:
        self._side = side
        self._found: dict[tuple[int, ...], list[tuple[int, int, bool]]] = {}

    def rule_out(self, board: chess.Board) -> bool:
        """Whether the structure rules out a mate by the side. True is proved."""
        if not worth_a_look(board, self._side is Colour.WHITE):
            return False
        black_king, white_king = (board.kings & own for own in board.occupied_co)
        pieces = (
            board.pawns, board.knights, board.bishops, board.rooks, board.queens,
            board.occupied_co[chess.WHITE] & ~board.kings, board.castling_rights, board.ep_square or 0,
        )  # fmt: skip
        known = self._found.setdefault(pieces, [])
        for black_squares, white_squares, ruled_out in known:
            # a mate impossible from the kings' old squares is impossible from all squares they could reach
            if black_king & black_squares and white_king & white_squares:
                return ruled_out
        reach = Reach(board)
        ruled_out = not can_mate_somewhere(board, reach, self._side is Colour.WHITE)
        known.append((reach.kings[chess.BLACK], reach.kings[chess.WHITE], ruled_out))
        return ruled_out


def worth_a_look(board: chess.Board, white: bool) -> bool:
    """Whether the structure might rule out a mate by a side: no free pawn, no queen or rook that can move.

    A rook or queen behind a wall of pawns can be sacrificed for one of them, which opens the wall.
    """
    own, empty = board.occupied_co[white], ALL & ~board.occupied
    if own & board.queens & king(empty) or own & board.rooks & orthogonal(empty):
        return False
    stopped = board.pawns
    for _ in range(5):
        stopped |= ahead(stopped, not white)
    return not own & board.pawns & ahead(empty & ~stopped, not white)
