"""An evening of play in a minute, for those who watch: tables of chance, and one of each thing that is counted.

People and computers play at the tables of tests/chaos. Beside them, at the same time: a bot over HTTP that
errs twice, a flag that falls, a PGN that is imported, a page whose line is torn and that comes back, a reader that does
not read; and a worker is killed, the rules are away for an outage, a gateway is replaced.
"""

import asyncio
import contextlib
import random
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import connect

from tests.chaos.arranging import Person, by_link, sign_up, with_computer
from tests.chaos.table import KINDS, SHARES, Table
from tests.watch.live import WatchedFlagfall

SETTINGS = {
    "FLAGFALL_SIGN_UPS_PER_HOUR": "100000",
    "FLAGFALL_DAY_MS": "10000",
    "FLAGFALL_SWEEP_PERIOD_S": "3",
    "FLAGFALL_DECISION_MS": "6000",
    "FLAGFALL_ABSENCE_MS": "10000",
    "FLAGFALL_SEAT_MS": "6000",
    "FLAGFALL_GAME_PRESENCE_PERIOD_MS": "500",
    "FLAGFALL_CHALLENGES_PER_MINUTE": "1000",
    "FLAGFALL_SEEKS_PER_MINUTE": "1000",
    "FLAGFALL_SOCKET_QUEUE_BYTES_MAX": "16384",
    "FLAGFALL_SOCKET_FRAMES_PER_S": "1000",
    "FLAGFALL_SOCKET_FRAMES_BURST": "2000",
    "FLAGFALL_CONNECTION_AGE_MS": "10000",
}
"""Days of ten seconds, short waits, and little patience with slow readers."""
TABLES = 2 * len(SHARES)
OUTAGE_S = 5.0
WITHIN_S = 30.0
FLAG_S = 15
PGN = '[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
SHUFFLED = ("Nf3", "Nf6", "Ng1", "Ng8") * 3
LONG_GAME = tuple(move for file in "abcdegh" for move in (f"{file}3", f"{file}6", *SHUFFLED))
"""No position comes five times, and it is long."""
SMALL_BUFFER = 4_096


class Evening:
    """Use `play`."""

    def __init__(self, watched: WatchedFlagfall, seconds: float, tables: int = TABLES) -> None:
        self._watched = watched
        self._seconds = seconds
        self._tables = tables
        self._gateways = watched.stack.gateways

    async def play(self) -> None:
        """All of it; raises when one of the single things did not come to pass."""
        async with httpx.AsyncClient(timeout=WITHIN_S) as client:
            tables = [await self._table(client, number) for number in range(self._tables)]
            playing = [asyncio.create_task(table.run(after_s=0.1 * table.number)) for table in tables]
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(asyncio.sleep(self._seconds))
                    for one in (self._bot, self._flag, self._import, self._torn_line, self._slow_reader, self._faults):
                        group.create_task(self._done(one, client))
            finally:
                for task in playing:
                    task.cancel()
                results = await asyncio.gather(*playing, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _done(self, one: Callable[[httpx.AsyncClient], Awaitable[None]], client: httpx.AsyncClient) -> None:
        try:
            async with asyncio.timeout(self._seconds + WITHIN_S):
                await one(client)
        except TimeoutError as error:
            raise AssertionError(f"{one.__name__} did not come to its end") from error

    async def _table(self, client: httpx.AsyncClient, number: int) -> Table:
        kind = KINDS[SHARES[number % len(SHARES)]]
        people = [
            await sign_up(client, self._at(number), f"evening-{number}-{seat}" if kind.account else None)
            for seat in range(2)
        ]
        return Table(number, kind, self._gateways, people, random.Random(f"evening {number}"))

    def _at(self, number: int) -> str:
        return self._gateways[number % len(self._gateways)]

    async def _bot(self, client: httpx.AsyncClient) -> None:
        """A bot that plays the computer over HTTP, and sends an illegal move twice."""
        bot = await sign_up(client, self._at(0), "evening-bot")
        await _post(client, f"{self._at(0)}/api/bot/account/upgrade", bot)
        made = await with_computer(client, self._at(0), bot, {"level": 3, "clock.limit": 180, "clock.increment": 1})
        game = f"{self._at(0)}/api/bot/game"
        async with _lines(client, f"{self._at(0)}/api/stream/event", bot) as affairs:
            await anext(affairs)
            async with _lines(client, f"{game}/stream/{made.id}", bot) as states:
                for move in ("e2e5", "e2e5"):
                    refused = await client.post(f"{game}/{made.id}/move/{move}", headers=_bearer(bot))
                    assert refused.status_code == 400, refused.text
                await _post(client, f"{game}/{made.id}/move/e2e4", bot)
                async for line in states:
                    moves = line.get("moves", line.get("state", {}).get("moves", ""))
                    if len(moves.split()) >= 2:
                        break
                await _post(client, f"{game}/{made.id}/resign", bot)

    async def _flag(self, client: httpx.AsyncClient) -> None:
        """Somebody's flag falls with nobody connected."""
        white, black = await sign_up(client, self._at(0), None), await sign_up(client, self._at(1), None)
        terms = {"clock.limit": FLAG_S, "clock.increment": 0, "ruleSet": "fide"}
        made = await by_link(client, self._at(0), (white, black), terms)
        await _post(client, f"{self._at(0)}/api/board/game/{made.id}/move/e2e4", white)
        await _post(client, f"{self._at(1)}/api/board/game/{made.id}/move/e7e5", black)
        await _until(lambda: self._ended(client, made.id))

    async def _ended(self, client: httpx.AsyncClient, game_id: str) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            answer = await client.get(f"{self._at(1)}/api/flagfall/games/{game_id}")
            return answer.is_success and answer.json()["state"]["status"] == "ended"
        return False

    async def _import(self, client: httpx.AsyncClient) -> None:
        answer = await client.post(f"{self._at(1)}/api/import", data={"pgn": PGN})
        assert answer.is_success, answer.text

    async def _long_game(self, client: httpx.AsyncClient) -> tuple[str, Person]:
        """A game whose whole is worth sending; its id and White."""
        white, black = await sign_up(client, self._at(0), None), await sign_up(client, self._at(0), None)
        made = await by_link(client, self._at(0), (white, black), {"ruleSet": "claimed"})
        for ply, move in enumerate(LONG_GAME):
            mover = white if ply % 2 == 0 else black
            await _post(client, f"{self._at(0)}/api/board/game/{made.id}/move/{move}", mover)
        return made.id, white

    async def _torn_line(self, client: httpx.AsyncClient) -> None:
        """A page loses its connection, and comes back with the version that it knew."""
        game_id, white = await self._long_game(client)
        url = self._at(0).replace("http", "ws", 1) + "/api/flagfall/ws"
        for version in (0, len(LONG_GAME) // 2, len(LONG_GAME)):
            async with connect(url, additional_headers=_bearer(white), compression=None) as page:
                await page.send(orjson.dumps({"t": "sub", "game": game_id, "v": version}).decode())
                async with asyncio.timeout(WITHIN_S):
                    while orjson.loads(await page.recv())["t"] not in ("full", "events"):
                        pass
                page.transport.abort()

    async def _slow_reader(self, client: httpx.AsyncClient) -> None:
        """It asks for a long game again and again, and reads nothing."""
        game_id, _ = await self._long_game(client)
        frames: tuple[dict[str, object], ...] = ({"t": "sub", "game": game_id, "v": 0}, {"t": "unsub", "game": game_id})
        again = b"".join(_masked(orjson.dumps(frame)) for frame in frames)
        host, _, port = self._at(0).rpartition("/")[2].partition(":")
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
            line.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(line, (host, int(port)))
            await loop.sock_sendall(
                line,
                b"GET /api/flagfall/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            )
            with contextlib.suppress(ConnectionError):
                while not await self._seen("sum(flagfall_ws_slow_consumer_drops_total) > 0"):
                    await loop.sock_sendall(line, again * 20)
                    await asyncio.sleep(0.2)

    async def _seen(self, expression: str) -> bool:
        return bool(await asyncio.to_thread(self._watched.prometheus.query, expression))

    async def _faults(self, _: httpx.AsyncClient) -> None:
        """What an operator's boards are for."""
        await asyncio.sleep(self._seconds * 0.2)
        self._watched.kill("celery1")
        await asyncio.sleep(self._seconds * 0.1)
        for name in ("rules1", "rules2"):
            await asyncio.to_thread(self._watched.down, name)
        await asyncio.sleep(OUTAGE_S)
        await asyncio.gather(*(asyncio.to_thread(self._watched.up, name) for name in ("rules1", "rules2")))
        await _until(lambda: self._seen("sum(flagfall_outages_total) > 0"))
        await asyncio.sleep(self._seconds * 0.1)
        await asyncio.to_thread(self._watched.down, "gateway2", signal.SIGTERM)
        await asyncio.to_thread(self._watched.up, "gateway2")


async def _until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not await condition():
            await asyncio.sleep(0.2)


async def _post(client: httpx.AsyncClient, url: str, who: Person) -> None:
    """Until it is done: parts are away now and then."""
    async with asyncio.timeout(WITHIN_S):
        while not (answer := await client.post(url, headers=_bearer(who))).is_success:
            assert answer.status_code == 503, answer.text
            await asyncio.sleep(0.2)


@asynccontextmanager
async def _lines(client: httpx.AsyncClient, url: str, who: Person) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    async with client.stream("GET", url, headers=_bearer(who)) as answer:

        async def read() -> AsyncIterator[dict[str, Any]]:
            async for line in answer.aiter_lines():
                if line:
                    yield orjson.loads(line)

        yield read()


def _bearer(who: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}"}


def _masked(data: bytes) -> bytes:
    """A client's text frame of less than 126 bytes."""
    return bytes([0x81, 0x80 | len(data)]) + b"\x00" * 4 + data
