"""A clock service for tests, in the test's own process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.clock.redis_alarms import RedisAlarms
from services.clock.server import serve
from services.clock.settings import ClockSettings
from services.runtime.lifecycle import Stop
from tests.integration.game.game_in_memory import GRACE_MS, GameInMemory, Record, eventually, now_ms

SHARDS = 8
NEVER_MS = 600_000


@asynccontextmanager
async def clock(game: GameInMemory, redis_url: str, **own: Any) -> AsyncIterator[None]:
    """A clock service that may not hear yet."""
    settings = ClockSettings(redis_url=redis_url, game_target=game.target, event_shards=SHARDS, drain_ms=2_000, **own)
    stop = Stop()
    task = asyncio.create_task(serve(settings, stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 10)


def metric(name: str, **labels: str) -> float:
    """A number of this process."""
    return REGISTRY.get_sample_value(f"flagfall_{name}", labels) or 0.0


@asynccontextmanager
async def following(game: GameInMemory, redis: Redis, redis_url: str, **own: Any) -> AsyncIterator[None]:
    """A clock that has heard an event: from here on it misses none. Its sweep runs once, at the start, unless told."""
    own = {"overdue_period_ms": NEVER_MS, **own}
    alarms = RedisAlarms(redis, SHARDS, GRACE_MS)
    rebuilt = metric("rebuilds_total", reason="start")
    async with clock(game, redis_url, **own):
        canary = await game.add(Record("canary", deadline_ms=now_ms() + NEVER_MS))

        async def heard() -> bool:
            canary.version += 1
            await game.tell(canary)
            return await alarms.count() > 0

        await eventually(heard, "the clock follows")
        await eventually(lambda: metric("rebuilds_total", reason="start") > rebuilt, "the rebuild of the start is over")
        yield


async def fallen(game: GameInMemory, records: list[Record], within_s: float = 20.0) -> None:
    """Return once all these were decided."""
    await eventually(lambda: all(record.decided_ms for record in records), "every flag falls", within_s)
