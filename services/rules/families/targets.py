"""Pseudo-legal target squares of pieces, and what legality needs besides: pins, checks and attacked squares.

It uses the bitboards and attack tables of the library, without an object for each move. Move lists are built from it.
"""

from collections.abc import Iterator
from functools import cache

import chess

KNIGHT, KING, PAWN = chess.BB_KNIGHT_ATTACKS, chess.BB_KING_ATTACKS, chess.BB_PAWN_ATTACKS
_RANK, _RANK_MASKS = chess.BB_RANK_ATTACKS, chess.BB_RANK_MASKS
_FILE, _FILE_MASKS = chess.BB_FILE_ATTACKS, chess.BB_FILE_MASKS
_DIAGONAL, _DIAGONAL_MASKS = chess.BB_DIAG_ATTACKS, chess.BB_DIAG_MASKS

Targets = Iterator[tuple[chess.Bitboard, chess.Square, chess.Bitboard]]
"""Pieces, each as the mask and the number of its square, and the mask of its targets."""


@cache
def on_file(squares: chess.Bitboard) -> tuple[tuple[chess.Bitboard, chess.Square], ...]:
    """Each of these squares, all on one file, as mask and number, from the first rank up.

    File by file, this is the order of the squares' names. There are 2,041 such sets.
    """
    return tuple([(chess.BB_SQUARES[square], square) for square in chess.scan_forward(squares)])


def pseudo_targets(board: chess.Board, pieces: chess.Bitboard) -> Targets:
    """Those of `pieces` (of the side to move) that have targets, in the order of the names of their squares.

    Captures en passant are included. Castling is not, but a king is always yielded, since it may still castle.
    """
    turn = board.turn
    others, occupied = board.occupied_co[not turn], board.occupied
    closed, empty = ~board.occupied_co[turn], ~occupied
    prey = others if board.ep_square is None else others | chess.BB_SQUARES[board.ep_square]
    pawns, knights, kings = board.pawns, board.knights, board.kings
    straight, diagonal = board.rooks | board.queens, board.bishops | board.queens
    pawn_attacks = PAWN[turn]
    for file in chess.BB_FILES:
        for piece, source in on_file(pieces & file):
            if piece & pawns:
                if turn:
                    targets = piece << 8 & empty
                    targets |= (targets & chess.BB_RANK_3) << 8 & empty
                else:
                    targets = piece >> 8 & empty
                    targets |= (targets & chess.BB_RANK_6) >> 8 & empty
                targets |= pawn_attacks[source] & prey
            elif piece & knights:
                targets = KNIGHT[source] & closed
            elif piece & kings:
                yield piece, source, KING[source] & closed
                continue
            else:
                targets = _DIAGONAL[source][_DIAGONAL_MASKS[source] & occupied] if piece & diagonal else 0
                if piece & straight:
                    targets |= _RANK[source][_RANK_MASKS[source] & occupied]
                    targets |= _FILE[source][_FILE_MASKS[source] & occupied]
                targets &= closed
            if targets:
                yield piece, source, targets


def unattacked(
    board: chess.Board, squares: chess.Bitboard, others: chess.Bitboard, occupied: chess.Bitboard
) -> chess.Bitboard:
    """Those of `squares` that none of `others` attacks, pieces of the side that is not to move.

    `occupied` are the squares that block lines; they may differ from the board's.
    """
    if not squares:
        return chess.BB_EMPTY
    straight, diagonal = (board.rooks | board.queens) & others, (board.bishops | board.queens) & others
    pawns, knights, kings = board.pawns & others, board.knights & others, board.kings & others
    pawn_attacks = PAWN[board.turn]
    free = chess.BB_EMPTY
    while squares:
        lowest = squares & -squares
        squares ^= lowest
        square = lowest.bit_length() - 1
        if not (
            KNIGHT[square] & knights
            or pawn_attacks[square] & pawns
            or KING[square] & kings
            or _DIAGONAL[square][_DIAGONAL_MASKS[square] & occupied] & diagonal
            or _RANK[square][_RANK_MASKS[square] & occupied] & straight
            or _FILE[square][_FILE_MASKS[square] & occupied] & straight
        ):
            free |= lowest
    return free


def in_check(board: chess.Board) -> bool:
    """Whether a piece of the other side attacks the king of the side to move."""
    turn = board.turn
    return not unattacked(board, board.kings & board.occupied_co[turn], board.occupied_co[not turn], board.occupied)


def answers(board: chess.Board, capture: bool) -> chess.Bitboard:
    """The squares on which another piece answers a check: between king and checker, or with `capture` the checker's."""
    king = (board.kings & board.occupied_co[board.turn]).bit_length() - 1
    checkers = board.attackers_mask(not board.turn, king)
    if checkers.bit_count() != 1:
        return chess.BB_EMPTY
    return chess.between(king, checkers.bit_length() - 1) | (checkers if capture else chess.BB_EMPTY)


def pinned(board: chess.Board, king: chess.Square) -> chess.Bitboard:
    """Pieces of the side to move that are the only piece between their king and a line piece of the other side."""
    occupied, own, others = board.occupied, board.occupied_co[board.turn], board.occupied_co[not board.turn]
    lines = (_RANK[king][0] | _FILE[king][0]) & (board.rooks | board.queens)
    snipers = (lines | _DIAGONAL[king][0] & (board.bishops | board.queens)) & others
    found = chess.BB_EMPTY
    while snipers:
        lowest = snipers & -snipers
        snipers ^= lowest
        between = chess.between(king, lowest.bit_length() - 1) & occupied
        if between and not between & (between - 1):
            found |= between & own
    return found
