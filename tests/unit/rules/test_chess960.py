"""Chess960: its arrays, and castling from wherever king and rook stand (case X01)."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.refusal import RefusalCode
from services.domain.rule_set import CLAIMED, FIDE
from services.rules.families.chess960 import CHESS960, start_fen_of
from services.rules.judge import Play, Played, Position, Start, inspect, play
from services.rules.limits import LIMITS
from services.rules.moves import apply_move
from services.rules.notation.fen import read_fen
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from services.rules.standing import Standing


def standing(fen: str = "", number: int | None = None) -> Standing:
    return inspect(Start("chess960", fen, number), FIDE, LIMITS)


def castlings(fen: str, *moves: str) -> list[str]:
    """The castling moves in the position after these moves."""
    now = standing(fen)
    for move in moves:
        now = play(Play(Position("chess960", now.fen, now.keys), move), FIDE, LIMITS).standing
    board = read_fen(now.fen, LIMITS, CHESS960)
    own_rooks = [chess.SQUARE_NAMES[rook] for rook in board.pieces(chess.ROOK, board.turn)]
    return [move for move in now.legal if move[2:] in own_rooks]


@pytest.mark.parametrize(
    ("number", "men"),
    [
        (0, "BBQNNRKR"),
        (518, "RNBQKBNR"),
        (534, "RNBKQBNR"),
        (959, "RKRNNQBB"),
    ],
)
def test_arrays_by_number(number: int, men: str) -> None:
    fen = f"{men.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{men} w KQkq - 0 1"
    assert start_fen_of(number) == fen
    assert standing(number=number).fen == fen


def test_all_arrays_differ_and_keep_the_rules() -> None:
    arrays = {start_fen_of(number)[:8] for number in range(960)}
    assert len(arrays) == 960
    for men in arrays:
        assert men.index("r") < men.index("k") < men.rindex("r")
        assert men.index("b") % 2 != men.rindex("b") % 2
        assert sorted(men) == sorted("rnbqkbnr")


@pytest.mark.parametrize("number", [-1, 960])
def test_there_is_no_other_number(number: int) -> None:
    with pytest.raises(Rejected) as refused:
        start_fen_of(number)
    assert (refused.value.refusal.code, refused.value.refusal.at) == (RefusalCode.MALFORMED, "number")


def test_the_own_array_is_that_of_standard_chess() -> None:
    assert standing().fen == chess.STARTING_FEN


# Case X01: K is the outermost rook; a letter names any.
@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", ["g1g3", "e8d8"], ["e1h1"]),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", ["h1h3", "e8d8"], ["e1g1"]),
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", ["g1g3", "e8d8"], ["e1h1"]),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", [], ["d1c1"]),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1", [], ["d1c1"]),
    ],
)
def test_which_rook_a_right_belongs_to(fen: str, moves: list[str], expected: list[str]) -> None:
    assert castlings(fen, *moves) == expected


def test_both_spellings_of_a_start_are_the_same_game() -> None:
    first = standing("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1")
    assert standing("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1") == first


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # king and rook change places, with no empty square anywhere near
        ("4k3/8/8/8/8/8/3PPPPP/3NBKRN w G - 0 1", ["f1g1"]),
        # the king stays, the rook jumps over it
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", ["g1h1"]),
        # the rook stays, the king jumps over it
        ("4k3/8/8/8/8/8/8/RK1R4 w D - 0 1", ["b1d1"]),
        # a man stands where the king, or the rook, would come to
        ("4k3/8/8/8/8/8/8/1RK3N1 w B - 0 1", ["c1b1"]),
        ("4k3/8/8/8/8/8/8/1RKN4 w B - 0 1", []),
        # an attacked square on the king's way; one on the rook's way alone does not matter (FIDE 3.8.2.2)
        ("4kr2/8/8/8/8/8/8/4K1R1 w G - 0 1", []),
        ("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", ["e1a1"]),
        # the rook shields its king from a rook behind it and may not leave
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", []),
        # out of check there is no castling
        ("2r1k3/8/8/8/8/8/8/1RK5 w B - 0 1", []),
    ],
)
def test_castling_from_anywhere(fen: str, expected: list[str]) -> None:
    assert castlings(fen) == expected


def test_castling_ends_on_the_usual_squares() -> None:
    played = play(Play(Position("chess960", "4k3/8/8/8/8/8/3PPPPP/3NBKRN w G - 0 1"), "f1g1"), FIDE, LIMITS)
    assert (played.uci, played.san) == ("f1g1", "O-O")
    assert played.standing.fen == "4k3/8/8/8/8/8/3PPPPP/3NBRKN b - - 1 1"


def test_castling_is_irreversible_and_a_rook_that_stays_is_not() -> None:
    position = Position("chess960", "4k3/8/8/8/8/8/8/RK3R2 w F - 0 1", b"\0" * 8)
    kept = play(Play(position, "a1a2"), CLAIMED, LIMITS)
    assert len(kept.standing.keys) == 16
    lost = play(Play(position, "b1f1"), CLAIMED, LIMITS)
    assert len(lost.standing.keys) == 8


@given(st.integers(0, 959), st.lists(st.integers(0, 255), max_size=80))
def test_lists_are_the_librarys_in_games_from_any_array(number: int, choices: list[int]) -> None:
    board = read_fen(start_fen_of(number), LIMITS, CHESS960)
    for choice in choices:
        moves = list(board.generate_legal_moves())
        assert CHESS960.legal_text(board, board.is_check()) == sorted(move.uci() for move in moves)
        if not moves:
            return
        apply_move(board, moves[choice % len(moves)])


KINGS_AND_ROOKS = st.permutations("RKR.....").filter(
    lambda men: men.index("R") < men.index("K") < 7 - men[::-1].index("R")
)


@given(KINGS_AND_ROOKS, st.dictionaries(st.integers(0, 63), st.sampled_from("NBQRPnbqrp"), max_size=12))
def test_lists_are_the_librarys_with_castling_anywhere(rank: list[str], others: dict[int, str]) -> None:
    board = chess.Board(None, chess960=True)
    board.set_piece_at(chess.E8, chess.Piece(chess.KING, chess.BLACK))
    for square, letter in others.items():
        if not (letter in "Pp" and (square < 8 or square > 55)) and square != chess.E8:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    for file, letter in enumerate(rank):
        if letter != ".":
            board.set_piece_at(file, chess.Piece.from_symbol(letter))
    board.castling_rights = sum(chess.BB_SQUARES[file] for file, letter in enumerate(rank) if letter == "R")
    if not board.was_into_check():
        check_position(board, CHESS960)
        moves = sorted(move.uci() for move in board.generate_legal_moves())
        assert CHESS960.legal_text(board, board.is_check()) == moves


def test_undo_gives_back_the_position() -> None:
    board = read_fen("4k3/8/8/8/8/8/3PPPPP/3NBKRN w G - 0 1", LIMITS, CHESS960)
    before = board.fen()
    apply_move(board, chess.Move.from_uci("f1g1"))
    assert board.fen() != before
    board.pop()
    assert board.fen() == before


def test_castling_is_read_in_both_spellings() -> None:
    position = Position("chess960", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    played: list[Played] = [play(Play(position, text), FIDE, LIMITS) for text in ("e1h1", "e1g1", "O-O", "0-0")]
    assert {move.uci for move in played} == {"e1h1"}
    assert len({move.standing.fen for move in played}) == 1
