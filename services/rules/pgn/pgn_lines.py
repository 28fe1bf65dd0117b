"""A game's moves while it is read or written: main line and side lines in one list, each behind the one it belongs to.

The nest of values (`PgnLine`) is made from the list and the list from the nest without a call for each depth.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from services.domain.pgn import PgnLine, PgnMove
from services.rules.pgn.pgn_comments import read_comment


@dataclass(slots=True)
class RawMove:
    """A move as it is written. `pgn_replay` makes the move of it, and `uci` and `san` with it."""

    text: str
    offset: int = 0
    """Where it stands in the text that is read."""
    clock_ms: int | None = None
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    comment_chars: int = 0
    lines: list["RawLine"] = field(default_factory=list)
    uci: str = ""
    san: str = ""


@dataclass(slots=True)
class RawLine:
    """Moves in a row."""

    comments: list[str] = field(default_factory=list)
    comment_chars: int = 0
    moves: list[RawMove] = field(default_factory=list)
    board: chess.Board | None = None
    """Where a side line begins, once that is known."""
    depth: int = 0
    """0 for the main line."""
    dropped: bool = False


def frozen(lines: list[RawLine]) -> PgnLine:
    """The first of these lines with all others in it but those that are dropped."""
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
    """The lines of a nest, one by one; each is known before those in it are looked at."""
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
