"""Frames behind a sign-in stay in order, on the event loop that is used in production."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, cast

import uvicorn
import uvloop
from websockets.asyncio.client import connect

from services.gateway.hub.hub import Hub
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.door import WebSocketDoor
from services.gateway.sockets.room import Commands
from services.gateway.sockets.websocket_protocol import uvicorn_options
from services.pb.flagfall.v1.events_pb2 import Player
from tests.integration.sockets.running_sockets import NoBoards

ROUNDS = 20


@dataclass
class Anna:
    """Who holds the token."""

    player: Player = field(default_factory=lambda: Player(id="anna", name="Anna"))
    scopes: tuple[str, ...] = ("board:play",)


class SlowTokens:
    """Answers when told, in a turn of the loop in which the next frame has arrived already."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()

    async def resolve(self, token: str) -> Anna:
        self.asked.set()
        await self.answer.wait()
        self.answer.clear()
        return Anna()


class NoHub:
    """Nothing happens to anybody."""

    async def join_player(self, *_: Any) -> tuple[int, list[Any]]:
        return 0, []

    def leave_player(self, *_: Any) -> None: ...


async def answers(port: int, tokens: SlowTokens) -> list[int]:
    """The numbers of the pings that were sent behind a sign-in, in the order of their answers."""
    async with connect(f"ws://127.0.0.1:{port}/", compression=None) as socket:
        await socket.recv()  # welcome
        tokens.asked.clear()
        await socket.send(json.dumps({"t": "auth", "token": "x"}))
        await tokens.asked.wait()
        await socket.send(json.dumps({"t": "p", "n": 1}))
        await asyncio.sleep(0.005)  # the first waits by now, or comes together with the second: both must be in order
        await socket.send(json.dumps({"t": "p", "n": 2}))
        tokens.answer.set()
        await socket.send(json.dumps({"t": "p", "n": 3}))
        seen: list[int] = []
        while len(seen) < 3:
            frame = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if frame["t"] == "p":
                seen.append(frame["n"])
        return seen


async def _play() -> None:
    tokens = SlowTokens()
    settings = SocketSettings.model_validate({"redis_url": "redis://nowhere"})
    door = WebSocketDoor(settings, cast(Hub, NoHub()), cast(Commands, None), tokens, NoBoards())
    options = uvicorn_options(settings)
    server = uvicorn.Server(uvicorn.Config(door, port=0, log_config=None, lifespan="off", interface="asgi3", **options))
    serving = asyncio.ensure_future(server._serve(None))
    try:
        async with asyncio.timeout(20):
            while not server.started:
                await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        for _ in range(ROUNDS):
            assert await answers(port, tokens) == [1, 2, 3]
    finally:
        server.should_exit = True
        await serving


def test_frames_behind_a_sign_in_stay_in_order() -> None:
    uvloop.run(_play())
