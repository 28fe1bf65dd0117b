"""With which two pieces a mate exists at all: every placing of two kings, one piece and one man of the mated side.

In a mate each flight of the king is attacked, or holds its own man: so that only placings with at most one flight that
neither the mating king nor its piece attacks are given to the board to judge. These are all that can be mates.
"""

from collections.abc import Iterator

import chess
import pytest

from services.domain.colour import Colour
from services.rules.families.material import cannot_win


def placings(piece: chess.PieceType, man: chess.PieceType) -> Iterator[chess.Board]:
    """White has the piece, Black the man and the move; every check with at most one flight open, once each."""
    man_squares = chess.BB_ALL & ~(chess.BB_BACKRANKS if man == chess.PAWN else 0)
    for mated in chess.SQUARES:
        around = chess.BB_KING_ATTACKS[mated]
        for king in chess.scan_forward(chess.BB_ALL & ~around & ~chess.BB_SQUARES[mated]):
            for checker in chess.scan_forward(reaching(piece, mated) & ~chess.BB_SQUARES[king]):
                # the man may stand in the way of the piece: what it attacks on an empty board is the most
                covered = chess.BB_KING_ATTACKS[king] | reaching(piece, checker)
                open_flights = around & ~covered
                if open_flights.bit_count() > 1:
                    continue
                for square in chess.scan_forward((open_flights or chess.BB_ALL) & man_squares):
                    if square not in (mated, king, checker):
                        yield placed(mated, king, checker, piece, square, man)


def reaching(piece: chess.PieceType, square: chess.Square) -> chess.Bitboard:
    """What a knight or bishop attacks on an empty board."""
    return chess.BB_KNIGHT_ATTACKS[square] if piece == chess.KNIGHT else chess.BB_DIAG_ATTACKS[square][0]


def placed(
    mated: chess.Square,
    king: chess.Square,
    checker: chess.Square,
    piece: chess.PieceType,
    square: chess.Square,
    man: chess.PieceType,
) -> chess.Board:
    board = chess.Board(None)
    board.turn = chess.BLACK
    board.set_piece_at(mated, chess.Piece(chess.KING, chess.BLACK))
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(checker, chess.Piece(piece, chess.WHITE))
    board.set_piece_at(square, chess.Piece(man, chess.BLACK))
    return board


def mates(piece: chess.PieceType, man: chess.PieceType) -> list[chess.Board]:
    """All positions in which Black, to move, is mated."""
    return [board for board in placings(piece, man) if not board.was_into_check() and board.is_checkmate()]


@pytest.mark.parametrize(
    ("piece", "man", "number"),
    [
        (chess.KNIGHT, chess.QUEEN, 0),
        (chess.KNIGHT, chess.ROOK, 8),
        (chess.KNIGHT, chess.BISHOP, 8),
        (chess.KNIGHT, chess.KNIGHT, 8),
        (chess.KNIGHT, chess.PAWN, 8),
        (chess.BISHOP, chess.QUEEN, 0),
        (chess.BISHOP, chess.ROOK, 0),
        (chess.BISHOP, chess.BISHOP, 112),
        (chess.BISHOP, chess.KNIGHT, 8),
        (chess.BISHOP, chess.PAWN, 56),
    ],
)
def test_a_lone_piece_mates_a_lone_man(piece: chess.PieceType, man: chess.PieceType, number: int) -> None:
    found = mates(piece, man)
    assert len(found) == number
    assert len({board.fen() for board in found}) == number
    # the material rule knows exactly which of these never mate
    board = placed(chess.H8, chess.A1, chess.C3, piece, chess.F5, man)
    assert cannot_win(board, Colour.WHITE) is (number == 0)
    assert not any(cannot_win(board, Colour.WHITE) for board in found)


def test_bishops_mate_each_other_only_on_opposite_colours() -> None:
    found = mates(chess.BISHOP, chess.BISHOP)
    assert found
    for board in found:
        assert board.bishops & chess.BB_LIGHT_SQUARES
        assert board.bishops & chess.BB_DARK_SQUARES
    same = placed(chess.H8, chess.A1, chess.C3, chess.BISHOP, chess.E5, chess.BISHOP)
    assert cannot_win(same, Colour.WHITE)
