"""What holds in every position of every variant: FEN and notation come back, keys tell apart, colours are alike.

The positions are those of games of random moves, in which players often take back what they did, so that positions
come again.
"""

from collections.abc import Iterator
from dataclasses import replace

import chess
import pytest
from chess.variant import CrazyhouseBoard, ThreeCheckBoard
from hypothesis import given, settings
from hypothesis import strategies as st

from services.domain.chaturanga import CHATURANGA, Elephant, PawnBecomes
from services.domain.rule_set import FIDE
from services.domain.variant import Variant
from services.rules.families.chess960 import start_fen_of
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.keys import position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.notation_in import read_legal, read_move
from services.rules.notation.position_check import check_position, check_start
from services.rules.text.moves_out import write_san, write_uci_960

ODD = replace(CHATURANGA, elephant=Elephant.LAME_ALFIL, pawn_becomes=PawnBecomes.FILE_PIECE_IF_LOST, king_leap=True)
FAMILIES = {
    **{str(variant): family_of(variant, FIDE) for variant in Variant},
    "chaturanga with other options": family_of(Variant.CHATURANGA, replace(FIDE, chaturanga=ODD)),
}
TACTICAL = {
    # both sides may castle, promote and take en passant soon
    "standard": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w KQkq - 0 1",
    "chess960": "1r1k2r1/1P1p4/8/4P3/3p4/8/2P3p1/1R1K2R1 w KQkq - 0 1",
    "threeCheck": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w KQkq - 0 1",
    "kingOfTheHill": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w KQkq - 0 1",
    "crazyhouse": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R[QNPbp] w KQkq - 0 1",
    "atomic": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w KQkq - 0 1",
    "antichess": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w - - 0 1",
    "horde": "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R6R w kq - 0 1",
}
UNEVEN = {"horde", "racingKings"}
"""Where White and Black play by different rules."""
EVEN = {name: family for name, family in FAMILIES.items() if name not in UNEVEN}
BACK = -1

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
games = given(st.integers(0, 959), st.lists(st.sampled_from([BACK, BACK, *range(60)]), min_size=20, max_size=60))
WALKS = st.lists(st.lists(st.sampled_from([BACK, BACK, 0, 1, 2, 3]), min_size=6, max_size=40), min_size=1, max_size=3)
some = settings(max_examples=8)


def first_of(family: Family, number: int) -> chess.Board:
    """The first array, one of the 960, or a position full of special moves."""
    fen = family.start_fen
    if number % 2 and family.variant in TACTICAL:
        fen = TACTICAL[family.variant]
    elif family.variant is Variant.CHESS960:
        fen = start_fen_of(number)
    return read_fen(fen, LIMITS, family)


def positions(family: Family, number: int, choices: list[int]) -> Iterator[chess.Board]:
    """The positions of a game, its first included, up to its end. BACK takes the own last move back, where it can."""
    board = first_of(family, number)
    yield board
    for choice in choices:
        moves = [] if family.goal(board) else sorted(board.generate_legal_moves(), key=chess.Move.uci)
        if not moves:
            return
        move = moves[choice % len(moves)]
        if choice == BACK and len(board.move_stack) > 1:
            last = board.move_stack[-2]
            back = chess.Move(last.to_square, last.from_square)
            move = back if back in moves else move
        family.apply(board, move)
        yield board


def facts(board: chess.Board) -> tuple[str | bool, ...]:
    """What makes a position the same (FIDE 9.2.3), and what variants add to it."""
    marks: object = None
    if isinstance(board, CrazyhouseBoard):
        marks = (sorted(chess.SquareSet(board.promoted)), [str(pocket) for pocket in board.pockets])
    if isinstance(board, ThreeCheckBoard):
        marks = list(board.remaining_checks)
    passing = sorted(move.uci() for move in board.generate_legal_moves() if board.is_en_passant(move))
    return str(board), board.turn, board.castling_xfen(), " ".join(passing), str(marks)


@every_family
@games
@some
def test_a_fen_is_its_position(family: Family, number: int, choices: list[int]) -> None:
    for board in positions(family, number, choices):
        fen = write_fen(board, family)
        again = read_fen(fen, LIMITS, family)
        assert write_fen(again, family) == fen
        assert facts(again) == facts(board)
        assert (again.ep_square, again.halfmove_clock, again.fullmove_number) == (
            board.ep_square,
            board.halfmove_clock,
            board.fullmove_number,
        )
        assert position_key(again, family) == position_key(board, family)


@every_family
@games
@some
def test_whatever_is_reached_can_be_started_from(family: Family, number: int, choices: list[int]) -> None:
    for board in positions(family, number, choices):
        if family.goal(board) is None:
            again = read_fen(write_fen(board, family), LIMITS, family)
            check_start(again, family)
            check_position(again, family)
            assert write_fen(again, family) == write_fen(board, family)


@every_family
@given(st.integers(0, 959), WALKS)
@some
def test_keys_are_equal_exactly_when_positions_are(family: Family, number: int, walks: list[list[int]]) -> None:
    keys: dict[tuple[str | bool, ...], bytes] = {}
    for walk in walks:
        for board in positions(family, number, walk):
            key = position_key(board, family)
            assert keys.setdefault(facts(board), key) == key
    assert len(set(keys.values())) == len(keys)


@every_family
@games
@settings(max_examples=5)
def test_every_legal_move_is_read_back(family: Family, number: int, choices: list[int]) -> None:
    *_, board = positions(family, number, choices)
    moves = [] if family.goal(board) else list(board.generate_legal_moves())
    for move in moves:
        uci = family.write_uci(board, move)
        assert read_legal(board, uci, family) == move
        for text in (uci, write_uci_960(board, move), write_san(board, move, family.is_capture)):
            assert read_move(board, text, LIMITS, family) == move, text
    assert len({write_san(board, move, family.is_capture) for move in moves}) == len(moves)
    texts = family.legal_text(board, family.is_check(board)) if moves else []
    assert texts == sorted(family.write_uci(board, move) for move in moves)
    for enough in (1, 4, 40) if moves else ():
        assert family.legal_text(board, family.is_check(board), enough) == texts[:enough]


@every_family
@games
@some
def test_a_move_is_taken_back(family: Family, number: int, choices: list[int]) -> None:
    board = first_of(family, number)
    written = [(write_fen(each, family), position_key(each, family)) for each in positions(family, number, choices)]
    for choice in positions(family, number, choices):
        board = choice
    while board.move_stack:
        assert (write_fen(board, family), position_key(board, family)) == written.pop()
        board.pop()
    assert (write_fen(board, family), position_key(board, family)) == written.pop()
    assert not written


def mirrored_fen(fen: str) -> str:
    """The same position with the colours changed and the board turned over."""
    men, turn, castling, passing, half, full, *checks = fen.split()
    board, bracket, pockets = men.partition("[")
    swapped = "/".join(reversed(board.split("/"))).swapcase()
    letters = "".join(sorted(castling.swapcase(), key=lambda letter: (letter.islower(), letter not in "Kk", letter)))
    if passing != "-":
        passing = passing[0] + {"3": "6", "6": "3"}[passing[1]]
    if checks:
        _, white, black = checks[0].split("+")
        checks = [f"+{black}+{white}"]
    white_pocket = "".join(letter for letter in pockets if letter.islower()).upper()
    black_pocket = "".join(letter for letter in pockets if letter.isupper()).lower()
    pocket = f"[{white_pocket}{black_pocket}]" if bracket else ""
    turn = {"w": "b", "b": "w"}[turn]
    return " ".join([swapped + pocket, turn, letters, passing, half, full, *checks])


def mirrored_uci(uci: str) -> str:
    return "".join(str(9 - int(letter)) if letter.isdigit() else letter for letter in uci)


@pytest.mark.parametrize("family", EVEN.values(), ids=EVEN)
@games
@some
def test_colours_are_alike(family: Family, number: int, choices: list[int]) -> None:
    for board in positions(family, number, choices):
        if family.goal(board) is not None:
            return
        fen = write_fen(board, family)
        mirror = read_fen(mirrored_fen(fen), LIMITS, family)
        check_position(mirror, family)
        assert mirrored_fen(write_fen(mirror, family)) == fen
        check = family.is_check(board)
        assert family.is_check(mirror) is check
        assert family.legal_text(mirror, check) == sorted(map(mirrored_uci, family.legal_text(board, check)))
