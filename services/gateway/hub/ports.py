"""What the hub needs from others."""

from typing import Protocol

from services.pb.flagfall.v1.game_pb2 import Fetched, FetchItem, ListPlayerEventsResponse


class Fetches(Protocol):
    """The game service, as far as games are read. A call raises one of UNREACHABLE when it does not answer."""

    async def fetch(self, item: FetchItem) -> Fetched:
        """What is newer than a version of one game; many such calls travel as one."""


class GameReader(Fetches, Protocol):
    """The same with players' own events."""

    async def list_player_events(self, player_id: str, since_seq: int) -> ListPlayerEventsResponse:
        """A player's own events after a number."""

    async def new_player_events(self, player_id: str, since_seq: int) -> ListPlayerEventsResponse:
        """The same, maybe fewer of them; many such calls travel as one."""


class Channels(Protocol):
    """Subscriptions, as far as topics need them."""

    def want(self, channel: str) -> None:
        """Hear a channel."""

    def drop(self, channel: str) -> None:
        """Hear it no longer."""

    @property
    def up(self) -> bool:
        """Whether anything can be heard now."""
