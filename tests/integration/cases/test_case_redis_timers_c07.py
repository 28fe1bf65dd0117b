"""Case C07: no result depends on anything that Redis does, says or keeps; deadlines that have passed fire at once.

The clock service is the real one, before a real game service.
"""

import asyncio
import statistics
from contextlib import AsyncExitStack

import pytest
from redis.asyncio import Redis

from services.clock.alarm import Alarm
from services.clock.redis_alarms import RedisAlarms
from services.pb.flagfall.v1 import events_pb2
from services.runtime.lifecycle import cancelled
from services.runtime.redis_policy import eviction_policy, tell_eviction
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_clocks import GRACE_MS, clock_of, flags_accepted
from tests.integration.races.race_replicas import PATIENT, SHARDS, World, racing, rounds, uci

NEVER_MS = 600_000
LATENCY_MS_MAX = 10_000
"""What only a mechanism that does not work exceeds. The case allows 1 s, which the bench measures."""
HARMED_MS = 3_000
"""How long before the first flag a clock starts: alarms stand, and are harmed, before all have rung."""

Deadlines = dict[str, int]


async def due_in(world: World, left_ms: int, count: int) -> Deadlines:
    """Games whose White falls in so long, or should have fallen so long ago, one after the other within a second;
    nobody hears of them by an event."""
    template = await world.game(uci("e2e4"), uci("e7e5"))
    await world.execute("UPDATE game SET deadline_ms = NULL WHERE id = :id", id=template)
    due_ms = world.first.beats.now_ms() + left_ms
    games = await world.clones(template, count, turn_started_ms=due_ms - 60_000, white_ms=60_000, deadline_ms=due_ms)
    await world.execute(
        "UPDATE game SET turn_started_ms = turn_started_ms + more_ms, deadline_ms = deadline_ms + more_ms"
        " FROM (SELECT id, 1000 * row_number() OVER () / :count AS more_ms FROM game WHERE id = ANY(:ids)) AS spread"
        " WHERE game.id = spread.id",
        ids=games,
        count=count,
    )
    return dict(await world.rows("SELECT id, deadline_ms FROM game WHERE id = ANY(:ids)", ids=games))


async def all_fallen(world: World, deadlines: Deadlines) -> list[int]:
    """Wait until all have ended, once; how long after its deadline each did."""
    games = list(deadlines)

    async def ended() -> bool:
        going_on = "SELECT count(*) FROM game WHERE id = ANY(:ids) AND end_reason = 0"
        return await world.rows(going_on, ids=games) == [(0,)]

    await eventually(ended, "every flag has fallen")
    await world.one_history(games, 3)
    rows = await world.rows(
        "SELECT game_id, at_ms FROM game_event WHERE game_id = ANY(:ids) AND version = 4", ids=games
    )
    late = [at_ms - deadlines[game_id] for game_id, at_ms in rows]
    assert min(late) >= GRACE_MS, "none early"
    return late


async def test_what_no_event_told_of_the_sweep_ends(database_url: str, redis_url: str) -> None:
    """The subscriber's gap: nothing of these games was ever published, before the clock's start and after it."""
    flags = flags_accepted()
    async with racing(database_url, redis_url, **PATIENT) as world:
        before = await due_in(world, -5_000, rounds(100))
        async with clock_of(world.first, redis_url):
            started_ms = world.first.beats.now_ms()
            late = await all_fallen(world, before)
            waited_ms = statistics.median(late) - (started_ms - statistics.median(before.values()))
            assert waited_ms <= LATENCY_MS_MAX, "what is past is fired at once"
            meanwhile = await due_in(world, 300, rounds(100))
            assert statistics.median(await all_fallen(world, meanwhile)) <= LATENCY_MS_MAX + GRACE_MS
        assert flags_accepted() == flags + len(before) + len(meanwhile)


async def test_an_alarm_whose_moment_has_passed_rings_at_once(database_url: str, redis_url: str) -> None:
    """Set by an event, with no sweep to find it: a key that expires in the past would be deleted without a word."""
    async with racing(database_url, redis_url, **PATIENT) as world, AsyncExitStack() as stack:
        await stack.enter_async_context(clock_of(world.first, redis_url, overdue_period_ms=NEVER_MS))
        canary = await world.game(uci("d2d4"))
        alarms = RedisAlarms(world.first.redis, SHARDS, GRACE_MS)

        async def follows() -> bool:
            await world.first.publisher.publish([_event(canary, 2, world.first.beats.now_ms() + NEVER_MS)])
            return await alarms.count() > 0

        await eventually(follows, "the clock follows")
        deadlines = await due_in(world, -20_000, 50)
        told_ms = world.first.beats.now_ms()
        await world.first.publisher.publish([_event(g, 3, at_ms) for g, at_ms in deadlines.items()])
        late = await all_fallen(world, deadlines)
        assert statistics.median(late) - (told_ms - statistics.median(deadlines.values())) <= LATENCY_MS_MAX


def _event(game_id: str, version: int, deadline_ms: int) -> events_pb2.GameEvent:
    """A move that leaves a deadline."""
    state = events_pb2.GameState(
        game_id=game_id,
        version=version,
        status=events_pb2.GAME_STATUS_STARTED,
        deadline_ms=deadline_ms,
        deadline_kind=events_pb2.DEADLINE_KIND_FLAG,
    )
    return events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state)


@pytest.mark.parametrize("harm", ["flushed", "evicted", "readonly"])
async def test_whatever_redis_does_to_the_alarms_flags_fall_once_and_in_time(
    database_url: str, redis_url: str, harm: str
) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world, AsyncExitStack() as stack:
        redis = world.first.redis
        deadlines = await due_in(world, HARMED_MS, 60)
        await stack.enter_async_context(clock_of(world.first, redis_url))
        alarms = RedisAlarms(redis, SHARDS, GRACE_MS)

        async def all_set() -> bool:
            over = "SELECT count(*) FROM game WHERE id = ANY(:ids) AND end_reason > 0"
            ((fallen,),) = await world.rows(over, ids=list(deadlines))  # on a slow machine some may have rung by now
            return int(fallen) + await alarms.count() >= len(deadlines)

        await eventually(all_set, "all alarms are set")
        assert await alarms.count() > 0, "there is something to harm"
        if harm == "flushed":
            await redis.flushall()
        elif harm == "evicted":
            await redis.delete(*await redis.keys("flagfall:alarms:*"))
            # Some are back wrong: they ring too early, or for versions that are not.
            some = list(deadlines.items())[::2]
            await alarms.put([Alarm(game_id, 3 + n % 2, at_ms - 700) for n, (game_id, at_ms) in enumerate(some)])
        else:
            await redis.config_set("min-replicas-to-write", "1")  # every write is refused
        try:
            late = await all_fallen(world, deadlines)
        finally:
            await redis.config_set("min-replicas-to-write", "0")
        assert statistics.median(late) <= LATENCY_MS_MAX + GRACE_MS


async def test_a_store_that_evicts_is_told_of(redis_url: str, caplog: pytest.LogCaptureFixture) -> None:
    facts: dict[str, str] = {}
    async with Redis.from_url(redis_url) as redis:
        assert await eviction_policy(redis) is None
        task = asyncio.ensure_future(tell_eviction({"broker": redis}, facts, 10))
        try:
            await redis.config_set("maxmemory-policy", "allkeys-lru")
            await eventually(lambda: facts == {"broker evicts": "allkeys-lru"}, "it is a fact")
            await redis.config_set("maxmemory-policy", "noeviction")
            await eventually(lambda: not facts, "it is no fact any more")
        finally:
            await redis.config_set("maxmemory-policy", "noeviction")
            await cancelled(task)
    warnings = [record.message for record in caplog.records if "evicts keys" in record.message]
    assert len(warnings) == 1, "told once and not at every look"
    assert "set maxmemory-policy noeviction" in warnings[0]
