"""The two sides."""

from enum import StrEnum


class Colour(StrEnum):
    """A side; the value is the public API's word for it."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Colour":
        """The opponent's colour."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE
