"""The answer to "can this side still mate?"."""

from enum import StrEnum


class CanMate(StrEnum):
    """An answer that is sure, or says that it is not."""

    YES = "yes"
    """A series of legal moves to a mate was found."""
    NO = "no"
    """Proved: no series of legal moves leads to a mate."""
    UNKNOWN = "unknown"
    """Neither is proved. It counts as winnable."""
