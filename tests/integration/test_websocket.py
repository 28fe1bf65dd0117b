"""Sockets over a real server, a real Valkey and a real gRPC: what each end sees, and what nobody else may notice."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
import uvicorn
from prometheus_client import REGISTRY
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from services.gateway.auth import Auth
from services.gateway.game_client import GameClient
from services.gateway.hub import Hub
from services.gateway.settings import GatewaySettings
from services.gateway.websocket import WebSocketDoor
from services.gateway.websocket_protocol import uvicorn_options
from services.pb.flagfall.v1 import events_pb2, game_pb2
from tests.integration.fake_game import START_MS, FakeGame, channel_to, publish, publish_chat, publish_player

WITHIN_S = 15.0
Socket = ClientConnection


@dataclass(slots=True)
class Gateway:
    """One gateway without HTTP."""

    port: int
    hub: Hub
    door: WebSocketDoor

    def url(self, query: str = "") -> str:
        return f"ws://127.0.0.1:{self.port}/api/flagfall/ws{query}"


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the tests."""
        yield


@asynccontextmanager
async def gateway(game: FakeGame, redis_url: str, **changes: object) -> AsyncIterator[Gateway]:
    """A door on a free port, a hub, and clients of a fake game service."""
    fields = {"redis_url": redis_url, "hub_silence_ms": 600_000, "hub_linger_ms": 50, "hub_tick_ms": 10, "port": 0}
    settings = GatewaySettings.model_validate({**fields, "socket_drain_ms": 100, "socket_sweep_ms": 50, **changes})
    async with channel_to(game) as channel:
        client = GameClient(channel, settings)
        async with Hub(settings, client) as hub:
            client.on_accepted = hub.committed
            door = WebSocketDoor(settings, hub, client, Auth(client, settings))
            config = uvicorn.Config(
                door, port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1, **uvicorn_options(settings)
            )
            server = _Server(config)
            serving = asyncio.ensure_future(server.serve())
            sweeping = asyncio.ensure_future(door.sweep())
            await until(lambda: server.started and hub.hearing)
            yield Gateway(server.servers[0].sockets[0].getsockname()[1], hub, door)
            sweeping.cancel()
            await door.drain()
            server.should_exit = True
            await asyncio.gather(serving, sweeping, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    """Return once it is so."""
    async with asyncio.timeout(WITHIN_S):
        while not condition():
            await asyncio.sleep(0.005)


async def read(socket: Socket) -> dict[str, Any]:
    """The next frame."""
    async with asyncio.timeout(WITHIN_S):
        text = await socket.recv()
    assert isinstance(text, str)
    frame: dict[str, Any] = orjson.loads(text)
    return frame


async def wanted(socket: Socket, kind: str) -> dict[str, Any]:
    """The next frame of a type, the others skipped."""
    while (frame := await read(socket))["t"] != kind:
        pass
    return frame


async def say(socket: Socket, **frame: object) -> None:
    """Send a frame."""
    await socket.send(orjson.dumps(frame).decode())


async def code_of(socket: Socket) -> int | None:
    """The close code, once closed."""
    async with asyncio.timeout(WITHIN_S):
        try:
            while True:
                await socket.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


def opened(gateway: Gateway, token: str | None = None, query: str = "", **options: Any) -> Any:
    """A client's connection."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return connect(gateway.url(query), additional_headers=headers | options.pop("headers", {}), **options)


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


class _Broken:
    """A game service whose client has a defect."""

    async def ask(self, command: game_pb2.Command) -> game_pb2.Reply:
        """Fails as nobody foresaw."""
        raise KeyError("broken on purpose")

    async def post_chat(self, request: game_pb2.PostChatRequest) -> events_pb2.ChatLine:
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


async def test_ten_thousand_bad_frames_disturb_nobody(game: FakeGame, one: Gateway, redis_url: str) -> None:
    bad = [
        "{",
        "[]",
        '{"t":"x"}',
        '{"t":"move"}',
        "[" * 2_000,
        '{"t":"sub","game":7,"v":0}',
        "\x00",
        '{"t":"p","n":"x"}',
    ]
    stop = asyncio.Event()

    async def attack(number: int) -> int:
        sent = 0
        while not stop.is_set():
            async with opened(one) as socket:
                with suppress(ConnectionClosed):
                    for _ in range(100):
                        await socket.send(bad[sent % len(bad)])
                        sent += 1
                assert await code_of(socket) in (4029, None)
        return sent

    async with opened(one, "anna") as anna, opened(one, "bob") as bob:
        for socket in (anna, bob):
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=0)
            await wanted(socket, "full")
        before = _closed(4029)
        attacks = [asyncio.ensure_future(attack(number)) for number in range(8)]
        slowest_s = 0.0
        for number in range(40):
            started_s = time.monotonic()
            await say((anna, bob)[number % 2], t="move", game="g1", id=f"c{number}", move="x", ply=number)
            for socket in (anna, bob):
                assert (await wanted(socket, "event"))["v"] == number + 2
            slowest_s = max(slowest_s, time.monotonic() - started_s)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(60):
            while _closed(4029) - before < 120:
                await asyncio.sleep(0.05)
        stop.set()
        assert sum(await asyncio.gather(*attacks)) >= 10_000
        assert slowest_s < 2.0
        await say(anna, t="p", n=1)
        assert (await wanted(anna, "p"))["n"] == 1


def _closed(code: int) -> float:
    return REGISTRY.get_sample_value("flagfall_ws_closed_total", {"code": str(code)}) or 0.0


async def test_large_frame_closes_with_1009(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as socket:
        await wanted(socket, "welcome")
        await socket.send('{"t":"move","move":"' + "e" * 1_000_000 + '"}')
        assert await code_of(socket) == 1009


async def test_binary_frame_is_refused(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as socket:
        await wanted(socket, "welcome")
        await socket.send(b"\x00\x01")
        assert (await read(socket))["code"] == "malformed"


async def test_flood_closes_with_4029(game: FakeGame, one: Gateway) -> None:
    async with opened(one) as socket:
        with pytest.raises(ConnectionClosed):  # noqa: PT012
            for number in range(2_000):
                await say(socket, t="p", n=number)
            await code_of(socket)
            await say(socket, t="p")
        assert socket.close_code == 4029


async def test_silent_client_is_dropped_and_one_that_answers_pings_is_not(game: FakeGame, redis_url: str) -> None:
    async with (
        gateway(game, redis_url, socket_silence_ms=1_000, socket_ping_ms=200) as one,
        opened(one, ping_interval=None) as quiet,
        raw(one) as (reader, _writer),
    ):
        await wanted(quiet, "welcome")
        data = b""
        async with asyncio.timeout(WITHIN_S):
            while chunk := await reader.read(4_096):  # reads, but answers no ping
                data += chunk
        assert b"\x88" in data
        assert (4_000).to_bytes(2, "big") in data
        await say(quiet, t="p", n=1)  # has sent nothing for longer than the other
        assert (await wanted(quiet, "p"))["n"] == 1


@asynccontextmanager
async def raw(gateway: Gateway) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection after its handshake, with nothing that answers by itself."""
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port, limit=4_096)
    writer.write(
        b"GET /api/flagfall/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    try:
        yield reader, writer
    finally:
        writer.close()


def masked(text: str) -> bytes:
    """A client's text frame of less than 126 bytes."""
    data = text.encode()
    return bytes([0x81, 0x80 | len(data)]) + b"\x00" * 4 + data


async def test_slow_reader_is_cut_off_and_the_others_are_not(game: FakeGame, redis_url: str) -> None:
    drops = REGISTRY.get_sample_value("flagfall_ws_slow_consumer_drops_total") or 0.0
    limits = {"socket_queue_frames_max": 50, "socket_close_ms": 200}
    async with gateway(game, redis_url, **limits) as one, opened(one) as quick, raw(one) as (_reader, writer):
        await wanted(quick, "welcome")
        await say(quick, t="sub", game="g1", v=0)
        await wanted(quick, "full")
        writer.write(masked('{"t":"sub","game":"g1","v":0}'))
        await until(lambda: one.hub.listeners == 2)
        version = 1
        async with asyncio.timeout(60):
            while one.hub.listeners == 2:
                for _ in range(20):
                    event = game.play("g1")
                    event.state.fen = "x" * 20_000  # fills the buffers between here and there sooner
                    await publish(redis_url, event)
                    version += 1
                    assert (await wanted(quick, "event"))["v"] == version
        await until(lambda: len(one.door) == 1)
        assert REGISTRY.get_sample_value("flagfall_ws_slow_consumer_drops_total") == drops + 1


async def test_drain_closes_all_with_1012_over_time(game: FakeGame, redis_url: str) -> None:
    async with gateway(game, redis_url, socket_drain_ms=400) as one:
        sockets = [await opened(one) for _ in range(20)]
        for socket in sockets:
            await wanted(socket, "welcome")
        closed_s: list[float] = []

        async def watch(socket: Socket) -> None:
            assert await code_of(socket) == 1012
            closed_s.append(time.monotonic())

        watching = [asyncio.ensure_future(watch(socket)) for socket in sockets]
        await one.door.drain()
        await asyncio.gather(*watching)
        assert max(closed_s) - min(closed_s) > 0.2
        with pytest.raises(InvalidStatus) as caught:
            await opened(one)
        assert caught.value.response.status_code == 503


async def test_drain_lets_commands_be_answered(game: FakeGame, one: Gateway) -> None:
    async with opened(one, "anna") as anna:
        await wanted(anna, "welcome")
        game.submit_gate.clear()
        await say(anna, t="move", game="g1", id="c1", move="e4", ply=0)
        await until(lambda: game.calls["Submit"] == 1)
        draining = asyncio.ensure_future(one.door.drain())
        assert await code_of(anna) == 1012
        game.submit_gate.set()
        await draining
    assert len(game.games["g1"]) == 2


async def test_drain_goes_on_after_a_failure(one: Gateway, caplog: pytest.LogCaptureFixture) -> None:
    go_on = asyncio.Event()
    seen: list[str] = []

    async def fails() -> None:
        await go_on.wait()
        raise KeyError("broken on purpose")

    async def ends() -> None:
        await go_on.wait()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        seen.append("the other one")

    one.door.see_through(fails())
    one.door.see_through(ends())
    draining = asyncio.ensure_future(one.door.drain())
    await asyncio.sleep(0)
    go_on.set()
    await draining
    assert seen == ["the other one"]
    assert caplog.text.count("KeyError: 'broken on purpose'") == 1


async def test_full_server_refuses_with_503(game: FakeGame, redis_url: str) -> None:
    async with gateway(game, redis_url, sockets_max=1) as one, opened(one) as socket:
        await wanted(socket, "welcome")
        with pytest.raises(InvalidStatus) as caught:
            await opened(one)
        assert caught.value.response.status_code == 503


async def test_thousand_connections_leave_nothing(game: FakeGame, one: Gateway, redis_url: str) -> None:
    async def visit(number: int) -> None:
        async with opened(one, ("anna", "bob", None)[number % 3]) as socket:
            await say(socket, t="sub", game="g1", v=number % 4)
            await say(socket, t="sub", game=f"none{number % 5}", v=0)
            if number % 2:
                await wanted(socket, "full" if number % 4 != 1 else "events")
            if number % 7 == 0:
                socket.transport.abort()

    tasks = asyncio.all_tasks()
    for start in range(0, 1_000, 50):
        await asyncio.gather(*(visit(number) for number in range(start, start + 50)))
    await until(lambda: len(one.door) == 0)
    await until(lambda: one.hub.games == 0 and one.hub.players == 0)
    assert one.hub.listeners == 0
    await until(lambda: len(asyncio.all_tasks()) <= len(tasks) + 1)
    async with Redis.from_url(redis_url) as redis:
        assert len(await redis.client_list()) <= 3


async def test_delivery_is_measured_and_a_clock_that_is_ahead_counts_as_quick(
    game: FakeGame, one: Gateway, redis_url: str
) -> None:
    def sample(kind: str) -> float:
        return REGISTRY.get_sample_value(f"flagfall_move_delivery_seconds_{kind}", {"mode": "clock"}) or 0.0

    async with opened(one) as socket:
        await wanted(socket, "welcome")
        await say(socket, t="sub", game="g1", v=0)
        await wanted(socket, "full")
        count, total_s = sample("count"), sample("sum")
        early = game.play("g1")
        early.state.at_ms = int(time.time() * 1000) + 60_000  # another machine's clock
        await publish(redis_url, early)
        assert (await wanted(socket, "event"))["v"] == 2
        await until(lambda: sample("count") == count + 1)
        assert sample("sum") == total_s
        late = game.play("g1")
        late.state.at_ms = int(time.time() * 1000) - 3_000
        await publish(redis_url, late)
        await until(lambda: sample("count") == count + 2)
        assert 3.0 <= sample("sum") - total_s < 3.0 + WITHIN_S
