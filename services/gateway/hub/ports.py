"""What the hub needs from others, and how it says no."""

from typing import Protocol

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1.game_pb2 import Fetched, FetchItem, ListPlayerEventsResponse
from services.runtime.batching import Overloaded

UNREACHABLE = (grpc.aio.AioRpcError, Overloaded, OSError, TimeoutError)
"""How a call to the game service fails when it is away or busy; the same call may be made again."""


def why(error: BaseException) -> str:
    """Such a failure in a few words, for a log line."""
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    return f"{type(error).__name__}: {error}"


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


class HubRefused(Exception):
    """This cannot be listened to; `refusal` says why. UNAVAILABLE: the same may be asked for again."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def full_up(what: str) -> HubRefused:
    """There is no room for one more."""
    return HubRefused(Refusal(RefusalCode.LIMIT_REACHED, f"This server follows as many {what} as it can."))


def unavailable() -> HubRefused:
    """The game service does not answer."""
    return HubRefused(Refusal(RefusalCode.UNAVAILABLE, "The game cannot be read at the moment."))
