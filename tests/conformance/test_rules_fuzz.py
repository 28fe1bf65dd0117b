"""Ten thousand broken FENs and ten thousand broken moves: each is answered or refused, with little work.

Work is counted in calls of functions, not timed: the count of one input is the same on every machine.
"""

import random
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, TypeVar

import chess
import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.judge import Play, Played, Position, Start, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.notation_in import read_move
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from services.rules.standing import Standing
from services.rules.text.moves_out import write_san
from services.words.catalogue import sentence

INPUTS = 10_000
PARTS = 5
CALLS_MAX = 5_000
"""The most calls of functions that one input may cost: some milliseconds."""
MESSAGE_CHARS_MAX = 300

Answer = TypeVar("Answer")

POSITIONS = {
    "standard": [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ],
    "chess960": [
        "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1",
    ],
    "threeCheck": ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 +1+2"],
    "kingOfTheHill": ["k7/p7/8/8/8/8/8/7K w - - 0 1"],
    "crazyhouse": [
        "rnb1kb1r/pppp2pp/8/4Pp2/8/8/PPPP1PPP/RNBQKBNR[Qq] w KQkq f6 0 3",
        "rnbQ~k1nr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR/Bb b KQkq - 0 9",
    ],
    "atomic": ["rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "8/8/8/8/8/5k2/6K1/6q1 w - - 0 1"],
    "antichess": ["rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w - d6 0 3", "8/P6k/8/8/3Q4/2B5/8/KK6 w - - 0 1"],
    "horde": [
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1",
    ],
    "racingKings": ["8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1"],
    "shatranj": ["rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1", "8/P6k/8/8/3Q4/2B5/8/K7 w - - 0 1"],
    "chaturanga": ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
}
MOVES = ["O-O-O", "0-0", "e1g1", "e1h1", "a7a8q", "a8=Q", "exd6", "N@f3", "P@e4", "@e4", "Qxd7#", "R1a3", "--", "0000"]
ODD_CHARS = "\x00\n\t\u00a0\u0661\u0430\uff11\u200b\U0001f600\ud800" + "".join(map(chr, range(33, 127)))
FEN_CHARS = "pnbrqkPNBRQK12345678/ wb-KQkqAHahe36 019~[]+"
MOVE_CHARS = "abcdefgh12345678KQRBNDTLSOPx=+#-:0@qrbn()"


def mutated(chance: random.Random, text: str, alphabet: str) -> str:
    """A text with some of its characters changed, or something else altogether."""
    kind = chance.randrange(12)
    if kind == 0:
        return "".join(chance.choices(alphabet, k=chance.randrange(120)))
    if kind == 1:
        return "".join(chance.choices(ODD_CHARS, k=chance.randrange(120)))
    if kind == 2:
        return chance.randbytes(chance.randrange(200)).decode("latin-1")
    if kind == 3:
        return (text + chance.choice(alphabet)) * chance.choice([2, 10, 1_000])
    if kind == 4:
        words = text.split(" ")
        chance.shuffle(words)
        return " ".join(words)
    if kind == 5:
        return text[: chance.randrange(len(text) + 1)]
    if kind == 6:
        return text + chance.choice([" ", "\n", ""]) + "".join(chance.choices(alphabet, k=chance.randrange(9)))
    letters = list(text)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(letters) + 1)
        new = [chance.choice(alphabet if chance.random() < 0.8 else ODD_CHARS)]
        letters[place : place + chance.randrange(3)] = new * chance.choice([0, 1, 1, 1, 2, 9])
    return "".join(letters)


def counting(ask: Callable[[], Answer]) -> tuple[Answer, int]:
    """An answer and how many calls of functions it took."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        return ask(), calls
    finally:
        sys.setprofile(None)


def check_refusal(refusal: Refusal, place: str, text: str) -> None:
    assert refusal.at.startswith(place), (refusal, text)
    assert 0 < len(sentence(refusal.text)) < MESSAGE_CHARS_MAX
    assert sentence(refusal.text).isprintable()


@pytest.mark.parametrize("part", range(PARTS))
def test_broken_positions_are_refused(part: int) -> None:
    chance = random.Random(part)
    answered = 0
    for _ in range(INPUTS // PARTS):
        variant = chance.choice(list(Variant))
        fen = mutated(chance, chance.choice(POSITIONS[chance.choice([variant, *POSITIONS])]), FEN_CHARS)
        verdict, calls = counting(partial(judge, Start(variant, fen), CLAIMED, LIMITS))
        assert calls < CALLS_MAX, (variant, fen)
        if isinstance(verdict, Refusal):
            assert verdict.code is RefusalCode.BAD_POSITION
            check_refusal(verdict, "fen", fen)
            continue
        answered += 1
        assert isinstance(verdict, Standing)
        family = family_of(variant, CLAIMED)
        assert write_fen(read_fen(verdict.fen, LIMITS, family), family) == verdict.fen
    assert 10 < answered < INPUTS // PARTS / 2  # most were broken indeed


@pytest.mark.parametrize("part", range(PARTS))
def test_broken_moves_are_refused(part: int) -> None:
    chance = random.Random(part)
    boards = []
    for variant, fens in POSITIONS.items():
        family = family_of(variant, CLAIMED)
        for fen in fens:
            board = read_fen(fen, LIMITS, family)
            check_position(board, family)
            moves = list(board.generate_legal_moves())
            texts = [family.write_uci(board, move) for move in moves] + [
                write_san(board, each, family.is_capture) for each in moves
            ]
            boards.append((board, family, texts, set(moves)))
    answered = 0
    for _ in range(INPUTS // PARTS):
        board, family, texts, legal = chance.choice(boards)
        text = mutated(chance, chance.choice(texts if chance.random() < 0.7 else MOVES), MOVE_CHARS)
        read, calls = counting(partial(read_or_refuse, board, text, family))
        assert calls < CALLS_MAX, (board.fen(), text)
        if isinstance(read, Refusal):
            assert read.code in (RefusalCode.ILLEGAL_MOVE, RefusalCode.MALFORMED)
            check_refusal(read, "move", text)
            continue
        answered += 1
        assert read in legal
    assert 10 < answered < INPUTS // PARTS / 2


def read_or_refuse(board: chess.Board, text: str, family: Family) -> chess.Move | Refusal:
    try:
        return read_move(board, text, LIMITS, family)
    except Rejected as refused:
        return refused.refusal


def test_broken_histories_are_refused() -> None:
    chance = random.Random(1)
    for _ in range(200):
        keys = chance.randbytes(chance.choice([1, 7, 8, 9, 16, 800, 8 * LIMITS.keys_max, 8 * LIMITS.keys_max + 8]))
        verdict = judge(Play(Position("standard", POSITIONS["standard"][0], keys), "e2e4"), CLAIMED, LIMITS)
        if len(keys) % 8 or len(keys) > 8 * LIMITS.keys_max:
            assert isinstance(verdict, Refusal)
            assert (verdict.code, verdict.at) == (RefusalCode.MALFORMED, "keys")
        else:
            assert isinstance(verdict, Played)


@pytest.mark.parametrize("length", [LIMITS.fen_chars_max + 1, 5_000_000])
@pytest.mark.parametrize("character", ["8", "/", " ", "k", "\u0661"])
def test_long_texts_are_not_looked_at(character: str, length: int) -> None:
    text = character * length
    started, calls = counting(partial(judge, Start("crazyhouse", text), CLAIMED, LIMITS))
    assert isinstance(started, Refusal)
    assert f"at most {LIMITS.fen_chars_max} characters" in sentence(started.text)
    assert calls < 100
    position = Position("standard", POSITIONS["standard"][0])
    played, calls = counting(partial(judge, Play(position, text), CLAIMED, LIMITS))
    assert isinstance(played, Refusal)
    assert f"at most {LIMITS.move_chars_max} characters" in sentence(played.text)
    assert calls < 500
