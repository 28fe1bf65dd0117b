"""A dispatcher that misses events, on a real Valkey: it asks for the turns that wait, and no turn is queued twice.

No list of waiting turns names a turn by its age here (`turn_lost_ms` is long): what is queued was heard of, or asked
for since something had been missed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chess
import pytest
from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.pb.flagfall.v1.events_pb2 import GAME_EVENT_KIND_MOVE, GameEvent
from services.runtime.event_stream import Publisher
from services.runtime.lifecycle import Stop
from services.runtime.redis_client import connect
from services.runtime.redis_keys import EPOCH, event_stream, shard_of
from services.workers.celery_app import ENGINE_QUEUE
from services.workers.dispatcher import serve
from services.workers.event_group import GROUP
from services.workers.settings import WorkersSettings
from tests.integration.game.game_in_memory import GameInMemory, Record, eventually
from tests.stack.proxy import Proxy, proxy_to
from tests.stack.spare_valkey import spare_valkey
from tests.stack.stores import Stores

SHARDS = 4
STREAMS = [event_stream(shard) for shard in range(SHARDS)]


def missed(reason: str) -> float:
    """How often a listener of this process had to ask for everything."""
    return REGISTRY.get_sample_value("flagfall_stream_refetches_total", {"reason": reason}) or 0.0


class World:
    """A dispatcher behind a proxy, a game service that publishes to the Valkey itself, and the queue."""

    def __init__(self, game: GameInMemory, redis: Redis, redis_url: str, proxy: Proxy) -> None:
        self.game = game
        self.redis = redis
        self.redis_url = redis_url
        self.proxy = proxy

    @asynccontextmanager
    async def dispatcher(self, **own: Any) -> AsyncIterator[None]:
        """A dispatcher that has joined and looked once at the turns that wait."""
        settings = WorkersSettings(
            redis_url=self.proxy.url,
            broker_url=WorkersSettings(redis_url=self.redis_url).broker,
            game_target=self.game.target,
            event_shards=SHARDS,
            **{"reconcile_period_ms": 100, "turn_lost_ms": 600_000, "dispatch_block_ms": 100, **own},
        )
        listed = self.game.turns_listed
        stop = Stop()
        task = asyncio.create_task(serve(settings, stop))
        try:
            await eventually(lambda: self.game.turns_listed >= listed + 2, "the dispatcher looks")
            yield
        finally:
            stop.set()
            await asyncio.wait_for(task, 20)

    async def queued(self, count: int) -> None:
        """Return once so many tasks wait."""

        async def so_many() -> bool:
            return await self._depth() >= count

        await eventually(so_many, f"{count} tasks are queued", 20)
        assert await self._depth() == count

    async def _depth(self) -> int:
        async with connect(WorkersSettings(redis_url=self.redis_url).broker) as broker:
            return int(await broker.llen(ENGINE_QUEUE))

    async def computer_games(self, count: int, prefix: str = "game", *, silently: bool = False) -> list[Record]:
        """Games in which the computer has the move."""
        return [
            await self.game.add(Record(f"{prefix}{number}", level=3, computer=chess.WHITE), silently=silently)
            for number in range(count)
        ]

    async def everything_acknowledged(self) -> None:
        """Return once all that is in the streams was read and is done with."""

        async def all_done() -> bool:
            for stream in STREAMS:
                for group in await self.redis.xinfo_groups(stream):
                    last = (await self.redis.xinfo_stream(stream))["last-generated-id"]
                    if group["pending"] or group["last-delivered-id"] != last:
                        return False
            return True

        await eventually(all_done, "all is acknowledged")

    async def settled(self) -> None:
        """Return once the dispatcher has looked a few times more."""
        listed = self.game.turns_listed
        await eventually(lambda: self.game.turns_listed >= listed + 4, "the dispatcher looks again")


@pytest.fixture
async def world(redis_url: str) -> AsyncIterator[World]:
    async with (
        connect(redis_url) as redis,
        proxy_to(redis_url) as proxy,
        GameInMemory.make(Publisher(redis, SHARDS, 20_000)).running() as game,
    ):
        yield World(game, redis, redis_url, proxy)


async def test_doubled_and_reordered_events_queue_a_turn_once(world: World) -> None:
    async with world.dispatcher():
        records = await world.computer_games(5)
        for record in records + records:
            await world.game.tell(record)
        first = world.game.state(records[0])
        later = Record("reordered", version=2, level=3, computer=chess.WHITE)
        turn = world.game.state(later)
        later.board.push_uci("e2e4")
        later.version = 3
        events = [GameEvent(kind=GAME_EVENT_KIND_MOVE, state=state) for state in (world.game.state(later), turn, first)]
        assert world.game.publisher is not None
        await world.game.publisher.publish(events)
        await world.computer_games(1, "last")
        await world.everything_acknowledged()
        await world.queued(6)


@pytest.mark.parametrize("left", [0, 1])
async def test_events_trimmed_before_they_were_read_are_made_up_for(world: World, left: int) -> None:
    async with world.dispatcher(redis_answer_ms=60_000):
        await world.computer_games(3, "before")
        await world.queued(3)
        trimmed = missed("trimmed")
        world.proxy.hold()
        await world.computer_games(3 * SHARDS, "first")  # the answer to the read that stands holds one at the least
        await world.computer_games(3 * SHARDS, "second")
        for stream in STREAMS:
            await world.redis.xtrim(stream, maxlen=left, approximate=False)
        world.proxy.let_go()
        await world.queued(3 + 6 * SHARDS)
        await world.settled()
        assert missed("trimmed") == trimmed + 1  # the group has been put right


async def test_events_trimmed_before_anybody_was_done_with_them_are_made_up_for(world: World) -> None:
    async with world.dispatcher():
        pass
    await world.computer_games(3)
    for stream in STREAMS:
        await world.redis.xreadgroup(GROUP, "dead", {stream: ">"}, count=10)
        await world.redis.xtrim(stream, maxlen=0, approximate=False)
    torn = missed("torn")
    for record in world.game.games.values():
        record.level = 0  # the look of the start must not find them
    async with world.dispatcher(dispatch_lease_ms=400):
        for record in world.game.games.values():
            record.level = 3
        await world.queued(3)
    assert missed("torn") == torn + 1


async def test_a_lost_group_is_made_again_and_what_it_missed_is_made_up_for(world: World) -> None:
    async with world.dispatcher():
        await world.computer_games(1, "before")
        await world.queued(1)
        world.proxy.hold()
        for stream in STREAMS:
            await world.redis.xgroup_destroy(stream, GROUP)
        await world.computer_games(4)
        world.proxy.let_go()
        await world.queued(5)
        await world.computer_games(1, "after")
        await world.queued(6)
        found = missed("group")
        await world.settled()
        assert missed("group") == found  # it has joined again, and does not go on asking


async def test_a_group_that_is_lost_in_one_stream_is_noticed(world: World) -> None:
    async with world.dispatcher():
        (record,) = await world.computer_games(1)
        await world.queued(1)
        stream = event_stream(shard_of(record.id, SHARDS))
        await world.redis.delete(stream)
        await world.computer_games(8, "after")
        await world.queued(9)


async def test_another_epoch_makes_it_ask(world: World) -> None:
    async with world.dispatcher():
        await world.computer_games(2, silently=True)  # as if nobody had heard of them
        await world.settled()
        await world.queued(0)
        await world.redis.set(EPOCH, "another")
        await world.queued(2)


async def test_a_flushed_redis_makes_it_ask(world: World) -> None:
    async with world.dispatcher():
        await world.computer_games(2, "before")
        await world.queued(2)
        await world.redis.flushall()
        await world.queued(2)  # the queue was in it
        await world.computer_games(1, "after")
        await world.queued(3)


async def test_a_failover_that_breaks_no_connection_is_noticed(world: World, tmp_path: Path) -> None:
    """The other Redis is a copy with the same epoch and the same group, but without the last events."""
    async with world.dispatcher(), spare_valkey(world.redis_url, tmp_path) as spare:
        await world.computer_games(2, "before")
        await world.queued(2)
        await spare.stand_alone()
        await world.computer_games(
            3, "lost", silently=True
        )  # their events were on the old one only, and read by nobody
        await world.settled()
        await world.queued(2)
        world.proxy.lead_to(spare.url, silently=True)
        await world.queued(5)
        world.game.publisher = Publisher(spare.client, SHARDS, 20_000)
        await world.computer_games(1, "after")
        await world.queued(6)


async def test_a_redis_that_started_again_empty_makes_it_ask(world: World, stores: Stores) -> None:
    async with world.dispatcher(dispatch_pause_ms=20):
        await world.computer_games(2, silently=True)
        await asyncio.to_thread(stores.pause_valkey)
        await asyncio.to_thread(stores.resume_valkey)
        await world.queued(2)


async def test_a_connection_that_has_fallen_silent_is_found(world: World) -> None:
    async with world.dispatcher(redis_answer_ms=400, stream_block_ms=100, dispatch_pause_ms=20, dispatch_lease_ms=300):
        await world.computer_games(1, "before")
        await world.queued(1)
        world.proxy.swallow()
        async with asyncio.timeout(8):
            await world.computer_games(3)
            await world.queued(4)


async def test_entries_that_cannot_be_read_end_nothing_and_count_as_missed(world: World) -> None:
    async with world.dispatcher(dispatch_lease_ms=200):
        await world.computer_games(1, silently=True)
        for stream in STREAMS:
            await world.redis.xadd(stream, {b"e": b"\xff\xff"})
        await world.queued(1)
        await world.computer_games(1, "after")
        await world.queued(2)
        await world.everything_acknowledged()


async def test_a_group_that_counts_nothing_raises_no_doubt(world: World) -> None:
    """As an older dispatcher has made it."""
    await world.computer_games(5, "old")
    for stream in STREAMS:
        await world.redis.xgroup_create(stream, GROUP, id="$", mkstream=True)
    async with world.dispatcher():
        before = {reason: missed(reason) for reason in ("trimmed", "skipped", "rewound", "epoch", "group")}
        for number in range(3):
            await world.computer_games(5, f"new{number}-")
            await world.settled()
        assert {reason: missed(reason) for reason in before} == before
        await world.queued(20)
