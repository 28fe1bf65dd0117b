"""The connection of a client: it pings, reconnects by itself (to the next gateway, with growing random delays), resumes
with its last version, and retries unanswered commands with the same id."""

import asyncio
import contextlib
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.chaos.facts import Seat
from tests.chaos.mind import Style

Frame = dict[str, Any]

PING_S = 2.5
PONG_WITHIN_S = 9.0
OPEN_WITHIN_S = 5.0
DELAY_S = (0.2, 5.0)
NO_FAREWELL = 1006
"""What a client notes of a connection that ended without a close frame (RFC 6455, 7.4.1)."""


@dataclass(slots=True)
class Line(ABC):
    """Use `async with`."""

    gateways: Sequence[str]
    first: int
    token: str
    seat: Seat
    style: Style
    chance: random.Random
    state: Frame = field(default_factory=dict)
    resumed: bool = False
    """Whether this connection has heard the answer to `sub`."""
    away: bool = False
    """Whether it has left the page."""
    reconnects: int = 0
    _owed: dict[str, str] = field(default_factory=dict)
    _socket: ClientConnection | None = None
    _live_task: asyncio.Task[None] | None = None
    _minds: set[asyncio.Task[None]] = field(default_factory=set)
    _version: int = 0

    async def __aenter__(self) -> Self:
        self._live_task = asyncio.create_task(self._live())
        self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._minds, *([self._live_task] if self._live_task else [])]
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                self.seat.complaints.append(f"the checker itself failed: {result!r}")

    @abstractmethod
    def _begin(self) -> None:
        """Start the background tasks."""

    @abstractmethod
    def _frame(self, frame: Frame) -> None:
        """Take a frame of the server."""

    async def _live(self) -> None:
        at, delay_s = self.first, DELAY_S[0]
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            url = self.gateways[at % len(self.gateways)].replace("http", "ws", 1) + "/api/flagfall/ws"
            try:
                async with connect(
                    url,
                    additional_headers=headers,
                    compression=None,
                    open_timeout=OPEN_WITHIN_S,
                    close_timeout=1,
                    ping_interval=None,
                ) as socket:
                    self._socket = socket
                    await self._subscribe()
                    for command_id in list(self._owed):
                        await self._write(command_id)
                    delay_s = DELAY_S[0]
                    await self._read(socket)
            except ConnectionClosed as ending:
                self.seat.closed.append((now_ms(), ending.rcvd.code if ending.rcvd is not None else NO_FAREWELL))
            except (OSError, TimeoutError, EOFError, InvalidHandshake):
                pass
            finally:
                self._socket = None
                self._absent()
            if self.away:
                await asyncio.sleep(self.style.away_s)
                self.away = False
                continue
            self.reconnects += 1
            at += 1
            await asyncio.sleep(delay_s * self.chance.uniform(0.5, 1.5))
            delay_s = min(DELAY_S[1], delay_s * 2)

    def _present(self) -> None:
        if not self.resumed:
            self.resumed = True
            self.seat.here.append((now_ms(), None))

    def _absent(self) -> None:
        if self.resumed:
            self.resumed = False
            self.seat.here[-1] = (self.seat.here[-1][0], now_ms())

    async def _leave(self) -> None:
        """Close the page for a while."""
        self.away = True
        self._absent()
        self.seat.left.append(now_ms())
        if self._socket is not None:
            await self._socket.close()

    async def _subscribe(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # `_live` connects and asks again
                await self._socket.send(text_of({"t": "sub", "game": self.seat.game_id, "v": self._version}))

    async def _read(self, socket: ClientConnection) -> None:
        heard_s = time.monotonic()
        while True:
            try:
                async with asyncio.timeout(PING_S):
                    text = await socket.recv()
            except TimeoutError:
                if time.monotonic() - heard_s > PONG_WITHIN_S:
                    return
                await socket.send('{"t":"p"}')
                continue
            heard_s = time.monotonic()
            self._frame(orjson.loads(text))

    def _spawn(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._minds.add(task)
        task.add_done_callback(self._minds.discard)

    async def _write(self, command_id: str) -> None:
        text = self._owed.get(command_id)
        if self._socket is None or text is None:
            return  # `_live` sends it once there is a connection
        command = self.seat.commands[command_id]
        command.sent_ms, command.sendings = now_ms(), command.sendings + 1
        try:
            await self._socket.send(text)
        except ConnectionClosed:
            pass  # the same


def now_ms() -> int:
    """The time of this machine."""
    return time.time_ns() // 1_000_000


def text_of(frame: Frame) -> str:
    """A frame as it is sent."""
    return orjson.dumps(frame).decode()
