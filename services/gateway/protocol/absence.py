"""Values that say who has left a board, and the listener that gets them."""

from typing import NamedTuple, Protocol

from services.pb.flagfall.v1 import common_pb2


class Absence(NamedTuple):
    """The opponent is away, or back. Times in ms; `claim_in_ms` is None when there is nothing to claim."""

    side: common_pb2.Color
    gone: bool
    away_ms: int
    claim_in_ms: int | None


class Away(NamedTuple):
    """How often, and for how many ms in total, a side was away in a game."""

    times: int
    ms: int


class Ears(Protocol):
    """Listens for the absences at one board. The calls run on the event loop and must neither wait nor raise."""

    def absent(self, game_id: str, absence: Absence) -> None:
        """The opponent has left, or is back."""

    def absences(self, game_id: str, white: Away, black: Away) -> None:
        """The game is over: these are the totals of both sides."""
