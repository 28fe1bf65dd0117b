"""A hub for tests, and short ways to watch what comes out of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from services.gateway.hub.hub import Hub
from services.gateway.hub.listeners import GameWatch, PlayerWatch
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2
from tests.integration.hub.game_calls import GameCalls

WITHIN_S = 15.0


def settings(redis_url: str, **changes: int) -> SocketSettings:
    """No silence check unless a test wants it, and short lingering."""
    return SocketSettings.model_validate(
        {"redis_url": redis_url, "hub_silence_ms": 600_000, "hub_linger_ms": 50, "hub_tick_ms": 10, **changes}
    )


async def until(condition: Callable[[], bool]) -> None:
    """Return once it is so."""
    async with asyncio.timeout(WITHIN_S):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def opened(settings: SocketSettings, calls: GameCalls) -> AsyncIterator[Hub]:
    """A hub that hears Redis."""
    async with Hub(settings, calls) as hub:
        await until(lambda: hub.hearing)
        yield hub


async def versions(watch: GameWatch, count: int) -> list[int]:
    """The versions of so many updates."""
    found: list[int] = []
    async with asyncio.timeout(WITHIN_S):
        while len(found) < count:
            update = await anext(watch)
            assert isinstance(update, events_pb2.GameEvent)
            found.append(update.state.version)
    return found


async def numbers(watch: PlayerWatch, count: int) -> list[int]:
    """The numbers of so many events."""
    async with asyncio.timeout(WITHIN_S):
        return [(await anext(watch)).seq for _ in range(count)]
