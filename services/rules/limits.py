"""How much a question may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that keep the work for any question small. `settings` says what they are in a process."""

    fen_chars_max: int = 200
    move_chars_max: int = 32
    keys_max: int = 1024
    """Positions since the last irreversible move; the rules of standard chess end a game at 151."""


LIMITS = Limits()
"""The defaults."""


@dataclass(frozen=True, slots=True)
class AdjudicationBounds:
    """How much the question whether a side can still mate may cost."""

    nodes_max: int
    """Positions that the search looks at."""
    ms_max: int
    """Waiting and search together."""
    queue_max: int
    """Questions under way and waiting."""
