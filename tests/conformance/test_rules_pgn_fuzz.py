"""Thousands of spoilt PGNs: each is read, or refused with a reason and a place, and never anything else.

What is read although it was spoilt has to come through export and import unharmed.
"""

import random
import re
from collections.abc import Iterator

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.variant import Variant
from services.rules.limits import PgnLimits
from services.rules.pgn.pgn_tree import PgnGame
from services.rules.pgn.pgn_wire import pgn_games_from_pb, pgn_games_to_pb
from services.rules.refused import Rejected
from services.runtime.wire import outcome_to_pb
from services.words.catalogue import sentence
from tests.unit.rules.pgn_texts import random_game, read, write

LIMITS = PgnLimits(bytes_max=20_000, games_max=5, plies_max=300, tokens_max=1_000, depth_max=4, comment_chars_max=400)
PLACE = re.compile(r"pgn|games(\[\d+\]\.line\[\d+\](\.(move\[\d+\.+\]|tag\[Variant\]|fen[.\w]*|variant))?)?")
WORDS = ("a {b} c", 'd "e" \\ f', "[%clk 0:01:00] g", "50 % } ; h", "ü\u00a0\u2028", "")
SCRAPS = (
    b"{", b"}", b"(", b")", b"[", b"]", b";", b"%", b"\n", b"\r", b"\n\n", b"\n%", b'"', b"\\", b"$", b"$999", b"!",
    b"?!?", b"*", b"1-0", b"0-1", b"1/2-1/2", b"1/2", b"--", b"Z0", b"0000", b"e4", b"Nf3", b"O-O", b"0-0-0", b"e8=Q",
    b"P@e4", b"9999999999999999999999.", b"...", b"\xef\xbb\xbf", b"\xff", b"\x00", b"\xe2\x80\xa6", b'[Event "x"]',
    b'[FEN "x"]', b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', b'[SetUp "1"]', b'[Variant "Atomic"]', b'[Variant "?"]',
    b'[Result "0-1"]', b'[Termination "time forfeit"]', b"[%clk 9:99:99]", b"[%clk 0:00:01.5]", b"<", b"e" * 50,
    b" " * 50,
)  # fmt: skip


def attempt(data: bytes) -> list[PgnGame] | Refusal:
    """The games, or the refusal; anything else is a fault."""
    try:
        return read(data, limits=LIMITS)
    except Rejected as refused:
        return refused.refusal


def check_refusal(refusal: Refusal, data: bytes) -> None:
    """It names its place and has a message that is fit to be shown."""
    assert PLACE.fullmatch(refusal.at), (refusal, data)
    assert 10 < len(sentence(refusal.text)) < 400, (refusal, data)
    assert sentence(refusal.text).isprintable(), (refusal, data)


def check_round_trip(games: list[PgnGame], data: bytes) -> None:
    """Export and import leave the games as they are."""
    exported = write(games, LIMITS)
    again = read(exported, limits=LIMITS)
    assert write(again, LIMITS) == exported, data
    told = [(game.variant, game.initial_fen, game.line, game.result, game.outcome) for game in games]
    assert [(game.variant, game.initial_fen, game.line, game.result, game.outcome) for game in again] == told, data


def spoilt(data: bytes, chance: random.Random) -> bytes:
    """A text with a few pieces of it changed, lost, doubled, moved or replaced."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        here, there = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        short = min(there, here + chance.randrange(12))
        match chance.randrange(6):
            case 0:
                data = data[:here] + data[short:]
            case 1:
                data = data[:here] + chance.choice(SCRAPS) + data[here:]
            case 2:
                data = data[:here] + chance.choice(SCRAPS) + data[short:]
            case 3:
                data = data[:here] + data[here:short] * 2 + data[short:]
            case 4:
                data = data[:here] + bytes([chance.randrange(256)]) + data[here + 1 :]
            case _:
                data = data[:there] + data[here:short] + data[there:]
    return data


def originals(chance: random.Random) -> Iterator[bytes]:
    """Short texts of one to three games of any variants."""
    while True:
        games: list[PgnGame] = [
            random_game(chance.randrange(2**32), chance.choice(list(Variant)), WORDS, 16)
            for _ in range(chance.randrange(1, 4))
        ]
        yield write(games).encode(chance.choice(("utf-8", "utf-8", "utf-8-sig")))


@pytest.mark.parametrize(
    ("seed", "count"), [(1, 1_000), pytest.param(2, 10_000, marks=[pytest.mark.thorough, pytest.mark.timeout(600)])]
)
def test_spoilt_texts_are_read_or_refused(seed: int, count: int) -> None:
    chance = random.Random(seed)
    texts = originals(chance)
    was_read = 0
    text = b""
    for number in range(count):
        if number % 10 == 0:
            text = next(texts)
        data = spoilt(text, chance)
        answer = attempt(data)
        if isinstance(answer, Refusal):
            check_refusal(answer, data)
        else:
            check_round_trip(answer, data)
            was_read += 1
    assert count // 20 < was_read < count // 2


def test_noise_is_refused() -> None:
    chance = random.Random(3)
    was_read = 0
    for _ in range(1_000):
        data = b"".join(chance.choice(SCRAPS) for _ in range(chance.randrange(30)))
        answer = attempt(data)
        if isinstance(answer, Refusal):
            check_refusal(answer, data)
        else:
            check_round_trip(answer, data)
            was_read += 1
    assert was_read < 100


def test_spoilt_games_are_written_or_refused() -> None:
    """Whatever stands in the fields of a game that is to be written, what is written can be read."""
    chance = random.Random(4)
    was_written = 0
    for _ in range(500):
        (message,) = pgn_games_to_pb(
            [random_game(chance.randrange(2**32), chance.choice(list(Variant)), WORDS, 8)]
        ).games
        scrap = chance.choice(SCRAPS).decode("latin-1")
        match chance.randrange(7):
            case 0:
                message.result = scrap
            case 1:
                message.initial_fen = scrap
            case 2:
                message.variant = chance.choice(list(Variant))
            case 3:
                message.tags.add(name=scrap, value=scrap)
            case 4:
                message.comment = scrap * 3
            case 5:
                message.moves.add(uci=scrap, comment=scrap)
            case _:
                outcome = Outcome(chance.choice([None, *Colour]), chance.choice(list(EndReason)))
                message.outcome.CopyFrom(outcome_to_pb(outcome))
        try:
            text = write(pgn_games_from_pb([message]), LIMITS)
        except Rejected:
            continue
        assert len(read(text, limits=LIMITS)) == 1
        was_written += 1
    assert 50 < was_written < 450
