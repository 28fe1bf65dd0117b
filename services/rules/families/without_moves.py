"""A copy of a board without the moves that led to it, by way of its fields and past its constructor."""

from typing import TypeVar

import chess

BoardT = TypeVar("BoardT", bound=chess.Board)


def without_moves(board: BoardT) -> BoardT:
    """A board with the same fields, that shares none of the library's lists; those of a subclass are its caller's."""
    other = object.__new__(type(board))
    vars(other).update(vars(board))
    other.occupied_co = board.occupied_co.copy()
    other.move_stack = []
    other._stack = []
    return other
