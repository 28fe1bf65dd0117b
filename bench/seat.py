"""One player of the load: sends the next move of a prepared line when the opponent's has arrived."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect

from bench.lines import Line

COLOURS = ("white", "black")
AGAIN_S = 0.2
"""Pause before a move that the server could not take is sent again, with the same id."""


@dataclass(slots=True)
class Counted:
    """Counters since the last report. Seconds from the sending of a move to its ack, and to the opponent."""

    ack_s: list[float] = field(default_factory=list)
    deliver_s: list[float] = field(default_factory=list)
    unavailable: int = 0
    refused: list[str] = field(default_factory=list)
    lost: int = 0
    out_of_games: int = 0
    began_s: float = field(default_factory=time.perf_counter)

    def restart(self, now_s: float) -> None:
        """Count from now on."""
        self.ack_s, self.deliver_s, self.refused = [], [], []
        self.unavailable = self.lost = self.out_of_games = 0
        self.began_s = now_s


@dataclass(slots=True)
class Order:
    """The present orders for a set of games."""

    counted: Counted
    playing: bool = False
    until_ply: int | None = None
    think_s: float = 0.0
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a seat has held a move back or a table has no game left."""


@dataclass(slots=True)
class Table:
    """Two players and the games that they play one after the other."""

    tokens: tuple[str, str]
    games: list[tuple[str, Line]]
    number: int = 0
    ply: int = 0
    sent_s: float = 0.0
    """When the move under way was sent; there is one at a time."""
    seats: "list[Seat]" = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether no game is left."""
        return self.number >= len(self.games)

    @property
    def game(self) -> str:
        """The id of the game that is played."""
        return "" if self.over else self.games[self.number][0]


class Seat:
    """One player's connection. `mine` is 0 for White."""

    def __init__(self, table: Table, order: Order, mine: int) -> None:
        self.table = table
        self.ready = asyncio.Event()
        self.task: asyncio.Task[None]
        """What `live` runs in."""
        self.holds = False
        """It is our turn, and the set stands."""
        self.spoke_s = time.perf_counter()
        self._order = order
        self._colour = COLOURS[mine]
        self._sent_s = 0.0
        self._socket: ClientConnection | None = None
        table.seats.append(self)

    async def live(self, url: str) -> None:
        """Play until cancelled. A connection that ends in another way is counted as lost."""
        headers = {"Authorization": f"Bearer {self.table.tokens[COLOURS.index(self._colour)]}"}
        lost = True
        try:
            async with connect(url, additional_headers=headers, compression=None, ping_interval=None) as socket:
                self._socket = socket
                await self._watch()
                async for text in socket:
                    await self._hear(orjson.loads(text))
        except asyncio.CancelledError:
            lost = False
            raise
        finally:
            self.ready.clear()
            self._order.counted.lost += lost

    async def send(self, frame: dict[str, Any]) -> None:
        """Write a frame."""
        assert self._socket is not None
        self.spoke_s = time.perf_counter()
        await self._socket.send(orjson.dumps(frame).decode())

    async def turn(self) -> None:
        """Send the next move, or hold it back while the set stands."""
        table, order = self.table, self._order
        self.holds = not order.playing or (order.until_ply is not None and table.ply >= order.until_ply)
        if self.holds:
            order.held.set()
            return
        line = table.games[table.number][1]
        if table.ply >= len(line.moves):
            await self.send({"t": "resign", "game": table.game, "id": "resign"})
            return
        self._sent_s = table.sent_s = time.perf_counter()
        await self._move(table.ply)

    async def _move(self, ply: int) -> None:
        move = self.table.games[self.table.number][1].moves[ply]
        await self.send({"t": "move", "game": self.table.game, "id": str(ply), "move": move, "ply": ply})

    async def _watch(self) -> None:
        await self.send({"t": "sub", "game": self.table.game, "v": 0})

    async def _hear(self, frame: dict[str, Any]) -> None:
        kind, counted = frame["t"], self._order.counted
        if kind in ("welcome", "following", "player", "p"):
            return
        if frame.get("game") != self.table.game:
            return  # of the game before
        if kind == "event":
            if frame["kind"] == "move" and frame["by"] != self._colour:
                counted.deliver_s.append(time.perf_counter() - self.table.sent_s)
            await self._stands(frame["state"])
        elif kind == "ack":
            if frame["id"] != "resign":
                counted.ack_s.append(time.perf_counter() - self._sent_s)
        elif kind == "full":
            self.ready.set()
            await self._stands(frame["state"])
        elif kind == "nack" and frame["code"] == "unavailable":
            counted.unavailable += 1
            await asyncio.sleep(AGAIN_S)
            await self._move(int(frame["id"]))
        else:
            counted.refused.append(str(frame)[:300])

    async def _stands(self, state: dict[str, Any]) -> None:
        if state["status"] != "started":
            await self._next_game()
        elif state["turn"] == self._colour:
            self.table.ply = state["ply"]
            if self._order.think_s:
                # The mean of these is the order's time; equal pauses would let all games move in step.
                await asyncio.sleep(self._order.think_s * random.uniform(0.5, 1.5))
            await self.turn()

    async def _next_game(self) -> None:
        """The first of the two that hears of the end starts the next game for both."""
        self.table.number += 1
        if self.table.over:
            self._order.counted.out_of_games += 1
            self._order.held.set()
            return
        for seat in self.table.seats:
            await seat._watch()
