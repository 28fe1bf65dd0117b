"""The list of legal moves as text is the library's, move for move."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.families.family import STANDARD
from services.rules.moves import apply_move, legal_moves


def expected(board: chess.Board) -> list[str]:
    return sorted(move.uci() for move in board.legal_moves)


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        # pinned on a file, a rank, both diagonals; a pawn pinned on a file may step, on a diagonal may take
        "4r2k/8/1b5b/2P5/r2RK1Br/4P3/5N2/1b5b w - - 0 1",
        "k3r3/8/8/8/4P3/8/8/4K3 w - - 0 1",
        "k7/8/8/8/8/2b5/3P4/4K3 w - - 0 1",
        # promotions, by step and by capture, on both sides
        "1n1n3k/2P5/8/8/8/8/2p5/1N1N3K w - - 0 1",
        "1n1n3k/2P5/8/8/8/8/2p5/1N1N3K b - - 0 1",
        # captures do not wrap round the board's edge
        "7k/8/p6p/P6P/p6p/P6P/8/7K w - - 0 1",
        "7k/8/8/1p4p1/P6P/8/8/7K w - - 0 1",
        "7k/8/8/p6p/1P4P1/8/8/7K b - - 0 1",
        # double steps over a man
        "7k/pppppppp/8/8/8/n6N/PPPPPPPP/7K w - - 0 1",
        "7k/pppppppp/n6N/8/8/8/PPPPPPPP/7K b - - 0 1",
        # en passant that the pin along the rank forbids, and one that is legal
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1",
        # check, double check, no move at all
        "4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
        "k2R4/8/8/8/R7/8/8/K7 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        # two men between are no pin
        "k3r3/8/4N3/4B3/8/8/8/4K3 w - - 0 1",
    ],
)
def test_positions_with_something_special(fen: str) -> None:
    board = chess.Board(fen)
    assert STANDARD.legal_text(board, board.is_check()) == expected(board)


@given(st.lists(st.integers(0, 255), max_size=150))
def test_every_position_of_random_games(choices: list[int]) -> None:
    board = chess.Board()
    for choice in choices:
        assert STANDARD.legal_text(board, board.is_check()) == expected(board)
        moves = legal_moves(board)
        if not moves:
            return
        apply_move(board, moves[choice % len(moves)])


SQUARES = st.integers(0, 63)
MEN = st.sampled_from([chess.Piece.from_symbol(letter) for letter in "PNBRQpnbrq"])


@given(SQUARES, SQUARES, st.dictionaries(SQUARES, MEN, max_size=20), st.booleans())
def test_any_position(white_king: int, black_king: int, men: dict[int, chess.Piece], turn: bool) -> None:
    board = chess.Board(None)
    board.set_piece_map(
        {square: man for square, man in men.items() if man.piece_type != chess.PAWN or 8 <= square < 56}
    )
    board.set_piece_at(white_king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(black_king, chess.Piece(chess.KING, chess.BLACK))
    board.turn = turn
    if white_king != black_king and not board.was_into_check():
        assert STANDARD.legal_text(board, board.is_check()) == expected(board)
