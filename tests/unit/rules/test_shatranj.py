"""Shatranj: how its men move, and its three ways to win (cases V12 and V13)."""

import chess
import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE, FRIENDLY
from services.rules.families.shatranj import SHATRANJ
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Play, Played, Position, Start, inspect, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.position_check import check_position
from services.rules.standing import Standing

WHITE_BARES = Outcome(Colour.WHITE, EndReason.BARE_KING)
DEAD = Outcome(None, EndReason.DEAD_POSITION)


def standing(fen: str) -> Standing:
    return inspect(Start("shatranj", fen), FIDE, LIMITS)


def played(fen: str, *moves: str) -> Played:
    """What the last move led to; the game went on after those before."""
    position = Position("shatranj", fen)
    steps: list[Played] = []
    for move in moves:
        verdict = judge(Play(position, move), FIDE, LIMITS)
        assert isinstance(verdict, Played), verdict
        position = Position("shatranj", verdict.standing.fen, verdict.standing.keys)
        steps.append(verdict)
    return steps[-1]


def refused(fen: str, move: str) -> Refusal:
    verdict = judge(Play(Position("shatranj", fen), move), FIDE, LIMITS)
    assert isinstance(verdict, Refusal), verdict
    return verdict


def moves_from(fen: str, square: str) -> list[str]:
    return [text for text in standing(fen).legal if text.startswith(square)]


def test_the_array_has_the_kings_on_d() -> None:
    first = standing("")
    assert first.fen == "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
    steps = [f"{file}2{file}3" for file in "abcdefgh"]
    assert set(first.legal) == {*steps, "b1a3", "b1c3", "g1f3", "g1h3", "c1a3", "c1e3", "f1d3", "f1h3"}


@pytest.mark.parametrize(
    "men",
    [
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    ],
)
def test_every_array_has_sixteen_first_moves(men: str) -> None:
    assert len(standing(f"{men} w - - 0 1").legal) == 16


@pytest.mark.parametrize(
    ("fen", "square", "moves"),
    [
        ("6k1/P5p1/8/8/8/8/8/K6R w - - 0 1", "a7", ["a7a8q"]),
        ("6k1/6p1/8/8/8/8/P7/K6R w - - 0 1", "a2", ["a2a3"]),
        ("6k1/6p1/8/8/3Q4/8/1P1P4/K1B4R w - - 0 1", "c1", ["c1a3", "c1e3"]),
        ("6k1/6p1/8/8/3Q4/8/1P1P4/K1B4R w - - 0 1", "d4", ["d4c3", "d4c5", "d4e3", "d4e5"]),
        # Black's pawns go down, and take and become firzes there
        ("7k/8/8/8/8/8/1p6/R1N1K3 b - - 0 1", "b2", ["b2a1q", "b2b1q", "b2c1q"]),
    ],
)
def test_how_men_move(fen: str, square: str, moves: list[str]) -> None:
    assert moves_from(fen, square) == moves
    # Case V13 has its king on h8, where White to move is giving check: its moves are told, and no game begins there.
    of_the_case = fen.replace("6k1", "7k")
    if of_the_case != fen:
        assert moves_from(of_the_case, square) == moves
        assert "h1h8" not in inspect(Start("shatranj", of_the_case), FIDE, LIMITS).legal, "nobody takes a king"
        verdict = judge(Start("shatranj", of_the_case), FIDE, LIMITS)
        assert isinstance(verdict, Refusal)
        assert verdict.at == "fen.turn"


def test_there_is_no_castling() -> None:
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1"
    assert moves_from(fen, "e1") == ["e1d1", "e1f1"]
    for move in ("e1g1", "e1c1", "O-O", "e1h1"):
        assert refused(fen, move).code is RefusalCode.ILLEGAL_MOVE


def test_there_is_no_en_passant() -> None:
    assert moves_from("6k1/8/8/1pP5/8/8/8/K6R w - - 0 1", "c5") == ["c5c6"]
    verdict = judge(Start("shatranj", "6k1/8/8/1pP5/8/8/8/K6R w - b6 0 2"), FIDE, LIMITS)
    assert isinstance(verdict, Refusal)
    assert verdict.at == "fen.enPassant"


@pytest.mark.parametrize(
    ("fen", "square", "moves"),
    [
        # only a rook pins: along the file the pinned rook may move, and take
        ("k3r3/8/8/8/4R3/8/p7/4K3 w - - 0 1", "e4", ["e4e2", "e4e3", "e4e5", "e4e6", "e4e7", "e4e8"]),
        ("k3r3/8/8/8/4Q3/8/p7/4K3 w - - 0 1", "e4", []),
        ("k3r3/8/8/8/4P3/8/p7/4K3 w - - 0 1", "e4", ["e4e5"]),
        # an elephant is over what stands between, so that only taking it helps
        ("k7/8/8/8/8/6b1/5R2/4K3 w - - 0 1", "f2", []),
        ("k7/8/8/8/8/2b4R/8/4K3 w - - 0 1", "h3", ["h3c3"]),
    ],
)
def test_pins_and_checks(fen: str, square: str, moves: list[str]) -> None:
    assert moves_from(fen, square) == moves


@pytest.mark.parametrize(
    ("fen", "moves", "outcome"),
    [
        # the bared king cannot answer
        ("7k/r7/8/8/8/8/8/R3K1N1 w - - 0 1", ["a1a7"], WHITE_BARES),
        # it can, and the game goes on for that one move
        ("8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1", ["b1b7"], None),
        ("8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1", ["b1b7", "a6b7"], DEAD),
        ("8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1", ["b1b7", "a6a5"], WHITE_BARES),
        # no answer: the man is guarded, the king is not beside it, or there is a second man
        ("8/1r6/k7/8/8/8/8/1R2K3 b - - 0 1", ["b7b1"], Outcome(Colour.BLACK, EndReason.BARE_KING)),
        ("8/1rK5/k7/8/8/8/8/1R6 w - - 0 1", ["b1b7"], WHITE_BARES),
        ("8/1r6/k7/8/8/8/8/1R2K1N1 w - - 0 1", ["b1b7"], WHITE_BARES),
        # a king may bare as well, and a pawn's capture that makes it a firz
        ("8/8/8/8/8/k7/1R6/rK6 w - - 0 1", ["b1a1"], WHITE_BARES),
        ("k3r3/3P4/8/8/8/8/8/K7 w - - 0 1", ["d7e8q"], WHITE_BARES),
        # taking the last man of both leaves the kings alone
        ("8/8/8/8/8/1k6/8/rK6 w - - 0 1", ["b1a1"], DEAD),
        # checkmate, and a stalemate, which is lost
        ("R6k/p7/6K1/8/8/8/8/8 b - - 0 1", [], Outcome(Colour.WHITE, EndReason.CHECKMATE)),
        ("k1K5/8/2N5/8/8/7p/7P/8 b - - 0 1", [], Outcome(Colour.WHITE, EndReason.STALEMATE)),
        # baring comes before both
        ("k1K5/8/2N5/8/8/8/7P/8 b - - 0 1", [], WHITE_BARES),
        # the kings alone
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", [], DEAD),
    ],
)
def test_how_it_ends(fen: str, moves: list[str], outcome: Outcome | None) -> None:
    last = played(fen, *moves).standing if moves else standing(fen)
    assert last.outcome == outcome
    assert bool(last.legal) == (outcome is None)


def test_a_bare_king_has_all_its_moves_when_it_can_answer() -> None:
    after = played("8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1", "b1b7")
    assert after.san == "Rxb7"
    assert after.standing.legal == ("a6a5", "a6b7")
    assert played("7k/r7/8/8/8/8/8/R3K1N1 w - - 0 1", "a1a7").san == "Rxa7#"


def test_stalemating_wins_in_a_game() -> None:
    after = played("8/k1K5/8/4N3/8/7p/7P/8 b - - 0 1", "a7a8", "e5c6")
    assert after.san == "Nc6#"
    assert (after.standing.check, after.standing.outcome) == (False, Outcome(Colour.WHITE, EndReason.STALEMATE))


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", True, True),
        # one man of any kind may bare the other king
        ("8/8/4k3/p7/8/4K3/7P/8 w - - 0 1", False, False),
        ("8/8/4k3/b7/8/4K3/7Q/8 w - - 0 1", False, False),
        # a bare king that may answer can draw, not win
        ("8/1R6/k7/8/8/8/8/4K3 b - - 0 1", False, True),
    ],
)
def test_who_cannot_win(fen: str, white: bool, black: bool) -> None:
    board = read_fen(fen, LIMITS, SHATRANJ)
    check_position(board, SHATRANJ)
    assert [SHATRANJ.cannot_win(board, side) for side in Colour] == [white, black]
    assert SHATRANJ.dead_by_material(board) == (white and black)


def test_a_knight_wins_on_time_against_pawns() -> None:
    # it could still bare the other king: what counts as too little in chess does not here
    for rule_set in (FIDE, CLAIMED, EVERYDAY, AUTOMATIC, FRIENDLY):
        flag = Forfeit(Position("shatranj", "8/8/4k3/pp6/8/4K3/7N/8 b - - 0 1"), Colour.BLACK, ForfeitKind.FLAG)
        verdict = judge(flag, rule_set, LIMITS)
        assert isinstance(verdict, Forfeited)
        assert verdict.outcome == Outcome(Colour.WHITE, EndReason.FLAG)


def test_a_pawn_move_and_a_capture_are_irreversible() -> None:
    board = read_fen("4k3/p7/8/1n6/8/8/1R6/4K3 w - - 5 9", LIMITS, SHATRANJ)
    irreversible = [SHATRANJ.apply(board, chess.Move.from_uci(text)) for text in ("b2b4", "a7a6", "b4b5", "a6b5")]
    assert irreversible == [False, True, True, True]
    assert (board.halfmove_clock, board.fullmove_number) == (0, 11)


def test_letters_of_books_are_read() -> None:
    fen = "6k1/P5p1/8/8/3Q4/8/1P1P4/K1B4R w - - 0 1"
    for text, uci in (("Fe5", "d4e5"), ("Ae3", "c1e3"), ("Be3", "c1e3"), ("a8", "a7a8q"), ("a8=F", "a7a8q")):
        assert played(fen, text).uci == uci
    assert played(fen, "a7a8q").san == "a8=Q"
    assert refused(fen, "a7a8r").code is RefusalCode.ILLEGAL_MOVE
