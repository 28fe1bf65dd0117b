"""A primary that became a copy of another, with connections that stand: who writes finds the new one by itself.

Nothing breaks these connections: behind the address of a service new ones lead to the new primary, old ones stay.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from redis.exceptions import ReadOnlyError

from services.clock.alarm import Alarm
from services.clock.redis_alarms import RedisAlarms
from services.pb.flagfall.v1.events_pb2 import GameEvent, GameState
from services.runtime.event_stream import NotPublished, Publisher
from services.runtime.redis_client import connect
from services.runtime.redis_keys import event_stream
from tests.stack.proxy import proxy_to
from tests.stack.spare_valkey import SpareValkey, spare_valkey

WITHIN_S = 20.0


@asynccontextmanager
async def demoted(
    redis_url: str, folder: Path, use: Callable[[Redis], Awaitable[object]]
) -> AsyncIterator[tuple[Redis, SpareValkey]]:
    """A client that has used a primary which is a copy by now, and the one that is the primary instead."""
    async with (
        proxy_to(redis_url) as proxy,
        connect(proxy.url) as client,
        connect(redis_url) as primary,
        spare_valkey(redis_url, folder) as spare,
    ):
        await use(client)
        await spare.stand_alone()
        proxy.lead_new_to(spare.url)
        parts = urlsplit(spare.url)
        await primary.config_set("masterauth", parts.password or "")
        await primary.replicaof("127.0.0.1", str(parts.port))
        try:
            async with asyncio.timeout(WITHIN_S):
                while (await primary.info("replication"))["master_link_status"] != "up":
                    await asyncio.sleep(0.01)
            yield client, spare
        finally:
            await primary.replicaof("NO", "ONE")


async def test_what_is_published_reaches_the_new_primary(redis_url: str, tmp_path: Path) -> None:
    async def publish(client: Redis) -> None:
        await Publisher(client, 1, 1_000).publish([GameEvent(state=GameState(game_id="game", version=1))])

    async with demoted(redis_url, tmp_path, publish) as (client, spare):
        with pytest.raises(NotPublished):  # the relay publishes it again
            await publish(client)
        await publish(client)
        assert await spare.client.xlen(event_stream(0)) == 2


async def test_alarms_are_set_at_the_new_primary(redis_url: str, tmp_path: Path) -> None:
    async def put(client: Redis, version: int = 1) -> None:
        await RedisAlarms(client, 1, 100).put([Alarm(f"game{version}", version, 5_000_000_000_000)])

    async with demoted(redis_url, tmp_path, put) as (client, spare):
        with pytest.raises(ReadOnlyError):
            await put(client, 2)
        await put(client, 3)
        assert await RedisAlarms(spare.client, 1, 100).count() == 2
