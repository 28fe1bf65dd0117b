"""One client of the WebSocket protocol (docs/protocol.md) for one seat of one game, as a bot author would write it.

It keeps the last version it applied, resumes with it after a lost connection, and sends a command again with the same
id until it hears what became of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

Frame = dict[str, Any]

RECONNECT_S = 0.2
PING_S = 2.5
AGAIN_S = 0.2
"""Pause before a command that the server could not take is sent again, with the same id."""


@dataclass(slots=True)
class SocketClient:
    """Use `async with`. `heard` is called with each new event of the game (or the whole game), in order of versions."""

    url: str
    token: str
    game_id: str
    heard: Callable[["SocketClient", Frame], Awaitable[None]]
    version: int = 0
    state: Frame = field(default_factory=dict)
    refused: list[Frame] = field(default_factory=list)
    """Whatever the server would not do, except what it could not do just then."""
    failure: Exception | None = None
    """What `heard` raised, or reading a frame that is none of the protocol. The client has ended then; look at it
    after the `async with`."""
    _unanswered: dict[str, str] = field(default_factory=dict)
    """Frames of commands, by id."""
    _socket: ClientConnection | None = None
    _task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})  # what it raised but for this is `failure`

    async def until(self, event: asyncio.Event) -> None:
        """Wait for the event. Raises `failure` when the client fails before."""
        assert self._task is not None
        waiting = asyncio.create_task(event.wait())
        try:
            await asyncio.wait({waiting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self.failure is not None:
            raise self.failure

    async def send(self, kind: str, command_id: str, **fields: Any) -> None:
        """Send a command, now and again after each reconnect or `unavailable` until it is answered."""
        frame = orjson.dumps({"t": kind, "game": self.game_id, "id": command_id, **fields}).decode()
        self._unanswered[command_id] = frame
        await self._write(frame)

    async def _write(self, frame: str) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(frame)
            except ConnectionClosed:
                pass  # `_live` connects again and sends what was not answered

    async def _run(self) -> None:
        try:
            await self._live()
        except Exception as error:
            self.failure = error

    async def _live(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            try:
                async with connect(self.url, additional_headers=headers, compression=None) as socket:
                    self._socket = socket
                    await self._write(orjson.dumps({"t": "sub", "game": self.game_id, "v": self.version}).decode())
                    for frame in list(self._unanswered.values()):
                        await self._write(frame)
                    await self._read(socket)
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake):
                pass
            finally:
                self._socket = None
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
                self._unanswered.pop(frame["id"], None)
            case "nack" if frame["code"] == "unavailable":
                await asyncio.sleep(AGAIN_S)
                if again := self._unanswered.get(frame["id"]):
                    await self._write(again)
            case "nack":
                self._unanswered.pop(frame["id"], None)
                self.refused.append(frame)
            case "error" | "gone":
                self.refused.append(frame)

    async def _apply(self, version: int, frame: Frame) -> None:
        if version <= self.version:
            return
        self.version, self.state = version, frame["state"]
        await self.heard(self, frame)
