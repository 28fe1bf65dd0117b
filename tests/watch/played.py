"""An evening of play in a minute, for those who watch: tables of chance, and one of each thing that is counted.

People and computers play at the tables of tests/chaos. Beside them, at the same time: a bot over HTTP that errs twice,
the computer in other variants, a flag that falls, an imported PGN, a page whose line is torn and that comes back,
a reader that does not read; and a worker is killed, the rules are away for an outage, a gateway is replaced.
"""

import asyncio
import contextlib
import random
import secrets
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import chess
import httpx
import orjson
from websockets.asyncio.client import connect

from tests.chaos.arranging import Person, by_link, sign_up, with_computer
from tests.chaos.table import KINDS, SHARES, Table
from tests.watch.live import WatchedFlagfall

T = TypeVar("T")

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
WITHIN_S = 60.0
FLAG_S = 15
PGN = '[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
SHUFFLED = ("Nf3", "Nf6", "Ng1", "Ng8") * 3
LONG_GAME = tuple(move for file in "abcdegh" for move in (f"{file}3", f"{file}6", *SHUFFLED))
"""No position comes five times, and it is long."""
VARIANTS = {"crazyhouse": 2, "atomic": 4, "threeCheck": 6, "kingOfTheHill": 8, "standard": 10}
"""With the computer's level."""
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
                    for one in (
                        self._bot,
                        self._variants,
                        self._flag,
                        self._import,
                        self._torn_line,
                        self._slow_reader,
                        self._faults,
                    ):
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
            await self._person(client, number, f"evening-{number}-{seat}" if kind.account else None)
            for seat in range(2)
        ]
        return Table(number, kind, self._gateways, people, random.Random(f"evening {number}"))

    async def _person(self, client: httpx.AsyncClient, number: int, name: str | None = None) -> Person:
        def once() -> Awaitable[Person]:
            own = None if name is None else f"{name}-{secrets.token_hex(3)}"  # an answer that is lost has taken a name
            return sign_up(client, self._at(number), own)

        return await _patiently(once)

    def _at(self, number: int) -> str:
        return self._gateways[number % len(self._gateways)]

    async def _bot(self, client: httpx.AsyncClient) -> None:
        """A bot that plays the computer over HTTP all evening, and sends an illegal move twice."""
        bot = await self._person(client, 0, "evening-bot")
        await _post(client, f"{self._at(0)}/api/bot/account/upgrade", bot)
        terms = {"level": 3, "clock.limit": 180, "clock.increment": 1, "color": "white"}
        made = await _patiently(lambda: with_computer(client, self._at(0), bot, terms))
        game, until_s = f"{self._at(0)}/api/bot/game", time.monotonic() + self._seconds * 0.8
        async with _lines(client, f"{self._at(0)}/api/stream/event", bot) as affairs:
            await anext(affairs)
            async with _lines(client, f"{game}/stream/{made.id}", bot) as states:
                for move in ("e2e5", "e2e5"):
                    while (await client.post(f"{game}/{made.id}/move/{move}", headers=_bearer(bot))).status_code != 400:
                        await asyncio.sleep(0.2)
                async for line in states:
                    played = line.get("state", line).get("moves", "").split()
                    board = chess.Board()
                    for move in played:
                        board.push_uci(move)
                    if time.monotonic() > until_s or board.is_game_over():
                        break
                    if board.turn == chess.WHITE:
                        await asyncio.sleep(1)
                        await _post(client, f"{game}/{made.id}/move/{next(iter(board.legal_moves)).uci()}", bot)

    async def _variants(self, client: httpx.AsyncClient) -> None:
        """The computer answers one move in some variants, at several levels."""
        who = await self._person(client, 1)
        for variant, level in VARIANTS.items():
            await self._answered(client, who, {"level": level, "variant": variant, "color": "white"})

    async def _answered(self, client: httpx.AsyncClient, who: Person, terms: dict[str, Any]) -> None:
        made = await _patiently(lambda: with_computer(client, self._at(0), who, terms))
        await _post(client, f"{self._at(0)}/api/board/game/{made.id}/move/e2e4", who)
        await _until(lambda: self._plies(client, made.id, 2))

    async def _plies(self, client: httpx.AsyncClient, game_id: str, plies: int) -> bool:
        return int((await self._state(client, game_id)).get("ply", 0)) >= plies

    async def _flag(self, client: httpx.AsyncClient) -> None:
        """Somebody's flag falls with nobody connected."""
        white, black = await self._person(client, 0), await self._person(client, 1)
        terms = {"clock.limit": FLAG_S, "clock.increment": 0, "ruleSet": "fide"}
        made = await _patiently(lambda: by_link(client, self._at(0), (white, black), terms))
        await _post(client, f"{self._at(0)}/api/board/game/{made.id}/move/e2e4", white)
        await _post(client, f"{self._at(1)}/api/board/game/{made.id}/move/e7e5", black)
        await _until(lambda: self._ended(client, made.id))

    async def _ended(self, client: httpx.AsyncClient, game_id: str) -> bool:
        return (await self._state(client, game_id)).get("status") == "ended"

    async def _state(self, client: httpx.AsyncClient, game_id: str) -> dict[str, Any]:
        """The game's state; empty while nobody can tell it."""
        with contextlib.suppress(httpx.HTTPError):
            answer = await client.get(f"{self._at(1)}/api/flagfall/games/{game_id}")
            if answer.is_success:
                state: dict[str, Any] = answer.json()["state"]
                return state
        return {}

    async def _import(self, client: httpx.AsyncClient) -> None:
        await _post(client, f"{self._at(1)}/api/import", None, pgn=PGN)

    async def _long_game(self, client: httpx.AsyncClient) -> tuple[str, Person]:
        """A game whose whole is worth sending; its id and White."""
        white, black = await self._person(client, 0), await self._person(client, 0)
        made = await _patiently(lambda: by_link(client, self._at(0), (white, black), {"ruleSet": "claimed"}))
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
        frames: tuple[dict[str, object], ...] = ({"t": "unsub", "game": game_id}, {"t": "sub", "game": game_id, "v": 0})
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
            assert await loop.sock_recv(line, SMALL_BUFFER)  # frames before the answer would be lost
            with contextlib.suppress(ConnectionError):
                while not await self._seen("sum(flagfall_ws_slow_consumer_drops_total) > 0"):
                    for _ in range(20):
                        await loop.sock_sendall(line, again)
                        await asyncio.sleep(0.02)  # one that is followed at once by the next is not answered

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


async def _post(client: httpx.AsyncClient, url: str, who: Person | None, **form: str) -> None:
    """Until it is done: parts are away now and then. What was done, and its answer lost, is refused the second time."""
    lost = False
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                answer = await client.post(url, headers=_bearer(who) if who else {}, data=form)
            except httpx.TransportError:
                lost = True
            else:
                if answer.is_success or (lost and answer.status_code == 400):
                    return
                assert answer.status_code == 503, answer.text
            await asyncio.sleep(0.2)


async def _patiently(make: Callable[[], Awaitable[T]]) -> T:
    """The same for what raises."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            with contextlib.suppress(httpx.HTTPError):
                return await make()
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
