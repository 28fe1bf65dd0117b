"""The load generator: many games at once over real WebSockets, without think time. A process of its own.

    python -m bench.load URL

It takes orders as lines of JSON on its input and answers each by a line of JSON; bench.generator is the other end.
Seats send their move when the opponent's has arrived. A game that reaches the end of its line is resigned, and its two
players go on with their next one.
"""

import asyncio
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from bench.lines import Line, open_line, quiet_line

PING_S = 2.5
ARRANGED_AT_ONCE = 6
LINES_MAX = 40
"""Different lines of one set; games beyond share them."""
CLOCK = {"clock.limit": 10_800, "clock.increment": 2}


@dataclass(slots=True)
class Counted:
    """What happened since the last report, in all sets."""

    committed: int = 0
    ended: int = 0
    ack_s: list[float] = field(default_factory=list)
    deliver_s: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    lost: int = 0
    began_s: float = field(default_factory=time.perf_counter)


@dataclass(slots=True)
class Table:
    """Two players and the games they play one after the other."""

    tokens: tuple[str, str]
    games: list[tuple[str, Line]]
    number: int = 0
    sent_s: float = 0.0
    ply: int = 0

    @property
    def game(self) -> str:
        return self.games[self.number][0]

    @property
    def line(self) -> Line:
        return self.games[self.number][1]


@dataclass(slots=True)
class Order:
    """How a set plays now."""

    playing: bool = False
    until_ply: int = 1 << 30
    think_s: float = 0.0
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a seat has held a move back."""


class Seat:
    """One player's connection."""

    def __init__(self, load: "Load", table: Table, order: Order, mine: int) -> None:
        self.load = load
        self.table = table
        self.order = order
        self.mine = mine
        self.waits = False  # it is our turn and we hold back
        self.sent_s = 0.0
        self.spoke_s = time.perf_counter()
        self.socket: ClientConnection | None = None

    async def live(self, url: str, ready: asyncio.Event) -> None:
        """Play until cancelled."""
        headers = {"Authorization": f"Bearer {self.table.tokens[self.mine]}"}
        async with connect(url, additional_headers=headers, compression=None, ping_interval=None) as socket:
            self.socket = socket
            await self.watch()
            async for text in socket:
                await self.hear(orjson.loads(text), ready)
        self.load.counted.lost += 1

    async def watch(self) -> None:
        """Subscribe to the table's game."""
        await self.send({"t": "sub", "game": self.table.game, "v": 0})

    async def send(self, frame: dict[str, Any]) -> None:
        """Write a frame."""
        assert self.socket is not None
        self.spoke_s = time.perf_counter()
        await self.socket.send(orjson.dumps(frame).decode())

    async def hear(self, frame: dict[str, Any], ready: asyncio.Event) -> None:
        """Do what a frame asks for."""
        counted, kind = self.load.counted, frame["t"]
        if kind == "ack":
            counted.ack_s.append(time.perf_counter() - self.sent_s)
            counted.committed += 1
        elif kind == "event":
            state = frame["state"]
            if frame["game"] != self.table.game:
                return
            if frame["kind"] == "move" and frame["by"] != ("white", "black")[self.mine]:
                counted.deliver_s.append(time.perf_counter() - self.table.sent_s)
            await self.stands(state)
        elif kind == "full":
            ready.set()
            await self.stands(frame["state"])
        elif kind == "nack":
            counted.refused.append(f"{frame['code']}: {frame['message']}")

    async def stands(self, state: dict[str, Any]) -> None:
        """React to a state."""
        if state["status"] != "started":
            await self.next_game()
        elif state["turn"] == ("white", "black")[self.mine]:
            self.table.ply = state["ply"]
            if self.order.think_s:
                pause_s = self.order.think_s * random.uniform(0.5, 1.5)
                asyncio.get_running_loop().call_later(pause_s, lambda: asyncio.ensure_future(self.move()))
            else:
                await self.move()

    async def next_game(self) -> None:
        """Go on with the next game, once for a table."""
        if self.mine == 0 and self.table.number + 1 < len(self.table.games):
            self.load.counted.ended += 1
            self.table.number += 1
            for seat in self.load.seats[id(self.table)]:
                await seat.watch()

    async def move(self) -> None:
        """Send the next move, or hold it back while the set does not play."""
        ply, line = self.table.ply, self.table.line
        self.waits = not self.order.playing or ply >= self.order.until_ply
        if self.waits:
            self.order.held.set()
            return
        if ply >= len(line.moves):
            await self.send({"t": "resign", "game": self.table.game, "id": "resign"})
            return
        self.sent_s = self.table.sent_s = time.perf_counter()
        await self.send({"t": "move", "game": self.table.game, "id": str(ply), "move": line.moves[ply], "ply": ply})


class Load:
    """All sets of games."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.counted = Counted()
        self.seats: dict[int, tuple[Seat, Seat]] = {}
        self.sets: dict[str, tuple[Order, list[Seat]]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    async def prepare(self, name: str, kind: str, games: int, plies: int, each: int, seed: int) -> dict[str, Any]:
        """Make lines, players and games (`each` for a table), and connect everybody."""
        make = {"open": open_line, "quiet": quiet_line}[kind]
        lines = [make(seed + number, plies) for number in range(min(games, LINES_MAX))]
        gate = asyncio.Semaphore(ARRANGED_AT_ONCE)
        async with httpx.AsyncClient(base_url=self.url, timeout=30) as client:

            async def arrange(number: int) -> Table:
                async with gate:
                    tokens = (await self._guest(client), await self._guest(client))
                    made = []
                    for turn in range(each):
                        line = lines[(number + turn * 7) % len(lines)]
                        made.append((await self._game(client, tokens), line))
                    return Table(tokens, made)

            tables = await asyncio.gather(*(arrange(number) for number in range(games)))
        order = Order()
        socket_url = self.url.replace("http", "ws", 1) + "/api/flagfall/ws"
        connected: list[asyncio.Event] = []
        seats: list[Seat] = []
        for table in tables:
            pair = (Seat(self, table, order, 0), Seat(self, table, order, 1))
            self.seats[id(table)] = pair
            for seat in pair:
                ready = asyncio.Event()
                self.tasks.append(asyncio.create_task(seat.live(socket_url, ready)))
                connected.append(ready)
                seats.append(seat)
            await asyncio.wait_for(asyncio.gather(*(event.wait() for event in connected[-2:])), 30)
        self.sets[name] = (order, seats)
        legal = [count for line in lines for count in line.legal]
        return {"games": games, "lines": len(lines), "mean_legal": round(sum(legal) / len(legal), 1)}

    async def _guest(self, client: httpx.AsyncClient) -> str:
        client.cookies.clear()
        answer = await client.post("/api/flagfall/guests")
        answer.raise_for_status()
        client.cookies.clear()
        return str(answer.json()["token"])

    async def _game(self, client: httpx.AsyncClient, tokens: tuple[str, str]) -> str:
        white, black = ({"Authorization": f"Bearer {token}"} for token in tokens)
        made = await client.post("/api/challenge/open", json={**CLOCK, "color": "white"}, headers=white)
        made.raise_for_status()
        game_id = str(made.json()["id"])
        (await client.post(f"/api/challenge/{game_id}/accept", headers=black)).raise_for_status()
        return game_id

    async def play(self, name: str, until_ply: int = 1 << 30, think_s: float = 0.0) -> dict[str, Any]:
        """Let a set play, up to a ply."""
        order, seats = self.sets[name]
        order.playing, order.until_ply, order.think_s = True, until_ply, think_s
        for seat in seats:
            if seat.waits:
                await seat.move()
        return {}

    async def pause(self, name: str) -> dict[str, Any]:
        """Let a set stand; answers once nothing of it is under way."""
        self.sets[name][0].playing = False
        return await self.still(name)

    async def still(self, name: str, within_s: float = 300.0) -> dict[str, Any]:
        """Answers once one seat of each table holds its move back."""
        order, seats = self.sets[name]
        pairs = list(zip(seats[::2], seats[1::2], strict=True))
        async with asyncio.timeout(within_s):
            while not all(white.waits or black.waits for white, black in pairs):
                order.held.clear()
                await order.held.wait()
        plies = [seat.table.ply for seat in seats[::2]]
        return {"ply_min": min(plies), "ply_max": max(plies), "ply_mean": sum(plies) / len(plies)}

    async def plies(self, name: str) -> dict[str, Any]:
        """Where the games of a set stand."""
        plies = [seat.table.ply for seat in self.sets[name][1][::2]]
        return {"ply_min": min(plies), "ply_max": max(plies), "ply_mean": sum(plies) / len(plies)}

    async def report(self) -> dict[str, Any]:
        """What happened since the report before."""
        counted, self.counted = self.counted, Counted()
        return {
            "seconds": self.counted.began_s - counted.began_s,
            "committed": counted.committed,
            "ended": counted.ended,
            "refused": len(counted.refused),
            "first_refused": counted.refused[:1],
            "lost": counted.lost,
            "ack_ms": [round(value * 1000, 3) for value in counted.ack_s],
            "deliver_ms": [round(value * 1000, 3) for value in counted.deliver_s],
        }

    async def ping(self) -> None:
        """Send a ping for every seat that was silent, as the protocol asks of clients."""
        while True:
            await asyncio.sleep(0.1)
            now = time.perf_counter()
            for _, seats in self.sets.values():
                for seat in seats:
                    if now - seat.spoke_s > PING_S:
                        await seat.send({"t": "p"})


async def main(url: str) -> None:
    """Obey until the input ends."""
    load = Load(url)
    pinging = asyncio.create_task(load.ping())
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    while order := await reader.readline():
        words = orjson.loads(order)
        answer = await getattr(load, words.pop("do"))(**words)
        sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
        sys.stdout.buffer.flush()
    for task in (pinging, *load.tasks):
        task.cancel()
    await asyncio.gather(pinging, *load.tasks, return_exceptions=True)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
