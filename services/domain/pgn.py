"""PGN as text, in export format (PGN 8): tags, movetext, lines below 80 characters. Knows no chess.

A comment stands in braces; one that holds a closing brace, for which braces have no escape, behind semicolons to the
ends of its lines. What is written so reads back the same, but for the blanks in comments.
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
"""What a tag of the roster holds when nothing is known; the others hold a question mark."""
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
    """A move and what is said of it. `comment` has single blanks and none of the commands that programs put into it."""

    uci: str
    san: str
    clock_ms: int | None = None
    """The mover's time after the move."""
    nags: tuple[int, ...] = ()
    comment: str = ""
    variations: tuple["PgnLine", ...] = ()
    """Each an alternative to this move."""


@dataclass(frozen=True, slots=True)
class PgnLine:
    """Moves in a row, and the comment before the first of them."""

    comment: str = ""
    moves: tuple[PgnMove, ...] = ()


def result_of(outcome: Outcome | None) -> str:
    """1-0, 0-1, 1/2-1/2, or * for a game that goes on or was aborted."""
    if outcome is None or outcome.reason.aborts:
        return "*"
    return {Colour.WHITE: "1-0", Colour.BLACK: "0-1", None: "1/2-1/2"}[outcome.winner]


def termination(outcome: Outcome | None) -> str:
    """How a game came to its end, in the words of PGN 9.8.1, and `Unknown`, which others write too."""
    if outcome is None:
        return "Unterminated"
    if outcome.reason.aborts or outcome.reason is EndReason.ABSENCE:
        return "Abandoned"
    if outcome.reason is EndReason.UNKNOWN:
        return "Unknown"
    return "Time forfeit" if outcome.reason in _TIME_FORFEITS else "Normal"


def roster_first(tags: Mapping[str, str]) -> dict[str, str]:
    """The roster, whole and in its order, then the other tags in theirs (PGN 8.1.1). What is not told is unknown."""
    roster = {name: tags.get(name, UNKNOWN_VALUES.get(name, "?")) for name in ROSTER}
    return roster | {name: value for name, value in tags.items() if name not in roster}


def tag_section(tags: Iterable[tuple[str, str]]) -> str:
    """Names and values, a line each."""
    return "\n".join(f'[{name} "{escaped(value)}"]' for name, value in tags)


def escaped(value: str) -> str:
    """A tag's value: quotes and backslashes escaped, nothing that breaks a line."""
    return plain(value).replace("\\", "\\\\").replace('"', '\\"')


def plain(value: str) -> str:
    """A tag's value without characters that cannot be printed."""
    return _CONTROLS.sub(" ", value)


def tidy_comment(text: str) -> str:
    """A comment with single blanks between its words: where its lines break is not told."""
    return " ".join(filter(None, _BLANKS.split(text)))


def clock_text(remaining_ms: int) -> str:
    """h:mm:ss, and the fraction of a second if there is one."""
    seconds, fraction_ms = divmod(max(0, remaining_ms), 1000)
    fraction = f".{fraction_ms:03}".rstrip("0") if fraction_ms else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"


def first_move(initial_fen: str) -> tuple[int, bool]:
    """The number of the first move and whether it is White's. Empty: the variant's own array."""
    fields = initial_fen.split()
    counters = [field for field in fields[2:] if field.isascii() and field.isdecimal()]
    return int(counters[-1]) if len(counters) > 1 else 1, len(fields) < 2 or fields[1] == "w"


def movetext(line: PgnLine, number: int, white: bool) -> Iterator[str]:
    """A game's moves with all that is said of them, as pieces between which a line may break."""
    return _with_brackets(_pieces(line, number, white))


def wrapped(pieces: Iterable[str]) -> str:
    """The pieces in lines as long as allowed. A piece that ends a line says so by its last character."""
    lines: list[str] = []
    fresh = True
    for piece in pieces:
        text = piece.rstrip(_END_OF_LINE)
        if not fresh and len(lines[-1]) + 1 + len(text) <= LINE_CHARS_MAX:
            lines[-1] += f" {text}"
        else:
            # In the first column these would be an escape to some readers and a tag to others.
            lines.append(f" {text}" if text.startswith(_SPECIAL_AT_LINE_START) else text)
        fresh = piece.endswith(_END_OF_LINE)
    return "\n".join(lines)


@dataclass(slots=True)
class _Rest:
    """What is still to be written of a line."""

    moves: Iterator[PgnMove]
    ply: int
    """Of the next move; odd ones are Black's."""
    sides: Iterator[PgnLine] = field(default_factory=lambda: iter(()))
    """Side lines to the move before it."""
    flows: bool = False
    """Whether that move was White's and nothing stands behind it, so that Black's needs no number (PGN 8.2.2.2)."""


def _pieces(line: PgnLine, number: int, white: bool) -> Iterator[str]:
    """As `movetext`, with brackets as pieces of their own. Side lines lie on a stack, so that no depth is too much."""
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
    """Each bracket joined to the piece that it stands before or behind."""
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
    """A clock, a comment or both, in braces; the comment in words, so that a line may break between them."""
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
