"""What material can do in standard chess.

Only material counts here: it does not find positions in which locked pawns or forced moves rule out every mate.
"""

import chess

from services.domain.colour import Colour


def dead_by_material(board: chess.Board) -> bool:
    """Only kings; or one knight; or only bishops, any number, all on squares of one colour (FIDE 5.2.2)."""
    if board.pawns | board.rooks | board.queens:
        return False
    if board.knights:
        return board.occupied.bit_count() == 3
    return _on_one_colour(board.bishops)


def can_force_mate(board: chess.Board, side: Colour) -> bool:
    """Whether `side` has more than K, K+B, K+N or K+N+N; bishops on one colour count as one bishop."""
    own = board.occupied_co[side is Colour.WHITE]
    if own & (board.pawns | board.rooks | board.queens):
        return True
    bishops, knights = own & board.bishops, own & board.knights
    if bishops and knights:
        return True
    return not _on_one_colour(bishops) or knights.bit_count() > 2


def cannot_win(board: chess.Board, side: Colour) -> bool:
    """Whether no series of legal moves lets `side` mate, by material alone. True is proved; False is not.

    True for a bare king; for one knight if the other side has only its king or only queens; for bishops on one colour
    if the board has no knight, no pawn and no bishop on the other colour.
    """
    return board.has_insufficient_material(side is Colour.WHITE)


def count_pieces(board: chess.Board, side: Colour) -> tuple[int, int]:
    """The number of pieces of `side` besides its king, and how many of them are bishops or knights."""
    return (board.occupied_co[side is Colour.WHITE] & ~board.kings).bit_count(), minors(board, side)


def minors(board: chess.Board, side: Colour) -> int:
    """How many bishops and knights `side` has."""
    return (board.occupied_co[side is Colour.WHITE] & (board.bishops | board.knights)).bit_count()


def _on_one_colour(bishops: chess.Bitboard) -> bool:
    return not (bishops & chess.BB_DARK_SQUARES and bishops & chess.BB_LIGHT_SQUARES)
