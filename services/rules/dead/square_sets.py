"""Steps of whole sets of squares. A set is a bitboard of 64 bits: bit 0 is a1, bit 63 is h8."""

from collections.abc import Iterator

import chess

ALL = chess.BB_ALL
LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
_NOT_A = ALL & ~chess.BB_FILE_A
_NOT_H = ALL & ~chess.BB_FILE_H


def squares(board: int) -> Iterator[int]:
    """The numbers of the squares of a set."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def orthogonal(board: int) -> int:
    """The squares one step away along ranks and files."""
    return ((board << 8) | (board >> 8) | ((board & _NOT_H) << 1) | ((board & _NOT_A) >> 1)) & ALL


def diagonal(board: int) -> int:
    """The squares one step away along diagonals."""
    east, west = board & _NOT_H, board & _NOT_A
    return ((east << 9) | (east >> 7) | (west << 7) | (west >> 9)) & ALL


def king(board: int) -> int:
    """The squares one step away in any direction. They include squares of the set that are next to each other."""
    beside = ((board & _NOT_H) << 1) | ((board & _NOT_A) >> 1)
    wide = board | beside
    return (beside | (wide << 8) | (wide >> 8)) & ALL


def knight(board: int) -> int:
    """The squares a knight's move away."""
    west, east = (board & _NOT_A) >> 1, (board & _NOT_H) << 1
    near, far = west | east, ((west & _NOT_A) >> 1) | ((east & _NOT_H) << 1)
    return ((near << 16) | (near >> 16) | (far << 8) | (far >> 8)) & ALL


def pawn_attacks(board: int, white: bool) -> int:
    """The squares that pawns of one side attack."""
    east, west = board & _NOT_H, board & _NOT_A
    return ((east << 9) | (west << 7)) & ALL if white else (east >> 7) | (west >> 9)


def ahead(board: int, white: bool) -> int:
    """The squares in front of pawns of one side."""
    return (board << 8) & ALL if white else board >> 8
