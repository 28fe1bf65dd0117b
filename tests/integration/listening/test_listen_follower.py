"""A follower of all events on a real Valkey: what it misses it knows, and it doubts nothing without a reason."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from services.pb.flagfall.v1.events_pb2 import EventBatch, GameEvent, GameState
from services.runtime.event_stream import ENTRY_EVENTS_MAX, Follower, Publisher, Refetch
from services.runtime.lifecycle import cancelled
from services.runtime.redis_client import connect
from services.runtime.redis_keys import EPOCH, event_stream
from services.runtime.settings import Settings
from tests.stack.proxy import Proxy, proxy_to
from tests.stack.spare_valkey import spare_valkey
from tests.stack.stores import Stores

WITHIN_S = 15.0
STREAM = event_stream(0)


class Heard:
    """A follower of one shard, read as a test likes: while nobody asks, it does not read."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._events = follower.follow()

    def look_due(self) -> None:
        """From now on the next look is due, whatever the settings say."""
        self._follower._looked_s = float("-inf")

    async def next(self) -> list[int] | str:
        """Versions in the order in which they came, or why to ask for everything."""
        async with asyncio.timeout(WITHIN_S):
            heard = await anext(self._events)
        return heard.reason if isinstance(heard, Refetch) else [event.state.version for event in heard]

    async def until(self, *doubts: str) -> list[int]:
        """The versions until one of those doubts; no other may come first."""
        versions: list[int] = []
        while isinstance(heard := await self.next(), list):
            versions += heard
        assert heard in doubts
        return versions

    async def versions(self, count: int) -> list[int]:
        """So many versions, without a doubt between them."""
        versions: list[int] = []
        while len(versions) < count:
            heard = await self.next()
            assert isinstance(heard, list), heard
            versions += heard
        return versions


@asynccontextmanager
async def following(redis_url: str, **changes: Any) -> AsyncIterator[Heard]:
    """A follower that has begun."""
    quick = {"stream_block_ms": 20, "stream_look_ms": 50, "redis_pause_ms": 20, "stream_gather_ms": 0}
    fields = {"event_shards": 1, **quick, **changes}
    settings = Settings(**fields)
    redis = connect(redis_url, settings)
    try:
        heard = Heard(Follower(redis, settings))
        assert await heard.next() == "start"
        yield heard
    finally:
        await redis.aclose()


async def publish(redis: Redis, *versions: int, entries_max: int = 20_000) -> None:
    """An entry for each version."""
    publisher = Publisher(redis, 1, entries_max)
    for version in versions:
        await publisher.publish([GameEvent(state=GameState(game_id="game", version=version))])


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


@pytest.fixture
async def proxy(redis_url: str) -> AsyncIterator[Proxy]:
    async with proxy_to(redis_url) as proxy:
        yield proxy


async def test_everything_after_the_start_comes_once_and_in_order(redis: Redis, redis_url: str) -> None:
    await publish(redis, 1, 2, 3)
    async with following(redis_url, stream_read_max=2) as heard:
        await publish(redis, *range(4, 12))
        assert await heard.versions(8) == list(range(4, 12))
        await publish(redis, 12)
        assert await heard.versions(1) == [12]


async def test_few_entries_and_trimming_of_what_was_read_raise_no_doubt(redis: Redis, redis_url: str) -> None:
    """Its place before the first entry of an empty stream is older than that entry, and still nothing was missed."""
    async with following(redis_url) as heard:
        for version in range(1, 30):
            await publish(redis, version)
            assert await heard.versions(1) == [version]
            heard.look_due()
            if version % 7 == 0:
                await redis.xtrim(STREAM, maxlen=version % 3, approximate=False)
        for first in range(30, 430, 50):
            some = range(first, first + 50)
            await publish(redis, *some, entries_max=100)  # as the publisher trims: about, and by whole nodes
            assert await heard.versions(50) == list(some)


@pytest.mark.parametrize("left", [0, 3])
async def test_entries_trimmed_before_they_were_read_are_missed(redis: Redis, redis_url: str, left: int) -> None:
    async with following(redis_url) as heard:
        await publish(redis, *range(1, 11))
        await redis.xtrim(STREAM, maxlen=left, approximate=False)
        assert await heard.until("trimmed", "skipped") == list(range(11 - left, 11))
        await publish(redis, 11)
        assert await heard.versions(1) == [11]


async def test_a_reader_that_is_behind_finds_a_gap_where_it_passes_the_end_of_its_last_look(
    redis: Redis, redis_url: str
) -> None:
    """It reads on behind the gap until no entry is missing beyond its place, and is never at the end of the stream."""
    async with following(redis_url, stream_read_max=1, stream_look_ms=600_000) as heard:
        await publish(redis, *range(1, 41))
        assert await heard.versions(1) == [1]
        await redis.xtrim(STREAM, maxlen=37, approximate=False)
        assert await heard.versions(4) == [4, 5, 6, 7]
        heard.look_due()
        assert await heard.versions(2) == [8, 9]
        await publish(redis, *range(41, 100))
        assert (await heard.until("skipped"))[-1] == 40


async def test_a_stream_that_was_evicted_is_missed(redis: Redis, redis_url: str) -> None:
    async with following(redis_url) as heard:
        await publish(redis, 1, 2, 3)
        assert await heard.versions(3) == [1, 2, 3]
        await redis.delete(STREAM)
        assert await heard.until("rewound") == []
        await publish(redis, 1)
        assert await heard.versions(1) == [1]


async def next_millisecond(redis: Redis) -> None:
    """Wait until the server numbers entries of a new stream higher than those so far, which begin with its time."""
    seconds, microseconds = await redis.time()
    began_ms = seconds * 1000 + microseconds // 1000
    while seconds * 1000 + microseconds // 1000 == began_ms:
        seconds, microseconds = await redis.time()


@pytest.mark.parametrize("looked", [False, True])
async def test_a_stream_made_anew_that_is_longer_than_before_is_noticed(
    redis: Redis, redis_url: str, looked: bool
) -> None:
    """By the look after what it reads of it, or by what it reads after a look: it counts more than there ever was."""
    async with following(redis_url, stream_look_ms=600_000) as heard:
        await publish(redis, 1, 2, 3)
        assert await heard.versions(3) == [1, 2, 3]
        await publish(redis, 4)
        await redis.delete(STREAM)
        await next_millisecond(redis)
        await publish(redis, *range(5, 15))
        if looked:
            heard.look_due()
            assert 4 not in await heard.until("skipped")
        else:
            assert await heard.versions(10) == list(range(5, 15))
            heard.look_due()
            assert await heard.until("rewound") == []


async def test_a_flushed_redis_is_another_one(redis: Redis, redis_url: str) -> None:
    async with following(redis_url) as heard:
        await publish(redis, 1)
        assert await heard.versions(1) == [1]
        await redis.flushall()
        assert await heard.until("epoch") == []


async def test_another_epoch_is_noticed_while_there_is_always_something_to_read(redis: Redis, redis_url: str) -> None:
    async with following(redis_url, stream_block_ms=1_000) as heard:

        async def go_on() -> None:
            version = 1
            while True:
                await publish(redis, version)
                version += 1

        busy = asyncio.create_task(go_on())
        try:
            await heard.versions(20)
            await redis.set(EPOCH, "another")
            await heard.until("epoch")
        finally:
            await cancelled(busy)


async def test_a_failover_that_breaks_no_connection_is_noticed(
    redis: Redis, proxy: Proxy, redis_url: str, tmp_path: Path
) -> None:
    """The other Redis is a copy: same epoch, same streams, but without the last events."""
    async with following(proxy.url) as heard, spare_valkey(redis_url, tmp_path) as spare:
        await publish(redis, 1, 2)
        assert await heard.versions(2) == [1, 2]
        await spare.stand_alone()
        epoch = await redis.get(EPOCH)
        await publish(redis, 3)
        proxy.lead_to(spare.url, silently=True)
        await publish(spare.client, 4)
        assert await heard.until("epoch") in ([], [4])
        assert await spare.client.get(EPOCH) == epoch
        await publish(spare.client, 5)
        assert await heard.versions(1) == [5]


async def test_a_primary_that_became_a_copy_of_another_is_noticed(redis: Redis, redis_url: str, tmp_path: Path) -> None:
    """It is the same process and takes no commands that write; what it has read last may be gone."""
    async with following(redis_url) as heard, spare_valkey(redis_url, tmp_path) as spare:
        await publish(redis, 1)
        assert await heard.versions(1) == [1]
        await spare.stand_alone()
        try:
            await redis.replicaof("127.0.0.1", spare.url.rpartition(":")[2].partition("/")[0])
            await redis.config_set("masterauth", spare.url.partition("//:")[2].partition("@")[0])
            await publish(spare.client, 2)
            reason = await heard.next()
            while reason in ([2], "redis_away"):  # it may cut its clients while it loads
                reason = await heard.next()
            assert reason == "epoch"
        finally:
            await redis.replicaof("NO", "ONE")


async def test_a_connection_that_broke_between_two_reads_loses_nothing(
    redis: Redis, proxy: Proxy, redis_url: str
) -> None:
    async with following(proxy.url) as heard:
        for version in range(1, 6):
            proxy.cut()
            await publish(redis, version)
            assert await heard.versions(1) == [version]


async def test_a_redis_that_started_again_empty_is_asked_for_nothing(redis_url: str, stores: Stores) -> None:
    async with following(redis_url) as heard:
        asking = asyncio.create_task(heard.next())
        await asyncio.to_thread(stores.pause_valkey)
        await asyncio.to_thread(stores.resume_valkey)
        assert await asking == "redis_away"
        async with connect(redis_url) as redis:
            await publish(redis, 1)
        assert await heard.versions(1) == [1]


async def test_a_connection_that_has_fallen_silent_is_found(redis: Redis, proxy: Proxy) -> None:
    """Nothing is closed and nothing comes through, as when a packet filter forgets a connection."""
    async with following(proxy.url, redis_answer_ms=300) as heard:
        asking = asyncio.create_task(heard.next())
        await asyncio.sleep(0)
        proxy.swallow()
        async with asyncio.timeout(5):
            assert await asking == "redis_away"
        await publish(redis, 1)
        assert await heard.versions(1) == [1]


@pytest.mark.parametrize("fields", [{b"e": b"\xff\xff"}, {b"x": b"y"}, {b"e": b""}])
async def test_an_entry_that_cannot_be_read_counts_as_missed(
    redis: Redis, redis_url: str, fields: dict[Any, Any]
) -> None:
    async with following(redis_url) as heard:
        await redis.xadd(STREAM, fields)
        await publish(redis, 1)
        assert await heard.until("unreadable") == [1]
        await publish(redis, 2)
        assert await heard.versions(1) == [2]


async def test_many_events_at_once_are_several_entries(redis: Redis, redis_url: str) -> None:
    count = 2 * ENTRY_EVENTS_MAX + 3
    async with following(redis_url) as heard:
        await Publisher(redis, 1, 20_000).publish(
            [GameEvent(state=GameState(game_id="game", version=version)) for version in range(count)]
        )
        assert await heard.versions(count) == list(range(count))
    entries: Any = await redis.xrange(STREAM)
    sizes = [len(EventBatch.FromString(fields[b"e"]).events) for _, fields in entries]
    assert sizes == [ENTRY_EVENTS_MAX, ENTRY_EVENTS_MAX, 3]


async def test_the_events_of_a_batch_stay_in_order(redis: Redis, redis_url: str) -> None:
    async with following(redis_url) as heard:
        events = [GameEvent(state=GameState(game_id="game", version=version)) for version in (3, 1, 2)]
        await redis.xadd(STREAM, {b"e": EventBatch(events=events).SerializeToString()})
        assert await heard.versions(3) == [3, 1, 2]
