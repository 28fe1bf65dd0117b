"""The text of a PGN: what a game's end is called, where its moves begin, lines and comments."""

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.pgn import (
    LINE_CHARS_MAX,
    PgnLine,
    PgnMove,
    clock_text,
    first_move,
    movetext,
    result_of,
    tag_section,
    termination,
    wrapped,
)


@pytest.mark.parametrize(
    ("outcome", "result", "word"),
    [
        (None, "*", "Unterminated"),
        (Outcome(Colour.WHITE, EndReason.CHECKMATE), "1-0", "Normal"),
        (Outcome(Colour.BLACK, EndReason.FLAG), "0-1", "Time forfeit"),
        (Outcome(None, EndReason.EXPIRY), "1/2-1/2", "Time forfeit"),
        (Outcome(None, EndReason.ABORT), "*", "Abandoned"),
        (Outcome(None, EndReason.NO_FIRST_MOVE), "*", "Abandoned"),
        # an import that did not tell why is not called normal
        (Outcome(Colour.WHITE, EndReason.UNKNOWN), "1-0", "Unknown"),
    ],
)
def test_result_and_termination(outcome: Outcome | None, result: str, word: str) -> None:
    assert (result_of(outcome), termination(outcome)) == (result, word)


@pytest.mark.parametrize(
    ("fen", "first"),
    [
        ("", (1, True)),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 5 31", (31, False)),
        ("4k3/8/8/8/8/8/4P3/4K3 w", (1, True)),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 5", (1, False)),
        # Three-check writes what checks are left before the counters, or those given behind them
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 3+3 5 31", (31, True)),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 31 +0+1", (31, True)),
    ],
)
def test_the_number_of_the_first_move(fen: str, first: tuple[int, bool]) -> None:
    assert first_move(fen) == first


def test_values_of_tags_are_escaped() -> None:
    assert tag_section([("A", 'a "b" \\ c\n\x00d'), ("B", "")]) == '[A "a \\"b\\" \\\\ c d"]\n[B ""]'


@pytest.mark.parametrize(
    ("ms", "text"), [(-5, "0:00:00"), (999, "0:00:00.999"), (61_500, "0:01:01.5"), (36_000_050, "10:00:00.05")]
)
def test_clocks(ms: int, text: str) -> None:
    assert clock_text(ms) == text


def test_a_comment_with_a_brace_stands_behind_semicolons() -> None:
    moves = (
        PgnMove("", "e4", 1_000, comment="a } " + "b" * 80 + " c", variations=(PgnLine("}", (PgnMove("", "d4"),)),)),
    )
    assert wrapped([*movetext(PgnLine(moves=moves), 1, True), "*"]).split("\n") == [
        "1. e4 { [%clk 0:00:01] } ; a }",
        "; " + "b" * 80,
        "; c",
        "(; }",
        "1. d4) *",
    ]


def test_no_line_of_a_comment_begins_as_an_escape_or_a_tag() -> None:
    for sign in "%[":
        text = wrapped(movetext(PgnLine(" ".join([sign + "x" * 30] * 9)), 1, True))
        assert len(text.split("\n")) == 5
        assert not any(line.startswith(sign) for line in text.split("\n"))
        assert max(map(len, text.split("\n"))) <= LINE_CHARS_MAX


def test_side_lines_as_deep_as_one_likes() -> None:
    line = PgnLine()
    for _ in range(5_000):
        line = PgnLine(moves=(PgnMove("", "e4", variations=(line,) if line.moves else ()),))
    text = wrapped(movetext(line, 1, True))
    assert (text.count("("), text.count(")"), text.count("e4")) == (4_999, 4_999, 5_000)


def test_a_bracket_behind_a_comment_to_the_end_of_the_line_begins_the_next() -> None:
    side = PgnLine(moves=(PgnMove("", "d4", comment="}" + "b" * 60),))
    line = PgnLine(moves=(PgnMove("", "e4", variations=(side,)), PgnMove("", "e5")))
    assert wrapped([*movetext(line, 1, True), "*"]) == f"1. e4 (1. d4 ; }}{'b' * 60}\n) 1... e5 *"


def test_black_has_a_number_where_something_stood_between() -> None:
    side = PgnLine(moves=(PgnMove("", "d4"), PgnMove("", "d5")))
    moves = (
        PgnMove("", "e4", variations=(side,)),
        PgnMove("", "e5"),
        PgnMove("", "Nf3", nags=(1,)),
        PgnMove("", "Nc6"),
    )
    assert wrapped(movetext(PgnLine(moves=moves), 1, True)) == "1. e4 (1. d4 d5) 1... e5 2. Nf3 $1 Nc6"
