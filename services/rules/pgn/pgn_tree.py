"""A game of a PGN as a value."""

from dataclasses import dataclass, field

from services.domain.outcome import Outcome
from services.domain.pgn import PgnLine
from services.rules.standing import Standing


@dataclass(frozen=True, slots=True)
class PgnOptions:
    """What to keep of a PGN besides tags, moves, clocks and results. `games_max` None means the setting's limit."""

    with_variations: bool = False
    with_comments: bool = False
    games_max: int | None = None


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game. Games with the same content are equal, also from different places."""

    tags: tuple[tuple[str, str], ...]
    """In the order of the file. A tag and a field with the same meaning agree."""
    variant: str
    initial_fen: str
    """Empty: the variant's starting position."""
    line: PgnLine
    result: str
    """1-0, 0-1, 1/2-1/2 or *."""
    outcome: Outcome | None
    """The end of the game, as far as known; None for *."""
    final: Standing | None = field(default=None, compare=False)
    """The position after the last move; None unless the game was read from a file."""
    first_line: int = field(default=0, compare=False)
    """The first line of the game in its file, from 1; 0 if it is not from a file."""
