"""Sockets that flood, dawdle, vanish or come too many, and a server that goes: what nobody else may notice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from prometheus_client import REGISTRY
from redis.asyncio import Redis
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.integration.gateway.fake_game import FakeGame, publish
from tests.integration.sockets.running_sockets import (
    WITHIN_S,
    Gateway,
    Socket,
    closed,
    code_of,
    gateway,
    masked,
    opened,
    raw,
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
    sent = 0

    async def attack() -> None:
        nonlocal sent
        while not stop.is_set():
            async with opened(one) as socket:
                with suppress(ConnectionClosed):
                    for _ in range(100):
                        await socket.send(bad[sent % len(bad)])
                        sent += 1
                assert await code_of(socket) in (4029, None)

    async with opened(one, "anna") as anna, opened(one, "bob") as bob:
        for socket in (anna, bob):
            await wanted(socket, "welcome")
            await say(socket, t="sub", game="g1", v=0)
            await wanted(socket, "full")
        before = closed(4029)
        attacks = [asyncio.ensure_future(attack()) for _ in range(8)]
        await until(lambda: closed(4029) > before)  # it is under way, and goes on until it is stopped
        for number in range(40):
            await say((anna, bob)[number % 2], t="move", game="g1", id=f"c{number}", move="x", ply=number)
            for socket in (anna, bob):
                assert (await wanted(socket, "event"))["v"] == number + 2
            await asyncio.sleep(0.02)
        async with asyncio.timeout(120):
            while closed(4029) - before < 120 or sent < 10_000:
                await asyncio.sleep(0.05)
        stop.set()
        await asyncio.gather(*attacks)
        await say(anna, t="p", n=1)
        assert (await wanted(anna, "p"))["n"] == 1


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
    """Those whose turn has not come are served as ever while others are gone."""
    async with gateway(game, redis_url, socket_drain_ms=2_000) as one:
        sockets = [await opened(one) for _ in range(20)]
        for socket in sockets:
            await wanted(socket, "welcome")
        some_are_gone = asyncio.Event()
        answered: list[int] = []

        async def leave(number: int, socket: Socket) -> None:
            with suppress(ConnectionClosed):
                while True:
                    frame = await read(socket)
                    assert (frame["t"], frame["n"]) == ("p", number)
                    answered.append(number)
            assert socket.close_code == 1012
            some_are_gone.set()

        leaving = [asyncio.ensure_future(leave(number, socket)) for number, socket in enumerate(sockets)]
        draining = asyncio.ensure_future(one.door.drain())
        await some_are_gone.wait()
        for number, socket in enumerate(sockets):
            with suppress(ConnectionClosed):
                await say(socket, t="p", n=number)
        await asyncio.gather(draining, *leaving)
        assert len(answered) >= len(sockets) / 2, "all were closed at once"
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
    async with Redis.from_url(redis_url) as redis, asyncio.timeout(WITHIN_S):
        while len(await redis.client_list()) > 3:  # Redis may notice the last one later
            await asyncio.sleep(0.02)
