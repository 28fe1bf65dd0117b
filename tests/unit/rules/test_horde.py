"""Horde: a side without a king, pawns on the first rank, and what each side needs to win."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import CLAIMED, FIDE, PRESETS
from services.rules.families.horde import HORDE
from services.rules.forfeit import ForfeitKind, forfeited
from services.rules.judge import Play, Played, Position, Start, inspect, judge, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.standing import Standing


def standing(fen: str) -> Standing:
    return inspect(Start("horde", fen), FIDE, LIMITS)


def played(fen: str, move: str) -> Played:
    return play(Play(Position("horde", fen), move), CLAIMED, LIMITS)


def test_the_first_array() -> None:
    first = standing("")
    assert first.fen == "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
    assert len(first.legal) == 8


def test_a_double_step_from_the_first_rank_leaves_nothing_to_take_en_passant() -> None:
    fen = "4k3/8/8/8/1p6/1p6/8/P1P5 w - - 0 1"
    assert standing(fen).legal == ("a1a2", "a1a3", "c1c2", "c1c3")
    led_to = played(fen, "c1c3")
    assert led_to.standing.fen.split()[3] == "-"
    assert [move for move in led_to.standing.legal if move.startswith("b4")] == ["b4c3"]
    second = played("4k3/8/8/8/1p6/8/P7/8 w - - 0 1", "a2a4").standing
    assert second.fen.split()[3] == "a3"
    assert "b4a3" in second.legal


@pytest.mark.parametrize(
    ("fen", "move", "outcome"),
    [
        ("4k3/8/8/8/8/8/r7/P7 b - - 0 1", "a2a1", Outcome(Colour.BLACK, EndReason.ALL_TAKEN)),
        ("4k3/8/8/8/8/8/r7/P6P b - - 0 1", "a2a1", None),
        ("7k/8/8/8/8/8/R7/1R6 w - - 0 1", "a2a3", None),
        ("7k/8/8/8/8/8/R7/6R1 w - - 0 1", "a2h2", Outcome(Colour.WHITE, EndReason.CHECKMATE)),
        # either side may be stalemated
        ("k7/7R/8/8/8/8/8/2R5 w - - 0 1", "c1b1", Outcome(None, EndReason.STALEMATE)),
        ("4k3/8/p7/8/P7/8/8/8 b - - 0 1", "a6a5", Outcome(None, EndReason.STALEMATE)),
    ],
)
def test_how_games_end(fen: str, move: str, outcome: Outcome | None) -> None:
    assert played(fen, move).standing.outcome == outcome


@pytest.mark.parametrize(
    ("men", "black", "white_can"),
    [
        ("Q7", "4k3", False),
        ("N7", "4k3", False),
        ("BN6", "4k3", False),
        ("RB6", "4k3", False),
        ("RR6", "4k3", True),
        ("QN6", "4k3", True),
        ("NNN5", "4k3", True),
        ("Q7", "p3k3", True),
        ("R7", "r3k3", False),
        ("NN6", "n3k3", True),
        ("NN6", "q3k3", False),
    ],
)
def test_what_white_can_win_with(men: str, black: str, white_can: bool) -> None:
    board = read_fen(f"8/{black}/8/8/8/8/8/{men} b - - 0 1", LIMITS, HORDE)
    assert HORDE.cannot_win(board, Colour.WHITE) is not white_can
    assert not HORDE.cannot_win(board, Colour.BLACK)
    assert not HORDE.dead_by_material(board)


def test_a_lone_man_never_mates_a_lone_king() -> None:
    for man in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT):
        for square in chess.SQUARES:
            for king in chess.SQUARES:
                if square == king:
                    continue
                board = HORDE.empty_board()
                board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
                board.set_piece_at(square, chess.Piece(man, chess.WHITE))
                board.turn = chess.BLACK
                check = HORDE.is_check(board)
                assert not check or HORDE.legal_text(board, check, 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_blacks_king_alone_and_a_horde_of_pawns_win_on_time(preset: str) -> None:
    rule_set = PRESETS[preset]
    board = read_fen("4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1", LIMITS, HORDE)
    end = forfeited(board, HORDE, rule_set, Colour.WHITE, ForfeitKind.FLAG, None)
    assert end.outcome.winner is Colour.BLACK
    board = read_fen("4k3/8/8/8/8/8/8/PPPPPPPP b - - 0 1", LIMITS, HORDE)
    end = forfeited(board, HORDE, rule_set, Colour.BLACK, ForfeitKind.FLAG, None)
    assert end.outcome.winner is Colour.WHITE


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "fen.board"),  # White has no king
        ("8/8/8/8/8/8/8/P7 w - - 0 1", "fen.board"),  # Black has one
        ("P3k3/8/8/8/8/8/8/8 b - - 0 1", "fen.board"),
        ("4k3/8/8/8/8/8/P7/p7 b - - 0 1", "fen.board"),
        ("4k3/8/8/PPPPP3/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w - - 0 1", "fen.board"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "fen"),
        ("4k3/8/8/8/8/8/8/P7 w K - 0 1", "fen.castling"),
    ],
)
def test_positions_that_no_game_starts_from(fen: str, at: str) -> None:
    refused = judge(Start("horde", fen), FIDE, LIMITS)
    assert isinstance(refused, Refusal)
    assert refused.at == at


@given(st.lists(st.integers(0, 255), max_size=160))
def test_lists_are_the_librarys(choices: list[int]) -> None:
    board, library = read_fen(HORDE.start_fen, LIMITS, HORDE), chess.variant.HordeBoard()
    for choice in choices:
        assert (HORDE.goal(board) is not None) is library.is_variant_end()
        check = HORDE.is_check(board)
        assert check is library.is_check()
        moves = list(library.generate_legal_moves())
        if library.is_variant_end() or not moves:
            return
        assert HORDE.legal_text(board, check) == sorted(move.uci() for move in moves)
        move = moves[choice % len(moves)]
        library.push(move)
        HORDE.apply(board, move)
        assert board.board_fen() == library.board_fen()
