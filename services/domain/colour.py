"""The two sides."""

from enum import StrEnum


class Colour(StrEnum):
    """A side. The value is its name in the public API."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Colour":
        """The opponent's colour."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE
