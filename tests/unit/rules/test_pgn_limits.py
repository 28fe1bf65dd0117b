"""How much a PGN may hold, and that what is too much is refused for that reason and early.

Time is bounded in kind, not by a clock: what is refused for its size has had no board set up.
"""

import contextlib

import pytest

from services.rules.limits import PGN_LIMITS, PgnLimits
from services.rules.pgn import pgn_replay
from services.rules.pgn.pgn_tree import PgnOptions
from services.rules.refused import Rejected
from services.rules.settings import RulesSettings
from services.words.catalogue import sentence
from tests.unit.rules.pgn_texts import ALL, read, read_one, refusal, sans

BOTH = (PgnOptions(), ALL)


@pytest.fixture
def no_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Setting up a board is a failure."""

    def set_up(*_: object) -> None:
        raise AssertionError("a board was set up")

    monkeypatch.setattr(pgn_replay, "family_of", set_up)


# dartchess 38, python-chess 534, chess.js 95, stockfish-mac 125 (case P08)
@pytest.mark.usefixtures("no_boards")
@pytest.mark.parametrize("options", BOTH)
@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        (
            '[Event "A"]\n\n1. e4 { never closed e5 2. Nf3 *\n\n[Event "B"]\n\n1. d4 *\n',
            "games[0].line[3]",
            "game 1, line 3: the comment that begins here is never closed",
        ),
        (
            "1. e4 " + "(1. d4 d5 (1... Nf6 " * 2000 + "))" * 2000 + " *",
            "games[0].line[1]",
            "game 1, line 1: variations are nested at most 20 deep here",
        ),
        (
            '[Event "x"]\n\n1. e4 *\n\n' * 10_000,
            "games[500].line[2001]",
            "game 501, line 2001: a PGN has at most 500 games here",
        ),
        (
            "1. e4 {" + "x" * 20_000_000 + "} *",
            "pgn",
            "a PGN has at most 1,048,576 bytes, this has 20,000,010",
        ),
        (
            "1. e4 {" + "x" * 1_000_000 + "} *",
            "games[0].line[1]",
            "game 1, line 1: the comments after one move are longer than 16,384 characters",
        ),
        (
            "1. e4 " + "{a}" * 10_000 + " *",
            "games[0].line[1]",
            "game 1, line 1: the comments after one move are longer than 16,384 characters",
        ),
        (
            "Nf3 Nf6 Ng1 Ng8 " * 5_001,
            "games[0].line[1]",
            "game 1, line 1: a PGN has at most 20,000 half-moves here",
        ),
        (
            "1. e4 " + "(1. d4 d5)" * 10_001,
            "games[0].line[1]",
            "game 1, line 1: a PGN has at most 20,000 half-moves here",
        ),
        (
            "1. e4 " + "()" * 100_000,
            "games[0].line[1]",
            "game 1, line 1: a PGN has at most 100,000 moves, comments, tags and brackets together here",
        ),
        (
            "".join(f'[T{number} "x"]\n' for number in range(1000)) + "*",
            "games[0].line[101]",
            "game 1, line 101: a game has at most 100 tags here",
        ),
        (
            f'[Event "{"x" * 1000}"]\n*',
            "games[0].line[1]",
            "game 1, line 1: the tag 'Event' is longer than 1,000 characters",
        ),
    ],
    ids=[
        "unclosed", "nested", "games", "bytes", "comment", "comments", "plies", "side lines", "brackets", "tags", "tag",
    ],
)  # fmt: skip
def test_what_is_too_much_is_refused_before_any_board(text: str, at: str, message: str, options: PgnOptions) -> None:
    refused = refusal(text, options)
    assert (refused.at, sentence(refused.text)) == (at, message)


def test_a_game_of_five_thousand_moves_is_read() -> None:
    (game,) = read("Nf3 Nf6 Ng1 Ng8 " * 2_500)
    assert len(game.line.moves) == 10_000
    assert game.final is not None
    assert len(game.final.keys) <= 8 * 1024
    assert game.final.fen.endswith(" 10000 5001")


def test_side_lines_as_deep_as_they_may_be() -> None:
    depth = PGN_LIMITS.depth_max
    text = "1. e4 " + "(1. d4 " * depth + ")" * depth + "*"
    line = read_one(text).line
    for _ in range(depth):
        (line,) = line.moves[0].variations
        assert sans(line) == "d4"
    assert line.moves[0].variations == ()
    assert sentence(refusal("1. e4 " + "(1. d4 " * (depth + 1) + ")" * (depth + 1) + "*").text).endswith("20 deep here")


@pytest.mark.parametrize(("wanted", "most"), [(None, 3), (2, 2), (9, 3)])
def test_a_call_may_want_fewer_games(wanted: int | None, most: int) -> None:
    limits = PgnLimits(games_max=3)
    options = PgnOptions(games_max=wanted)
    assert len(read("1. e4 * " * most, options, limits)) == most
    assert sentence(refusal("1. e4 * " * (most + 1), options, limits).text).endswith(f"at most {most} games here")


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 {" + "[%a" * 100_000 + "} *",
        "1. e4 {" + "[%a]" * 100_000 + "} *",
        "1. e4 {" + "\n \t" * 100_000 + "} *",
        "1. e4 {" + '\n\n[E "' * 50_000 + "} *",
        '[E "' + '\\"' * 200_000,
        "1." * 200_000,
        "1 " * 200_000,
        "1" * 400_000,
        "e8(Q" * 100_000,
        "%\n" * 200_000,
        "[" * 400_000,
        "!" * 400_000,
        "$" * 400_000,
        "\n" * 400_000 + "x",
    ],
    ids=lambda text: repr(text[:12]),
)
@pytest.mark.timeout(20)
def test_work_grows_as_the_text_does(text: str) -> None:
    """Any way of reading that looks at such a text again and again takes minutes."""
    with contextlib.suppress(Rejected):
        read(text)


def test_the_settings_are_the_limits() -> None:
    assert RulesSettings().pgn_limits() == PGN_LIMITS
    other = RulesSettings(
        pgn_bytes_max=2_000,
        pgn_games_max=1,
        pgn_plies_max=101,
        pgn_tokens_max=1_002,
        pgn_depth_max=3,
        pgn_comment_chars_max=104,
        pgn_tags_max=16,
        pgn_tag_chars_max=256,
    )
    assert other.pgn_limits() == PgnLimits(2_000, 1, 101, 1_002, 3, 104, 16, 256)
