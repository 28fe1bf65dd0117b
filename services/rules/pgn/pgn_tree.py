"""A game as a PGN tells it."""

from dataclasses import dataclass, field

from services.domain.outcome import Outcome
from services.domain.pgn import PgnLine
from services.rules.standing import Standing


@dataclass(frozen=True, slots=True)
class PgnOptions:
    """What is kept of a PGN beside tags, moves, clocks and results. `games_max` None is the setting's limit."""

    with_variations: bool = False
    with_comments: bool = False
    games_max: int | None = None


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game. Two are equal when they tell the same, wherever they stood."""

    tags: tuple[tuple[str, str], ...]
    """In the order of the file. Where a tag and a field say the same thing, they agree."""
    variant: str
    initial_fen: str
    """Empty: the variant's own array."""
    line: PgnLine
    result: str
    """1-0, 0-1, 1/2-1/2 or *."""
    outcome: Outcome | None
    """What is known of the end; None for *."""
    final: Standing | None = field(default=None, compare=False)
    """The position after the last move, of a game that was read."""
    first_line: int = field(default=0, compare=False)
    """Where it begins in the file, from 1; 0 for a game that is in none."""
