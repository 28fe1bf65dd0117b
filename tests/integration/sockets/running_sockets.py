"""A door for WebSockets before a game service that is faked, and short ways to be one of its clients."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import uvicorn
from prometheus_client import REGISTRY
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from services.gateway.game_calls.game_client import GameClient
from services.gateway.game_calls.tokens import Auth
from services.gateway.hub.hub import Hub
from services.gateway.settings import GatewaySettings
from services.gateway.sockets.door import WebSocketDoor
from services.gateway.sockets.websocket_protocol import uvicorn_options
from tests.integration.gateway.fake_game import FakeGame, channel_to
from tests.stack.declared_frames import declared

WITHIN_S = 15.0
Socket = ClientConnection


class NoBoards:
    """Whoever is at a board is nobody's business here."""

    def enter(self, *somebody: object) -> None: ...

    def leave(self, *somebody: object) -> None: ...


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
            door = WebSocketDoor(settings, hub, client, Auth(client, settings), NoBoards())
            config = uvicorn.Config(
                door, port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1, **uvicorn_options(settings)
            )
            server = _Server(config)
            serving = asyncio.ensure_future(server.serve())
            sweeping = asyncio.gather(door.sweep(), door.look_again())
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
    """The next frame but `following`, which comes some time after a player's welcome."""
    while (frame := await _next(socket))["t"] == "following":
        pass
    return frame


async def wanted(socket: Socket, kind: str) -> dict[str, Any]:
    """The next frame of a type, the others skipped."""
    while (frame := await _next(socket))["t"] != kind:
        pass
    return frame


async def _next(socket: Socket) -> dict[str, Any]:
    async with asyncio.timeout(WITHIN_S):
        text = await socket.recv()
    assert isinstance(text, str)
    return declared(text)


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


def closed(code: int) -> float:
    """How many connections of this process were closed with a code."""
    return REGISTRY.get_sample_value("flagfall_ws_closed_total", {"code": str(code)}) or 0.0
