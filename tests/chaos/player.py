"""A client of docs/protocol.md for one seat of one game, which writes down all that it did and saw.

It does what the protocol asks of a client: it pings, comes back by itself (to the next gateway, with growing random
delays), resumes with its last version, and sends what was not answered again with the same id. Now and then it sends
again what was answered, which must get the same answer.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.chaos.facts import MOVE, STARTED, Command, Seat, Seen

Frame = dict[str, Any]

PING_S = 2.5
PONG_WITHIN_S = 9.0
OPEN_WITHIN_S = 5.0
DELAY_S = (0.2, 5.0)
BUSY_PAUSE_S = 0.3
EXPECTED = frozenset(["time_is_up", "game_over"])
"""Refusals that a client which sends only what is due may get."""


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays: thinking time, and chances for each of the own turns."""

    think_s: tuple[float, float]
    resigns: float = 0.0
    offers: float = 0.0
    repeats: float = 0.1
    """The chance that an answered command is sent again."""
    sleeps_after: int | None = None
    """Own moves after which no more come."""


@dataclass(slots=True)
class Player:
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
    moved_ms: int = 0
    """When something new of the game was last heard, or a command of ours last answered."""
    acks_ms: list[int] = field(default_factory=list)
    """When moves were acknowledged for the first time."""
    ack_s: list[float] = field(default_factory=list)
    reconnects: int = 0
    repeated: int = 0
    resting: bool = False
    """No more commands."""
    _owed: dict[str, str] = field(default_factory=dict)
    _began_s: dict[str, float] = field(default_factory=dict)
    _socket: ClientConnection | None = None
    _live_task: asyncio.Task[None] | None = None
    _minds: set[asyncio.Task[None]] = field(default_factory=set)
    _sent: int = 0
    _thought: int = 0
    _version: int = 0

    async def __aenter__(self) -> Self:
        self._live_task = asyncio.create_task(self._live())
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [*self._minds, *([self._live_task] if self._live_task else [])]
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                self.seat.complaints.append(f"the checker itself failed: {result!r}")

    @property
    def over(self) -> bool:
        """Whether this client knows that the game is over."""
        return bool(self.state) and self.state["status"] != STARTED

    @property
    def version(self) -> int:
        """The last version applied."""
        return self._version

    @property
    def owes(self) -> int:
        """Commands without an answer."""
        return len(self._owed)

    @property
    def asleep(self) -> bool:
        """Whether it is this player's turn and no move will come."""
        after = self.style.sleeps_after
        if after is None or not self.state or self.over or self.state["turn"] != self.seat.colour:
            return False
        return int(self.state["ply"]) // 2 >= after

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
            except (OSError, TimeoutError, EOFError, ConnectionClosed, InvalidHandshake):
                pass
            finally:
                self._socket = None
                self.resumed = False
            self.reconnects += 1
            at += 1
            await asyncio.sleep(delay_s * self.chance.uniform(0.5, 1.5))
            delay_s = min(DELAY_S[1], delay_s * 2)

    async def _subscribe(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # `_live` connects and asks again
                await self._socket.send(_text({"t": "sub", "game": self.seat.game_id, "v": self._version}))

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

    def _frame(self, frame: Frame) -> None:
        match frame["t"]:
            case "full":
                self.resumed = True
                self.seat.wholes.append((frame["v"], tuple(move["uci"] for move in frame["moves"])))
                if frame["v"] < self._version:
                    self.seat.complaints.append(f"a whole game of version {frame['v']} after {self._version}")
                self._apply(frame["v"], frame["state"])
            case "events":
                self.resumed = True
                for event in frame["events"]:
                    self._event(event)
            case "event":
                self._event(frame)
            case "ack":
                self._acked(frame)
            case "nack":
                self._refused(frame)
            case "gone" | "error":
                self.seat.complaints.append(f"heard {frame}")

    def _event(self, event: Frame) -> None:
        version, state = event["v"], event["state"]
        if version > self._version + 1:
            self.seat.complaints.append(f"version {version} after {self._version}")
            self._spawn(self._subscribe())
        last = state["lastMove"] or {"uci": "", "san": ""}
        seen = Seen(event["kind"], state["status"], state["ply"], state["fen"], last["uci"], last["san"])
        if self.seat.seen.setdefault(version, seen) != seen:
            self.seat.complaints.append(f"version {version} is {seen} and was {self.seat.seen[version]}")
        self._apply(version, state)

    def _apply(self, version: int, state: Frame) -> None:
        if version <= self._version:
            return
        self._version, self.state = version, state
        self.moved_ms = now_ms()
        self._consider()

    def _consider(self) -> None:
        """Think, if there is something to do that has not been thought about."""
        if self.over or self.resting or self._owed or self.asleep or self._thought == self._version:
            return
        mine = self.state["turn"] == self.seat.colour
        offered = self.state["drawOffer"] not in (None, self.seat.colour)
        if mine or offered:
            self._thought = self._version
            self._spawn(self._think(self._version, mine))

    def _spawn(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._minds.add(task)
        task.add_done_callback(self._minds.discard)

    async def _think(self, version: int, mine: bool) -> None:
        await asyncio.sleep(self.chance.uniform(*self.style.think_s))
        if self._version != version:
            return  # another thought has begun
        if self.resting or self._owed or (mine and not self.state.get("legal")):
            self._thought = 0
            return
        roll = self.chance.random()
        if not mine:
            await self._command("draw" if roll < 0.3 else "nodraw", "")
        elif roll < self.style.resigns:
            await self._command("resign", "")
        elif roll < self.style.resigns + self.style.offers and self.state["drawOffer"] is None:
            await self._command("draw", "")
        else:
            await self._command(MOVE, self.chance.choice(self.state["legal"]))

    async def _command(self, kind: str, text: str) -> None:
        self._sent += 1
        command = Command(f"{kind}{self._sent}", kind, text, self.state["ply"], self._version, now_ms())
        self.seat.commands[command.id] = command
        frame: Frame = {"t": kind, "game": self.seat.game_id, "id": command.id}
        if kind == MOVE:
            frame |= {"move": text, "ply": command.ply}
        self._owed[command.id] = _text(frame)
        self._began_s[command.id] = time.perf_counter()
        await self._write(command.id)

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

    def _acked(self, frame: Frame) -> None:
        command = self.seat.commands[frame["id"]]
        if command.acked is not None:
            if frame["v"] != command.acked or not frame.get("repeated"):
                self.seat.complaints.append(f"{command.id} was version {command.acked}, and sent again: {frame}")
            self.repeated += 1
            self._owed.pop(command.id, None)
            self._consider()
            return
        if command.refused:
            self.seat.complaints.append(f"{command.id} was refused as {command.refused} and then done: {frame}")
        text = self._answered(command)
        command.acked = frame["v"]
        if command.kind == MOVE:
            self.acks_ms.append(now_ms())
        self.ack_s.append(time.perf_counter() - self._began_s.pop(command.id))
        if text is not None and self.chance.random() < self.style.repeats and not self.resting:
            self._owed[command.id] = text
            self._spawn(self._write(command.id))
            return
        self._consider()

    def _refused(self, frame: Frame) -> None:
        command = self.seat.commands[frame["id"]]
        if frame["code"] == "unavailable":
            self._spawn(self._later(command.id))
            return
        self._answered(command)
        if command.acked is not None:
            self.seat.complaints.append(f"{command.id} was version {command.acked}, and sent again: {frame}")
            return
        command.refused = frame["code"]
        if frame["code"] in EXPECTED:
            return  # the end will be heard
        if command.kind not in ("draw", "nodraw"):
            self.seat.complaints.append(f"{command.id} ({command.text}, ply {command.ply}) was refused: {frame}")
        self._thought = 0
        self._consider()

    def _answered(self, command: Command) -> str | None:
        self.moved_ms = command.answered_ms = now_ms()
        return self._owed.pop(command.id, None)

    async def _later(self, command_id: str) -> None:
        await asyncio.sleep(BUSY_PAUSE_S * self.chance.uniform(0.5, 1.5))
        await self._write(command_id)


def now_ms() -> int:
    """The time of this machine."""
    return time.time_ns() // 1_000_000


def _text(frame: Frame) -> str:
    return orjson.dumps(frame).decode()
