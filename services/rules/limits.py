"""Limits of a question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InputLimits:
    """Bounds that keep the work for any question small. A process sets them in `settings`."""

    fen_chars_max: int = 200
    move_chars_max: int = 32
    keys_max: int = 1024
    """Positions since the last irreversible move; the rules of standard chess end a game at 151."""
    replayed_max: int = 4_000
    """Moves of a game that may be replayed; in a longer game no takeback is possible."""


LIMITS = InputLimits()
"""The defaults."""


@dataclass(frozen=True, slots=True)
class PgnLimits:
    """Limits of a PGN, read or written. They are checked before the first move is made."""

    bytes_max: int = 1_048_576
    games_max: int = 500
    plies_max: int = 20_000
    """Half-moves of all games together, including variations, also dropped ones."""
    tokens_max: int = 100_000
    """Moves, comments, annotations, brackets, tags and results together."""
    depth_max: int = 20
    """The nesting depth of variations."""
    comment_chars_max: int = 16_384
    """The comments after one move, or before the first, including embedded commands."""
    tags_max: int = 100
    tag_chars_max: int = 1_000
    """The name and the value of a tag together."""


PGN_LIMITS = PgnLimits()
"""The defaults."""
