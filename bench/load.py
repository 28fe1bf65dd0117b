"""The load generator: many games at once over real WebSockets. A process of its own.

    python -m bench.load URL

It takes orders as lines of JSON on its input and answers each by a line of JSON; bench.generator is the other end.
Games are in named sets; orders start and pause each set. Lines and games are made before.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from typing import Any

import httpx
import orjson
import uvloop

from bench.lines import Line, open_line, quiet_line
from bench.lines import alike as chosen_alike
from bench.seat import Counted, Order, Seat, Table

PING_S = 2.5
"""Silence after which a client pings (docs/protocol.md)."""
ARRANGED_AT_ONCE = 6
CONNECTED_WITHIN_S = 30.0
LINES_MAX = 25
"""Different lines of one set; games beyond share them."""
CLOCK = {"clock.limit": 10_800, "clock.increment": 2}
KINDS = {"open": open_line, "quiet": quiet_line}


class Load:
    """All sets of games. Each public coroutine is an order."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._counted = Counted()
        self._sets: dict[str, tuple[Order, list[tuple[Seat, Seat]], Sequence[Line]]] = {}

    async def prepare(
        self, name: str, kind: str, games: int, plies: int, each: int, seed: int, alike: tuple[int, float] | None = None
    ) -> dict[str, Any]:
        """Make lines, players and games (`each` for a table, one after the other), and connect everybody.

        `alike` is a ply and a number of legal moves: of twice as many lines those are taken that are nearest to it.
        """
        count = min(games, LINES_MAX)
        lines = [KINDS[kind](seed + number, plies) for number in range(count if alike is None else 2 * count)]
        if alike is not None:
            lines = chosen_alike(lines, count, *alike)
        gate = asyncio.Semaphore(ARRANGED_AT_ONCE)
        order = Order(self._counted)
        async with httpx.AsyncClient(base_url=self._url, timeout=30) as client:

            async def arrange(number: int) -> Table:
                async with gate:
                    tokens = (await _guest(client), await _guest(client))
                    chosen = [lines[(number + turn * 7) % len(lines)] for turn in range(each)]
                    return Table(tokens, [(await _game(client, tokens), line) for line in chosen])

            tables = await asyncio.gather(*(arrange(number) for number in range(games)))
        pairs = [(Seat(table, order, 0), Seat(table, order, 1)) for table in tables]
        self._sets[name] = (order, pairs, lines)
        socket_url = self._url.replace("http", "ws", 1) + "/api/flagfall/ws"
        for pair in pairs:
            for seat in pair:
                seat.task = asyncio.create_task(seat.live(socket_url))
            await asyncio.wait_for(asyncio.gather(*(seat.ready.wait() for seat in pair)), CONNECTED_WITHIN_S)
        return {"games": games, "lines": len(lines), **self._mobility(lines, 0, plies)}

    async def play(self, name: str, until_ply: int | None = None, think_s: float = 0.0) -> dict[str, Any]:
        """Let a set play, up to a ply."""
        order, pairs, _ = self._sets[name]
        order.playing, order.until_ply, order.think_s = True, until_ply, think_s
        for pair in pairs:
            for seat in pair:
                if seat.holds:
                    await seat.turn()
        return {}

    async def pause(self, name: str, within_s: float = 30.0) -> dict[str, Any]:
        """Pause a set; answers once none of its moves is in flight."""
        self._sets[name][0].playing = False
        return await self.still(name, within_s)

    async def still(self, name: str, within_s: float) -> dict[str, Any]:
        """Answers where the games stand, once one seat of each table holds its move back."""
        order, pairs, _ = self._sets[name]
        async with asyncio.timeout(within_s):
            while not all(white.holds or black.holds or white.table.over for white, black in pairs):
                order.held.clear()
                await order.held.wait()
        plies = [white.table.ply for white, _ in pairs if not white.table.over]
        return {"least": min(plies), "most": max(plies)}

    async def leave(self, name: str) -> dict[str, Any]:
        """Disconnect a set that stands; it is forgotten."""
        _, pairs, _ = self._sets.pop(name)
        for pair in pairs:
            for seat in pair:
                seat.task.cancel()
        await asyncio.gather(*(seat.task for pair in pairs for seat in pair), return_exceptions=True)
        return {}

    async def mobility(self, name: str, first: int, last: int) -> dict[str, Any]:
        """Properties of a set's lines between two plies."""
        return self._mobility(self._sets[name][2], first, last)

    async def report(self) -> dict[str, Any]:
        """What happened since the report before, in all sets."""
        now_s, counted = time.perf_counter(), self._counted
        answer = {
            "seconds": now_s - counted.began_s,
            "committed": len(counted.ack_s),
            "unavailable": counted.unavailable,
            "refused": counted.refused,
            "lost": counted.lost,
            "out_of_games": counted.out_of_games,
            "ack_ms": [round(value * 1000, 3) for value in counted.ack_s],
            "deliver_ms": [round(value * 1000, 3) for value in counted.deliver_s],
        }
        counted.restart(now_s)
        return answer

    async def ping(self) -> None:
        """Ping for every seat that was silent, for ever, as the protocol asks of clients."""
        while True:
            await asyncio.sleep(PING_S / 25)
            silent_since_s = time.perf_counter() - PING_S
            for _, pairs, _ in list(self._sets.values()):
                for seat in (seat for pair in pairs for seat in pair):
                    if seat.spoke_s < silent_since_s and seat.ready.is_set():
                        await seat.send({"t": "p"})

    async def close(self) -> None:
        """End all connections."""
        for name in list(self._sets):
            await self.leave(name)

    def _mobility(self, lines: Sequence[Line], first: int, last: int) -> dict[str, Any]:
        chosen = [line for line in lines if len(line.moves) > first]
        return {
            "legal": round(sum(line.mean_legal(first, last) for line in chosen) / len(chosen), 1),
            "repeatable": round(sum(line.mean_repeatable(first, last) for line in chosen) / len(chosen), 1),
        }


async def _guest(client: httpx.AsyncClient) -> str:
    client.cookies.clear()
    answer = await client.post("/api/flagfall/guests")
    answer.raise_for_status()
    client.cookies.clear()
    return str(answer.json()["token"])


async def _game(client: httpx.AsyncClient, tokens: tuple[str, str]) -> str:
    white, black = ({"Authorization": f"Bearer {token}"} for token in tokens)
    made = await client.post("/api/challenge/open", json={**CLOCK, "color": "white"}, headers=white)
    made.raise_for_status()
    game_id = str(made.json()["id"])
    (await client.post(f"/api/challenge/{game_id}/accept", headers=black)).raise_for_status()
    return game_id


async def main(url: str) -> None:
    """Follow orders until the input ends."""
    load = Load(url)
    pinging = asyncio.create_task(load.ping())
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    while order := await reader.readline():
        words = orjson.loads(order)
        answer = await getattr(load, words.pop("do"))(**words)
        sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
        sys.stdout.buffer.flush()
    pinging.cancel()
    await asyncio.gather(pinging, load.close(), return_exceptions=True)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1]))
