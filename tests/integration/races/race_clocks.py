"""Clock services for races, each before a game replica of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

from prometheus_client import REGISTRY

from services.clock.server import serve as serve_clock
from services.clock.settings import ClockSettings
from services.game.main.servicers import register
from services.runtime.lifecycle import Stop
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.races.race_replicas import SHARDS, Replica

GRACE_MS = 100
"""A flag falls so long after its deadline at the earliest."""


@asynccontextmanager
async def clock_of(replica: Replica, redis_url: str, **own: Any) -> AsyncIterator[None]:
    """A clock service with a game replica of its own behind real gRPC."""
    async with AsyncExitStack() as stack:
        add = partial(register, replica.servicer.servicers)
        server = await stack.enter_async_context(serving(Settings(drain_ms=0), add))
        settings = ClockSettings.model_validate(
            {"redis_url": redis_url, "game_target": f"127.0.0.1:{server.port}", "event_shards": SHARDS, **own}
        )
        stop = Stop()
        task = asyncio.create_task(serve_clock(settings, stop))
        try:
            yield
        finally:
            stop.set()
            await task


def flags_accepted() -> float:
    """Flags that replicas of this process have committed."""
    return REGISTRY.get_sample_value("flagfall_commands_total", {"action": "flag", "outcome": "accepted"}) or 0.0
