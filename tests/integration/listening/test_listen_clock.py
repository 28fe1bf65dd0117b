"""A clock that misses events, on a real Valkey: it sets all alarms anew from the database, within seconds.

Its sweep for overdue games is off: a flag that falls here was heard of, or was found by a rebuild.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from services.clock.redis_alarms import RedisAlarms
from services.pb.flagfall.v1 import events_pb2
from services.runtime.event_stream import Publisher
from services.runtime.redis_client import connect
from services.runtime.redis_keys import EPOCH, event_stream
from tests.integration.clock.running_clock import SHARDS, fallen, following, metric
from tests.integration.game.game_in_memory import GRACE_MS, GameInMemory, Record, eventually, now_ms
from tests.stack.proxy import Proxy, proxy_to
from tests.stack.spare_valkey import spare_valkey

QUICK = {"stream_look_ms": 50, "stream_block_ms": 50, "redis_pause_ms": 20}
SET_BEFORE_MS = 5_000
"""A deadline so far off that alarms can be counted before it, on a slow machine too."""


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


@pytest.fixture
async def proxy(redis_url: str) -> AsyncIterator[Proxy]:
    async with proxy_to(redis_url) as proxy:
        yield proxy


@pytest.fixture
async def game(redis: Redis) -> AsyncIterator[GameInMemory]:
    async with GameInMemory.make(Publisher(redis, SHARDS, 20_000)).running() as game:
        yield game


async def running_games(game: GameInMemory, count: int, in_ms: int, **own: Any) -> list[Record]:
    """Games whose flags fall soon."""
    deadline_ms = now_ms() + in_ms
    return [await game.add(Record(f"game{number}", deadline_ms=deadline_ms), **own) for number in range(count)]


async def test_doubled_and_reordered_events_change_nothing(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    """The newest version counts, in whatever order they come: here an older one, with a deadline, comes last."""
    publisher = Publisher(redis, SHARDS, 20_000)
    alarms = RedisAlarms(redis, SHARDS, GRACE_MS)
    async with following(game, redis, redis_url, **QUICK):

        async def publish(*states: events_pb2.GameState, set_by_then: int) -> None:
            for state in states:
                await publisher.publish([events_pb2.GameEvent(state=state)])

            async def so_many() -> bool:
                return await alarms.count() == set_by_then

            await eventually(so_many, f"{set_by_then} alarms are set")

        record = Record("game", deadline_ms=now_ms() + 400)
        game.games["game"] = record
        older = game.state(record)
        record.version, record.deadline_ms = 2, now_ms() + SET_BEFORE_MS
        newer = game.state(record)
        over = Record("over", version=6, deadline_ms=now_ms() + SET_BEFORE_MS)
        before_it_ended = game.state(over)
        over.version, over.status = 7, events_pb2.GAME_STATUS_ENDED
        ended = game.state(over)
        await publish(newer, before_it_ended, set_by_then=3)  # the canary's too
        await publish(ended, ended, set_by_then=2)
        marker = game.state(Record("marker", deadline_ms=now_ms() + 600_000))
        await publish(older, before_it_ended, marker, set_by_then=3)
        await fallen(game, [record])
    assert game.flags == {"game": 1}


async def test_events_trimmed_before_they_were_read_are_made_up_for(
    game: GameInMemory, redis: Redis, redis_url: str, proxy: Proxy
) -> None:
    """A clock that stands still while its streams are trimmed."""
    async with following(game, redis, proxy.url, **QUICK, redis_answer_ms=30_000):
        rebuilt = metric("rebuilds_total", reason="trimmed") + metric("rebuilds_total", reason="skipped")
        proxy.hold()
        await running_games(game, 3 * SHARDS, 2_000)  # the answer that stands holds one of them at the least
        records = [await game.add(Record(f"later{number}", deadline_ms=now_ms() + 2_000)) for number in range(20)]
        for shard in range(SHARDS):
            await redis.xtrim(event_stream(shard), maxlen=0, approximate=False)
        proxy.let_go()
        await fallen(game, records)
    assert metric("rebuilds_total", reason="trimmed") + metric("rebuilds_total", reason="skipped") > rebuilt
    assert game.early == 0


async def test_another_epoch_makes_it_rebuild(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url, **QUICK):
        records = await running_games(game, 10, 800, silently=True)
        await redis.set(EPOCH, "another")
        await fallen(game, records)


async def test_a_failover_that_breaks_no_connection_makes_it_rebuild(
    game: GameInMemory, redis: Redis, redis_url: str, proxy: Proxy, tmp_path: Path
) -> None:
    """The other Redis is a copy with the same epoch; the alarms set last are not in it."""
    async with following(game, redis, proxy.url, **QUICK), spare_valkey(redis_url, tmp_path) as spare:
        await spare.stand_alone()
        records = await running_games(game, 10, SET_BEFORE_MS)
        alarms = RedisAlarms(redis, SHARDS, GRACE_MS)

        async def all_set() -> bool:
            return await alarms.count() == 11

        await eventually(all_set, "the alarms are set")
        assert await RedisAlarms(spare.client, SHARDS, GRACE_MS).count() == 1
        proxy.lead_to(spare.url, silently=True)
        await fallen(game, records)
    assert game.early == 0


async def test_a_redis_that_has_fallen_silent_is_found_and_it_rebuilds(
    game: GameInMemory, redis: Redis, proxy: Proxy
) -> None:
    async with following(game, redis, proxy.url, **QUICK, redis_answer_ms=300):
        await running_games(game, 1, 500)
        proxy.swallow()
        records = await running_games(game, 10, 1_500)
        await fallen(game, records)


async def test_entries_that_cannot_be_read_end_nothing_and_make_it_rebuild(
    game: GameInMemory, redis: Redis, redis_url: str
) -> None:
    async with following(game, redis, redis_url, **QUICK):
        records = await running_games(game, 3, 800, silently=True)
        await redis.xadd(event_stream(0), {b"e": b"\xff\xff"})
        await fallen(game, records)


async def test_a_rebuild_that_fails_is_done_again(
    game: GameInMemory, redis: Redis, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with following(game, redis, redis_url, **QUICK, deadline_page_size=3):
        game.available = False
        records = await running_games(game, 10, 1_500, silently=True)
        noticed = metric("stream_refetches_total", reason="epoch")
        await redis.set(EPOCH, "another")
        await eventually(lambda: metric("stream_refetches_total", reason="epoch") > noticed, "the epoch is noticed")
        await eventually(lambda: "put off" in caplog.text, "the rebuild fails")
        game.available = True
        await fallen(game, records)
