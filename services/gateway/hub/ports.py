"""What the hub needs from other parts."""

from typing import Protocol

from services.pb.flagfall.v1.game_pb2 import Fetched, FetchItem, ListPlayerEventsResponse


class Fetches(Protocol):
    """Reads games from the game service. A call raises one of UNREACHABLE when there is no answer."""

    async def fetch(self, item: FetchItem) -> Fetched:
        """What is newer than a version of one game. Many such calls travel as one."""


class GameReader(Fetches, Protocol):
    """Reads games, and players' own events."""

    async def list_player_events(self, player_id: str, since_seq: int) -> ListPlayerEventsResponse:
        """A player's own events after a sequence number."""

    async def new_player_events(self, player_id: str, since_seq: int) -> ListPlayerEventsResponse:
        """The same, perhaps with fewer events. Many such calls travel as one."""


class Channels(Protocol):
    """The pub/sub subscriptions that topics need."""

    def want(self, channel: str) -> None:
        """Subscribe to a channel."""

    def drop(self, channel: str) -> None:
        """Unsubscribe from it."""

    @property
    def up(self) -> bool:
        """Whether the connection is up."""
