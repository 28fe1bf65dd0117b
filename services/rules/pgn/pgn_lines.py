"""A game's moves while it is read or written: main line and variations in one list, each after its parent.

The conversions between this list and the nested values (`PgnLine`) use no recursion.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from services.domain.pgn import PgnLine, PgnMove
from services.rules.pgn.pgn_comments import read_comment


@dataclass(slots=True)
class RawMove:
    """A move as text. `pgn_replay` makes the move and sets `uci` and `san`."""

    text: str
    offset: int = 0
    """The offset of the move in the text."""
    clock_ms: int | None = None
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    comment_chars: int = 0
    lines: list["RawLine"] = field(default_factory=list)
    uci: str = ""
    san: str = ""


@dataclass(slots=True)
class RawLine:
    """A sequence of moves as text."""

    comments: list[str] = field(default_factory=list)
    comment_chars: int = 0
    moves: list[RawMove] = field(default_factory=list)
    board: chess.Board | None = None
    """The position in which a variation begins; None until it is known."""
    depth: int = 0
    """0 for the main line."""
    dropped: bool = False


def frozen(lines: list[RawLine]) -> PgnLine:
    """The first of these lines as a nested value, with all variations that are not dropped."""
    done: dict[int, PgnLine] = {}
    for line in reversed(lines):
        moves = tuple(
            PgnMove(
                uci=move.uci,
                san=move.san,
                clock_ms=move.clock_ms,
                nags=tuple(move.nags),
                comment=_joined(move.comments),
                variations=tuple(done[id(side)] for side in move.lines if not side.dropped),
            )
            for move in line.moves
        )
        done[id(line)] = PgnLine(_joined(line.comments), moves)
    return done[id(lines[0])]


def thawed(main: PgnLine) -> Iterator[RawLine]:
    """Yield the lines of a nested value, one by one, each before the variations in it."""
    waiting = [(main, RawLine())]
    while waiting:
        line, raw = waiting.pop()
        raw.comments.append(line.comment)
        for move in line.moves:
            sides = [RawLine(depth=raw.depth + 1) for _ in move.variations]
            raw.moves.append(
                RawMove(
                    text=move.uci or move.san,
                    clock_ms=move.clock_ms,
                    nags=list(move.nags),
                    comments=[move.comment],
                    lines=sides,
                )
            )
            waiting.extend(zip(move.variations, sides, strict=True))
        yield raw


def _joined(comments: list[str]) -> str:
    """Comments at one place as one, without a command that only joining them has made."""
    return read_comment(" ".join(comments))[1]
