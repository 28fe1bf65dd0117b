"""PGN as text, in export format (PGN 8): tags, movetext, lines below 80 characters. It knows no rules of chess.

A comment is written in braces. A closing brace cannot be escaped there, so a comment with one is written after
semicolons, each to the end of its line. A parser reads back the same game, except for the blanks in comments.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome

LINE_CHARS_MAX = 79
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in their order (PGN 8.1.1)."""
UNKNOWN_VALUES = {"Date": "????.??.??", "Result": "*"}
"""The values of unknown roster tags; all other roster tags have a question mark."""
RESULTS = {"1-0": Colour.WHITE, "0-1": Colour.BLACK, "1/2-1/2": None, "*": None}
"""The four results and who won (PGN 8.1.1.7)."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_BLANKS = re.compile(r"[\x00-\x20\x7f]+")
_SPECIAL_AT_LINE_START = ("%", "[")
_END_OF_LINE = "\n"
_OPEN, _CLOSE = "\x01", "\x02"
_TIME_FORFEITS = (EndReason.FLAG, EndReason.EXPIRY)


@dataclass(frozen=True, slots=True)
class PgnMove:
    """A move and its annotations. `comment` has single blanks and no embedded commands of programs (`[%...]`)."""

    uci: str
    san: str
    clock_ms: int | None = None
    """The time left for the side that moved, after the move."""
    nags: tuple[int, ...] = ()
    comment: str = ""
    variations: tuple["PgnLine", ...] = ()
    """Each variation replaces this move."""


@dataclass(frozen=True, slots=True)
class PgnLine:
    """A sequence of moves, and the comment before the first move."""

    comment: str = ""
    moves: tuple[PgnMove, ...] = ()


def result_of(outcome: Outcome | None) -> str:
    """The PGN result: 1-0, 0-1, 1/2-1/2, or * for a running or aborted game."""
    if outcome is None or outcome.reason.aborts:
        return "*"
    return {Colour.WHITE: "1-0", Colour.BLACK: "0-1", None: "1/2-1/2"}[outcome.winner]


def termination(outcome: Outcome | None) -> str:
    """The value of the tag Termination: a word of PGN 9.8.1, or `Unknown`, which other programs also write."""
    if outcome is None:
        return "Unterminated"
    if outcome.reason.aborts or outcome.reason is EndReason.ABSENCE:
        return "Abandoned"
    if outcome.reason is EndReason.UNKNOWN:
        return "Unknown"
    return "Time forfeit" if outcome.reason in _TIME_FORFEITS else "Normal"


def roster_first(tags: Mapping[str, str]) -> dict[str, str]:
    """All roster tags in their order, then the other tags in theirs (PGN 8.1.1). Missing roster tags become unknown."""
    roster = {name: tags.get(name, UNKNOWN_VALUES.get(name, "?")) for name in ROSTER}
    return roster | {name: value for name, value in tags.items() if name not in roster}


def tag_section(tags: Iterable[tuple[str, str]]) -> str:
    """The tag section as text: one line for each name and value."""
    return "\n".join(f'[{name} "{escaped(value)}"]' for name, value in tags)


def escaped(value: str) -> str:
    """A tag value with quotes and backslashes escaped and without line breaks."""
    return plain(value).replace("\\", "\\\\").replace('"', '\\"')


def plain(value: str) -> str:
    """A tag value without unprintable characters."""
    return _CONTROLS.sub(" ", value)


def tidy_comment(text: str) -> str:
    """A comment with single blanks between its words. Its line breaks are lost."""
    return " ".join(filter(None, _BLANKS.split(text)))


def clock_text(remaining_ms: int) -> str:
    """A time in ms as h:mm:ss, with a fraction of a second if it is not zero."""
    seconds, fraction_ms = divmod(max(0, remaining_ms), 1000)
    fraction = f".{fraction_ms:03}".rstrip("0") if fraction_ms else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def first_move(initial_fen: str) -> tuple[int, bool]:
    """The number of the first move, and whether White makes it. An empty FEN is the variant's starting position."""
    fields = initial_fen.split()
    counters = [field for field in fields[2:] if field.isascii() and field.isdecimal()]
    return int(counters[-1]) if len(counters) > 1 else 1, len(fields) < 2 or fields[1] == "w"


def movetext(line: PgnLine, number: int, white: bool) -> Iterator[str]:
    """The moves with their annotations, as tokens. A line may break between two tokens."""
    return _with_brackets(_pieces(line, number, white))


def wrapped(pieces: Iterable[str]) -> str:
    """The tokens joined into lines of the allowed length. The last character of a token may force a line break."""
    lines: list[str] = []
    fresh = True
    for piece in pieces:
        text = piece.rstrip(_END_OF_LINE)
        if not fresh and len(lines[-1]) + 1 + len(text) <= LINE_CHARS_MAX:
            lines[-1] += f" {text}"
        else:
            # In the first column some parsers would read these as an escape or as a tag.
            lines.append(f" {text}" if text.startswith(_SPECIAL_AT_LINE_START) else text)
        fresh = piece.endswith(_END_OF_LINE)
    return "\n".join(lines)


@dataclass(slots=True)
class _Rest:
    """The part of a line that is not written yet."""

    moves: Iterator[PgnMove]
    ply: int
    """The ply of the next move; odd for Black."""
    sides: Iterator[PgnLine] = field(default_factory=lambda: iter(()))
    """The variations that replace the previous move."""
    flows: bool = False
    """Whether White made the previous move and nothing follows it, so Black's move needs no number (PGN 8.2.2.2)."""


def _pieces(line: PgnLine, number: int, white: bool) -> Iterator[str]:
    """As `movetext`, with brackets as separate tokens. A stack holds the variations, so their depth has no limit."""
    yield from _comment(None, line.comment)
    stack = [_Rest(iter(line.moves), 2 * number + (not white))]
    while stack:
        rest = stack[-1]
        if (side := next(rest.sides, None)) is not None:
            yield _OPEN
            yield from _comment(None, side.comment)
            stack.append(_Rest(iter(side.moves), rest.ply - 1))
        elif (move := next(rest.moves, None)) is not None:
            if not rest.ply % 2:
                yield f"{rest.ply // 2}."
            elif not rest.flows:
                yield f"{rest.ply // 2}..."
            yield move.san
            yield from (f"${nag}" for nag in move.nags)
            yield from _comment(move.clock_ms, move.comment)
            rest.sides = iter(move.variations)
            rest.flows = not rest.ply % 2 and move.clock_ms is None and not move.comment and not move.variations
            rest.ply += 1
        else:
            stack.pop()
            if stack:
                yield _CLOSE


def _with_brackets(pieces: Iterator[str]) -> Iterator[str]:
    """The tokens with each bracket joined to the token next to it."""
    opening = held = ""
    for piece in pieces:
        if piece == _OPEN:
            opening += "("
        elif piece == _CLOSE and held and not opening and not held.endswith(_END_OF_LINE):
            held += ")"
        else:
            if held:
                yield held
            held = opening + (")" if piece == _CLOSE else piece)
            opening = ""
    if held:
        yield held


def _comment(clock_ms: int | None, comment: str) -> Iterator[str]:
    """A clock, a comment or both, in braces. Each word is a token, so that a line may break between words."""
    clock = [] if clock_ms is None else [f"[%clk {clock_text(clock_ms)}]"]
    words = [word for word in tidy_comment(comment).split(" ") if word]
    if "}" in comment:
        if clock:
            yield f"{{ {clock[0]} }}"
        yield from _to_line_ends(words)
    elif clock or words:
        first, *rest = clock + words
        yield from (["{ " + first, *rest[:-1], rest[-1] + " }"] if rest else [f"{{ {first} }}"])


def _to_line_ends(words: Iterable[str]) -> Iterator[str]:
    line = ";"
    for word in words:
        if line != ";" and len(line) + 1 + len(word) > LINE_CHARS_MAX:
            yield line + _END_OF_LINE
            line = ";"
        line += f" {word}"
    yield line + _END_OF_LINE
