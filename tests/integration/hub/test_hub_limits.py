"""What the hub refuses, whom it ends, and that nothing stays behind."""

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from services.gateway.errors import HubRefused
from services.gateway.hub.hub import Hub
from services.gateway.hub.listeners import GameWatch, HubClosed, SlowListener
from tests.integration.gateway.fake_game import FakeGame, publish
from tests.integration.hub.game_calls import GameCalls, serving
from tests.integration.hub.running_hub import WITHIN_S, opened, settings, until, versions
from tests.stack.proxy import proxy_to


@pytest.fixture
def game() -> FakeGame:
    fake = FakeGame()
    fake.new_game("g1")
    return fake


@pytest.fixture
async def calls(game: FakeGame) -> AsyncIterator[GameCalls]:
    async with serving(game) as calls:
        yield calls


async def test_slow_listener_is_ended_and_the_others_are_not(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with (
        opened(settings(redis_url, hub_queue_max=5), calls) as hub,
        hub.watch_game("g1") as slow,
        hub.watch_game("g1") as quick,
        hub.watch_game("g1", newest_wins=True) as newest,
    ):
        for number in range(2, 9):
            await publish(redis_url, game.play("g1"))
            assert await versions(quick, 1) == [number]
        with pytest.raises(SlowListener):
            await versions(slow, 1)
        assert await versions(newest, 1) == [8]
        assert len(newest.game.moves) == 7


async def test_unknown_game_is_refused_and_forgotten(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with opened(settings(redis_url), calls) as hub, Redis.from_url(redis_url) as redis:
        with pytest.raises(HubRefused) as caught:
            await hub.join_game("nothing", GameWatch(16, False))
        assert caught.value.refusal.code == "not_found"
        assert hub.games == 0
        async with asyncio.timeout(WITHIN_S):
            while await redis.pubsub_channels("flagfall:game:*"):
                await asyncio.sleep(0.01)


async def test_game_service_away_refuses_new_watchers_for_now_only(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    game.new_game("g2")
    async with opened(settings(redis_url, hub_load_ms=300), calls) as hub, hub.watch_game("g1") as watch:
        game.down = True
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [2]
        with pytest.raises(HubRefused) as caught:
            await hub.join_game("g2", GameWatch(16, False))
        assert caught.value.refusal.code == "unavailable"
        game.play("g1")
        await publish(redis_url, game.play("g1"))  # a gap that cannot be filled yet
        await until(lambda: game.calls["Fetch"] > 5)
        game.down = False
        assert await versions(watch, 2) == [3, 4]
        async with hub.watch_game("g2") as other:
            assert other.game.version == 1


async def test_thousands_of_cancelled_watchers_leave_nothing(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    """Also case I01: the hub's connections to Redis stay two, and what comes over them stays in order."""
    rounds = [[f"x{round}-{number}" for number in range(100)] for round in range(20)]
    for name in itertools.chain(*rounds):
        game.new_game(name)

    async def watch(hub: Hub, name: str) -> None:
        async with hub.watch_game(name) as watch:
            await anext(watch)

    async with (
        opened(settings(redis_url), calls) as hub,
        Redis.from_url(redis_url) as redis,
        hub.watch_game("g1") as kept,
    ):
        for turns, names in enumerate(rounds):
            tasks = [asyncio.create_task(watch(hub, name)) for name in names]
            for _ in range(turns):
                await asyncio.sleep(0)
            if turns % 3 == 0:
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await until(lambda: hub.games == 1)
        assert hub.listeners == 1
        async with asyncio.timeout(WITHIN_S):
            while await redis.pubsub_channels("flagfall:game:x*"):
                await asyncio.sleep(0.01)
        assert len(await redis.client_list()) <= 3  # two and the test's own
        await publish(redis_url, game.play("g1"))
        assert await versions(kept, 1) == [2]


async def test_full_hub_refuses_but_makes_room_from_those_that_linger(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    for name in ("g2", "g3"):
        game.new_game(name)
    small = settings(redis_url, hub_games_max=2, hub_linger_ms=60_000)
    async with opened(small, calls) as hub, hub.watch_game("g1"):
        async with hub.watch_game("g2"):
            with pytest.raises(HubRefused) as caught:
                await hub.join_game("g3", GameWatch(16, False))
            assert caught.value.refusal.code == "limit_reached"
        async with hub.watch_game("g3") as watch:
            assert watch.game.info.id == "g3"


async def test_closing_hub_ends_its_watches(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with opened(settings(redis_url), calls) as hub:
        watching = hub.watch_game("g1")
        watch = await watching.__aenter__()
    with pytest.raises(HubClosed):
        await anext(watch)
    await watching.__aexit__(None, None, None)


async def test_game_that_nobody_waited_for_is_not_loaded(
    game: FakeGame, calls: GameCalls, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its only watcher left before Redis had confirmed the subscription, and it was forgotten before it was due."""
    async with proxy_to(redis_url) as proxy:
        quick = settings(proxy.url, hub_linger_ms=0, hub_subscribed_ms=150)
        async with opened(quick, calls) as hub:
            proxy.hold()
            joining = asyncio.ensure_future(hub.join_game("g1", GameWatch(16, False)))
            await until(lambda: hub.games == 1)
            joining.cancel()
            await until(lambda: hub.games == 0)
            await asyncio.sleep(0.2)  # the load that was planned would have begun
            assert not game.fetched
            proxy.let_go()
            async with hub.watch_game("g1") as watch:
                assert watch.game.version == 1
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
