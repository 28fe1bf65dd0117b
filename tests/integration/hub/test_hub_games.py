"""The hub's games, over a real Valkey and a real gRPC server: each version once, in order, whatever gets lost."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from services.gateway.hub.listeners import GameWatch
from services.pb.flagfall.v1 import events_pb2, game_pb2
from tests.integration.gateway.fake_game import START_MS, FakeGame, publish, publish_chat
from tests.integration.hub.game_calls import GameCalls, serving
from tests.integration.hub.running_hub import WITHIN_S, opened, settings, until, versions


@pytest.fixture
def game() -> FakeGame:
    fake = FakeGame()
    fake.new_game("g1")
    return fake


@pytest.fixture
async def calls(game: FakeGame) -> AsyncIterator[GameCalls]:
    async with serving(game) as calls:
        yield calls


async def test_watcher_gets_the_game_and_then_each_move_once(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    game.play("g1", 3)
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        assert watch.game.version == 4
        assert [move.uci for move in watch.game.moves] == ["m1", "m2", "m3"]
        move = game.play("g1")
        await publish(redis_url, move, move, move)
        game.play("g1")
        await publish(redis_url, *game.games["g1"])
        assert await versions(watch, 2) == [5, 6]
        assert [move.uci for move in watch.game.moves] == ["m1", "m2", "m3", "m4", "m5"]
        assert watch.game.moves[3].clock_ms == 300_000
    assert len(game.fetched) == 1


async def test_reordered_events_need_no_fetch(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with opened(settings(redis_url, hub_gap_grace_ms=10_000), calls) as hub, hub.watch_game("g1") as watch:
        game.play("g1", 3)
        second, third, fourth = game.games["g1"][1:]
        asked = len(game.fetched)
        await publish(redis_url, fourth, third, second)
        assert await versions(watch, 3) == [2, 3, 4]
        assert len(game.fetched) == asked


async def test_lost_event_is_fetched_before_the_later_one_is_shown(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        game.play("g1", 2)
        await publish(redis_url, game.games["g1"][2])
        assert await versions(watch, 2) == [2, 3]
        assert game.fetched[-1].since_version == 1


async def test_more_missed_than_can_be_told_one_by_one_reloads_the_game(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    game.events_max = 5
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        await publish(redis_url, game.play("g1", 20))
        assert await versions(watch, 1) == [21]
        assert len(watch.game.moves) == 20
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [22]


async def test_newest_state_wins_but_chat_is_kept(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    line = events_pb2.ChatLine(
        game_id="g1", room=events_pb2.CHAT_ROOM_PLAYER, player_id="anna", text="hi", at_ms=START_MS
    )
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1", newest_wins=True) as watch:
        async with hub.watch_game("g1") as other:
            await publish(redis_url, game.play("g1"))
            await publish_chat(redis_url, line)
            await publish(redis_url, game.play("g1"))
            async with asyncio.timeout(WITHIN_S):
                for _ in range(3):
                    await anext(other)
        first, second = await anext(watch), await anext(watch)
        assert isinstance(first, events_pb2.ChatLine)
        assert isinstance(second, events_pb2.GameEvent)
        assert second.state.version == 3


async def test_own_commit_is_shown_before_redis_and_only_once(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        command = game_pb2.Command(game_id="g1", player_id="anna", command_id="c1", move=game_pb2.Move(text="e4"))
        reply = await calls.submit(command)
        hub.committed(command, reply.accepted)
        event = await anext(watch)
        assert isinstance(event, events_pb2.GameEvent)
        assert event == game.games["g1"][1]  # the same as the published one
        await publish(redis_url, game.games["g1"][1], game.play("g1"))
        assert await versions(watch, 1) == [3]
        again = await calls.submit(command)
        assert again.accepted.repeated
        hub.committed(command, again.accepted)
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [4]


async def test_own_commit_is_shown_as_what_it_was(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    claim = game_pb2.Command(game_id="g1", player_id="anna", command_id="c1", claim_draw=game_pb2.ClaimDraw())
    level = game_pb2.Command(game_id="g1", player_id="anna", command_id="c2", set_level=game_pb2.SetLevel(level=3))
    game.claim("g1")
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        for command in (level, claim):
            reply = await calls.submit(command)
            hub.committed(command, reply.accepted)
            event = await anext(watch)
            assert isinstance(event, events_pb2.GameEvent)
            assert event == game.games["g1"][-1]
        assert watch.game.info.black.computer_level == 3


async def test_an_answer_without_its_event_is_shown_once_redis_brings_it(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    command = game_pb2.Command(game_id="g1", player_id="anna", command_id="c1", move=game_pb2.Move(text="e4"))
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        reply = await calls.submit(command)
        reply.accepted.ClearField("event")  # as the game service of the release before answers
        hub.committed(command, reply.accepted)
        assert watch.game.version == 1
        await publish(redis_url, game.games["g1"][1])
        assert await versions(watch, 1) == [2]


async def test_own_commit_waits_for_an_earlier_version_of_somebody_else(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    async with opened(settings(redis_url, hub_gap_grace_ms=10_000), calls) as hub, hub.watch_game("g1") as watch:
        game.play("g1")  # White's move, by another gateway, still on its way
        command = game_pb2.Command(game_id="g1", player_id="bob", command_id="c1", move=game_pb2.Move(text="e5"))
        reply = await calls.submit(command)
        hub.committed(command, reply.accepted)
        await publish(redis_url, game.games["g1"][1])
        assert await versions(watch, 2) == [2, 3]


async def test_resume_gives_what_was_missed(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    game.play("g1", 80)
    async with opened(settings(redis_url), calls) as hub:
        held = await hub.join_game("g1", GameWatch(16, False), since=71)
        assert [change.version for change in held.changes_after(71) or []] == list(range(72, 82))
        held = await hub.join_game("g1", GameWatch(16, False), since=66)
        assert [change.version for change in held.changes_after(66) or []] == list(range(67, 82))
        asked = len(game.fetched)
        held = await hub.join_game("g1", GameWatch(16, False), since=75)
        assert len(held.changes_after(75) or []) == 6
        assert len(game.fetched) == asked
        held = await hub.join_game("g1", GameWatch(16, False), since=60)
        assert held.changes_after(60) is None  # too many: the whole game is shorter


async def test_listener_who_knows_more_than_the_hub_brings_it_forward(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g1") as watch:
        game.play("g1", 2)  # published while nobody here could hear it
        held = await hub.join_game("g1", GameWatch(16, False), since=3)
        assert held.version == 3
        assert await versions(watch, 2) == [2, 3]


async def test_event_heard_while_the_game_is_loaded_is_not_lost(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    game.new_game("g2")
    async with opened(settings(redis_url), calls) as hub, hub.watch_game("g2") as other:
        game.fetch_gate.clear()
        watch = GameWatch(16, False)
        asked = game.calls["Fetch"]
        joining = asyncio.ensure_future(hub.join_game("g1", watch))
        await until(lambda: game.calls["Fetch"] > asked)
        await publish(redis_url, game.play("g1"), game.play("g2"))  # after the game was read, before it arrives here
        assert await versions(other, 1) == [2]
        game.fetch_gate.set()
        assert (await joining).version == 2


async def test_doubt_while_a_fetch_is_under_way_asks_once_more(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    game.new_game("g2")
    async with (
        opened(settings(redis_url), calls) as hub,
        hub.watch_game("g2") as other,
        Redis.from_url(redis_url) as redis,
    ):
        game.fetch_gate.clear()
        watch = GameWatch(16, False)
        asked = game.calls["Fetch"]
        joining = asyncio.ensure_future(hub.join_game("g1", watch))
        await until(lambda: game.calls["Fetch"] > asked)
        await redis.client_kill_filter(_type="pubsub")
        game.play("g1")  # nobody can hear this one
        async with asyncio.timeout(WITHIN_S):
            while (await redis.pubsub_numsub("flagfall:game:g1"))[0][1] == 0:
                await asyncio.sleep(0.005)
        await publish(redis_url, game.play("g2"))
        assert await versions(other, 1) == [2]
        game.fetch_gate.set()
        held = await joining
        await until(lambda: held.version == 2)


async def test_watching_again_while_the_channel_is_being_left_hears_everything(
    game: FakeGame, calls: GameCalls, redis_url: str
) -> None:
    async with opened(settings(redis_url, hub_linger_ms=0, hub_tick_ms=10), calls) as hub:
        for number in range(2, 12):
            async with hub.watch_game("g1") as watch:
                assert watch.game.version == number - 1
                await publish(redis_url, game.play("g1"))
                assert await versions(watch, 1) == [number]
            if number % 2:
                await until(lambda: hub.games == 0)


async def test_junk_on_the_channel_disturbs_nobody(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with (
        opened(settings(redis_url), calls) as hub,
        hub.watch_game("g1") as watch,
        Redis.from_url(redis_url) as redis,
    ):
        await redis.publish("flagfall:game:g1", b"\xff\xff\xff")
        await redis.publish("flagfall:game:g1", b"")
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [2]
        await hub.check()
