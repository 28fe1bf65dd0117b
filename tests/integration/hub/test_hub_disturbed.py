"""The hub with a Redis that is killed, silent, flushed, replaced or away: who listens notices delay at the worst."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from services.gateway.hub.listeners import GameWatch
from services.runtime.redis_keys import EPOCH
from tests.integration.gateway.fake_game import FakeGame, publish, publish_player
from tests.integration.hub.game_calls import GameCalls, serving
from tests.integration.hub.running_hub import WITHIN_S, numbers, opened, settings, until, versions
from tests.stack.proxy import proxy_to
from tests.stack.spare_valkey import spare_valkey
from tests.stack.stores import Stores


@pytest.fixture
def game() -> FakeGame:
    fake = FakeGame()
    fake.new_game("g1")
    return fake


@pytest.fixture
async def calls(game: FakeGame) -> AsyncIterator[GameCalls]:
    async with serving(game) as calls:
        yield calls


async def test_event_lost_while_the_pubsub_connection_was_killed_arrives(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    """Case I02: m1 is heard, the connection is killed, m2 is published to nobody, m3 is heard again."""
    async with (
        opened(settings(redis_url), calls) as hub,
        hub.watch_game("g1") as watch,
        Redis.from_url(redis_url) as redis,
    ):
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [2]
        await redis.client_kill_filter(_type="pubsub")
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [3]  # without m3, by the subscription's word alone
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [4]


async def test_silent_loss_of_the_connection_is_noticed(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    """Nothing is closed and nothing comes through any more, as when a packet filter forgets a connection."""
    async with proxy_to(redis_url) as proxy:
        quick = settings(proxy.url, pubsub_ping_ms=100, pubsub_silence_ms=300)
        async with (
            opened(quick, calls) as hub,
            hub.watch_game("g1") as watch,
            hub.watch_player("anna") as player,
        ):
            await publish(redis_url, game.play("g1"))
            assert await versions(watch, 1) == [2]
            proxy.swallow()
            await publish(redis_url, game.play("g1"))
            await publish_player(redis_url, game.tell("anna"))
            async with asyncio.timeout(5):
                assert await versions(watch, 1) == [3]
                assert await numbers(player, 1) == [1]


@pytest.mark.parametrize("flushed", [True, False])
async def test_changed_epoch_makes_the_hub_ask(game: FakeGame, calls: GameCalls, redis_url: str, flushed: bool) -> None:
    """Nothing else does here: the connection stands, and no game is silent for long."""
    async with (
        opened(settings(redis_url, epoch_period_ms=100), calls) as hub,
        hub.watch_game("g1") as watch,
        hub.watch_player("anna") as player,
        Redis.from_url(redis_url) as redis,
    ):
        async with asyncio.timeout(WITHIN_S):
            while not await redis.exists(EPOCH):
                await asyncio.sleep(0.01)
        game.play("g1")
        game.tell("anna")
        await (redis.flushall() if flushed else redis.set(EPOCH, "another"))
        assert await versions(watch, 1) == [2]
        assert await numbers(player, 1) == [1]


async def test_silent_games_are_asked_for_together(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    names = [f"quiet{number}" for number in range(60)]
    for name in names:
        game.new_game(name)
    async with opened(settings(redis_url, hub_silence_ms=300), calls) as hub:
        watches = [GameWatch(16, False) for _ in names]
        await asyncio.gather(*(hub.join_game(name, watch) for name, watch in zip(names, watches, strict=True)))
        await until(lambda: all(sum(item.game_id == name for item in game.fetched) >= 1 for name in names))
        game.calls.clear()
        game.fetched.clear()
        for name in names:
            game.play(name)
        for watch in watches:
            assert await versions(watch, 1) == [2]
        # Rounds go on, and a slow machine sees more of them: what counts is how many share a call.
        assert len(game.fetched) > 4 * game.calls["Fetch"]


async def test_ended_game_is_not_asked_for_again(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    game.new_game("g2")
    async with opened(settings(redis_url, hub_silence_ms=100), calls) as hub, hub.watch_game("g1") as watch:
        async with hub.watch_game("g2") as running:
            await publish(redis_url, game.end("g1"))
            assert await versions(watch, 1) == [2]
            game.fetched.clear()
            game.play("g2")
            assert await versions(running, 1) == [2]
            await until(lambda: sum(item.game_id == "g2" for item in game.fetched) >= 3)
        assert not [item for item in game.fetched if item.game_id == "g1"]


async def test_games_go_on_without_redis_and_after_it(
    game: FakeGame, calls: GameCalls, redis_url: str, stores: Stores
) -> None:
    quick = settings(redis_url, hub_silence_away_ms=200)
    async with opened(quick, calls) as hub, hub.watch_game("g1") as watch:
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [2]
        await asyncio.to_thread(stores.pause_valkey)
        try:
            game.play("g1", 2)
            assert await versions(watch, 2) == [3, 4]
            game.new_game("g2")
            async with hub.watch_game("g2") as other:
                assert other.game.version == 1
                game.play("g2")
                assert await versions(other, 1) == [2]
        finally:
            await asyncio.to_thread(stores.resume_valkey)
        game.play("g1")
        assert await versions(watch, 1) == [5]
        async with Redis.from_url(redis_url) as redis, asyncio.timeout(WITHIN_S):
            while (await redis.pubsub_numsub("flagfall:game:g1"))[0][1] == 0:
                await asyncio.sleep(0.01)
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [6]


async def test_failover_to_a_copy_loses_nothing(
    game: FakeGame, calls: GameCalls, redis_url: str, tmp_path: Path
) -> None:
    """The one in its place has the same epoch, and has not heard what was published last."""
    async with (
        proxy_to(redis_url) as proxy,
        opened(settings(proxy.url), calls) as hub,
        hub.watch_game("g1") as watch,
        hub.watch_player("anna") as player,
        spare_valkey(redis_url, tmp_path) as spare,
    ):
        await spare.stand_alone()
        proxy.lead_to(spare.url)
        game.play("g1")
        game.tell("anna")
        assert await versions(watch, 1) == [2]
        assert await numbers(player, 1) == [1]
        await publish(spare.url, game.play("g1"))
        assert await versions(watch, 1) == [3]


async def test_another_redis_behind_the_same_address_is_noticed_while_the_connection_stands(
    game: FakeGame, calls: GameCalls, redis_url: str, tmp_path: Path
) -> None:
    """The hub goes on hearing the old one; what it asks from time to time is answered by the one in its place."""
    async with (
        proxy_to(redis_url) as proxy,
        opened(settings(proxy.url, epoch_period_ms=100), calls) as hub,
        hub.watch_game("g1") as watch,
        hub.watch_player("anna") as player,
        spare_valkey(redis_url, tmp_path) as spare,
    ):
        await spare.stand_alone()
        game.play("g1")
        game.tell("anna")
        proxy.lead_to(spare.url, silently=True)
        assert await versions(watch, 1) == [2]
        assert await numbers(player, 1) == [1]


async def test_whoever_publishes_elsewhere_is_heard_by_the_silence(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    """A lost message that no later one betrays, and no connection, and no epoch: the time alone does."""
    async with opened(settings(redis_url, hub_silence_ms=300), calls) as hub, hub.watch_game("g1") as watch:
        for version in range(2, 5):
            game.play("g1")
            assert await versions(watch, 1) == [version]
