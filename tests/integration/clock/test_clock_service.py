"""The whole clock service against a fake game service, with a real Valkey."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from services.clock.alarm import Alarm
from services.clock.redis_alarms import RedisAlarms
from services.pb.flagfall.v1 import events_pb2
from services.runtime.event_stream import Publisher
from services.runtime.redis_client import connect
from tests.integration.clock.running_clock import NEVER_MS, SHARDS, clock, fallen, following, metric
from tests.integration.game.game_in_memory import GRACE_MS, GameInMemory, Record, eventually, now_ms
from tests.stack.stores import Stores


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    client = connect(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
async def game(redis: Redis) -> AsyncIterator[GameInMemory]:
    async with GameInMemory.make(Publisher(redis, SHARDS, 20_000)).running() as fake:
        yield fake


async def test_flags_fall_by_themselves_never_early_and_soon(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    """Each at its own moment: here is neither a sweep nor a look now and then that could bring it later."""
    async with following(game, redis, redis_url, alarm_poll_ms=NEVER_MS):
        base_ms = now_ms() + 300
        records = [await game.add(Record(f"game{n}", deadline_ms=base_ms + 40 * n)) for n in range(30)]
        await fallen(game, records)
    late_ms = [record.decided_ms - record.deadline_ms for record in records]
    assert game.early == 0
    assert min(late_ms) >= GRACE_MS
    assert {record.id: game.flags[record.id] for record in records} == {record.id: 1 for record in records}


async def test_two_clocks_fire_each_flag_once(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url), clock(game, redis_url, overdue_period_ms=NEVER_MS):
        base_ms = now_ms() + 300
        records = [await game.add(Record(f"game{n}", deadline_ms=base_ms + 5 * n)) for n in range(60)]
        await fallen(game, records)
    assert game.early == 0
    assert sum(game.flags.values()) == len(records)


async def test_an_earlier_alarm_wakes_a_timer_that_sleeps_for_a_later_one(
    game: GameInMemory, redis: Redis, redis_url: str
) -> None:
    async with following(game, redis, redis_url, alarm_poll_ms=NEVER_MS):
        await game.add(Record("later", deadline_ms=now_ms() + 60_000))
        sooner = await game.add(Record("sooner", deadline_ms=now_ms() + 300))
        await fallen(game, [sooner])


async def test_a_move_in_time_moves_the_alarm(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url):
        record = await game.add(Record("game", deadline_ms=now_ms() + 200))
        record.version, record.deadline_ms = 2, record.deadline_ms + 400
        await game.tell(record)
        await fallen(game, [record])
    assert game.flags["game"] == 1


async def test_other_kinds_and_ended_games_ring_never(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url):
        expiry = Record("expiry", deadline_ms=now_ms() + 100, kind=events_pb2.DEADLINE_KIND_EXPIRY)
        await game.add(expiry)
        ended = await game.add(Record("ended", deadline_ms=now_ms() + 200))
        ended.version, ended.status = 2, events_pb2.GAME_STATUS_ENDED
        await game.tell(ended)
        last = await game.add(Record("last", deadline_ms=now_ms() + 300, kind=events_pb2.DEADLINE_KIND_FIRST_MOVE))
        await fallen(game, [last])
    assert game.flags == {"last": 1}


async def test_alarms_are_rebuilt_when_redis_lost_its_memory(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url):
        records = [await game.add(Record(f"game{n:03}", deadline_ms=now_ms() + 5_000)) for n in range(120)]
        before = metric("rebuilds_total", reason="epoch")
        await redis.flushall()
        await eventually(lambda: metric("rebuilds_total", reason="epoch") > before, "the rebuild")
        assert await RedisAlarms(redis, SHARDS, GRACE_MS).count() == 121
        await fallen(game, records)
    assert game.early == 0


async def test_a_start_finds_the_deadlines_of_all_pages(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    records = [Record(f"game{n:03}", deadline_ms=now_ms() + 1_500) for n in range(120)]
    for record in records:
        await game.add(record, silently=True)
    async with clock(game, redis_url, overdue_period_ms=NEVER_MS, deadline_page_size=7):
        await fallen(game, records)


async def test_what_a_dead_replica_had_taken_is_fired_when_its_lease_ends(
    game: GameInMemory, redis: Redis, redis_url: str
) -> None:
    record = await game.add(Record("game", deadline_ms=now_ms() - GRACE_MS), silently=True)
    dead = RedisAlarms(redis, SHARDS, GRACE_MS)
    await dead.put([Alarm("game", 1, record.deadline_ms)])
    taken_ms = now_ms()
    assert (await dead.take(taken_ms, 10, 800)).alarms
    lease_ends_ms = taken_ms + 800
    game.games.clear()  # the first sweep and the rebuild of the start see nothing
    started_sweeps = metric("rebuilds_total", reason="start")
    async with clock(game, redis_url, overdue_period_ms=NEVER_MS):
        await eventually(lambda: metric("rebuilds_total", reason="start") > started_sweeps, "the rebuild")
        game.games["game"] = record
        await fallen(game, [record])
    assert record.decided_ms >= lease_ends_ms - 50
    assert game.flags["game"] == 1


async def test_without_redis_the_sweep_lets_flags_fall(game: GameInMemory) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    async with clock(game, f"redis://127.0.0.1:{port}/0", overdue_period_ms=200):
        records = [Record(f"game{n:03}", deadline_ms=now_ms() + 20 * n) for n in range(70)]
        for record in records:
            await game.add(record, silently=True)
        await fallen(game, records)
    assert game.early == 0
    assert min(record.decided_ms - record.deadline_ms for record in records) >= GRACE_MS


async def test_a_lost_redis_comes_back_and_alarms_with_it(
    game: GameInMemory, redis: Redis, redis_url: str, stores: Stores
) -> None:
    async with following(game, redis, redis_url):
        await asyncio.to_thread(stores.pause_valkey)
        record = await game.add(Record("game", deadline_ms=now_ms() + 2_500), silently=True)
        before = metric("rebuilds_total", reason="redis_away")
        await asyncio.to_thread(stores.resume_valkey)
        await eventually(lambda: metric("rebuilds_total", reason="redis_away") > before, "the rebuild")
        await fallen(game, [record])


async def test_flags_wait_for_a_game_service_that_is_away(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url, retry_pause_max_ms=100):
        record = await game.add(Record("game", deadline_ms=now_ms() + 200))
        before = metric("fire_retries_total", reason="unavailable")
        game.available = False
        await eventually(lambda: metric("fire_retries_total", reason="unavailable") >= before + 2, "two retries")
        assert not record.decided_ms
        game.available = True
        await fallen(game, [record])


async def test_a_deadline_that_an_outage_moved_is_set_again(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    early, moved = metric("early_fires_total"), metric("moved_fires_total")
    async with following(game, redis, redis_url):
        record = await game.add(Record("game", deadline_ms=now_ms() + 100))
        record.deadline_ms += 900  # the same version, given time back
        await fallen(game, [record])
    assert metric("moved_fires_total") == moved + 1
    assert metric("early_fires_total") == early
    assert record.decided_ms >= record.deadline_ms + GRACE_MS
    assert game.flags["game"] == 2


async def test_a_version_that_was_missed_is_found_by_the_sweep_once_the_stale_fire_is_dropped(
    game: GameInMemory, redis: Redis, redis_url: str
) -> None:
    stale = metric("stale_fires_total")
    async with following(game, redis, redis_url, overdue_period_ms=200):
        record = await game.add(Record("game", deadline_ms=now_ms() + 100))
        record.version, record.deadline_ms = 2, record.deadline_ms + 700  # and no event of it
        await fallen(game, [record])
    assert metric("stale_fires_total") > stale
    assert game.flags["game"] == 2


async def test_an_unknown_game_rings_once(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    async with following(game, redis, redis_url):
        alarms = RedisAlarms(redis, SHARDS, GRACE_MS)
        await alarms.put([Alarm("gone", 3, now_ms() - 500)])

        async def only_the_canary() -> bool:
            return await alarms.count() == 1

        await eventually(only_the_canary, "the alarm is dropped")
    assert game.refused == {"not_found": 1}


async def ready(port: int) -> dict[str, Any] | None:
    """The answer of /readyz when it is 200."""
    try:
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(f"http://127.0.0.1:{port}/readyz", timeout=2)
    except httpx.TransportError:
        return None
    return answer.json() if answer.status_code == 200 else None


async def test_the_process_becomes_ready_and_ends_on_sigterm(game: GameInMemory, redis: Redis, redis_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = os.environ | {
        "FLAGFALL_REDIS_URL": redis_url,
        "FLAGFALL_GAME_TARGET": game.target,
        "FLAGFALL_ADMIN_PORT": str(port),
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "services.clock", "serve", env=environment)
    try:

        async def is_ready() -> bool:
            return await ready(port) is not None

        await eventually(is_ready, "the clock is ready")
        report = await ready(port)
        assert report is not None
        assert report["facts"] == {"redis": "ok"}
        record = await game.add(Record("game", deadline_ms=now_ms() + 200), silently=True)
        await fallen(game, [record])
        game.available = False
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 10) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_an_unknown_verb_is_named(redis_url: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.clock", "tick"), stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"usage: python -m services.clock serve" in said
