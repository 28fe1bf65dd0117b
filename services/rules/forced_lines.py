"""What a forced line leads to: while the side to move has one legal move, nothing else can happen."""

import chess

from services.domain.colour import Colour
from services.rules.material import cannot_win
from services.rules.moves import apply_move
from services.rules.possible_mate import CanMate

FORCED_PLIES_MAX = 8
"""How far a forced line is followed."""


def follow(board: chess.Board, side: Colour) -> CanMate:
    """Whether `side` can mate, by what the forced line from here ends in; UNKNOWN where it ends in open play."""
    white = side is Colour.WHITE
    position = board
    for _ in range(FORCED_PLIES_MAX):
        if cannot_win(position, side):
            return CanMate.NO
        moves = position.generate_legal_moves()
        only = next(moves, None)
        if only is None:
            return CanMate.YES if position.turn is not white and position.is_check() else CanMate.NO
        if next(moves, None) is not None:
            return CanMate.UNKNOWN
        position = position.copy(stack=False)
        apply_move(position, only)
    return CanMate.UNKNOWN
