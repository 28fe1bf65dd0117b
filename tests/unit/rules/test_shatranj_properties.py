"""Shatranj and Chaturanga against a second telling of their rules, slow and without bitboards."""

import random
from collections.abc import Iterator
from itertools import chain

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from services.domain.chaturanga import CHATURANGA, BareKing, ChaturangaRules, Elephant, Kings, PawnBecomes, Stalemate
from services.rules.families.chaturanga_board import chaturanga_board
from services.rules.families.shatranj_board import ShatranjBoard
from services.rules.text.castling import LEAP_RIGHTS

Square = tuple[int, int]
Men = dict[Square, str]

DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
FILES = "abcdefgh"


def legal_text(board: ShatranjBoard) -> list[str]:
    return list(chain.from_iterable(board.legal_rows()))


def name(square: Square) -> str:
    return f"{FILES[square[0]]}{square[1] + 1}"


def reached(men: Men, square: Square, rules: ChaturangaRules) -> Iterator[Square]:
    """The squares that the man on `square` attacks."""
    letter = men[square]
    forward = 1 if letter.isupper() else -1
    steps: list[tuple[int, int]] = []
    match letter.lower():
        case "p":
            steps = [(1, forward), (-1, forward)]
        case "q":
            steps = DIAGONAL
        case "k":
            steps = DIAGONAL + STRAIGHT
        case "n":
            steps = KNIGHT
        case "b" if rules.elephant is Elephant.ALFIL:
            steps = [(2 * files, 2 * ranks) for files, ranks in DIAGONAL]
        case "b" if rules.elephant is Elephant.LAME_ALFIL:
            steps = [
                (2 * files, 2 * ranks) for files, ranks in DIAGONAL if (square[0] + files, square[1] + ranks) not in men
            ]
        case "b" if rules.elephant is Elephant.ONE_STEP:
            steps = [*DIAGONAL, (0, forward)]
        case "b":
            steps = [(2 * files, 2 * ranks) for files, ranks in STRAIGHT]
        case "r":
            for files, ranks in STRAIGHT:
                for far in range(1, 8):
                    target = square[0] + far * files, square[1] + far * ranks
                    yield target
                    if target in men:
                        break
    for files, ranks in steps:
        yield square[0] + files, square[1] + ranks


def in_check(men: Men, white: bool, rules: ChaturangaRules) -> bool:
    king = next(square for square, letter in men.items() if letter == ("K" if white else "k"))
    return any(king in reached(men, square, rules) for square, letter in men.items() if letter.isupper() is not white)


def pseudo_moves(men: Men, white: bool, may_leap: bool, rules: ChaturangaRules) -> Iterator[tuple[Square, Square, str]]:
    """Moves and what the man becomes, no king's safety considered."""
    array = {"r": 2, "n": 2, "b": 2, "q": 1}
    files = {"a": "r", "b": "n", "c": "b", "d": "q", "e": "q", "f": "b", "g": "n", "h": "r"}
    if rules.elephant is Elephant.CORNER_ROOKWISE_LEAP:
        files |= {"a": "b", "c": "r", "f": "r", "h": "b"}
    for square, letter in list(men.items()):
        if letter.isupper() is not white:
            continue
        targets = [target for target in reached(men, square, rules) if 0 <= target[0] < 8 and 0 <= target[1] < 8]
        targets = [target for target in targets if target not in men or men[target].isupper() is not white]
        if letter in "Pp":
            targets = [target for target in targets if target in men]
            step = square[0], square[1] + (1 if white else -1)
            targets += [] if step in men else [step]
        if letter in "Kk" and may_leap:
            targets += [
                target
                for files_, ranks in KNIGHT
                if (target := (square[0] + files_, square[1] + ranks)) not in men
                and 0 <= target[0] < 8
                and 0 <= target[1] < 8
            ]
        for target in targets:
            becomes = ""
            if letter in "Pp" and target[1] in (0, 7):
                becomes = "q" if rules.pawn_becomes is PawnBecomes.FIRZ else files[FILES[target[0]]]
                kind = becomes.upper() if white else becomes
                left = sum(other == kind for other in men.values())
                if rules.pawn_becomes is PawnBecomes.FILE_PIECE_IF_LOST and left >= array[becomes]:
                    continue
            yield square, target, becomes


def slow_moves(men: Men, white: bool, may_leap: bool, rules: ChaturangaRules) -> tuple[list[str], list[str]]:
    """The legal moves, and those that leave the own king attacked."""
    legal: list[str] = []
    illegal: list[str] = []
    for square, target, becomes in pseudo_moves(men, white, may_leap, rules):
        after = {**men}
        moved = after.pop(square)
        after[target] = moved if not becomes else becomes.upper() if white else becomes
        (illegal if in_check(after, white, rules) else legal).append(name(square) + name(target) + becomes)
    return sorted(legal), sorted(illegal)


def men_of(board: chess.Board) -> Men:
    return {(chess.square_file(at), chess.square_rank(at)): man.symbol() for at, man in board.piece_map().items()}


RULES = st.builds(
    ChaturangaRules,
    stalemate=st.sampled_from(Stalemate),
    bare_king=st.sampled_from(BareKing),
    elephant=st.sampled_from(Elephant),
    kings=st.sampled_from(Kings),
    pawn_becomes=st.sampled_from(PawnBecomes),
    king_leap=st.booleans(),
)
SQUARES = st.integers(0, 63)
LETTERS = st.sampled_from("PPNBRQppnbrq")


@st.composite
def positions(draw: st.DrawFn) -> tuple[ShatranjBoard, ChaturangaRules]:
    """A board on which the side not to move is not in check, of Shatranj or of any Chaturanga."""
    shatranj = draw(st.integers(0, 3)) == 0
    rules = CHATURANGA if shatranj else draw(RULES)
    board = ShatranjBoard(None) if shatranj else chaturanga_board(rules)(None)
    least = draw(st.integers(0, 20))
    for square, letter in draw(st.dictionaries(SQUARES, LETTERS, min_size=least, max_size=24)).items():
        if letter not in "Pp" or 8 <= square < 56:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    kings = draw(st.lists(SQUARES, min_size=2, max_size=2, unique=True))
    for square, letter in zip(kings, "Kk", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    men = men_of(board)
    board.turn = draw(st.booleans())
    if in_check(men, not board.turn, rules):
        board.turn = not board.turn
    if rules.king_leap:
        board.castling_rights = draw(st.sampled_from([0, *LEAP_RIGHTS.values(), sum(LEAP_RIGHTS.values())]))
        board.castling_rights = board.clean_castling_rights()
    return board, rules


@settings(max_examples=200)
@given(positions())
def test_the_legal_moves_are_those_that_leave_no_king_attacked(drawn: tuple[ShatranjBoard, ChaturangaRules]) -> None:
    board, rules = drawn
    men = men_of(board)
    if in_check(men, not board.turn, rules):
        return
    may_leap = bool(board.castling_rights & LEAP_RIGHTS[board.turn])
    legal, illegal = slow_moves(men, board.turn, may_leap, rules)
    assert legal_text(board) == legal
    assert sorted(move.uci() for move in board.generate_legal_moves()) == legal
    assert sorted(move.uci() for move in board.generate_pseudo_legal_moves()) == sorted(legal + illegal)
    assert all(board.is_legal(chess.Move.from_uci(text)) for text in legal)
    assert not any(board.is_legal(chess.Move.from_uci(text)) for text in illegal)
    assert board.is_check() == in_check(men, board.turn, rules)


@settings(max_examples=25)
@given(st.none() | RULES, st.randoms(use_true_random=False))
def test_so_they_are_all_through_a_game(rules: ChaturangaRules | None, chance: random.Random) -> None:
    board = ShatranjBoard() if rules is None else chaturanga_board(rules)()
    for _ in range(60):
        may_leap = bool(board.castling_rights & LEAP_RIGHTS[board.turn])
        legal, _ = slow_moves(men_of(board), board.turn, may_leap, rules or CHATURANGA)
        assert legal_text(board) == legal
        if not legal:
            return
        # captures first, so that men get out of the way and kings into danger
        captures = [text for text in legal if board.piece_at(chess.parse_square(text[2:4]))]
        board.push(chess.Move.from_uci(chance.choice(captures or legal)))


@given(positions())
def test_a_mirrored_position_has_the_mirrored_moves(drawn: tuple[ShatranjBoard, ChaturangaRules]) -> None:
    board, _ = drawn
    turned = str.maketrans("12345678", "87654321")
    assert legal_text(board.mirror()) == sorted(text.translate(turned) for text in legal_text(board))


@given(positions(), st.lists(st.integers(0, 255), max_size=60))
def test_a_move_does_what_it_says_and_is_taken_back_whole(
    drawn: tuple[ShatranjBoard, ChaturangaRules], choices: list[int]
) -> None:
    board, rules = drawn
    if in_check(men_of(board), not board.turn, rules):
        return
    first = board.fen()
    for choice in choices:
        texts = legal_text(board)
        if not texts:
            break
        text = texts[choice % len(texts)]
        before, men, clock = board.fen(), men_of(board), board.halfmove_clock
        square, target = chess.parse_square(text[:2]), chess.parse_square(text[2:4])
        zeroing = bool(board.piece_at(target)) or board.piece_type_at(square) == chess.PAWN
        board.push(chess.Move.from_uci(text))
        moved = men.pop((square % 8, square // 8))
        men[target % 8, target // 8] = chess.Piece.from_symbol(text[4]).symbol() if text[4:] else moved
        if text[4:] and moved == "P":
            men[target % 8, target // 8] = text[4].upper()
        assert men_of(board) == men
        assert board.halfmove_clock == (0 if zeroing else clock + 1)
        # the masks tell one story: a board read from the FEN is the same one
        assert type(board)(board.fen()) == board
        board.pop()
        assert board.fen() == before
        board.push(chess.Move.from_uci(text))
    while board.move_stack:
        board.pop()
    assert board.fen() == first
