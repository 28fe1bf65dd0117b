"""Copies a board without its move stack, field by field and without calling its constructor."""

from typing import TypeVar

import chess

BoardT = TypeVar("BoardT", bound=chess.Board)


def without_moves(board: BoardT) -> BoardT:
    """A board with the same fields. It copies the library's lists; the caller must copy the lists of a subclass."""
    other = object.__new__(type(board))
    vars(other).update(vars(board))
    other.occupied_co = board.occupied_co.copy()
    other.move_stack = []
    other._stack = []
    return other
