"""The parts of a running gateway, as handlers find them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from services.gateway.settings import GatewaySettings
from services.runtime.health import Health

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from services.gateway.auth import Auth
    from services.gateway.game_client import GameClient
    from services.gateway.hub import Hub
    from services.gateway.limits import Limits


@dataclass(frozen=True, slots=True)
class Parts:
    """Made once, in `process`."""

    settings: GatewaySettings
    game: "GameClient"
    hub: "Hub"
    auth: "Auth"
    limits: "Limits"
    redis: "Redis"
    health: Health


def parts(connection: HTTPConnection) -> Parts:
    """The parts that serve this request or socket."""
    made: Parts = connection.app.state.parts
    return made
