"""One client of the WebSocket protocol (docs/protocol.md) for one seat of one game, as a bot author would write it.

It keeps the last version it applied, resumes with it after a lost connection, and sends a command again with the same
id until it hears what became of it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Frame = dict[str, Any]

RECONNECT_S = 0.2
PING_S = 2.5


@dataclass(slots=True)
class SocketClient:
    """Use `async with`. `heard` is called with each new event of the game (or the whole game), in order of versions."""

    url: str
    token: str
    game_id: str
    heard: Callable[["SocketClient", Frame], Awaitable[None]]
    version: int = 0
    state: Frame = field(default_factory=dict)
    reconnects: int = 0
    acked: dict[str, int] = field(default_factory=dict)
    """Command ids that were acknowledged, with their versions."""
    refused: list[Frame] = field(default_factory=list)
    ack_s: list[float] = field(default_factory=list)
    _unanswered: dict[str, tuple[str, float]] = field(default_factory=dict)
    _socket: ClientConnection | None = None
    _task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._live())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def send(self, kind: str, command_id: str, **fields: Any) -> None:
        """Send a command, now and again after each reconnect until it is answered."""
        frame = orjson.dumps({"t": kind, "game": self.game_id, "id": command_id, **fields}).decode()
        self._unanswered[command_id] = (frame, time.perf_counter())
        await self._write(frame)

    async def _write(self, frame: str) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(frame)
            except ConnectionClosed:
                pass  # `_live` connects again and sends what was not answered

    async def _live(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            try:
                async with connect(self.url, additional_headers=headers, compression=None) as socket:
                    self._socket = socket
                    await self._write(orjson.dumps({"t": "sub", "game": self.game_id, "v": self.version}).decode())
                    for frame, _ in list(self._unanswered.values()):
                        await self._write(frame)
                    await self._read(socket)
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake):
                pass
            finally:
                self._socket = None
            self.reconnects += 1
            await asyncio.sleep(RECONNECT_S)

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            try:
                async with asyncio.timeout(PING_S):
                    text = await socket.recv()
            except TimeoutError:
                await socket.send('{"t":"p"}')
                continue
            await self._frame(orjson.loads(text))

    async def _frame(self, frame: Frame) -> None:
        match frame["t"]:
            case "full":
                await self._apply(frame["v"], frame)
            case "events":
                for event in frame["events"]:
                    await self._apply(event["v"], event)
            case "event":
                if frame["v"] > self.version + 1:
                    await self._write(orjson.dumps({"t": "sub", "game": self.game_id, "v": self.version}).decode())
                else:
                    await self._apply(frame["v"], frame)
            case "ack":
                waited = self._unanswered.pop(frame["id"], None)
                self.acked[frame["id"]] = frame["v"]
                if waited is not None:
                    self.ack_s.append(time.perf_counter() - waited[1])
            case "nack":
                if frame["code"] == "unavailable":
                    return  # sent again below, by id
                self._unanswered.pop(frame["id"], None)
                self.refused.append(frame)

    async def _apply(self, version: int, frame: Frame) -> None:
        if version <= self.version:
            return
        self.version, self.state = version, frame["state"]
        await self.heard(self, frame)
