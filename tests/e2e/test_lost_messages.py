"""Case I02: what Redis loses on its way to a gateway, nobody who watches a game misses."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import asyncpg
import chess
import httpx
import orjson
import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection, connect

from tests.e2e.test_websocket import new_game, person
from tests.integration.gateway.gateway_subprocess import GatewayProcess, gateway_process
from tests.stack.proxy import Proxy, proxy_to
from tests.stack.running import RunningFlagfall

GAMES = 8
PLIES = 40
WITHIN_S = 120.0
KILLS = 5
"""Pub/sub connections that are killed while the games go on."""


def moves_of_a_game(chance: random.Random) -> list[str]:
    """So many legal moves that end nothing."""
    while True:
        board = chess.Board()
        moves: list[str] = []
        while len(moves) < PLIES and not board.is_game_over(claim_draw=True):
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move.uci())
        if len(moves) == PLIES:
            return moves


class Disturbances:
    """What was done so far, and how far games may go by then: a fast machine waits for it with its moves."""

    def __init__(self) -> None:
        self.kills = 0
        self.silences = 0
        self._more = asyncio.Condition()

    async def add(self, kills: int, silences: int) -> None:
        """Some more are done."""
        async with self._more:
            self.kills += kills
            self.silences += silences
            self._more.notify_all()

    async def before(self, ply: int) -> None:
        """Return once so many were killed as belong before a move, and the last moves find a silence behind them."""
        async with self._more:
            await self._more.wait_for(
                lambda: self.kills * PLIES >= ply * KILLS and (self.silences > 0 or ply < PLIES - 10)
            )


class Seat:
    """Somebody who watches one game and may play one side of it. Knows what it was told, in the order it was told."""

    def __init__(
        self, socket: ClientConnection, game_id: str, moves: list[str], side: str | None, done: Disturbances
    ) -> None:
        self._socket = socket
        self._done = done
        self._game_id = game_id
        self._moves = moves
        self._side = side
        self.seen: list[str] = []
        self._version = 0

    async def play(self) -> None:
        """Until all moves were seen. An event may come again (which is ignored), and none may be missing."""
        await self._say(t="sub", game=self._game_id, v=0)
        while len(self.seen) < PLIES:
            frame = orjson.loads(await self._socket.recv())
            assert frame["t"] not in ("nack", "gone", "error"), frame
            if frame["t"] == "full":
                self.seen, self._version = [move["uci"] for move in frame["moves"]], frame["v"]
                await self._answer(frame["state"])
            for event in {"event": [frame], "events": frame.get("events", [])}.get(frame["t"], []):
                if event["v"] > self._version:
                    assert event["v"] == self._version + 1, "an event is missing"
                    self.seen.append(event["state"]["lastMove"]["uci"])
                    self._version = event["v"]
                    await self._answer(event["state"])

    async def _answer(self, state: dict[str, object]) -> None:
        ply = len(self.seen)
        if state["turn"] == self._side and ply < PLIES:
            await self._done.before(ply)
            await self._say(t="move", game=self._game_id, id=f"c{ply}", move=self._moves[ply], ply=ply)

    async def _say(self, **frame: object) -> None:
        await self._socket.send(orjson.dumps(frame).decode())


@asynccontextmanager
async def disturbed(flagfall: RunningFlagfall, proxy: Proxy, done: Disturbances) -> AsyncIterator[None]:
    """Kills every pub/sub connection again and again, and lets those of the proxy fall silent now and then."""

    async def disturb() -> None:
        async with Redis.from_url(flagfall.redis_url) as redis:
            while True:
                for _ in range(6):
                    await asyncio.sleep(0.15)
                    await done.add(int(await redis.client_kill_filter(_type="pubsub")), 0)
                proxy.swallow()
                await done.add(0, 1)
                await asyncio.sleep(0.8)

    task = asyncio.create_task(disturb())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
async def proxy(flagfall: RunningFlagfall) -> AsyncIterator[Proxy]:
    async with proxy_to(flagfall.redis_url) as proxy:
        yield proxy


@pytest.fixture
async def second_gateway(flagfall: RunningFlagfall, proxy: Proxy) -> AsyncIterator[GatewayProcess]:
    """A second gateway of the same stack, whose Redis is behind the proxy."""
    game_target = flagfall.environment["FLAGFALL_GAME_TARGET"]
    # A silence of the connection is found in 5 s by default: shorter here, so that several fit into the test. That of a
    # game would hide whether the gateway asks when it hears again.
    quick: dict[str, Any] = {
        "pubsub_ping_ms": 100,
        "pubsub_silence_ms": 400,
        "hub_silence_ms": 600_000,
        "hub_silence_away_ms": 600_000,
    }
    secret = flagfall.environment["FLAGFALL_SERVICE_SECRET"]
    async with gateway_process(game_target, proxy.url, service_secret=secret, **quick) as gateway:
        yield gateway


async def test_every_client_has_the_list_of_the_database_whatever_redis_loses(
    flagfall: RunningFlagfall, proxy: Proxy, second_gateway: GatewayProcess
) -> None:
    addresses = [flagfall.address.replace("http", "ws"), f"ws://127.0.0.1:{second_gateway.port}"]
    chance = random.Random(3)
    lists: dict[str, list[Seat]] = {}
    done = Disturbances()
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=flagfall.address, timeout=WITHIN_S))
        white, black = await person(client), await person(client)
        for _ in range(GAMES):
            game_id = await new_game(client, white, black)
            moves = moves_of_a_game(chance)
            # White sits at one gateway, Black at the other, and somebody watches at each.
            for number, (token, side) in enumerate(((white[1], "white"), (black[1], "black"), ("", None), ("", None))):
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                url = f"{addresses[number % 2]}/api/flagfall/ws"
                socket = await stack.enter_async_context(connect(url, additional_headers=headers, proxy=None))
                lists.setdefault(game_id, []).append(Seat(socket, game_id, moves, side, done))
        async with disturbed(flagfall, proxy, done), asyncio.timeout(WITHIN_S):
            await asyncio.gather(*(seat.play() for seats in lists.values() for seat in seats))
    assert done.kills >= KILLS
    assert done.silences >= 1
    database = await asyncpg.connect(flagfall.database_url.replace("+asyncpg", ""))
    try:
        for game_id, seats in lists.items():
            rows = await database.fetch(
                "SELECT uci FROM game_event WHERE game_id = $1 AND uci <> '' ORDER BY version", game_id
            )
            committed = [row["uci"] for row in rows]
            assert len(committed) == PLIES
            assert [seat.seen for seat in seats] == [committed] * 4
    finally:
        await database.close()
