"""Three-check: what counts as a check, who can still give one, and which positions come again."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rule_set import CLAIMED, FIDE
from services.rules.families.three_check import THREE_CHECK
from services.rules.judge import Play, Played, Position, Start, inspect, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.standing import Standing

WHITE_WINS = Outcome(Colour.WHITE, EndReason.THIRD_CHECK)
BLACK_WINS = Outcome(Colour.BLACK, EndReason.THIRD_CHECK)


def standing(fen: str) -> Standing:
    return inspect(Start("threeCheck", fen), FIDE, LIMITS)


def played(fen: str, *moves: str) -> Played:
    """What the last of these moves led to."""
    position, last = Position("threeCheck", fen), None
    for move in moves:
        last = play(Play(position, move), CLAIMED, LIMITS)
        position = Position("threeCheck", last.standing.fen, last.standing.keys)
    assert last is not None
    return last


def test_the_first_array() -> None:
    first = standing("")
    assert first.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0"
    assert len(first.legal) == 20


@pytest.mark.parametrize(
    ("fen", "move", "winner"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "a1a8", WHITE_WINS),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 2+1 0 1", "a1a8", None),
        ("r3k3/8/8/8/8/8/8/4K3 b - - 3+1 0 1", "a8a1", BLACK_WINS),
        ("r3k3/8/8/8/8/8/8/4K3 b - - 1+2 0 1", "a8a1", None),
        # a check by castling, by capture en passant, by uncovering, by promotion
        ("5k2/8/8/8/8/8/8/4K2R w K - 1+1 0 1", "e1g1", WHITE_WINS),
        ("8/2k5/8/3pP3/8/8/8/4K3 w - d6 1+1 0 2", "e5d6", WHITE_WINS),
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 1+1 0 1", "e4c5", WHITE_WINS),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 1+1 0 1", "a7a8q", WHITE_WINS),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 1+1 0 1", "a7a8n", None),
        # a double check is one check
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 2+1 0 1", "e4f6", None),
    ],
)
def test_the_third_check_wins(fen: str, move: str, winner: Outcome | None) -> None:
    led_to = played(fen, move)
    assert led_to.standing.outcome == winner
    assert bool(led_to.standing.legal) is (winner is None)
    assert led_to.san.endswith("#") is (winner is not None)


def test_a_check_counts_down_once_for_the_side_that_gave_it() -> None:
    assert played("4k3/8/8/8/4N3/8/8/K3R3 w - - 3+3 4 9", "e4f6").standing.fen.split()[6] == "+1+0"
    assert played("r3k3/8/8/8/8/8/8/4K3 b - - 3+3 0 1", "a8a1").standing.fen.split()[6] == "+0+1"


def test_a_third_check_that_mates_wins_by_the_check_and_a_mate_before_it_is_one() -> None:
    corner = "7k/8/6K1/8/8/8/8/R7 w - - {} 0 1"
    assert played(corner.format("1+3"), "a1a8").standing.outcome == WHITE_WINS
    assert played(corner.format("2+3"), "a1a8").standing.outcome == Outcome(Colour.WHITE, EndReason.CHECKMATE)


def test_a_check_makes_what_was_before_it_unreachable() -> None:
    quiet = ["a1a2", "e8d8", "a2a1", "d8e8"]
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1"
    assert len(played(fen, *quiet).standing.keys) == 8 * 5
    checked = played(fen, *quiet, "a1a8")
    assert (len(checked.standing.keys), checked.standing.fen) == (8, "R3k3/8/8/8/8/8/8/4K3 b - - 5 3 +1+0")


def test_the_check_does_not_restart_the_move_count() -> None:
    led_to = played("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 98 90", "a1a8", "e8d7")
    assert led_to.standing.fen.endswith(" 100 91 +1+0")
    assert led_to.standing.claims


def test_positions_differ_by_their_counters() -> None:
    keys = {standing(f"4k3/8/8/8/8/8/8/R3K3 w - - {left} 0 1").keys for left in ("3+3", "2+3", "3+2", "2+2")}
    assert len(keys) == 4


def test_only_kings_alone_are_dead() -> None:
    assert standing("4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1").outcome == Outcome(None, EndReason.DEAD_POSITION)
    for man in "NBRQP":
        assert standing(f"4k3/8/8/8/8/8/3{man}4/4K3 w - - 3+3 0 1").outcome is None, man


@pytest.mark.parametrize("man", [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.PAWN])
def test_any_man_can_check_a_lone_king_and_a_bare_king_cannot(man: chess.PieceType) -> None:
    # cannot_win is what every position of these men says, and a check exists for each of them
    checks = 0
    for square in chess.scan_forward(chess.BB_ALL & ~chess.BB_BACKRANKS):
        board = THREE_CHECK.empty_board()
        board.set_piece_at(chess.E5, chess.Piece(chess.KING, chess.BLACK))
        if square == chess.E5:
            continue
        board.set_piece_at(square, chess.Piece(man, chess.WHITE))
        board.set_piece_at(chess.A1, chess.Piece(chess.KING, chess.WHITE))
        assert not THREE_CHECK.cannot_win(board, Colour.WHITE)
        assert THREE_CHECK.cannot_win(board, Colour.BLACK)
        board.turn = chess.BLACK
        checks += THREE_CHECK.is_check(board)
        board.turn = chess.WHITE
        assert not THREE_CHECK.is_check(board)
    assert checks


@given(st.lists(st.integers(0, 255), max_size=120))
def test_lists_and_counters_are_the_librarys(choices: list[int]) -> None:
    board, library = THREE_CHECK.empty_board(), chess.variant.ThreeCheckBoard()
    board.set_fen(library.fen())
    for choice in choices:
        goal = THREE_CHECK.goal(board)
        assert (goal is not None) is library.is_variant_end()
        moves = list(library.generate_legal_moves())
        if goal is not None:
            assert not moves
            return
        check = THREE_CHECK.is_check(board)
        assert check is library.is_check()
        assert THREE_CHECK.legal_text(board, check) == sorted(move.uci() for move in moves)
        if not moves:
            return
        checks = [move for move in moves if library.gives_check(move)]
        move = checks[choice % len(checks)] if checks and choice % 4 == 0 else moves[choice % len(moves)]
        rights = library.castling_rights
        library.push(move)
        irreversible = not library.halfmove_clock or library.castling_rights != rights or library.is_check()
        assert THREE_CHECK.apply(board, move) is irreversible
        assert board.fen() == library.fen()


def test_a_copy_is_a_board_of_its_own() -> None:
    for stack in (True, False):
        board = read_fen("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1", LIMITS, THREE_CHECK)
        THREE_CHECK.apply(board, chess.Move.from_uci("e1e2"))
        copy, before = board.copy(stack=stack), board.fen()
        assert (copy.fen(), len(copy.move_stack)) == (before, int(stack))
        for move in ("e8e7", "a1a7"):
            THREE_CHECK.apply(copy, chess.Move.from_uci(move))
        assert (board.fen(), len(board.move_stack)) == (before, 1)
        for _ in range(2):
            copy.pop()
        assert copy.fen() == before


def test_undo_gives_back_position_and_counters() -> None:
    board = read_fen("4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1", LIMITS, THREE_CHECK)
    before = board.fen()
    THREE_CHECK.apply(board, chess.Move.from_uci("a1a8"))
    assert board.fen() != before
    board.pop()
    assert board.fen() == before
