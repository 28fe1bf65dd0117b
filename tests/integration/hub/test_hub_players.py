"""Players' own events through the hub: by number, without gaps, each once."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from services.gateway.hub.hub import Hub
from services.gateway.hub.listeners import PlayerWatch, SlowListener
from tests.integration.gateway.fake_game import FakeGame, publish_player
from tests.integration.hub.game_calls import GameCalls, serving
from tests.integration.hub.running_hub import WITHIN_S, numbers, settings, until
from tests.stack.stores import Stores


@pytest.fixture
def game() -> FakeGame:
    return FakeGame()


@pytest.fixture
async def calls(game: FakeGame) -> AsyncIterator[GameCalls]:
    async with serving(game) as calls:
        yield calls


@pytest.fixture
async def hub(calls: GameCalls, redis_url: str) -> AsyncIterator[Hub]:
    async with Hub(settings(redis_url), calls) as hub:
        await until(lambda: hub.hearing)
        yield hub


async def test_events_come_from_now_on_in_order_and_once(game: FakeGame, hub: Hub, redis_url: str) -> None:
    for _ in range(3):
        game.tell("anna")
    async with hub.watch_player("anna") as watch:
        assert watch.seq == 3
        fourth, fifth = game.tell("anna"), game.tell("anna")
        await publish_player(redis_url, fourth, fourth, fifth, fourth)
        game.tell("bob")
        await publish_player(redis_url, game.tell("anna"))
        assert await numbers(watch, 3) == [4, 5, 6]


async def test_lost_and_reordered_events_are_put_right(game: FakeGame, hub: Hub, redis_url: str) -> None:
    async with hub.watch_player("anna") as watch:
        events = [game.tell("anna") for _ in range(4)]
        await publish_player(redis_url, events[3], events[1])
        assert await numbers(watch, 4) == [1, 2, 3, 4]


async def test_events_before_are_given_on_request(game: FakeGame, hub: Hub, redis_url: str) -> None:
    for _ in range(30):
        game.tell("anna")
    async with hub.watch_player("anna", since=25) as watch:
        assert watch.seq == 25
        await publish_player(redis_url, game.tell("anna"))
        assert await numbers(watch, 6) == [26, 27, 28, 29, 30, 31]
    async with hub.watch_player("anna", since=999) as watch:
        assert watch.seq == 31


async def test_more_than_one_list_holds_is_asked_for_in_parts(game: FakeGame, hub: Hub, redis_url: str) -> None:
    async with hub.watch_player("anna") as watch, Redis.from_url(redis_url) as redis:
        for _ in range(120):  # the fake gives 50 at once
            game.tell("anna")
        await redis.client_kill_filter(_type="pubsub")
        assert await numbers(watch, 120) == list(range(1, 121))


async def test_killed_connection_loses_nothing(game: FakeGame, hub: Hub, redis_url: str) -> None:
    async with hub.watch_player("anna") as watch, Redis.from_url(redis_url) as redis:
        await redis.client_kill_filter(_type="pubsub")
        await publish_player(redis_url, game.tell("anna"))
        assert await numbers(watch, 1) == [1]


async def test_events_come_without_redis(game: FakeGame, calls: GameCalls, redis_url: str, stores: Stores) -> None:
    async with Hub(settings(redis_url, hub_silence_away_ms=200), calls) as hub, hub.watch_player("anna") as watch:
        await until(lambda: hub.hearing)
        await asyncio.to_thread(stores.pause_valkey)
        try:
            game.tell("anna")
            assert await numbers(watch, 1) == [1]
        finally:
            await asyncio.to_thread(stores.resume_valkey)


async def test_followed_players_are_asked_for_together_while_redis_is_away(
    game: FakeGame, calls: GameCalls, redis_url: str, stores: Stores
) -> None:
    names = [f"p{number}" for number in range(200)]
    async with Hub(settings(redis_url, hub_silence_away_ms=500), calls) as hub:
        await until(lambda: hub.hearing)
        watches = [PlayerWatch(16) for _ in names]
        await asyncio.gather(*(hub.join_player(name, watch) for name, watch in zip(names, watches, strict=True)))
        await asyncio.to_thread(stores.pause_valkey)
        try:
            await until(lambda: not hub.hearing)
            for round in (1, 2, 3):
                for name in names:
                    game.tell(name)
                game.calls.clear()
                for watch in watches:
                    assert await numbers(watch, 1) == [round]
                assert game.calls["ListEventsOfPlayers"] <= 16  # of 200; twice, if two periods met
                assert game.calls["ListPlayerEvents"] == 0
        finally:
            await asyncio.to_thread(stores.resume_valkey)


async def test_a_game_service_that_is_away_is_not_asked_for_each_player(
    game: FakeGame, hub: Hub, redis_url: str
) -> None:
    """After an answer that did not come all of them wait a while, and none is forgotten."""
    names = [f"p{number}" for number in range(100)]
    watches = [PlayerWatch(16) for _ in names]
    await asyncio.gather(*(hub.join_player(name, watch) for name, watch in zip(names, watches, strict=True)))
    game.down = True
    async with Redis.from_url(redis_url) as redis:
        await redis.client_kill_filter(_type="pubsub")
    for name in names:
        game.tell(name)
    game.calls.clear()
    began_s = time.monotonic()
    await until(lambda: game.calls["ListEventsOfPlayers"] >= 9)  # not more than four at once
    assert time.monotonic() - began_s >= 0.4  # two pauses at the least
    game.down = False
    for watch in watches:
        assert await numbers(watch, 1) == [1]


async def test_slow_listener_is_ended(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with Hub(settings(redis_url, hub_queue_max=3), calls) as hub, hub.watch_player("anna") as watch:
        await until(lambda: hub.hearing)
        await publish_player(redis_url, *[game.tell("anna") for _ in range(3)])
        async with hub.watch_player("anna", since=0) as other:
            assert await numbers(other, 3) == [1, 2, 3]  # the hub has handed on as many as fit
            await publish_player(redis_url, game.tell("anna"))
            assert await numbers(other, 1) == [4]
        with pytest.raises(SlowListener):
            await numbers(watch, 1)


async def test_cancelled_watchers_leave_nothing(game: FakeGame, hub: Hub, redis_url: str) -> None:
    async def watch(name: str) -> None:
        async with hub.watch_player(name) as watch:
            await anext(watch)

    for round in range(10):
        tasks = [asyncio.create_task(watch(f"p{number}")) for number in range(100)]
        for _ in range(round):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await until(lambda: hub.players == 0)
    assert hub.listeners == 0
    async with Redis.from_url(redis_url) as redis, asyncio.timeout(WITHIN_S):
        while await redis.pubsub_channels("flagfall:player:*"):
            await asyncio.sleep(0.01)


async def test_event_heard_while_the_watch_opens_is_not_lost(game: FakeGame, hub: Hub, redis_url: str) -> None:
    async with hub.watch_player("bob") as other:
        game.fetch_gate.clear()
        watch = PlayerWatch(16)
        asked = game.calls["ListEventsOfPlayers"]
        joining = asyncio.ensure_future(hub.join_player("anna", watch))
        await until(lambda: game.calls["ListEventsOfPlayers"] > asked)
        await publish_player(redis_url, game.tell("anna"), game.tell("bob"))
        assert await numbers(other, 1) == [1]
        game.fetch_gate.set()
        seq, _ = await joining
        assert seq == 0
        assert await numbers(watch, 1) == [1]
