"""What a move writes to the stores, and the memory of a connection: the constants for bench.scaling."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import orjson
from redis.asyncio import Redis
from websockets.asyncio.client import connect

from bench import idle
from bench.generator import Generator
from bench.processor_time import sample, spent_between
from bench.stack import BenchStack

TABLES, WATCHERS_EACH, PLIES, GAMES_EACH = 100, 6, 200, 6
MORE_TABLES, MORE_PLIES = 150, 42
WARM_S, STRETCH_S, SETTLED_S = 2.0, 8.0, 2.0
GENTLE_PER_S = 100.0
PING_S = 2.5
KIB = 1024
PING = orjson.dumps({"t": "p"}).decode()
WEIGHED = ("gateway", "game", "rules", "clock", "dispatcher", "celery", "beat", "valkey")


@dataclass(frozen=True, slots=True)
class StoresAt:
    """Counters of PostgreSQL and Valkey at one moment."""

    wal_bytes: int
    wal_whole_pages: int
    commits: int
    history_bytes: int
    redis_commands: int
    redis_bytes: int
    """In and out."""


@dataclass(slots=True)
class Footprint:
    """For a move: bytes and counts. For a connection: bytes of memory and microseconds."""

    moves: int
    by_move: Mapping[str, float]
    socket_bytes: float
    held_bytes: float
    """Of a game that a gateway holds, its sockets apart."""
    game_bytes: float
    base_bytes: Mapping[str, int]
    watcher_us_per_second: float
    delivery_us: float
    event_bytes: float

    def keys(self) -> dict[str, object]:
        """By their names in the last line of the bench."""
        return {
            "footprint_moves": self.moves,
            **{f"{name}_per_move": round(value, 3) for name, value in self.by_move.items()},
            "gateway_bytes_per_socket": round(self.socket_bytes),
            "gateway_bytes_per_game": round(self.held_bytes),
            "game_bytes_per_game": round(self.game_bytes),
            "base_bytes_by_process": dict(self.base_bytes),
            "gateway_us_per_watcher_second": round(self.watcher_us_per_second, 1),
            "gateway_us_per_delivery": round(self.delivery_us, 1),
            "event_bytes": round(self.event_bytes),
        }


@dataclass(slots=True)
class Watchers:
    """Connections of spectators, and what they received."""

    heard: int = 0
    heard_bytes: int = 0
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def watch(self, url: str, game_id: str, ready: asyncio.Event) -> None:
        """One of them, until it is cancelled."""
        async with connect(url, compression=None, ping_interval=None) as socket:
            await socket.send(orjson.dumps({"t": "sub", "game": game_id, "v": 0}).decode())

            async def ping() -> None:
                while True:
                    await asyncio.sleep(PING_S)
                    await socket.send(PING)

            pinging = asyncio.create_task(ping())
            try:
                async for text in socket:
                    kind = orjson.loads(text)["t"]
                    if kind == "full":
                        ready.set()
                    elif kind == "event":
                        self.heard += 1
                        self.heard_bytes += len(text)
            finally:
                pinging.cancel()


async def measure(stack: BenchStack, load: Generator) -> Footprint:
    """Memory when nobody is there, with players, with watchers; the stores before and after a stretch of play."""
    await asyncio.sleep(SETTLED_S)
    base = weights(stack)
    await load.ask("prepare", name="weighed", kind="open", games=TABLES, plies=PLIES, each=GAMES_EACH, seed=5)
    await load.ask("play", name="weighed")
    await asyncio.sleep(WARM_S)
    await load.ask("report")
    before = await _stores(stack)
    await asyncio.sleep(STRETCH_S)
    after, moves = await _stores(stack), (await load.ask("report"))["committed"]
    await load.ask("pause", name="weighed")
    played = weights(stack)
    alone_us = await _gentle(stack, load)
    async with _watching(stack) as watchers:
        with_watchers = weights(stack)
        quiet = await idle.measure(stack, STRETCH_S)
        heard, heard_bytes = watchers.heard, watchers.heard_bytes
        watched_us = await _gentle(stack, load)
        heard, heard_bytes = watchers.heard - heard, watchers.heard_bytes - heard_bytes
    quiet_alone = await idle.measure(stack, STRETCH_S)
    # What the first games cost beside what they hold is not paid again by these.
    light = weights(stack)
    await load.ask("prepare", name="more", kind="quiet", games=MORE_TABLES, plies=MORE_PLIES, each=1, seed=6)
    await load.ask("play", name="more", until_ply=MORE_PLIES - 2)
    await load.ask("still", name="more", within_s=60.0)
    heavy = weights(stack)
    for name in ("more", "weighed"):
        await load.ask("leave", name=name)
    count = TABLES * WATCHERS_EACH
    socket_bytes = (with_watchers["gateway"] - played["gateway"]) / count
    quiet_us = max(0.0, quiet["gateway"] - quiet_alone["gateway"])
    deliveries_per_s = heard / (STRETCH_S + WARM_S)
    return Footprint(
        moves=moves,
        by_move={
            "wal_bytes": (after.wal_bytes - before.wal_bytes) / moves,
            "wal_whole_pages": (after.wal_whole_pages - before.wal_whole_pages) / moves,
            "commits": (after.commits - before.commits) / moves,
            "history_bytes": (after.history_bytes - before.history_bytes) / moves,
            "redis_commands": (after.redis_commands - before.redis_commands) / moves,
            "redis_bytes": (after.redis_bytes - before.redis_bytes) / moves,
        },
        socket_bytes=socket_bytes,
        held_bytes=max(0.0, (heavy["gateway"] - light["gateway"]) / MORE_TABLES - 2 * socket_bytes),
        game_bytes=(heavy["game"] - light["game"]) / MORE_TABLES,
        base_bytes=base,
        watcher_us_per_second=quiet_us / count,
        delivery_us=max(0.0, watched_us - alone_us - quiet_us) / deliveries_per_s,
        event_bytes=heard_bytes / heard,
    )


async def _gentle(stack: BenchStack, load: Generator) -> float:
    """Microseconds that the gateway spends in a second at a hundred moves a second."""
    await load.ask("play", name="weighed", think_s=TABLES / GENTLE_PER_S)
    await asyncio.sleep(WARM_S)
    roots = {"gateway": stack.pids()["gateway"]}
    before = sample(roots)
    await asyncio.sleep(STRETCH_S)
    spent_s = spent_between(before, sample(roots))
    await load.ask("pause", name="weighed")
    return spent_s["gateway"] * 1e6 / STRETCH_S


@asynccontextmanager
async def _watching(stack: BenchStack) -> AsyncIterator[Watchers]:
    """As many watchers at each game that goes on, all of them connected."""
    games = await _going_on(stack)
    watchers, url = Watchers(), stack.address.replace("http", "ws", 1) + "/api/flagfall/ws"
    waiting: list[asyncio.Event] = []
    try:
        for game_id in games:
            arrived = [asyncio.Event() for _ in range(WATCHERS_EACH)]
            watchers.tasks += [asyncio.create_task(watchers.watch(url, game_id, ready)) for ready in arrived]
            waiting += arrived
            async with asyncio.timeout(30):
                await asyncio.gather(*(ready.wait() for ready in arrived))
        yield watchers
    finally:
        for task in watchers.tasks:
            task.cancel()
        await asyncio.gather(*watchers.tasks, return_exceptions=True)


async def _going_on(stack: BenchStack) -> Sequence[str]:
    """The games that were moved in last: those at the tables."""
    connection = await asyncpg.connect(stack.database_url.replace("+asyncpg", ""))
    try:
        rows = await connection.fetch(
            "SELECT game_id FROM game_event GROUP BY game_id ORDER BY max(at_ms) DESC LIMIT $1", TABLES
        )
    finally:
        await connection.close()
    return [row["game_id"] for row in rows]


async def _stores(stack: BenchStack) -> StoresAt:
    connection = await asyncpg.connect(stack.database_url.replace("+asyncpg", ""))
    try:
        wal = await connection.fetchrow(
            "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes, wal_fpi FROM pg_stat_wal"
        )
        commits = await connection.fetchval(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        )
        history = await connection.fetchval("SELECT pg_total_relation_size('game_event')")
    finally:
        await connection.close()
    assert wal is not None
    async with Redis.from_url(stack.redis_url) as redis:
        told = await redis.info("stats")
    return StoresAt(
        int(wal["bytes"]),
        int(wal["wal_fpi"]),
        int(commits),
        int(history),
        int(told["total_commands_processed"]),
        int(told["total_net_input_bytes"]) + int(told["total_net_output_bytes"]),
    )


def weights(stack: BenchStack) -> dict[str, int]:
    """Bytes of memory that each process holds and shares with nobody, as the kernel counts them."""
    return {name: private_bytes(stack.pids()[name]) for name in WEIGHED}


def private_bytes(pid: int) -> int:
    """Of one process. Raises OSError when it is gone."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * KIB for line in lines if line.startswith("Private_"))
