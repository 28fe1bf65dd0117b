"""Chaturanga: each disputed point, value by value, and what men alone rule out under it."""

from collections.abc import Iterator
from dataclasses import astuple, fields, replace
from enum import StrEnum

import chess
import pytest

from services.domain.chaturanga import (
    CHATURANGA,
    BareKing,
    ChaturangaRules,
    Elephant,
    Kings,
    PawnBecomes,
    Stalemate,
)
from services.domain.chaturanga_sources import DISPUTED_POINTS
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import FIDE, RuleSet
from services.rules.families.chaturanga import chaturanga_family
from services.rules.judge import Play, Played, Position, Start, inspect, judge
from services.rules.keys import position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.standing import Standing

LEAP = ChaturangaRules(king_leap=True)
WHITE, BLACK = Colour


def rule_set(rules: ChaturangaRules) -> RuleSet:
    return replace(FIDE, chaturanga=rules)


def standing(fen: str, rules: ChaturangaRules = CHATURANGA) -> Standing:
    return inspect(Start("chaturanga", fen), rule_set(rules), LIMITS)


def moves_from(fen: str, square: str, rules: ChaturangaRules = CHATURANGA) -> list[str]:
    return [text[2:] for text in standing(fen, rules).legal if text.startswith(square)]


def played(fen: str, moves: str, rules: ChaturangaRules = CHATURANGA) -> Played:
    """What the last of these moves led to."""
    position = Position("chaturanga", fen)
    steps: list[Played] = []
    for move in moves.split():
        verdict = judge(Play(position, move), rule_set(rules), LIMITS)
        assert isinstance(verdict, Played), verdict
        position = Position("chaturanga", verdict.standing.fen, verdict.standing.keys)
        steps.append(verdict)
    return steps[-1]


def test_every_option_names_its_sources() -> None:
    assert [point.field for point in DISPUTED_POINTS] == [field.name for field in fields(ChaturangaRules)]
    for point in DISPUTED_POINTS:
        default = getattr(CHATURANGA, point.field)
        values = [str(value) for value in type(default)] if isinstance(default, StrEnum) else ["false", "true"]
        assert [answer.value for answer in point.answers] == values
        assert point.default == (default if isinstance(default, StrEnum) else "false")
        assert all(answer.source.endswith((".", ")")) for answer in point.answers)
        assert point.open


def test_the_defaults() -> None:
    expected = Stalemate.LOSES, BareKing.NONE, Elephant.ALFIL, Kings.FACING_ON_E, PawnBecomes.FIRZ, False
    assert astuple(CHATURANGA) == expected


@pytest.mark.parametrize(
    ("rules", "fen"),
    [
        (CHATURANGA, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        (ChaturangaRules(kings=Kings.FACING_ON_D), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"),
        # each king on its own player's right
        (ChaturangaRules(kings=Kings.CROSSED), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        # elephants and rooks change places
        (
            ChaturangaRules(elephant=Elephant.CORNER_ROOKWISE_LEAP),
            "bnrqkrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRQKRNB w - - 0 1",
        ),
        (
            ChaturangaRules(elephant=Elephant.CORNER_ROOKWISE_LEAP, kings=Kings.CROSSED),
            "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRQKRNB w - - 0 1",
        ),
        (LEAP, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1"),
    ],
)
def test_the_first_array(rules: ChaturangaRules, fen: str) -> None:
    assert standing("", rules).fen == fen


@pytest.mark.parametrize("kings", Kings)
def test_every_array_has_sixteen_first_moves(kings: Kings) -> None:
    assert len(standing("", ChaturangaRules(kings=kings)).legal) == 16


@pytest.mark.parametrize(
    ("elephant", "white", "black"),
    [
        # White's on d4 and Black's on d5, with pawns on e5 and e3 that are in the way of none but the lame one
        (Elephant.ALFIL, "b2 b6 f2 f6", "b3 b7 f3 f7"),
        (Elephant.LAME_ALFIL, "b2 b6", "b3 b7 f3 f7"),
        (Elephant.ONE_STEP, "c3 c5 d5", "c4 c6 d4 e4 e6"),
        (Elephant.ROOKWISE_LEAP, "b4 d2 d6 f4", "b5 d3 d7 f5"),
        (Elephant.CORNER_ROOKWISE_LEAP, "b4 d2 d6 f4", "b5 d3 d7 f5"),
    ],
)
def test_how_the_elephant_moves(elephant: Elephant, white: str, black: str) -> None:
    fen = "k7/8/8/3bP3/3B4/4P3/8/7K {} - - 0 1"
    rules = ChaturangaRules(elephant=elephant)
    assert " ".join(moves_from(fen.format("w"), "d4", rules)) == white
    assert " ".join(moves_from(fen.format("b"), "d5", rules)) == black


@pytest.mark.parametrize(
    ("fen", "checks"),
    [
        # one step: forward and to the corners, forward being down the board for Black
        ("8/8/8/3k4/3B4/8/8/7K b - - 0 1", True),
        ("8/8/8/3B4/3k4/8/8/7K b - - 0 1", False),
        ("k7/8/8/3b4/3K4/8/8/8 w - - 0 1", True),
        ("k7/8/8/3K4/3b4/8/8/8 w - - 0 1", False),
        ("8/8/8/3k4/4B3/8/8/7K b - - 0 1", True),
        ("8/8/8/3B4/4k3/8/8/7K b - - 0 1", True),
        ("8/8/8/3k4/8/3B4/8/7K b - - 0 1", False),
    ],
)
def test_what_an_elephant_of_one_step_attacks(fen: str, checks: bool) -> None:
    assert standing(fen, ChaturangaRules(elephant=Elephant.ONE_STEP)).check is checks


def test_a_lame_elephant_pins_and_is_stopped() -> None:
    lame = ChaturangaRules(elephant=Elephant.LAME_ALFIL)
    fen = "k7/p7/8/8/8/4b3/3R4/2K5 w - - 0 1"
    assert moves_from(fen, "d2", lame) == []
    assert not standing(fen, lame).check
    # one that leaps gives check over the rook
    assert standing(fen).check
    # the firz on d2 may take what pins it, and nothing else
    assert moves_from("k7/p7/8/8/8/4b3/3Q4/2K5 w - - 0 1", "d2", lame) == ["e3"]
    # in check, a man may step between
    assert "d2" in moves_from("k7/p7/8/8/8/4b3/7R/2K5 w - - 0 1", "h2", lame)
    assert moves_from("k7/p7/8/8/8/4b3/7R/2K5 w - - 0 1", "h2") == []


STALEMATED = "k1K5/8/2N5/8/8/7p/7P/8 b - - 0 1"


@pytest.mark.parametrize(
    ("rule", "winner"), [(Stalemate.LOSES, WHITE), (Stalemate.WINS, BLACK), (Stalemate.DRAWS, None)]
)
def test_who_wins_a_stalemate(rule: Stalemate, winner: Colour | None) -> None:
    rules = ChaturangaRules(stalemate=rule)
    assert standing(STALEMATED, rules).outcome == Outcome(winner, EndReason.STALEMATE)
    # a mate is a mate whatever a stalemate is worth
    assert standing("R6k/p7/6K1/8/8/8/8/8 b - - 0 1", rules).outcome == Outcome(WHITE, EndReason.CHECKMATE)


ANSWERABLE = "8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1"
GUARDED = "8/1rK5/k7/8/8/8/8/1R6 w - - 0 1"
BARED = Outcome(WHITE, EndReason.BARE_KING)
DEAD = Outcome(None, EndReason.DEAD_POSITION)


@pytest.mark.parametrize(
    ("rule", "fen", "moves", "outcome"),
    [
        (BareKing.NONE, ANSWERABLE, "b1b7", None),
        (BareKing.NONE, GUARDED, "b1b7", None),
        (BareKing.NONE, ANSWERABLE, "b1b7 a6b7", DEAD),
        (BareKing.WINS_AT_ONCE, ANSWERABLE, "b1b7", BARED),
        (BareKing.WINS_AT_ONCE, GUARDED, "b1b7", BARED),
        (BareKing.WINS_UNLESS_BARED_BACK, ANSWERABLE, "b1b7", None),
        (BareKing.WINS_UNLESS_BARED_BACK, ANSWERABLE, "b1b7 a6b7", DEAD),
        (BareKing.WINS_UNLESS_BARED_BACK, ANSWERABLE, "b1b7 a6a5", BARED),
        (BareKing.WINS_UNLESS_BARED_BACK, GUARDED, "b1b7", BARED),
    ],
)
def test_what_baring_a_king_is_worth(rule: BareKing, fen: str, moves: str, outcome: Outcome | None) -> None:
    assert played(fen, moves, ChaturangaRules(bare_king=rule)).standing.outcome == outcome


FIRZ, FILE_PIECE, IF_LOST = (ChaturangaRules(pawn_becomes=value) for value in PawnBecomes)
SEVENTH = "8/PPPPPPPP/8/k7/8/8/8/K7 w - - 0 1"


def promotions(fen: str, rules: ChaturangaRules) -> str:
    return " ".join(text for text in standing(fen, rules).legal if len(text) == 5)


def test_what_a_pawn_becomes() -> None:
    assert promotions(SEVENTH, FIRZ) == "a7a8q b7b8q c7c8q d7d8q e7e8q f7f8q g7g8q h7h8q"
    by_file = "a7a8r b7b8n c7c8b d7d8q e7e8q f7f8b g7g8n h7h8r"
    assert promotions(SEVENTH, FILE_PIECE) == by_file
    assert promotions(SEVENTH, IF_LOST) == by_file
    corners = ChaturangaRules(pawn_becomes=PawnBecomes.FILE_PIECE, elephant=Elephant.CORNER_ROOKWISE_LEAP)
    assert promotions(SEVENTH, corners) == "a7a8b b7b8n c7c8r d7d8q e7e8q f7f8r g7g8n h7h8b"


def test_the_file_of_arrival_counts() -> None:
    fen = "1n6/P7/8/k7/8/8/8/K7 w - - 0 1"
    assert promotions(fen, FILE_PIECE) == "a7a8r a7b8n"
    after = played(fen, "a7b8n", FILE_PIECE)
    assert (after.san, after.standing.fen) == ("axb8=N", "1N6/8/8/k7/8/8/8/K7 b - - 0 1")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        # all eight pieces there, then one of a kind lost after the other
        ("RNBQBNR", ""),
        ("1NBQBNR", "a7a8r h7h8r"),
        ("R1BQBNR", "b7b8n g7g8n"),
        ("RNBQ1NR", "c7c8b f7f8b"),
        ("RNB1BNR", "d7d8q e7e8q"),
    ],
)
def test_a_pawn_waits_until_a_piece_of_the_kind_is_lost(pieces: str, expected: str) -> None:
    fen = f"8/PPPPPPPP/8/4k3/8/8/{pieces}1/7K w - - 0 1"
    assert promotions(fen, IF_LOST) == expected


def test_a_pawn_that_waits_still_gives_check() -> None:
    fen = "1k6/P7/8/8/8/8/RNBQBNR1/7K b - - 0 1"
    assert standing(fen, IF_LOST).check


def test_a_bare_king_may_win_a_stalemate() -> None:
    # Black's own pawn stands in its king's way
    assert standing("8/8/8/8/8/8/p1K5/k7 b - - 0 1").outcome == Outcome(WHITE, EndReason.STALEMATE)


KING = "k7/p7/8/8/8/8/8/3K4 w {} - 0 1"


def test_a_king_leaps_once() -> None:
    assert moves_from(KING.format("K"), "d1", LEAP) == ["b2", "c1", "c2", "c3", "d2", "e1", "e2", "e3", "f2"]
    assert moves_from(KING.format("-"), "d1", LEAP) == ["c1", "c2", "d2", "e1", "e2"]
    leap = played(KING.format("K"), "d1e3", LEAP)
    assert (leap.san, leap.standing.fen) == ("Ke3", "k7/p7/8/8/8/4K3/8/8 b - - 1 1")
    assert len(leap.standing.keys) == 8  # no position from before can come back
    # a king that has moved may still leap
    assert played(KING.format("K"), "d1d2 a7a6 d2b3", LEAP).standing.fen == "k7/8/p7/8/8/1K6/8/8 b - - 1 2"
    # without the option there is no such right
    refused = judge(Start("chaturanga", KING.format("K")), FIDE, LIMITS)
    assert isinstance(refused, Refusal)
    assert refused.at == "fen.castling"


def test_a_leap_takes_nothing_and_gives_no_check() -> None:
    assert "b4" in moves_from("3r4/8/8/8/8/3k4/8/K7 b k - 0 1", "d3", LEAP)
    assert "b4" not in moves_from("3r4/8/8/8/1R6/3k4/8/K7 b k - 0 1", "d3", LEAP)
    # kings a knight's move apart do not attack each other
    assert not standing("8/8/8/8/2k5/p7/3K4/8 w Kk - 0 1", LEAP).check


def test_a_check_ends_the_right_to_leap() -> None:
    fen = "k7/p7/8/8/8/7r/8/3K4 b Kk - 0 1"
    checked = played(fen, "h3d3", LEAP).standing
    assert checked.fen.split()[2] == "k"
    assert [text for text in checked.legal if text.startswith("d1")] == ["d1c1", "d1c2", "d1e1", "d1e2"]
    assert len(checked.keys) == 8
    # the right and the check together are a contradiction
    refused = judge(Start("chaturanga", "k7/p7/8/8/8/3r4/8/3K4 w Kk - 0 1"), rule_set(LEAP), LIMITS)
    assert isinstance(refused, Refusal)
    assert refused.at == "fen.castling"


def test_a_leap_does_not_go_where_the_king_is_attacked() -> None:
    assert moves_from("k7/p7/8/8/8/7r/8/3K4 w K - 0 1", "d1", LEAP) == ["b2", "c1", "c2", "d2", "e1", "e2", "f2"]


def test_the_right_to_leap_is_part_of_the_position() -> None:
    family = chaturanga_family(LEAP)
    keys = set()
    for rights in ("Kk", "K", "k", "-"):
        board = read_fen(KING.format(rights), LIMITS, family)
        assert write_fen(board, family) == KING.format(rights)
        keys.add(position_key(board, family))
    assert len(keys) == 4


def test_positions_of_two_rules_are_kept_apart() -> None:
    assert chaturanga_family(ChaturangaRules(king_leap=True)) is chaturanga_family(LEAP)
    assert chaturanga_family(LEAP) is not chaturanga_family(CHATURANGA)


# What men alone rule out. The letters: can White win, can Black.
@pytest.mark.parametrize(
    ("men", "loses", "wins", "draws", "bare"),
    [
        ("4k3/8/8/8/8/8/8/4K3", "--", "--", "--", "--"),
        # one piece against a bare king: it may stalemate it; stalemated, the bare king may win
        ("4k3/8/8/8/8/8/8/4K1N1", "W-", "-B", "--", "W-"),
        ("4k3/8/8/8/8/8/8/4K1B1", "W-", "-B", "--", "W-"),
        ("4k3/8/8/8/8/8/8/4K1Q1", "W-", "-B", "--", "W-"),
        ("4k3/8/8/8/8/8/8/4K1R1", "W-", "WB", "W-", "W-"),
        # a pawn may block its own king for good: then its side can be stalemated
        ("4k3/8/8/8/8/8/6P1/4K3", "WB", "WB", "W-", "W-"),
        ("4k3/8/8/8/8/8/8/3NKN2", "WB", "WB", "W-", "W-"),
        # a man of the other side may stand in its king's way
        ("4k1n1/8/8/8/8/8/8/4K1N1", "WB", "WB", "WB", "WB"),
    ],
)
def test_who_cannot_win(men: str, loses: str, wins: str, draws: str, bare: str) -> None:
    for rules, expected in (
        (ChaturangaRules(stalemate=Stalemate.LOSES), loses),
        (ChaturangaRules(stalemate=Stalemate.WINS), wins),
        (ChaturangaRules(stalemate=Stalemate.DRAWS), draws),
        (ChaturangaRules(bare_king=BareKing.WINS_AT_ONCE), bare),
        (ChaturangaRules(bare_king=BareKing.WINS_UNLESS_BARED_BACK), bare),
    ):
        family = chaturanga_family(rules)
        board = read_fen(f"{men} w - - 0 1", LIMITS, family)
        found = "".join(
            "-" if family.cannot_win(board, side) else letter for side, letter in zip(Colour, "WB", strict=True)
        )
        assert found == expected, rules
        assert family.dead_by_material(board) == (expected == "--")


def test_an_elephant_of_one_step_can_mate_alone() -> None:
    rules = ChaturangaRules(elephant=Elephant.ONE_STEP, stalemate=Stalemate.DRAWS)
    family = chaturanga_family(rules)
    board = read_fen("8/8/8/8/8/1k6/b7/K7 w - - 0 1", LIMITS, family)
    assert standing("8/8/8/8/8/1k6/b7/K7 w - - 0 1", rules).outcome == Outcome(BLACK, EndReason.CHECKMATE)
    assert not family.cannot_win(board, BLACK)


def kings_apart() -> Iterator[tuple[chess.Square, chess.Square]]:
    for king in chess.SQUARES:
        for other in chess.scan_forward(chess.BB_ALL & ~chess.BB_KING_ATTACKS[king] & ~chess.BB_SQUARES[king]):
            yield king, other


@pytest.mark.parametrize("elephant", Elephant)
def test_no_placing_of_one_piece_mates_a_bare_king(elephant: Elephant) -> None:
    board = chaturanga_family(ChaturangaRules(elephant=elephant)).board_class(None)
    mates = set()
    for white in (chess.WHITE, chess.BLACK):
        for kind in (chess.KNIGHT, chess.BISHOP, chess.QUEEN):
            # where it can stand to attack each square, and what it attacks from there, nothing being in its way
            checks: dict[chess.Square, list[tuple[chess.Square, chess.Bitboard]]] = {}
            for square in chess.SQUARES:
                board.clear_board()
                board.set_piece_at(square, chess.Piece(kind, white))
                for attacked in board.attacks(square):
                    checks.setdefault(attacked, []).append((square, board.attacks_mask(square)))
            for bare, king in kings_apart():
                flights = chess.BB_KING_ATTACKS[bare] & ~chess.BB_KING_ATTACKS[king]
                if any(square != king and not flights & ~attacks for square, attacks in checks.get(bare, ())):
                    mates.add(kind)
    assert mates == ({chess.BISHOP} if elephant is Elephant.ONE_STEP else set())


@pytest.mark.parametrize("elephant", Elephant)
def test_a_king_with_one_piece_always_has_a_move_against_a_bare_king(elephant: Elephant) -> None:
    board = chaturanga_family(ChaturangaRules(elephant=elephant)).board_class(None)
    seen = 0
    for king, bare in kings_apart():
        # the piece can stand on one flight at most: more than one leave the king a move
        if (chess.BB_KING_ATTACKS[king] & ~chess.BB_KING_ATTACKS[bare]).bit_count() > 1:
            continue
        for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN):
            for square in chess.scan_forward(chess.BB_ALL & ~chess.BB_SQUARES[king] & ~chess.BB_SQUARES[bare]):
                for white in (chess.WHITE, chess.BLACK):
                    board.clear_board()
                    board.set_piece_at(king, chess.Piece(chess.KING, white))
                    board.set_piece_at(bare, chess.Piece(chess.KING, not white))
                    board.set_piece_at(square, chess.Piece(kind, white))
                    board.turn = white
                    seen += 1
                    assert board.is_check() or any(board.generate_legal_moves()) or board.was_into_check()
    assert seen > 1_000


@pytest.mark.parametrize(
    ("men", "loses", "draws", "one_step"),
    [
        # White's men against a king: where the stalemated side loses, where it draws, and with elephants of one step
        ("4K1N1", False, False, False),
        ("4K1B1", False, False, True),
        ("4K1Q1", False, False, False),
        ("4K1R1", True, True, True),
        ("3NK1N1", True, False, True),
        ("3NK1Q1", True, False, True),
        ("3NK1B1", True, False, True),
        ("3QK1Q1", True, False, True),
        ("3QK1B1", False, False, True),
        ("3BK1B1", False, False, True),
        ("2NNK1N1", True, True, True),
        ("4K3", False, False, False),
    ],
)
def test_what_wins_by_force(men: str, loses: bool, draws: bool, one_step: bool) -> None:
    for rules, expected in (
        (CHATURANGA, loses),
        (ChaturangaRules(stalemate=Stalemate.DRAWS), draws),
        (ChaturangaRules(stalemate=Stalemate.WINS), draws),
        (ChaturangaRules(elephant=Elephant.ONE_STEP), one_step),
        (ChaturangaRules(bare_king=BareKing.WINS_AT_ONCE), men != "4K3"),
    ):
        family = chaturanga_family(rules)
        board = read_fen(f"4k3/8/8/8/8/8/8/{men} w - - 0 1", LIMITS, family)
        assert family.can_force_mate(board, WHITE) is expected, rules


def test_a_pawn_is_worth_what_it_becomes() -> None:
    for rules, expected in ((FIRZ, False), (FILE_PIECE, True), (IF_LOST, True)):
        family = chaturanga_family(rules)
        board = read_fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", LIMITS, family)
        assert family.can_force_mate(board, WHITE) is expected
        assert family.count_pieces(board, WHITE) == (1, 0)
