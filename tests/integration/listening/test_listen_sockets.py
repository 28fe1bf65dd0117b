"""Real gateway processes with clients that read nothing, vanish without a word, or sit at another one (case I06)."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.gateway.fake_game import FakeGame
from tests.integration.gateway.gateway_subprocess import GatewayProcess, gateway_process, loud_game
from tests.integration.sockets.running_sockets import masked, read, say, wanted
from tests.stack.proxy import proxy_to

GAME = "game0001"
SLOW = 8
EVENT_BYTES = 40_000
ROUND = 300
"""Events of 12 MB: what is kept for those who read nothing shows in the process's memory."""


@pytest.fixture
async def game(redis_url: str) -> AsyncIterator[FakeGame]:
    async with loud_game(redis_url) as game:
        game.new_game(GAME)
        yield game


def client(gateway: GatewayProcess, token: str | None = None, port: int | None = None, **options: Any) -> connect:
    """A client's connection."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    url = gateway.url() if port is None else f"ws://127.0.0.1:{port}/api/flagfall/ws"
    return connect(url, additional_headers=headers, proxy=None, **options)


async def watch(sockets: list[ClientConnection], v: int = 0) -> None:
    """Have each hear the game from here on."""
    for each in sockets:
        await wanted(each, "welcome")
        await say(each, t="sub", game=GAME, v=v)
        await wanted(each, "full")


@asynccontextmanager
async def deaf(gateway: GatewayProcess) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A client that watches the game and reads nothing more, with small buffers at its end."""
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    end.setblocking(False)
    await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", gateway.port))
    reader, writer = await asyncio.open_connection(sock=end, limit=4_096)
    writer.write(
        b"GET /api/flagfall/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    writer.write(masked(f'{{"t":"sub","game":"{GAME}","v":0}}'))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def test_clients_that_read_nothing_are_cut_and_nobody_else_notices(game: FakeGame, redis_url: str) -> None:
    limits: dict[str, Any] = {"socket_queue_frames_max": 200, "socket_close_ms": 3_000, "socket_silence_ms": 600_000}
    async with gateway_process(game.target, redis_url, **limits) as gateway, AsyncExitStack() as stack:
        quick = [await stack.enter_async_context(client(gateway)) for _ in range(3)]
        await watch(quick)
        held = gateway.descriptors
        ends = [await stack.enter_async_context(deaf(gateway)) for _ in range(SLOW)]
        await gateway.until("hub_listeners", SLOW + len(quick))

        async def play(count: int) -> None:
            for _ in range(count):
                event = game.play(GAME)
                event.state.fen = "x" * EVENT_BYTES
                await game.tell_all(event)
                for each in quick:
                    assert (await wanted(each, "event"))["v"] == event.state.version

        async with asyncio.timeout(60):
            while await gateway.metric("ws_slow_consumer_drops_total") < SLOW:
                await play(25)

        # One begins to read after all: behind what was on its way stands why it was closed.
        reader, _ = ends[0]
        last = b""
        async with asyncio.timeout(20):
            while b"too slow" not in last and (chunk := await reader.read(65_536)):
                last = (last + chunk)[-64:]
        assert b"\x88" in last
        assert (4008).to_bytes(2, "big") in last

        # What was kept would be there after each round; what the allocator takes for itself it takes once.
        grown_mib: list[float] = []
        while not grown_mib or (grown_mib[-1] >= 6 and len(grown_mib) < 4):
            before_mib = gateway.resident_mib
            await play(ROUND)
            grown_mib.append(gateway.resident_mib - before_mib)
        assert grown_mib[-1] < 6, grown_mib
        # The others never read, and are cut all the same.
        await gateway.until('ws_closed_total{code="4008"}', SLOW)
        await gateway.until("ws_connections", len(quick))
        await gateway.until("hub_listeners", len(quick))
        async with asyncio.timeout(20):
            while gateway.descriptors > held:
                await asyncio.sleep(0.02)


async def test_clients_that_vanish_without_a_word_are_dropped(game: FakeGame, redis_url: str) -> None:
    """The lid of a laptop: nothing comes any more, nothing is closed. 30 s by default; the time is shorter here."""
    async with (
        gateway_process(game.target, redis_url, socket_silence_ms=1_500, socket_ping_ms=300) as gateway,
        proxy_to(f"redis://127.0.0.1:{gateway.port}/0") as proxy,
        AsyncExitStack() as stack,
    ):
        port = int(proxy.url.rpartition(":")[2].partition("/")[0])
        ghosts = [
            await stack.enter_async_context(client(gateway, port=port, ping_interval=None, close_timeout=0))
            for _ in range(20)
        ]
        alive = await stack.enter_async_context(client(gateway, ping_interval=None))
        await watch([*ghosts, alive])
        assert await gateway.metric("ws_connections") == 21
        proxy.swallow()
        await gateway.until("ws_connections", 1, 10)
        assert await gateway.metric('ws_closed_total{code="4000"}') == 20
        assert await gateway.metric("hub_listeners") == 1
        await game.tell_all(game.play(GAME))
        assert (await wanted(alive, "event"))["v"] == 2  # which has sent nothing either, but answers pings
        proxy.cut()


async def test_a_move_through_one_gateway_reaches_all_watchers_of_another(game: FakeGame, redis_url: str) -> None:
    async with (
        gateway_process(game.target, redis_url) as one,
        gateway_process(game.target, redis_url) as two,
        client(one, "anna") as anna,
        client(two, "bob") as bob,
        client(one) as watcher_of_one,
        client(two) as watcher_of_two,
        httpx.AsyncClient(trust_env=False) as http,
        http.stream(
            "GET",
            f"http://127.0.0.1:{two.port}/api/board/game/stream/{GAME}",
            headers={"Authorization": "Bearer bob"},
            timeout=20,
        ) as stream,
    ):
        lines = stream.aiter_lines()
        everybody = [anna, bob, watcher_of_one, watcher_of_two]
        await watch(everybody)
        for number in range(20):
            mover = everybody[number % 2]
            await say(mover, t="move", game=GAME, id=f"c{number}", move="x", ply=number)
            for each in everybody:
                event = await wanted(each, "event")
                assert (event["v"], event["kind"]) == (number + 2, "move")
        states: list[str] = []
        async with asyncio.timeout(20):
            while not states or len(states[-1].split()) < 20:
                if text := await anext(lines):
                    line = orjson.loads(text)
                    states.append(line.get("state", line)["moves"])
        assert states[-1].split() == [f"m{ply}" for ply in range(1, 21)]

        one.process.kill()  # and its clients go to the other one, with the last version that they saw
        await game.tell_all(game.play(GAME, 2))
        async with client(two) as again:
            await wanted(again, "welcome")
            await say(again, t="sub", game=GAME, v=21)
            seen: list[int] = []
            while len(seen) < 2:
                frame = await read(again)
                seen += [event["v"] for event in frame.get("events", [frame])]
            assert seen == [22, 23]
