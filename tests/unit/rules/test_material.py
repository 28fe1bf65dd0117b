"""What material can do: who can surely not win any more."""

import chess
import pytest

from services.domain.colour import Colour
from services.rules.dead.dead_position import can_mate
from services.rules.dead.possible_mate import CanMate
from services.rules.families.family import STANDARD
from services.rules.families.material import cannot_win
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen


def no_knight_mates_queens() -> bool:
    """Whether no placing of queens beside their king lets a lone knight with its king mate, on any square."""
    for king in chess.SQUARES:
        around = chess.BB_KING_ATTACKS[king]
        for knight in chess.scan_forward(chess.BB_KNIGHT_ATTACKS[king]):
            for white_king in chess.scan_forward(chess.BB_ALL & ~around & ~chess.BB_SQUARES[king]):
                if white_king == knight:
                    continue
                covered = chess.BB_KING_ATTACKS[white_king] | chess.BB_KNIGHT_ATTACKS[knight]
                blocked = around & ~covered & ~chess.BB_SQUARES[white_king]
                occupied = blocked | chess.BB_SQUARES[king] | chess.BB_SQUARES[white_king] | chess.BB_SQUARES[knight]
                board = chess.Board(None)
                board.queens, board.occupied = blocked, occupied
                board.occupied_co[chess.BLACK] = blocked
                if not board.attackers_mask(chess.BLACK, knight, occupied):
                    return False
    return True


def test_a_lone_knight_never_mates_queens() -> None:
    # Every flight that White does not cover holds a queen, and one of these queens always takes the knight, which
    # nothing can pin it from doing: so K+N against K+Q... is sure not to win.
    assert no_knight_mates_queens()
    board = read_fen("7k/8/5q2/8/8/2N5/8/K7 b - - 0 1", LIMITS, STANDARD)
    assert cannot_win(board, Colour.WHITE)
    assert not cannot_win(board, Colour.BLACK)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("7k/8/8/8/8/8/Q7/K7 w - - 0 1", CanMate.YES, CanMate.NO),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", CanMate.YES, CanMate.NO),
        # a mate in one, seen at once
        ("7k/5K2/8/6R1/8/8/8/8 w - - 0 1", CanMate.YES, CanMate.NO),
        # the game has ended on the board
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", CanMate.YES, CanMate.NO),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", CanMate.NO, CanMate.NO),
        # material alone
        ("7k/8/5q2/8/8/2N5/8/K7 b - - 0 1", CanMate.NO, CanMate.YES),
        # dead by structure and by force: every position was seen
        ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", CanMate.NO, CanMate.NO),
        ("6Rk/8/7K/8/8/8/8/8 b - - 0 1", CanMate.NO, CanMate.NO),
    ],
)
def test_can_mate_is_sure(fen: str, white: CanMate, black: CanMate) -> None:
    board = read_fen(fen, LIMITS, STANDARD)
    assert [can_mate(board, side, 20_000) for side in Colour] == [white, black]


def test_can_mate_says_that_it_does_not_know() -> None:
    board = read_fen(chess.STARTING_FEN, LIMITS, STANDARD)
    assert can_mate(board, Colour.WHITE, 50) is CanMate.UNKNOWN
