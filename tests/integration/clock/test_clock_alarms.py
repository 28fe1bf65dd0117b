"""The scripts of the alarms in a real Valkey."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from services.clock.alarm import Alarm, NoAlarm
from services.clock.redis_alarms import Answered, RedisAlarms
from services.runtime.redis_client import connect

GRACE_MS = 100
LEASE_MS = 1_000
NOW_MS = 1_900_000_000_000


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    client = connect(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
def alarms(redis: Redis) -> RedisAlarms:
    return RedisAlarms(redis, shards=4, grace_ms=GRACE_MS)


def due(game_id: str = "game", version: int = 5, deadline_ms: int = NOW_MS - GRACE_MS) -> Alarm:
    return Alarm(game_id, version, deadline_ms)


async def take(alarms: RedisAlarms, now_ms: int = NOW_MS) -> tuple[Alarm, ...]:
    return (await alarms.take(now_ms, 100, LEASE_MS)).alarms


async def test_an_alarm_rings_at_its_deadline_and_grace_and_not_before(alarms: RedisAlarms) -> None:
    await alarms.put([due()])
    before = await alarms.take(NOW_MS - 1, 100, LEASE_MS)
    assert before.alarms == ()
    assert before.next_ms == NOW_MS
    assert await take(alarms) == (due(),)


@pytest.mark.parametrize(
    ("later", "rings"),
    [
        (due(version=4, deadline_ms=NOW_MS + 9_000), (due(),)),  # a lower version
        (due(version=5, deadline_ms=NOW_MS + 9_000), (due(),)),  # the same version again
        (NoAlarm("game", 4), (due(),)),
        (NoAlarm("game", 5), (due(),)),
        (due(version=6, deadline_ms=NOW_MS + 9_000), ()),  # a higher version with more time
        (NoAlarm("game", 6), ()),  # the game ended
        (due(version=10, deadline_ms=NOW_MS - 500), (due(version=10, deadline_ms=NOW_MS - 500),)),  # a number, not text
    ],
)
async def test_only_a_higher_version_sets_or_silences(
    alarms: RedisAlarms, later: Alarm | NoAlarm, rings: tuple[Alarm, ...]
) -> None:
    await alarms.put([due()])
    await alarms.put([later])
    assert await take(alarms) == rings


async def test_an_older_event_that_comes_after_the_end_sets_nothing(alarms: RedisAlarms) -> None:
    await alarms.put([due(version=5)])
    await alarms.put([NoAlarm("game", 7)])
    await alarms.put([due(version=6)])
    assert await take(alarms) == ()
    assert await alarms.count() == 0


async def test_a_page_of_the_database_corrects_the_deadline_of_the_same_version(alarms: RedisAlarms) -> None:
    await alarms.put([due()])
    await alarms.put([due(deadline_ms=NOW_MS + 5_000)], corrects=True)
    assert await take(alarms) == ()
    assert await take(alarms, NOW_MS + 5_000 + GRACE_MS) == (due(deadline_ms=NOW_MS + 5_000),)


async def test_a_page_of_the_database_leaves_a_leased_alarm_with_its_holder(alarms: RedisAlarms) -> None:
    await alarms.put([due()])
    assert await take(alarms) == (due(),)
    await alarms.put([due()], corrects=True)
    assert await take(alarms) == ()


async def test_a_taken_alarm_is_left_alone_until_the_lease_ends_and_then_comes_back(alarms: RedisAlarms) -> None:
    await alarms.put([due()])
    assert await take(alarms) == (due(),)
    assert await take(alarms, NOW_MS + LEASE_MS - 1) == ()
    assert await take(alarms, NOW_MS + LEASE_MS) == (due(),)


async def test_an_answered_alarm_is_gone_and_a_postponed_one_rings_later(alarms: RedisAlarms) -> None:
    await alarms.put([due("a"), due("b")])
    assert len(await take(alarms)) == 2
    await alarms.answer([Answered(due("a"), None), Answered(due("b"), NOW_MS + 50)])
    assert await take(alarms, NOW_MS + 49) == ()
    assert await take(alarms, NOW_MS + LEASE_MS) == (due("b"),)
    assert await alarms.count() == 1


async def test_many_answers_at_once_are_each_judged_by_themselves(alarms: RedisAlarms) -> None:
    """Twenty-one games on four shards, by turns done, postponed, and overtaken before the answer came."""
    games = [f"game{number}" for number in range(21)]
    await alarms.put([due(game_id) for game_id in games])
    assert len(await take(alarms)) == len(games)
    overtaken = [due(game_id, version=6, deadline_ms=NOW_MS + 500) for game_id in games[2::3]]
    await alarms.put(overtaken)
    await alarms.answer(
        [Answered(due(game_id), NOW_MS + 50 if number % 3 == 1 else None) for number, game_id in enumerate(games)]
    )
    assert {alarm.game_id for alarm in await take(alarms, NOW_MS + 50)} == set(games[1::3])
    assert set(await take(alarms, NOW_MS + 500 + GRACE_MS)) == set(overtaken)
    assert await alarms.count() == 14


async def test_an_answer_leaves_a_newer_alarm_standing(alarms: RedisAlarms) -> None:
    await alarms.put([due(version=5)])
    assert len(await take(alarms)) == 1
    newer = due(version=6, deadline_ms=NOW_MS + 3_000)
    await alarms.put([newer])
    await alarms.answer([Answered(due(version=5), None)])
    await alarms.answer([Answered(due(version=5), NOW_MS)])
    assert await take(alarms, NOW_MS + 3_000) == ()
    assert await take(alarms, NOW_MS + 3_000 + GRACE_MS) == (newer,)


async def test_no_more_are_taken_than_there_is_room_for(alarms: RedisAlarms) -> None:
    await alarms.put([due(f"game{number}") for number in range(200)])
    taken = await alarms.take(NOW_MS, 40, LEASE_MS)
    assert 0 < len(taken.alarms) <= 40
    assert taken.next_ms == NOW_MS


async def test_scripts_are_given_again_to_a_server_that_lost_them(alarms: RedisAlarms, redis: Redis) -> None:
    await alarms.put([due("a")])
    await redis.script_flush()
    await alarms.put([due("b")])
    await redis.script_flush()
    assert {alarm.game_id for alarm in await take(alarms)} == {"a", "b"}
    await redis.script_flush()
    await alarms.answer([Answered(due("a"), None)])
    assert await alarms.count() == 1


async def test_a_game_is_forgotten_ten_minutes_after_it_fell_quiet(alarms: RedisAlarms, redis: Redis) -> None:
    await alarms.put([due()])
    await alarms.put([NoAlarm("game", 9)])
    keys = [key async for key in redis.scan_iter("flagfall:alarms:*:quiet")]
    assert len(keys) == 1
    await redis.zadd(keys[0], {"game": 1})
    shard_mate = next(
        f"g{number}" for number in range(100) if _shard(f"g{number}") == keys[0].decode().rpartition(":")[0]
    )
    await alarms.put([due(shard_mate)])
    assert await redis.hkeys(keys[0].decode().replace("quiet", "known")) == [shard_mate.encode()]
    assert await redis.zcard(keys[0]) == 0


def _shard(game_id: str) -> str:
    from services.runtime.redis_keys import shard_of

    return f"flagfall:alarms:{{{shard_of(game_id, 4)}}}"
