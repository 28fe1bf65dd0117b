"""The parts of a running gateway, for handlers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import HTTPConnection

from services.gateway.game_calls.game_client import GameClient
from services.gateway.game_calls.lists_client import ListsClient
from services.gateway.game_calls.party_client import PartyClient
from services.gateway.game_calls.seeks_client import SeeksClient
from services.gateway.game_calls.tokens import Auth
from services.gateway.hub.hub import Hub
from services.gateway.hub.onlookers import Onlookers
from services.gateway.presence.keeping import Keeping
from services.gateway.presence.presence import Presence
from services.gateway.presence.signs import Signs
from services.gateway.rest.limits import RateLimits
from services.gateway.settings import GatewaySettings
from services.gateway.streams.streams import Streams
from services.gateway.streams.watched_streams import WatchedStreams
from services.runtime.health import Health


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts; made once, in `process`."""

    settings: GatewaySettings
    game: GameClient
    parties: PartyClient
    lists: ListsClient
    onlookers: Onlookers
    seeks: SeeksClient
    keeping: Keeping
    hub: Hub
    auth: Auth
    limits: RateLimits
    presence: Presence
    signs: Signs
    streams: Streams
    watched: WatchedStreams
    health: Health
    fault: Callable[[], Literal["game", "rules", "database"] | None]
    """The service because of which nobody can move; None while moves are possible."""


def parts(connection: HTTPConnection) -> Parts:
    """The parts of the application that serves this request."""
    made: Parts = connection.app.state.parts
    return made
