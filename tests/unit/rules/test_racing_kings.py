"""Racing Kings: no checks, who has won the race, and Black's last move when White arrives first."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import CLAIMED, FIDE, PRESETS
from services.rules.families.racing_kings import RACING_KINGS
from services.rules.forfeit import ForfeitKind, forfeited
from services.rules.judge import Play, Played, Position, Start, inspect, judge, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.standing import Standing

WHITE_WINS = Outcome(Colour.WHITE, EndReason.RACE)
BLACK_WINS = Outcome(Colour.BLACK, EndReason.RACE)
DRAWN = Outcome(None, EndReason.RACE)


def standing(fen: str) -> Standing:
    return inspect(Start("racingKings", fen), FIDE, LIMITS)


def played(fen: str, *moves: str) -> Played:
    """What the last of these moves led to."""
    position, last = Position("racingKings", fen), None
    for move in moves:
        last = play(Play(position, move), CLAIMED, LIMITS)
        position = Position("racingKings", last.standing.fen, last.standing.keys)
    assert last is not None
    return last


def test_the_first_array() -> None:
    first = standing("")
    assert first.fen == "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"
    assert len(first.legal) == 21


@pytest.mark.parametrize(
    ("fen", "moves", "outcome"),
    [
        ("8/6K1/8/8/8/8/k7/8 w - - 0 1", ["g7g8"], WHITE_WINS),
        ("8/6K1/k7/8/8/8/8/8 w - - 0 1", ["g7g8"], WHITE_WINS),
        # Black stands before the last rank: one move is left
        ("8/k5K1/8/8/8/8/8/8 w - - 0 1", ["g7g8"], None),
        ("8/k5K1/8/8/8/8/8/8 w - - 0 1", ["g7g8", "a7a8"], DRAWN),
        ("8/k5K1/8/8/8/8/8/8 w - - 0 1", ["g7g8", "a7a6"], WHITE_WINS),
        # a rook holds all the squares where Black could arrive
        ("3R4/k5K1/8/8/8/8/8/8 w - - 0 1", ["g7h8"], WHITE_WINS),
        # Black first: White has had its move
        ("8/k5K1/8/8/8/8/8/8 b - - 0 1", ["a7a8"], BLACK_WINS),
    ],
)
def test_who_arrives_first(fen: str, moves: list[str], outcome: Outcome | None) -> None:
    led_to = played(fen, *moves)
    assert led_to.standing.outcome == outcome
    assert bool(led_to.standing.legal) is (outcome is None)
    assert led_to.san.endswith("#") is (outcome in (WHITE_WINS, BLACK_WINS) and len(moves) == 1)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("8/8/8/8/4k3/8/8/K5R1 w - - 0 1", "g1e1"),
        ("8/8/8/8/4k3/8/8/K5R1 w - - 0 1", "g1g4"),
        ("8/8/8/8/4k3/8/8/K5N1 w - - 0 1", "g1f2"),
        # a check that another man uncovers, the king too
        ("8/8/8/8/k2N3R/8/8/K7 w - - 0 1", "d4b3"),
        ("8/8/8/8/k2K3R/8/8/8 w - - 0 1", "d4d3"),
    ],
)
def test_no_move_gives_check(fen: str, move: str) -> None:
    assert move not in standing(fen).legal
    assert isinstance(judge(Play(Position("racingKings", fen), move), FIDE, LIMITS), Refusal)


def test_a_side_without_a_move_has_drawn() -> None:
    assert standing("8/8/8/8/1R2K3/8/7R/k7 b - - 0 1").outcome == Outcome(None, EndReason.STALEMATE)


def test_bare_kings_race_on() -> None:
    assert standing("8/8/8/8/8/8/k6K/8 w - - 0 1").outcome is None


def test_who_can_still_win_when_white_has_arrived() -> None:
    board = read_fen("6K1/k7/8/8/8/8/8/8 b - - 0 1", LIMITS, RACING_KINGS)
    assert RACING_KINGS.cannot_win(board, Colour.BLACK)
    assert not RACING_KINGS.cannot_win(board, Colour.WHITE)
    # each move that is left to Black arrives
    board = read_fen("6K1/k7/7R/1R6/8/8/8/8 b - - 0 1", LIMITS, RACING_KINGS)
    assert RACING_KINGS.legal_text(board, False) == ["a7a8"]
    assert RACING_KINGS.cannot_win(board, Colour.WHITE)
    early = read_fen("8/8/8/8/8/8/k6K/8 w - - 0 1", LIMITS, RACING_KINGS)
    assert not any(RACING_KINGS.cannot_win(early, side) for side in Colour)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_king_alone_wins_on_time_by_every_preset(preset: str) -> None:
    board = read_fen("8/8/8/8/8/8/kq5K/8 b - - 0 1", LIMITS, RACING_KINGS)
    end = forfeited(board, RACING_KINGS, PRESETS[preset], Colour.BLACK, ForfeitKind.FLAG, None)
    assert end.outcome.winner is Colour.WHITE


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        ("8/8/8/8/8/8/k6K/8 w - e3 0 1", "fen.enPassant"),
        ("8/8/8/8/8/8/kP5K/8 w - - 0 1", "fen.board"),
        ("8/8/8/8/8/8/k6K/7r w - - 0 1", "fen.board"),  # White is in check
        ("8/8/8/8/8/8/k7/8 w - - 0 1", "fen.board"),
        ("7K/8/8/8/8/8/k7/8 w - - 0 1", "fen"),
    ],
)
def test_positions_that_no_game_starts_from(fen: str, at: str) -> None:
    refused = judge(Start("racingKings", fen), FIDE, LIMITS)
    assert isinstance(refused, Refusal)
    assert refused.at == at


def test_draws_by_repetition_and_count() -> None:
    fen = "8/8/8/8/8/8/k6K/8 w - - 0 1"
    quiet = ["h2h1", "a2a1", "h1h2", "a1a2"]
    assert played(fen, *quiet, *quiet).standing.claims
    assert played(fen, *quiet * 4).standing.outcome == Outcome(None, EndReason.REPETITION)


@given(st.lists(st.integers(0, 255), max_size=120))
def test_lists_are_the_librarys(choices: list[int]) -> None:
    board, library = read_fen(RACING_KINGS.start_fen, LIMITS, RACING_KINGS), chess.variant.RacingKingsBoard()
    for choice in choices:
        goal = RACING_KINGS.goal(board)
        assert (goal is not None) is library.is_variant_end()
        if goal is not None:
            assert (goal.winner is None) is library.is_variant_draw()
            return
        moves = list(library.generate_legal_moves())
        assert RACING_KINGS.legal_text(board, False) == sorted(move.uci() for move in moves)
        if not moves:
            return
        # kings that run make the race end within a game
        running = [
            move
            for move in moves
            if library.piece_type_at(move.from_square) == chess.KING and move.to_square > move.from_square
        ]
        move = running[choice % len(running)] if running and choice % 3 == 0 else moves[choice % len(moves)]
        library.push(move)
        RACING_KINGS.apply(board, move)
        assert board.fen() == library.fen()
