"""Which positions are dead, and which side can still mate: small rows, each right by hand; then random small worlds."""

import random

import chess
import pytest

from services.domain.colour import Colour
from services.rules.dead import help_search
from services.rules.dead.dead_position import can_mate, quick_can_mate, quick_is_dead
from services.rules.dead.possible_mate import CanMate
from services.rules.dead.reach import Reach
from services.rules.dead.structure import KnownStructures
from services.rules.dead.transposition import name
from services.rules.moves import apply_move, forget_idle_en_passant
from tests.unit.rules.mates_taken_back import some_mate, taken_back

YES, NO, UNKNOWN = CanMate.YES, CanMate.NO, CanMate.UNKNOWN
NODES_MAX = 3_000


def read(fen: str, chess960: bool = False) -> chess.Board:
    board = chess.Board(fen, chess960=chess960)
    assert board.is_valid()
    forget_idle_en_passant(board)
    return board


DEAD = [
    # pawns locked, no king can pass (report R10); the same with a bishop that has nothing to take
    "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    "4k3/8/8/1p1p1p1p/1P1P1P1P/8/3B4/4K3 w - - 0 1",
    "4k1b1/8/8/1p1p1p1p/1P1P1P1P/8/3B4/4K3 b - - 0 1",
    # the only move takes the last man (report R10)
    "6Rk/8/7K/8/8/8/8/8 b - - 0 1",
    "k7/1R6/8/2K5/8/8/8/8 b - - 0 1",
    # the same, out of a check
    "7k/6Q1/8/8/8/8/8/K7 b - - 0 1",
    # a wall without a gap
    "3k4/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1",
    # a king in a cage: the other can only stalemate it, or take a pawn and stalemate it
    "8/6p1/5pPk/5P2/5Pp1/6P1/4K3/8 b - - 0 1",
    # bare kings, and minor pieces that cannot mate
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
    "4b3/8/4k3/8/8/3K4/6B1/7B w - - 0 1",
]


@pytest.mark.parametrize("fen", DEAD)
def test_dead_at_once(fen: str) -> None:
    board = read(fen)
    assert quick_is_dead(board)
    assert quick_is_dead(board.mirror())
    assert quick_is_dead(board, board.legal_moves.count())
    assert [can_mate(board, side, NODES_MAX) for side in Colour] == [NO, NO]


ALIVE = [
    chess.STARTING_FEN,
    # locked, but en passant opens the wall; a moment later it would be dead
    "4k3/8/5p2/p2p1Pp1/P2P2P1/8/8/4K3 w - g6 0 1",
    # locked, but a pawn takes and promotes
    "1rb1k3/2P5/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    # locked, but a rook can be given for a pawn of the wall
    "r2k3r/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K2R w - - 0 1",
    # locked, but there is a gap for a king, or a knight that leaps
    "4k3/8/8/p2p3p/P2P3P/8/8/4K3 w - - 0 1",
    "4k3/8/8/p2p2p1/P2P2P1/8/8/3NK3 w - - 0 1",
    # locked, but the bishop goes for the pawns of its colour
    "4k3/8/8/1p1p1p1p/1P1P1P1P/8/4B3/4K3 w - - 0 1",
    # only the kings can move, and one of them gets at a pawn
    "5bk1/1pK1p1p1/1p2P1P1/1p6/bP6/1p6/1P6/8 w - - 0 1",
]


@pytest.mark.parametrize("fen", ALIVE)
def test_alive(fen: str) -> None:
    board = read(fen)
    assert not quick_is_dead(board)
    assert not quick_is_dead(board.mirror())
    assert NO not in [quick_can_mate(board, side) for side in Colour]
    assert any(can_mate(board, side, 20_000) is YES for side in Colour)


def test_en_passant_is_all_that_keeps_it_alive() -> None:
    assert quick_is_dead(read("4k3/8/5p2/p2p1Pp1/P2P2P1/8/8/4K3 w - - 0 1"))


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        # a lone knight mates neither queen nor bare king, but a rook's side (report R11)
        ("7k/8/5q2/8/8/2N5/8/K7 b - - 0 1", NO, YES),
        ("7k/8/5r2/8/8/2N5/8/K7 b - - 0 1", YES, YES),
        ("7k/8/5n2/8/8/2N5/8/K7 b - - 0 1", YES, YES),
        ("7k/8/5b2/8/8/2N5/8/K7 b - - 0 1", YES, YES),
        # a lone bishop mates neither queen nor rook, but a knight's side, a pawn's, and a bishop's of the other colour
        ("6k1/8/5q2/8/8/2B5/8/K7 w - - 0 1", NO, YES),
        ("7k/8/5r2/8/8/3B4/8/K7 w - - 0 1", NO, YES),
        ("7k/8/5n2/8/8/3B4/8/K7 w - - 0 1", YES, YES),
        ("6k1/8/8/5b2/8/2B5/8/K7 w - - 0 1", YES, YES),
        ("6k1/7p/8/8/8/2B5/8/K7 w - - 0 1", YES, YES),
        # a side with a pawn against a bare king
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", YES, NO),
        # the game has ended on the board: mate, stalemate
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", YES, NO),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NO, NO),
        # White's king cannot come, but its bishop mates with the locked pawns, Black's own bishop in its king's way
        ("8/p1k1b3/Pp1pB3/1P1Pp1p1/4P1P1/8/3K4/8 w - - 0 1", YES, NO),
        # the only move is into mate
        ("7k/8/8/8/8/5q2/7p/7K w - - 0 1", NO, YES),
    ],
)
def test_who_can_mate(fen: str, white: CanMate, black: CanMate) -> None:
    board = read(fen)
    assert [can_mate(board, side, 20_000) for side in Colour] == [white, black]
    for side, right in zip(Colour, (white, black), strict=True):
        assert quick_can_mate(board, side) in (right, UNKNOWN)
    for side, right in zip(Colour, (black, white), strict=True):
        assert quick_can_mate(board.mirror(), side) in (right, UNKNOWN)


CASTLING_ONLY = "4k3/8/8/p2p2p1/P2P2P1/2p1p1p1/2PpP1P1/3B1KRB {turn} {castling} - 0 1"
"""Everything of White's is locked; but where it may castle, king and rook change places and the rook has a way out."""


def test_castling_is_a_way_out() -> None:
    assert quick_is_dead(read(CASTLING_ONLY.format(turn="b", castling="-"), chess960=True))
    for turn in "wb":
        board = read(CASTLING_ONLY.format(turn=turn, castling="G"), chess960=True)
        assert not quick_is_dead(board)
        assert quick_can_mate(board, Colour.BLACK) is not NO


def test_a_pawn_that_may_move_keeps_no_king_away() -> None:
    assert Reach(read("4k3/8/8/8/4p3/8/8/4K3 w - - 0 1")).kings[chess.WHITE] & chess.BB_D3
    assert not Reach(read(DEAD[0])).kings[chess.WHITE] & chess.BB_C4


def test_a_fixed_bishop_guards_the_men_beside_it() -> None:
    reach = Reach(read("8/4p1p1/4PkP1/4pBp1/4P1P1/8/8/K7 w - - 0 1"))
    assert reach.fixed & chess.BB_F5
    assert reach.attacks(chess.WHITE) & (chess.BB_E6 | chess.BB_G6) == chess.BB_E6 | chess.BB_G6


def test_what_is_known_of_a_structure_holds_where_the_kings_could_go() -> None:
    known = KnownStructures(Colour.WHITE)
    assert known.rule_out(read(DEAD[0]))
    assert known.rule_out(read("8/2k5/8/p2p2p1/P2P2P1/8/6K1/8 b - - 0 1"))
    assert not known.rule_out(read("8/1K6/8/p2p2p1/P2P2P1/8/8/4k3 w - - 0 1"))


def test_unknown_when_the_bound_is_reached() -> None:
    board = read("k1b5/1p1p4/1P1P4/B7/8/8/8/K7 w - - 0 1")
    assert can_mate(board, Colour.WHITE, 50) is UNKNOWN


def test_unknown_when_the_time_is_over() -> None:
    board = read("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1")
    assert can_mate(board, Colour.WHITE, 1_000) is YES
    assert can_mate(board, Colour.WHITE, 1_000, lambda: True) is UNKNOWN


def everything_from(board: chess.Board, positions_max: int) -> set[Colour] | None:
    """Who can mate, by playing every move there is; None if it is too much. Uses no rule but the moves."""
    seen, todo, mating = {name(board)}, [board], set()
    while todo:
        position = todo.pop()
        moves = list(position.legal_moves)
        if not moves and position.is_check():
            mating.add(Colour.BLACK if position.turn else Colour.WHITE)
        for move in moves:
            after = position.copy(stack=False)
            apply_move(after, move)
            if name(after) not in seen:
                if len(seen) == positions_max:
                    return None
                seen.add(name(after))
                todo.append(after)
    return mating


SMALL_WORLDS = [
    # ways on are so few that all can be seen: cages, entombed men, pawns that run out of moves
    "8/6pp/Pp4pk/6p1/6P1/1p6/pP6/K7 b - - 0 1",
    "7B/8/8/8/3r4/8/p7/k1K5 w - - 0 1",
    "7k/6pP/Pp4P1/8/8/1p6/pP6/K7 w - - 0 1",
    "k7/p1p5/P1P5/8/8/1q6/2q5/K7 b - - 0 1",
    "1b3k1K/2p1pP1P/1pP1P3/1P6/8/8/6P1/8 w - - 0 1",
    "8/pp4p1/kp4P1/1p4P1/1p4P1/1P4PK/6PP/8 w - - 0 1",
    "1k6/1P3P1p/KP5P/PP6/6p1/8/6P1/8 w - - 0 1",
    "krb5/1p1p4/1P1Pp3/1p2P1B1/4p3/1p2P3/1PK5/8 w - - 0 1",
    "1k6/1P2P1p1/KP4P1/PP3p2/8/8/5P2/8 w - - 0 1",
    "4Kbk1/4p1p1/4PpPp/5P1P/5P2/8/8/8 w - - 0 1",
    "8/6p1/5pPk/5P1p/5P2/6KP/8/8 w - - 0 1",
    "1kb5/1p1p4/1P1P4/K7/8/8/8/8 w - - 0 1",
]


@pytest.mark.parametrize("fen", SMALL_WORLDS)
def test_small_worlds_against_every_move(fen: str) -> None:
    """Quick answers are true and the search's exact, where the whole game tree is small enough to see."""
    board = read(fen)
    truth = everything_from(board, 400)
    assert truth is not None
    for side in Colour:
        right = YES if side in truth else NO
        assert quick_can_mate(board, side) in (right, UNKNOWN)
        assert can_mate(board, side, 1_000) is right
    if truth:
        assert not quick_is_dead(board)


def test_who_mates_by_moves_taken_back_can_mate() -> None:
    """No position from which a mate was reached by legal moves is taken for one without."""
    chance = random.Random(20_260)
    looked_at = 0
    for _ in range(60):
        board = some_mate(chance)
        for _ in range(120):
            if (before := taken_back(board, chance)) is None:
                continue
            board = before
            looked_at += 1
            assert quick_can_mate(board, Colour.WHITE) is not NO, board.fen()
            assert not quick_is_dead(board, board.legal_moves.count()), board.fen()
            assert not KnownStructures(Colour.WHITE).rule_out(board), board.fen()
    assert looked_at > 1_000


def test_pictures_of_mates_find_what_plain_search_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    board = read("8/8/8/4K3/4N3/4kp2/8/8 b - - 0 1")
    assert can_mate(board, Colour.WHITE, 8_000) is YES
    monkeypatch.setattr(help_search, "AIM_NODES", 20_000)
    assert can_mate(board, Colour.WHITE, 8_000) is UNKNOWN
