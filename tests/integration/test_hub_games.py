"""The hub's games, over a real Valkey and a real gRPC server: each version once, in order, whatever gets lost."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from services.gateway.hub import Hub
from services.gateway.hub_ports import HubRefused
from services.gateway.listeners import GameWatch, HubClosed, SlowListener
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.redis_keys import EPOCH
from tests.integration.fake_game import START_MS, FakeGame, GameCalls, publish, publish_chat, serving
from tests.stack.stores import Stores

WITHIN_S = 15.0


def settings(redis_url: str, **changes: int) -> SocketSettings:
    """No silence check unless a test wants it, and short lingering."""
    return SocketSettings.model_validate(
        {"redis_url": redis_url, "hub_silence_ms": 600_000, "hub_linger_ms": 50, "hub_tick_ms": 10, **changes}
    )


async def until(condition: Callable[[], bool]) -> None:
    """Return once it is so."""
    async with asyncio.timeout(WITHIN_S):
        while not condition():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def opened(settings: SocketSettings, calls: GameCalls) -> AsyncIterator[Hub]:
    """A hub that hears Redis."""
    async with Hub(settings, calls) as hub:
        await until(lambda: hub.hearing)
        yield hub


async def versions(watch: GameWatch, count: int) -> list[int]:
    """The versions of so many updates."""
    found: list[int] = []
    async with asyncio.timeout(WITHIN_S):
        while len(found) < count:
            update = await anext(watch)
            assert isinstance(update, events_pb2.GameEvent)
            found.append(update.state.version)
    return found


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
    port = int(redis_url.rpartition(":")[2].partition("/")[0])
    dead: set[asyncio.StreamWriter] = set()
    writers: list[asyncio.StreamWriter] = []

    async def forward(client_reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        server_reader, server = await asyncio.open_connection("127.0.0.1", port)
        writers.extend([client, server])

        async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(65_536):
                if writer not in dead:
                    writer.write(data)
            writer.close()

        await asyncio.gather(pump(client_reader, server), pump(server_reader, client), return_exceptions=True)

    proxy = await asyncio.start_server(forward, "127.0.0.1", 0)
    proxied = re.sub(r":\d+/0$", f":{proxy.sockets[0].getsockname()[1]}/0", redis_url)
    quick = settings(proxied, pubsub_ping_ms=100, pubsub_silence_ms=300)
    async with opened(quick, calls) as hub, hub.watch_game("g1") as watch:
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [2]
        dead.update(writers)
        await publish(redis_url, game.play("g1"))
        assert await versions(watch, 1) == [3]
    proxy.close()
    for writer in writers:
        writer.close()
    await proxy.wait_closed()


async def test_changed_epoch_makes_the_hub_ask(game: FakeGame, calls: GameCalls, redis_url: str) -> None:
    async with (
        opened(settings(redis_url, epoch_period_ms=100), calls) as hub,
        hub.watch_game("g1") as watch,
        Redis.from_url(redis_url) as redis,
    ):
        async with asyncio.timeout(WITHIN_S):
            while not await redis.exists(EPOCH):
                await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        game.play("g1")
        await redis.flushall()
        assert await versions(watch, 1) == [2]


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
        assert game.calls["Fetch"] < 15  # 60 games


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
        held = await hub.join_game("g1", GameWatch(16, False), since=60)
        assert [change.version for change in held.changes_after(60) or []] == list(range(61, 82))
        asked = len(game.fetched)
        held = await hub.join_game("g1", GameWatch(16, False), since=75)
        assert len(held.changes_after(75) or []) == 6
        assert len(game.fetched) == asked
        held = await hub.join_game("g1", GameWatch(16, False), since=2)
        assert held.changes_after(2) is None  # too many: the whole game is shorter


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
