"""How much a question may ask for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InputLimits:
    """Bounds that keep the work for any question small. `settings` says what they are in a process."""

    fen_chars_max: int = 200
    move_chars_max: int = 32
    keys_max: int = 1024
    """Positions since the last irreversible move; the rules of standard chess end a game at 151."""
    replayed_max: int = 4_000
    """Moves of a game that is played again; a longer one takes none back."""


LIMITS = InputLimits()
"""The defaults."""


@dataclass(frozen=True, slots=True)
class PgnLimits:
    """How much a PGN may hold, read or written. It is counted before the first move is made."""

    bytes_max: int = 1_048_576
    games_max: int = 500
    plies_max: int = 20_000
    """Half-moves of all games together, side lines included, also those that are dropped."""
    tokens_max: int = 100_000
    """Moves, comments, annotations, brackets, tags and results together."""
    depth_max: int = 20
    """Side lines within side lines."""
    comment_chars_max: int = 16_384
    """What is said behind one move, or before the first, commands of programs included."""
    tags_max: int = 100
    tag_chars_max: int = 1_000
    """A tag's name and value together."""


PGN_LIMITS = PgnLimits()
"""The defaults."""
