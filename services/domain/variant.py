"""The keys of the variants, as the public API spells them."""

from enum import StrEnum


class Variant(StrEnum):
    """A variant. The value is its key in the public API."""

    STANDARD = "standard"
    CHESS960 = "chess960"
    THREE_CHECK = "threeCheck"
    KING_OF_THE_HILL = "kingOfTheHill"
    CRAZYHOUSE = "crazyhouse"
    ATOMIC = "atomic"
    SHATRANJ = "shatranj"
    CHATURANGA = "chaturanga"
