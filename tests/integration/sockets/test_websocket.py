"""Sockets over a real server, a real Valkey and a real gRPC: what each end sees."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from prometheus_client import REGISTRY
from redis.asyncio import Redis

from services.pb.flagfall.v1 import events_pb2, game_pb2
from tests.integration.gateway.fake_game import REPEATS, START_MS, FakeGame, publish, publish_chat, publish_player
from tests.integration.sockets.running_sockets import (
    WITHIN_S,
    Gateway,
    code_of,
    gateway,
    opened,
    read,
    say,
    until,
    wanted,
)


@pytest.fixture
def game() -> FakeGame:
    fake = FakeGame()
    fake.new_game("g1")
    fake.sign_up("anna", "bob", "carl")
    return fake


@pytest.fixture
async def one(game: FakeGame, redis_url: str) -> AsyncIterator[Gateway]:
    async with gateway(game, redis_url) as one:
        yield one


async def test_two_players_and_a_watcher_see_the_same_game(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async with opened(one, "anna") as anna, opened(one, "bob") as bob, opened(one) as watcher:
        sockets = [anna, bob, watcher]
        assert [(await read(socket))["t"] for socket in sockets] == ["welcome"] * 3
        for socket in sockets:
            await say(socket, t="sub", game="g1", v=0)
        assert [(await read(socket))["you"] for socket in sockets] == ["white", "black", None]
        for number in range(10):
            mover = sockets[number % 2]
            await say(mover, t="move", game="g1", id=f"c{number}", move="e4", ply=number)
            await publish_after(game, redis_url, number + 2)
            for socket in sockets:
                event = await wanted(socket, "event")
                assert (event["v"], event["kind"]) == (number + 2, "move")
        await say(anna, t="resign", game="g1", id="end")
        for socket in sockets:
            event = await wanted(socket, "event")
            assert (event["v"], event["kind"], event["by"], event["state"]["status"]) == (12, "ended", "white", "ended")


async def publish_after(game: FakeGame, redis_url: str, version: int) -> None:
    """Publish a version once it is committed."""
    await until(lambda: len(game.games["g1"]) >= version)
    await publish(redis_url, game.games["g1"][version - 1])


async def test_event_and_ack_of_a_move_both_come(game: FakeGame, one: Gateway) -> None:
    async with opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        await say(anna, t="sub", game="g1", v=0)
        await wanted(anna, "full")
        await say(anna, t="move", game="g1", id="c1", move="e4", ply=0)
        frames = {frame["t"]: frame for frame in [await read(anna), await read(anna)]}
        assert (frames["event"]["v"], frames["ack"]["v"], frames["ack"]["id"]) == (2, 2, "c1")
        assert frames["event"]["state"] == frames["ack"]["state"]
        await say(anna, t="move", game="g1", id="c1", move="e4", ply=0)  # the answer was lost, say
        again = await read(anna)
        assert (again["t"], again["v"], again["repeated"]) == ("ack", 2, True)
        await say(anna, t="move", game="g1", id="c2", move="e4", ply=0)
        assert (await read(anna))["code"] == "stale_version"
    assert {command.command_id for command in game.commands} == {"ws:c1", "ws:c2"}


async def test_command_of_a_client_that_has_gone_reaches_the_others(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as watcher:
        await wanted(watcher, "welcome")
        await say(watcher, t="sub", game="g1", v=0)
        await wanted(watcher, "full")
        game.submit_gate.clear()
        async with opened(one, "anna") as anna:
            await wanted(anna, "welcome")
            await say(anna, t="move", game="g1", id="c1", move="e4", ply=0)
            await until(lambda: game.calls["Submit"] == 1)
        await until(lambda: len(one.door) == 1)
        game.submit_gate.set()
        assert (await wanted(watcher, "event"))["v"] == 2


async def test_commands_of_many_connections_travel_together(game: FakeGame, one: Gateway) -> None:
    names = [f"x{number}" for number in range(40)]
    for name in names:
        game.new_game(name)
    async with opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        game.submit_gate.clear()
        await say(anna, t="move", game="g1", id="first", move="e4", ply=0)
        await until(lambda: game.calls["Submit"] == 1)
        for name in names[:30]:
            await say(anna, t="move", game=name, id="c1", move="e4", ply=0)
        await asyncio.sleep(0)
        game.submit_gate.set()
        answers = [await wanted(anna, "ack") for _ in range(31)]
    assert {answer["game"] for answer in answers} == {"g1", *names[:30]}
    assert game.calls["Submit"] < 10


async def test_resume_on_another_gateway_is_a_delta(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async with gateway(game, redis_url) as two:
        async with opened(one) as socket:
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=0)
            assert (await wanted(socket, "full"))["v"] == 1
            await publish(redis_url, game.play("g1"))
            assert (await read(socket))["v"] == 2
        game.play("g1", 3)  # while the client is nowhere
        async with opened(two) as socket:
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=2)
            missed = await read(socket)
            assert (missed["t"], [event["v"] for event in missed["events"]]) == ("events", [3, 4, 5])
            await publish(redis_url, game.play("g1"))
            assert (await read(socket))["v"] == 6
            await say(socket, t="sub", game="g1", v=6)
            assert (await read(socket))["events"] == []
            await say(socket, t="sub", game="g1", v=600)
            assert (await read(socket))["t"] == "full"


async def test_resumes_race_with_moves_on_two_gateways(game: FakeGame, one: Gateway, redis_url: str) -> None:
    """A client that goes to and fro between gateways, while the game goes on and events get lost, misses nothing."""

    async def play() -> None:
        for number in range(60):
            event = game.play("g1")
            if number % 3 == 0:
                continue  # never published
            if number % 3 == 1:
                await publish(redis_url, event, event)
            else:
                await publish(redis_url, event, game.games["g1"][-2])
            await asyncio.sleep(0.002)
        await publish(redis_url, game.play("g1"))

    async with gateway(game, redis_url) as two:
        playing = asyncio.ensure_future(play())
        seen = [0]
        gateways = [one, two]
        async with asyncio.timeout(WITHIN_S):
            while seen[-1] < 62:
                gateways.reverse()
                async with opened(gateways[0]) as socket:
                    await wanted(socket, "welcome")
                    await say(socket, t="sub", game="g1", v=seen[-1])
                    for _ in range(4):
                        frame = await read(socket)
                        events = frame["events"] if frame["t"] == "events" else [frame]
                        if frame["t"] == "full":
                            assert len(frame["moves"]) == frame["v"] - 1
                            seen.append(frame["v"])
                            continue
                        for event in events:
                            if event["v"] > seen[-1]:
                                assert event["v"] == seen[-1] + 1
                                seen.append(event["v"])
                        if seen[-1] >= 62:
                            break
        await playing


async def test_killed_pubsub_connection_loses_nothing_for_clients(game: FakeGame, one: Gateway, redis_url: str) -> None:
    """Case I02 as clients see it."""
    async with opened(one) as socket, Redis.from_url(redis_url) as redis:
        await wanted(socket, "welcome")
        await say(socket, t="sub", game="g1", v=0)
        await wanted(socket, "full")
        for number in range(2, 8):
            if number % 2:
                await redis.client_kill_filter(_type="pubsub")
            await publish(redis_url, game.play("g1"))
            assert (await wanted(socket, "event"))["v"] == number


async def test_sign_in_by_frame_holds_back_what_follows(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as socket:
        assert (await read(socket))["player"] is None
        await say(socket, t="auth", token="bob")
        await say(socket, t="sub", game="g1", v=0)
        assert (await read(socket))["player"]["id"] == "bob"
        assert (await read(socket))["you"] == "black"
        await say(socket, t="auth", token="wrong")
        assert await code_of(socket) == 4001


async def test_wrong_bearer_is_told_and_a_wrong_cookie_is_a_stranger(game: FakeGame, one: Gateway) -> None:
    async with opened(one, "wrong") as socket:
        assert await code_of(socket) == 4001
    origin = f"http://127.0.0.1:{one.port}"
    async with opened(one, headers={"Cookie": "flagfall_token=wrong", "Origin": origin}) as socket:
        assert (await read(socket))["player"] is None


@pytest.mark.parametrize(
    ("origin", "player"),
    [("own", "anna"), ("https://chess.example", "anna"), ("https://evil.example", None), (None, None)],
)
async def test_cookie_counts_on_own_pages_only(
    game: FakeGame, redis_url: str, origin: str | None, player: str | None
) -> None:
    async with gateway(game, redis_url, socket_origins="https://chess.example, https://other.example") as one:
        headers = {"Cookie": "a=b; flagfall_token=anna"}
        if origin is not None:
            headers["Origin"] = f"http://127.0.0.1:{one.port}" if origin == "own" else origin
        async with opened(one, headers=headers) as socket:
            welcome = await read(socket)
            assert (welcome["player"] or {}).get("id") == player


async def test_unknown_game_is_gone(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as socket:
        await wanted(socket, "welcome")
        await say(socket, t="sub", game="nothing", v=0)
        gone = await read(socket)
        assert (gone["t"], gone["code"]) == ("gone", "not_found")
        game.new_game("nothing")
        await say(socket, t="sub", game="nothing", v=0)
        assert (await read(socket))["t"] == "full"


async def test_subscription_waits_for_the_game_service(game: FakeGame, redis_url: str) -> None:
    async with gateway(game, redis_url, hub_load_ms=200) as one, opened(one) as socket:
        await wanted(socket, "welcome")
        game.down = True
        await say(socket, t="sub", game="g1", v=0)
        await until(lambda: game.calls["Fetch"] > 4)
        game.down = False
        assert (await read(socket))["t"] == "full"


async def test_a_claim_ends_the_game_or_changes_nothing(game: FakeGame, one: Gateway) -> None:
    async with opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        await say(anna, t="claim", game="g1", id="c1")
        assert (await wanted(anna, "nack"))["code"] == "not_allowed"
        await say(anna, t="claim", game="g1", id="c2", move=REPEATS)
        ack = await wanted(anna, "ack")
        assert (ack["id"], ack["state"]["reason"], ack["state"]["winner"]) == ("c2", "repetition", None)
        assert game.games["g1"][-1].state.version == ack["v"] == 2


async def test_command_without_an_answer_is_unavailable(game: FakeGame, redis_url: str) -> None:
    async with gateway(game, redis_url, command_timeout_ms=300) as one, opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        game.down = True
        await say(anna, t="resign", game="g1", id="c1")
        nack = await read(anna)
        assert (nack["t"], nack["id"], nack["code"]) == ("nack", "c1", "unavailable")
        game.down = False
        await say(anna, t="resign", game="g1", id="c1")
        assert (await read(anna))["t"] == "ack"


async def test_a_resignation_that_is_searched_keeps_nobody_waiting(game: FakeGame, redis_url: str) -> None:
    async with (
        gateway(game, redis_url, command_timeout_ms=100, command_pause_ms=25) as one,
        opened(one, "anna") as anna,
    ):
        await wanted(anna, "welcome")
        game.new_game("g2")
        game.searching = True
        await say(anna, t="resign", game="g1", id="r")
        await until(lambda: game.searched["ws:r"] > 8)  # in 100 ms it would be asked four times
        for game_id in ("g2", "g1"):
            await say(anna, t="move", game=game_id, id=game_id, move="e4", ply=0)
            ack = await read(anna)
            assert (ack["t"], ack["id"], ack["v"]) == ("ack", game_id, 2)
        await say(anna, t="p", n=7)
        assert (await read(anna))["n"] == 7
        game.searching = False
        ack = await read(anna)
        assert (ack["t"], ack["id"], ack["v"]) == ("ack", "r", 3)
        assert [ack["state"][name] for name in ("status", "reason", "winner")] == ["ended", "resignation", None]
        assert list(game.searched) == ["ws:r"]


async def test_a_gateway_that_ends_waits_for_no_search(game: FakeGame, redis_url: str) -> None:
    began = time.monotonic()
    async with (
        gateway(game, redis_url, resignation_timeout_ms=60_000, drain_ms=200) as one,
        opened(one, "anna") as anna,
    ):
        await wanted(anna, "welcome")
        game.searching = True
        await say(anna, t="resign", game="g1", id="r")
        await until(lambda: game.searched["ws:r"] > 0)
    assert time.monotonic() - began < 30


class _Broken:
    """A game service whose client has a defect."""

    async def ask(self, command: game_pb2.Command) -> game_pb2.Reply:
        """Fails as nobody foresaw."""
        raise KeyError("broken on purpose")

    async def post_chat(self, request: game_pb2.PostChatRequest) -> events_pb2.ChatLine:
        """Fails as nobody foresaw."""
        raise KeyError("broken on purpose")

    async def ask_hint(self, request: game_pb2.AskHintRequest) -> game_pb2.Accepted:
        """Fails as nobody foresaw."""
        raise KeyError("broken on purpose")


async def test_what_fails_unforeseen_is_answered_and_logged(
    game: FakeGame, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """With one undecided command allowed, so that each answer must have given its place back."""
    async with gateway(game, redis_url, socket_commands_max=1) as one, opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        working, one.door.commands = one.door.commands, _Broken()
        for number in range(3):
            await say(anna, t="resign", game="g1", id=f"c{number}")
            nack = await read(anna)
            assert (nack["t"], nack["id"], nack["code"]) == ("nack", f"c{number}", "unavailable")
        await say(anna, t="chat", game="g1", id="line", text="hello", room="player")
        nack = await read(anna)
        assert (nack["t"], nack["id"], nack["game"], nack["code"]) == ("nack", "line", "g1", "unavailable")
        assert caplog.text.count("KeyError: 'broken on purpose'") == 4
        one.door.commands = working
        await say(anna, t="resign", game="g1", id="c0")
        assert (await read(anna))["t"] == "ack"


async def test_players_own_events(game: FakeGame, one: Gateway, redis_url: str) -> None:
    game.tell("anna")
    async with opened(one, "anna") as anna, opened(one, "bob") as bob:
        await wanted(anna, "welcome")
        await wanted(bob, "welcome")
        await until(lambda: one.hub.players == 2 and one.hub.listeners == 2)
        game.tell("anna")
        await publish_player(redis_url, game.tell("anna"))  # the one before was lost
        assert [(await read(anna))["seq"] for _ in range(2)] == [2, 3]
        await say(bob, t="p", n=1)
        assert (await read(bob))["t"] == "p"
    game.tell("anna")
    async with opened(one, "anna", "?seq=2") as anna:
        assert (await read(anna))["t"] == "welcome"
        assert [(await read(anna))["seq"] for _ in range(2)] == [3, 4]


async def test_nothing_is_missed_after_following(game: FakeGame, one: Gateway, redis_url: str) -> None:
    game.tell("anna")
    async with opened(one, "anna") as anna:
        assert (await wanted(anna, "following"))["seq"] == 1
        await publish_player(redis_url, game.tell("anna"))
        assert (await read(anna))["seq"] == 2
    async with opened(one, "anna", "?seq=0") as anna:
        assert [(await wanted(anna, "player"))["seq"] for _ in range(2)] == [1, 2]
        assert (await wanted(anna, "following"))["seq"] == 2


async def test_chat_reaches_whom_it_may(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async with opened(one, "anna") as anna, opened(one, "bob") as bob, opened(one, "carl") as carl:
        for socket in (anna, bob, carl):
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=0)
            await wanted(socket, "full")
        await say(anna, t="chat", game="g1", id="c1", text="good luck", room="player")
        assert await wanted(anna, "ack") == {"t": "ack", "id": "c1", "game": "g1"}
        await publish_chat(redis_url, game.chat[0])
        line = await wanted(bob, "chat")
        assert (line["room"], line["by"]["id"], line["text"]) == ("player", "anna", "good luck")
        spectator = events_pb2.ChatLine(
            game_id="g1", room=events_pb2.CHAT_ROOM_SPECTATOR, player_id="carl", text="Nf3!", at_ms=START_MS
        )
        await publish_chat(redis_url, spectator)
        assert (await read(carl))["text"] == "Nf3!"  # and not what the players say
        await publish(redis_url, game.play("g1"))
        assert (await wanted(anna, "event"))["v"] == 2


async def test_delivery_is_measured_and_a_clock_that_is_ahead_counts_as_quick(
    game: FakeGame, one: Gateway, redis_url: str
) -> None:
    def sample(kind: str) -> float:
        return REGISTRY.get_sample_value(f"flagfall_move_delivery_seconds_{kind}", {"mode": "clock"}) or 0.0

    async with opened(one, "anna") as anna, opened(one, "bob") as bob:
        for socket in (anna, bob):
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=0)
            await wanted(socket, "full")
        count, total_s = sample("count"), sample("sum")
        early = game.play("g1")
        early.state.at_ms = int(time.time() * 1000) + 60_000  # another machine's clock
        await publish(redis_url, early)
        assert (await wanted(bob, "event"))["v"] == 2
        await until(lambda: sample("count") == count + 1)
        assert sample("sum") == total_s
        late = game.play("g1")
        late.state.at_ms = int(time.time() * 1000) - 3_000
        await publish(redis_url, late)
        await until(lambda: sample("count") == count + 2)
        assert 3.0 <= sample("sum") - total_s < 3.0 + WITHIN_S
