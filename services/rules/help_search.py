"""A bounded search for a mate that both sides help to bring about (FIDE 5.1.2, 5.2.2, 6.9).

Move counts and repetition are left aside: they end a game by articles of their own.
"""

import heapq
from collections.abc import Callable

import chess

from services.domain.colour import Colour
from services.rules.material import cannot_win
from services.rules.moves import apply_move
from services.rules.possible_mate import CanMate
from services.rules.structure import Structure
from services.rules.transposition import name

_CENTRE_DISTANCE = tuple(
    max(abs(2 * chess.square_file(square) - 7), abs(2 * chess.square_rank(square) - 7)) // 2 for square in range(64)
)


def search(board: chess.Board, side: Colour, nodes_max: int, expired: Callable[[], bool]) -> CanMate:
    """Whether `side` can mate from this checked position, looking at `nodes_max` positions at the most.

    Best first: positions in which the other king is hemmed in come before others; nothing is left out but what the
    material already settles, so that an exhausted search proves the answer. `expired` is asked now and then and ends
    the search as the bound does.
    """
    start = board.copy(stack=False)
    seen = {name(start)}
    queue = [(0, 0, start, False)]
    while queue:
        _, _, position, changed = heapq.heappop(queue)
        moves = list(position.generate_legal_moves())
        if not moves:
            if position.is_check() and position.turn is (side is Colour.BLACK):
                return CanMate.YES
            continue
        if changed and Structure(position).rules_out(side):
            continue
        if expired():
            return CanMate.UNKNOWN
        for move in moves:
            after = position.copy(stack=False)
            irreversible = apply_move(after, move)
            reached = name(after)
            if reached in seen or cannot_win(after, side):
                continue
            if len(seen) >= nodes_max:
                return CanMate.UNKNOWN
            seen.add(reached)
            heapq.heappush(queue, (_distance(after, side), len(seen), after, irreversible))
    return CanMate.NO


def _distance(board: chess.Board, side: Colour) -> int:
    """A guess at how far `side` is from mating; smaller is nearer. It orders the search and decides nothing."""
    white = side is Colour.WHITE
    own, other = board.occupied_co[white], board.occupied_co[not white]
    king, own_king = board.king(not white), board.king(white)
    if king is None or own_king is None:
        raise ValueError("a checked position has both kings")
    around = chess.BB_KING_ATTACKS[king]
    near = [square for square in chess.scan_forward(around) if board.is_attacked_by(white, square)]
    attacked = sum(chess.BB_SQUARES[square] for square in near)
    flights = (around & ~other & ~attacked).bit_count()
    checked = board.is_attacked_by(white, king)
    force = (
        9 * (own & board.queens).bit_count()
        + 5 * (own & board.rooks).bit_count()
        + 3 * (own & (board.bishops | board.knights)).bit_count()
    )
    pawns = sum(
        chess.square_rank(square) if white else 7 - chess.square_rank(square)
        for square in chess.scan_forward(own & board.pawns)
    )
    return (
        6 * flights
        - 4 * checked
        - 2 * len(near)
        - 3 * _CENTRE_DISTANCE[king]
        + 2 * chess.square_distance(king, own_king)
        - force
        - pawns // 2
        + (other & ~board.pawns).bit_count()
    )
