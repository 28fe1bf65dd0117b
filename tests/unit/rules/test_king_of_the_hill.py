"""King of the Hill: arriving wins at once, by legal steps only, and a bare king can (case V11)."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE, FRIENDLY, RuleSet
from services.rules.families.king_of_the_hill import KING_OF_THE_HILL
from services.rules.forfeit import ForfeitKind
from services.rules.judge import Forfeit, Play, Position, Start, forfeit, inspect, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.refused import Rejected
from services.rules.standing import Standing

BARE_KINGS = "8/8/8/8/8/4K3/8/k7 w - - 0 1"


def standing(fen: str) -> Standing:
    return inspect(Start("kingOfTheHill", fen), FIDE, LIMITS)


def test_a_march_to_the_hill() -> None:
    position, sans = Position("kingOfTheHill", "k7/p7/8/8/8/8/8/7K w - - 0 1"), []
    for move in ("Kg2", "a5", "Kf3", "a4", "Ke4"):
        played = play(Play(position, move), FIDE, LIMITS)
        position = Position("kingOfTheHill", played.standing.fen, played.standing.keys)
        sans.append(played.san)
    assert sans == ["Kg2", "a5", "Kf3", "a4", "Ke4#"]
    assert played.standing.outcome == Outcome(Colour.WHITE, EndReason.HILL)
    assert played.standing.legal == ()


@pytest.mark.parametrize("square", ["d4", "e4", "d5", "e5"])
@pytest.mark.parametrize("colour", list(Colour))
def test_each_of_the_four_squares_wins_for_either_side(square: str, colour: Colour) -> None:
    board = chess.Board(None)
    white = colour is Colour.WHITE
    board.set_piece_at(chess.parse_square(square), chess.Piece(chess.KING, white))
    board.set_piece_at(chess.A1, chess.Piece(chess.KING, not white))
    board.turn = not white
    assert standing(board.fen()).outcome == Outcome(colour, EndReason.HILL)


@pytest.mark.parametrize(
    "square", [square for square in chess.SQUARES if not chess.BB_SQUARES[square] & chess.BB_CENTER]
)
def test_no_other_square_does(square: chess.Square) -> None:
    board = KING_OF_THE_HILL.empty_board()
    board.set_piece_at(square, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(chess.H8 if square < 32 else chess.A1, chess.Piece(chess.KING, chess.BLACK))
    assert KING_OF_THE_HILL.goal(board) is None


def test_other_men_there_win_nothing() -> None:
    assert standing("k7/8/8/3qQ3/3Rr3/8/8/6K1 w - - 0 1").outcome is None


def test_an_attacked_hill_is_forbidden() -> None:
    now = standing("4r2k/8/8/8/8/3K4/8/8 w - - 0 1")
    assert "d3d4" in now.legal
    assert "d3e4" not in now.legal
    with pytest.raises(Rejected) as refused:
        play(Play(Position("kingOfTheHill", now.fen), "Ke4"), FIDE, LIMITS)
    assert refused.value.refusal.code is RefusalCode.ILLEGAL_MOVE


def test_bare_kings_play_on() -> None:
    now = standing(BARE_KINGS)
    assert now.outcome is None
    assert {"e3e4", "e3d4"} <= set(now.legal)


@pytest.mark.parametrize("rank", ["8", "3B4", "3N4", "2NN4", "3Q4", "3P4"])
def test_no_material_rules_anything_out(rank: str) -> None:
    board = read_fen(f"4k3/8/8/8/8/8/{rank}/4K3 w - - 0 1", LIMITS, KING_OF_THE_HILL)
    assert not KING_OF_THE_HILL.dead_by_material(board)
    assert not any(KING_OF_THE_HILL.cannot_win(board, side) for side in Colour)
    assert all(KING_OF_THE_HILL.can_force_mate(board, side) for side in Colour)


@pytest.mark.parametrize("rule_set", [FIDE, CLAIMED, EVERYDAY, AUTOMATIC, FRIENDLY], ids=lambda rule_set: rule_set.name)
@pytest.mark.parametrize("loser", list(Colour))
def test_a_flag_loses_against_a_bare_king(rule_set: RuleSet, loser: Colour) -> None:
    end = forfeit(Forfeit(Position("kingOfTheHill", BARE_KINGS), loser, ForfeitKind.FLAG), rule_set, LIMITS)
    assert end.outcome == Outcome(loser.other, EndReason.FLAG)


def test_mate_and_stalemate_are_as_ever() -> None:
    assert standing("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").outcome == Outcome(Colour.WHITE, EndReason.CHECKMATE)
    assert standing("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").outcome == Outcome(None, EndReason.STALEMATE)


@given(st.lists(st.integers(0, 255), max_size=120))
def test_lists_and_ends_are_the_librarys(choices: list[int]) -> None:
    board, library = KING_OF_THE_HILL.empty_board(), chess.variant.KingOfTheHillBoard()
    board.set_fen(library.fen())
    for choice in choices:
        moves = list(library.generate_legal_moves())
        goal = KING_OF_THE_HILL.goal(board)
        assert (goal is not None) is library.is_variant_end()
        if goal is not None:
            assert not moves
            assert library.is_variant_loss()
            assert goal.winner is (Colour.BLACK if library.turn else Colour.WHITE)
            return
        check = KING_OF_THE_HILL.is_check(board)
        assert KING_OF_THE_HILL.legal_text(board, check) == sorted(move.uci() for move in moves)
        if not moves:
            return
        marches = [move for move in moves if library.kings & chess.BB_SQUARES[move.from_square]]
        move = marches[choice % len(marches)] if marches and choice % 2 else moves[choice % len(moves)]
        KING_OF_THE_HILL.apply(board, move)
        library.push(move)
        assert board.fen() == library.fen()


def test_undo_gives_back_the_position() -> None:
    board = read_fen("4r2k/8/8/8/8/3K4/8/8 w - - 0 1", LIMITS, KING_OF_THE_HILL)
    before = board.fen()
    KING_OF_THE_HILL.apply(board, chess.Move.from_uci("d3d4"))
    assert KING_OF_THE_HILL.goal(board)
    board.pop()
    assert (board.fen(), KING_OF_THE_HILL.goal(board)) == (before, None)
