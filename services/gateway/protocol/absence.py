"""Who has left a board, as values, and who is told."""

from typing import NamedTuple, Protocol

from services.pb.flagfall.v1 import common_pb2


class Absence(NamedTuple):
    """The other side is away, or back. Times in ms; `claim_in_ms` None where nothing can be claimed for it."""

    side: common_pb2.Color
    gone: bool
    away_ms: int
    claim_in_ms: int | None


class Away(NamedTuple):
    """How often and how long, in ms, a side was away in a whole game."""

    times: int
    ms: int


class Ears(Protocol):
    """Who is told, of a player at a board. The calls are made on the event loop and must neither wait nor raise."""

    def absent(self, game_id: str, absence: Absence) -> None:
        """The other side has left, or is back."""

    def absences(self, game_id: str, white: Away, black: Away) -> None:
        """The game is over: this is how it was."""
