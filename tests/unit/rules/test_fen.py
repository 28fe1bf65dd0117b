"""FEN: what is clear is tidied, what is not is refused with its field, and nothing falls back to the start position."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.outcome import EndReason
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED
from services.rules.families.family import STANDARD
from services.rules.judge import Start, inspect, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.standing import Standing
from services.words.catalogue import sentence

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def started(fen: str) -> Standing:
    verdict = judge(Start("standard", fen), CLAIMED, LIMITS)
    assert isinstance(verdict, Standing), verdict
    return verdict


def refused(fen: str) -> Refusal:
    verdict = judge(Start("standard", fen), CLAIMED, LIMITS)
    assert isinstance(verdict, Refusal), verdict
    return verdict


def test_no_fen_is_the_array() -> None:
    assert started("").fen == chess.STARTING_FEN


@pytest.mark.parametrize(
    ("given_fen", "fen"),
    [
        # blanks and line ends around and between
        (f"  {START}   w  KQkq  -  0 1", f"{START} w KQkq - 0 1"),
        (f"{START} w KQkq - 0 1  \n", f"{START} w KQkq - 0 1"),
        # missing fields
        ("8/8/2BkbRp1/1pb1p3/7n/2N5/7P/r6K", "8/8/2BkbRp1/1pb1p3/7n/2N5/7P/r6K w - - 0 1"),
        (f"{START} b", f"{START} b - - 0 1"),
        (f"{START} b Kq", f"{START} b Kq - 0 1"),
        (f"{START} w KQkq -", f"{START} w KQkq - 0 1"),
        (f"{START} w KQkq - 0", f"{START} w KQkq - 0 1"),
        # move number 0 is 1, a high one stays
        (f"{START} w KQkq - 0 0", f"{START} w KQkq - 0 1"),
        (f"{START} w KQkq - 0 150", f"{START} w KQkq - 0 150"),
        # castling letters in another order
        (f"{START} w qkQK - 0 1", f"{START} w KQkq - 0 1"),
        # an en passant square is kept only if the capture is legal
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        ),
    ],
)
def test_clear_text_is_tidied(given_fen: str, fen: str) -> None:
    assert started(given_fen).fen == fen


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        ("   ", "fen"),
        ("x" * 201, "fen"),
        (f"{START} w KQkq - 0 1 7", "fen"),
        (f"{START}/ w KQkq - 0 1", "fen.board"),
        ("8/8/8/8/8/8/8 w - - 0 1", "fen.board"),
        ("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/p8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/8p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "fen.board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN\u0661 w KQkq - 0 1", "fen.board"),
        (f"{START} x KQkq - 0 1", "fen.turn"),
        (f"{START} w xQkq - 0 1", "fen.castling"),
        (f"{START} w KKQk - 0 1", "fen.castling"),
        (f"{START} w HAha - 0 1", "fen.castling"),
        (f"{START} w {'KQkq' * 20} - 0 1", "fen.castling"),
        (f"{START} w KQkq e4 0 1", "fen.enPassant"),
        (f"{START} w  - 0 1", "fen.enPassant"),
        (f"{START} w KQkq - - -", "fen.halfMoves"),
        (f"{START} w KQkq - -1 1", "fen.halfMoves"),
        (f"{START} w KQkq - \u0661 1", "fen.halfMoves"),
        (f"{START} w KQkq - 4294967296 1", "fen.halfMoves"),
        (f"{START} w KQkq - {'9' * 100} 1", "fen.halfMoves"),
        (f"{START} w KQkq - 0 -3", "fen.fullMoves"),
        (f"{START} w KQkq - 0 1.5", "fen.fullMoves"),
        (f"{START} w KQkq - 0 1000000000", "fen.fullMoves"),
    ],
)
def test_unclear_text_is_refused_with_its_field(fen: str, at: str) -> None:
    refusal = refused(fen)
    assert (refusal.code, refusal.at) == (RefusalCode.BAD_POSITION, at)


def test_a_rank_too_long_for_any_board_is_not_remembered() -> None:
    ranks = "/".join(["1" * 17, *["8"] * 7])
    assert "more than eight squares" in sentence(refused(f"{ranks} w - - 0 1").text)


@pytest.mark.parametrize(
    ("fen", "at", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "fen.board", "no white king"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "fen.board", "no black king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "fen.board", "more than one white king"),
        ("k3k3/8/8/8/8/8/8/4K3 w - - 0 1", "fen.board", "more than one black king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "fen.board", "a pawn stands"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "fen.board", "a pawn stands"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "fen.turn", "not to move is in check"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "fen.board", "more than 8 pawns"),
        ("4k3/8/8/8/QQQQQQQQ/8/QQQQQQQQ/4K3 b - - 0 1", "fen.board", "more than 16 pieces"),
        ("4k3/8/3N1N2/8/8/8/8/K3R3 b - - 0 1", "fen.board", "more than two pieces give check"),
        ("R2k3R/8/8/8/8/8/8/K7 b - - 0 1", "fen.board", "no last move"),
        ("4k3/2N3N1/8/8/8/8/8/K7 b - - 0 1", "fen.board", "no last move"),  # neither knight uncovered the other
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", "fen.board", "no last move"),  # d2-d4 gave no check along f1-b5
        ("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "fen.castling", "K needs a white rook on h1"),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", "fen.castling", "castles in Chess960"),
        ("rnbqkbnr/pppppppp/8/8/8/5BN1/PPPPPPPP/RNBQ1RK1 b HQkq - 0 1", "fen.castling", "for Chess960"),
        ("1r2k3/8/8/8/8/8/8/R3KR2 w KQkq - 0 1", "fen.castling", "K needs a white rook on h1"),
        ("r3k2r/8/8/8/8/8/8/R4K1R w Qkq - 0 1", "fen.castling", "Q needs the white king on e1"),
        ("r2k3r/8/8/8/8/8/8/R3K2R w KQk - 0 1", "fen.castling", "k needs the black king on e8"),
        ("4k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1", "fen.castling", "q needs a black rook on a8"),
        # en passant without the pawn, past an occupied square, on the wrong side
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "fen.enPassant", "double step"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "fen.enPassant", "double step"),
        ("4k3/8/8/4p3/4P3/8/8/4K3 w - e3 0 1", "fen.enPassant", "double step"),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 500 50", "fen.halfMoves", "do not fit"),
        (f"{START} w KQkq - 1 1", "fen.halfMoves", "1 half-move without a capture does not fit"),
        (f"{START} w KQkq - 0 100000", "fen.fullMoves", "99,999 at the latest"),
    ],
)
def test_impossible_positions_are_refused_with_a_reason(fen: str, at: str, words: str) -> None:
    refusal = refused(fen)
    assert (refusal.code, refusal.at) == (RefusalCode.BAD_POSITION, at)
    assert words in sentence(refusal.text)


@pytest.mark.parametrize(
    ("fen", "reason", "words"),
    [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", EndReason.CHECKMATE, "(checkmate)"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", EndReason.STALEMATE, "(stalemate)"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", EndReason.DEAD_POSITION, "(dead position)"),
        ("8/5r2/p3k3/P7/8/1K6/8/8 w - - 150 100", EndReason.MOVE_COUNT, "(move count)"),
    ],
)
def test_no_game_starts_that_is_over(fen: str, reason: EndReason, words: str) -> None:
    refusal = refused(fen)
    assert refusal.code is RefusalCode.BAD_POSITION
    assert words in sentence(refusal.text)
    outcome = inspect(Start("standard", fen), CLAIMED, LIMITS).outcome
    assert outcome is not None
    assert outcome.reason is reason


def test_a_double_check_is_possible() -> None:
    assert started("k2R4/8/8/8/R7/8/8/K7 b - - 0 1").check


def test_a_start_is_over_by_its_own_rule_set() -> None:
    fen = "8/5r2/p3k3/P7/8/1K6/8/8 w - - 100 100"
    assert isinstance(judge(Start("standard", fen), CLAIMED, LIMITS), Standing)
    assert isinstance(judge(Start("standard", fen), AUTOMATIC, LIMITS), Refusal)


@pytest.mark.parametrize("variant", ["bughouse", "chess", "Standard", "", "x" * 99])
def test_other_variants_are_refused(variant: str) -> None:
    verdict = judge(Start(variant), CLAIMED, LIMITS)
    assert isinstance(verdict, Refusal)
    assert (verdict.code, verdict.at) == (RefusalCode.UNSUPPORTED_VARIANT, "variant")


@given(st.lists(st.integers(0, 255), max_size=120))
def test_text_equals_the_librarys_at_every_ply(choices: list[int]) -> None:
    board = chess.Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
        ours = read_fen(board.fen(), LIMITS, STANDARD)
        assert write_fen(ours, STANDARD) == board.fen()
        assert ours.status() == board.status() == chess.STATUS_VALID
        assert ours.occupied == board.occupied


@given(st.text(max_size=100) | st.text(alphabet="pnbrqkPNBRQK12345678/ wb-KQkqae36 019", max_size=90))
def test_any_text_is_read_or_refused(text: str) -> None:
    verdict = judge(Start("standard", text), CLAIMED, LIMITS)
    if isinstance(verdict, Standing):
        assert started(verdict.fen) == verdict
    else:
        assert isinstance(verdict, Refusal)
        assert verdict.code is RefusalCode.BAD_POSITION
        assert verdict.at.startswith("fen")
