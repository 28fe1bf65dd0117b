"""The answer to "can this side still mate?"."""

from enum import StrEnum


class CanMate(StrEnum):
    """Whether a side can still mate: a proved answer, or UNKNOWN."""

    YES = "yes"
    """A series of legal moves to a mate was found."""
    NO = "no"
    """Proved: no series of legal moves leads to a mate."""
    UNKNOWN = "unknown"
    """Nothing is proved. It counts as winnable."""
