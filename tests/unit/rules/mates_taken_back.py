"""Positions in which a side can surely mate: a mate, from which moves are taken back at random.

Uses nothing but the moves: each position is kept only if the move leads from it to the one before.
"""

import random

import chess

from services.rules.dead.transposition import name
from services.rules.moves import apply_move

_PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def some_mate(chance: random.Random) -> chess.Board:
    """Black is mated, with locked pawns and a few men of both sides about."""
    while True:
        board = chess.Board(None)
        board.turn = chess.BLACK
        mated = chance.choice((chess.A8, chess.B8, chess.H8, chess.A7, chess.E8, chess.H5, chess.D6))
        board.set_piece_at(mated, chess.Piece(chess.KING, chess.BLACK))
        around = list(chess.scan_forward(chess.BB_KING_ATTACKS[mated]))
        for _ in range(chance.randint(0, 6)):
            square = chess.square(chance.randrange(8), chance.randint(1, 5))
            if not board.piece_at(square) and not board.piece_at(square + 8):
                board.set_piece_at(square, chess.Piece(chess.PAWN, chess.WHITE))
                board.set_piece_at(square + 8, chess.Piece(chess.PAWN, chess.BLACK))
        for _ in range(chance.randint(0, 3)):
            _put(board, chance.choice(around), chance.choice((chess.PAWN, *_PIECES)), chess.BLACK)
        for _ in range(chance.randint(1, 3)):
            _put(board, chance.randrange(64), chance.choice((chess.PAWN, *_PIECES)), chess.WHITE)
        _put(board, chance.randrange(64), chess.KING, chess.WHITE)
        if board.is_valid() and board.is_checkmate():
            return board


def taken_back(board: chess.Board, chance: random.Random) -> chess.Board | None:
    """A position in which a legal move leads to this one, if the one that was tried is possible."""
    white = not board.turn
    man = board.piece_at(square := chance.choice(list(chess.scan_forward(board.occupied_co[white]))))
    assert man is not None
    before = board.copy(stack=False)
    before.turn = white
    before.ep_square = None
    origin, promotion = _origin(board, square, man, chance)
    if origin is None or before.piece_at(origin) or (man.piece_type == chess.PAWN and origin not in _PAWN_SQUARES):
        return None
    before.remove_piece_at(square)
    before.set_piece_at(origin, chess.Piece(chess.PAWN, white) if promotion else man)
    takes = chess.square_file(origin) != chess.square_file(square)
    if ((man.piece_type == chess.PAWN or promotion) and takes) or chance.random() < 0.25:
        _put(before, square, chance.choice((chess.PAWN, *_PIECES)), not white)
    move = chess.Move(origin, square, promotion)
    if not before.is_valid() or not before.is_legal(move):
        return None
    after = before.copy(stack=False)
    apply_move(after, move)
    return before if name(after) == name(board) else None


_PAWN_SQUARES = chess.SquareSet(chess.BB_ALL & ~chess.BB_BACKRANKS)


def _origin(
    board: chess.Board, square: chess.Square, man: chess.Piece, chance: random.Random
) -> tuple[chess.Square | None, chess.PieceType | None]:
    """Where the man may have come from, and what it became there if it was a pawn."""
    back = -8 if man.color else 8
    last = chess.square_rank(square) == (7 if man.color else 0)
    if man.piece_type == chess.PAWN or (last and man.piece_type != chess.KING and chance.random() < 0.5):
        origin = square + back * chance.choice((1, 1, 2)) + chance.choice((0, 0, -1, 1))
        promotion = None if man.piece_type == chess.PAWN else man.piece_type
        return (origin if 0 <= origin < 64 else None), promotion
    origins = list(chess.scan_forward(board.attacks_mask(square) & ~board.occupied))
    return (chance.choice(origins) if origins else None), None


def _put(board: chess.Board, square: chess.Square, kind: chess.PieceType, white: chess.Color) -> None:
    if not board.piece_at(square) and not (kind == chess.PAWN and square not in _PAWN_SQUARES):
        board.set_piece_at(square, chess.Piece(kind, white))
