"""Antichess: forced captures, kings like other men, who has won with nothing left to move, and what can still win."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import CLAIMED, FIDE, PRESETS
from services.rules.families.antichess import ANTICHESS
from services.rules.forfeit import ForfeitKind, forfeited
from services.rules.judge import Play, Played, Position, Start, inspect, judge, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.standing import Standing


def standing(fen: str) -> Standing:
    return inspect(Start("antichess", fen), FIDE, LIMITS)


def played(fen: str, *moves: str) -> Played:
    """What the last of these moves led to."""
    position, last = Position("antichess", fen), None
    for move in moves:
        last = play(Play(position, move), CLAIMED, LIMITS)
        position = Position("antichess", last.standing.fen, last.standing.keys)
    assert last is not None
    return last


def test_the_first_array_has_no_castling() -> None:
    first = standing("")
    assert first.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    assert len(first.legal) == 20
    assert "e1g1" not in standing("4k3/8/8/8/8/8/8/4K2R w - - 0 1").legal


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("8/8/8/3p4/4P3/8/8/R7 w - - 0 1", ("e4d5",)),
        # of several captures each may be chosen
        ("8/8/r7/3p4/4P3/8/8/R7 w - - 0 1", ("a1a6", "e4d5")),
        # en passant is a capture like any other
        ("8/8/8/3pP3/8/8/8/R7 w - d6 0 2", ("e5d6",)),
        # a king takes what is defended, and may be left where it is attacked
        ("8/8/8/3p4/4K3/8/8/3q4 w - - 0 1", ("e4d5",)),
        # a capture that promotes, also to a king
        ("1n6/P7/8/8/8/8/8/8 w - - 0 1", ("a7b8b", "a7b8k", "a7b8n", "a7b8q", "a7b8r")),
    ],
)
def test_who_can_capture_must(fen: str, legal: tuple[str, ...]) -> None:
    assert standing(fen).legal == legal


def test_there_is_no_check_and_kings_are_any_number() -> None:
    attacked = standing("3kk3/8/8/8/8/8/8/KKR1K3 b - - 0 1")
    assert (attacked.check, attacked.outcome) == (False, None)
    assert standing("8/1p6/8/8/8/8/6P1/8 w - - 0 1").outcome is None


def test_a_promoted_king_in_each_notation() -> None:
    fen = "8/P7/8/8/8/8/8/7r w - - 0 1"
    for text in ("a7a8k", "a7a8K", "a8=K", "a8K", "a8(K)"):
        led_to = played(fen, text)
        assert (led_to.uci, led_to.san) == ("a7a8k", "a8=K"), text
        assert led_to.standing.fen == "K7/8/8/8/8/8/8/7r b - - 0 1"
    refused = judge(Play(Position("standard", "7k/P7/8/8/8/8/8/K7 w - - 0 1"), "a7a8k"), FIDE, LIMITS)
    assert isinstance(refused, Refusal)


def test_two_kings_that_can_go_to_one_square_are_told_apart() -> None:
    assert played("7n/8/8/8/8/8/8/K1K5 w - - 0 1", "a1b1").san == "Kab1"
    assert played("7n/8/8/8/8/8/8/K1K5 w - - 0 1", "Kcb1").uci == "c1b1"


@pytest.mark.parametrize(
    ("fen", "move", "outcome"),
    [
        # Black had to take the last man
        ("8/8/8/8/8/3r4/8/3R4 b - - 0 1", "d3d1", Outcome(Colour.WHITE, EndReason.ALL_TAKEN)),
        ("8/8/8/8/3n4/8/4P3/8 b - - 0 1", "d4e2", Outcome(Colour.WHITE, EndReason.ALL_TAKEN)),
        ("r7/8/8/8/8/8/8/B6R w - - 0 1", "h1h8", None),
        # Black's pawn is blocked: no move is a win too
        ("8/8/8/8/p7/8/8/2B4R w - - 0 1", "c1a3", Outcome(Colour.BLACK, EndReason.STALEMATE)),
    ],
)
def test_nothing_left_to_move_wins(fen: str, move: str, outcome: Outcome | None) -> None:
    led_to = played(fen, move)
    assert led_to.standing.outcome == outcome
    assert bool(led_to.standing.legal) is (outcome is None)


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/8/8/8/8/b7/B7 w - - 0 1", False, False),  # on opposite colours
        ("8/8/8/8/8/8/1b6/B7 w - - 0 1", True, True),
        ("8/8/8/8/8/8/b7/BB6 w - - 0 1", False, True),  # the bishop on the other colour stays
        ("8/8/8/8/8/8/b7/BN6 w - - 0 1", True, True),
        ("8/8/8/8/8/8/8/K6k w - - 0 1", True, True),
        # one knight each, White to move: on different colours only White may ever take
        ("8/8/8/8/8/8/7n/N7 w - - 0 1", True, False),
        ("n7/8/8/8/8/8/8/N7 w - - 0 1", False, True),
        ("n7/8/8/8/8/8/8/N7 b - - 0 1", True, False),
    ],
)
def test_who_can_still_win(fen: str, white: bool, black: bool) -> None:
    board = read_fen(fen, LIMITS, ANTICHESS)
    assert [not ANTICHESS.cannot_win(board, side) for side in (Colour.WHITE, Colour.BLACK)] == [white, black]
    assert ANTICHESS.dead_by_material(board) is (not white and not black)
    dead = standing(fen).outcome == Outcome(None, EndReason.DEAD_POSITION)
    assert dead is (not white and not black)


def test_two_knights_played_out_agree_with_what_is_said_of_them() -> None:
    """Every pair of squares: who takes, whenever somebody can, is the one of whom it is said that it cannot win."""
    for white in chess.SQUARES:
        for black in chess.SQUARES:
            if white == black:
                continue
            board = ANTICHESS.empty_board()
            board.set_piece_at(white, chess.Piece(chess.KNIGHT, chess.WHITE))
            board.set_piece_at(black, chess.Piece(chess.KNIGHT, chess.BLACK))
            if chess.BB_KNIGHT_ATTACKS[white] & chess.BB_SQUARES[black]:
                assert ANTICHESS.cannot_win(board, Colour.WHITE)
            assert ANTICHESS.cannot_win(board, Colour.WHITE) is not ANTICHESS.cannot_win(board, Colour.BLACK)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_single_man_wins_on_time_by_every_preset(preset: str) -> None:
    rule_set = PRESETS[preset]
    for man in "KQRBNP":
        board = read_fen(f"rnbqkbnr/8/8/8/8/8/4{man}3/8 b - - 0 1", LIMITS, ANTICHESS)
        end = forfeited(board, ANTICHESS, rule_set, Colour.BLACK, ForfeitKind.FLAG, None)
        assert end.outcome.winner is Colour.WHITE, man


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "fen"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "fen"),
        ("kkkkkkkk/kkkkkkkk/k7/8/8/8/8/K7 w - - 0 1", "fen.board"),
        ("P7/8/8/8/8/8/8/K6k w - - 0 1", "fen.board"),
        ("8/8/8/8/8/8/8/K6k w K - 0 1", "fen.castling"),
    ],
)
def test_positions_that_no_game_starts_from(fen: str, at: str) -> None:
    refused = judge(Start("antichess", fen), FIDE, LIMITS)
    assert isinstance(refused, Refusal)
    assert refused.at == at


def test_draws_by_count_and_repetition_are_those_of_every_variant() -> None:
    quiet = ["a1b1", "h8g8", "b1a1", "g8h8"]
    fen = "7k/8/8/8/8/8/8/K7 w - - 0 1"
    assert played(fen, *quiet, *quiet).standing.claims
    assert played(fen, *quiet * 4).standing.outcome == Outcome(None, EndReason.REPETITION)
    counted = played("7k/8/8/8/8/8/8/K7 w - - 149 90", "a1b1")
    assert counted.standing.outcome == Outcome(None, EndReason.MOVE_COUNT)


@given(st.lists(st.integers(0, 255), max_size=160))
def test_lists_are_the_librarys(choices: list[int]) -> None:
    board, library = read_fen(ANTICHESS.start_fen, LIMITS, ANTICHESS), chess.variant.AntichessBoard()
    for choice in choices:
        assert (ANTICHESS.goal(board) is not None) is library.is_variant_end()
        if library.is_variant_end():
            return
        moves = list(library.generate_legal_moves())
        assert ANTICHESS.legal_text(board, False) == sorted(move.uci() for move in moves)
        if not moves:
            return
        move = moves[choice % len(moves)]
        library.push(move)
        ANTICHESS.apply(board, move)
        assert board.fen() == library.fen()
