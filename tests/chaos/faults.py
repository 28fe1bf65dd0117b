"""The faults, by name. Each returns the outage that it made: a time in which nobody could move."""

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import asyncpg
from redis.asyncio import Redis

from tests.chaos.demands import NOT_TESTED
from tests.chaos.facts import Span, Violation
from tests.chaos.ground import Stack
from tests.chaos.line import now_ms
from tests.stack.replicas import STORES

HOLD_S = (0.0, 1.5)
"""How long a killed process stays down, without the time of its start."""
OUTAGE_S = (5.0, 7.0)
"""How long all replicas of a service are down for an outage: certainly longer than the gap."""
ONE_DOWN_S = (5.0, 7.0)
FREEZE_S = (4.0, 6.0)
COMMIT_SEEN_WITHIN_S = 5.0


@dataclass(frozen=True, slots=True)
class Tools:
    """What a fault may use."""

    stack: Stack
    chance: random.Random
    pause_s: float
    """How long Valkey is paused."""
    say: Callable[[str], None]
    note: Callable[[Violation], None]
    """Called when a fault did not have its intended effect."""


Black = Span | None
Doing = Callable[[Tools], Awaitable[Black]]


def _one(part: str, number: int = signal.SIGKILL) -> Doing:
    """Signal one replica, wait until it is gone, and start it again after a while."""

    async def do(tools: Tools) -> Black:
        names = tools.stack.of(part)
        name = tools.chance.choice(names)
        started_ms = now_ms()
        await tools.stack.down([name], number)
        gone_ms = now_ms()
        tools.say(
            f"{name} {signal.Signals(number).name}"
            + ("" if number == signal.SIGKILL else f" {gone_ms - started_ms} ms")
        )
        await asyncio.sleep(tools.chance.uniform(*HOLD_S))
        back_ms = now_ms()
        tools.stack.up([name])
        return Span(gone_ms, back_ms) if len(names) == 1 and part in ("gateway", "game", "rules") else None

    return do


def _all(parts: Sequence[str], hold_s: tuple[float, float], number: int = signal.SIGKILL) -> Doing:
    """Kill every replica of some parts at once, and start them again after a while."""

    async def do(tools: Tools) -> Black:
        names = [name for part in parts for name in tools.stack.of(part)]
        await tools.stack.down(names, number)
        gone_ms = now_ms()
        await asyncio.sleep(tools.chance.uniform(*hold_s))
        back_ms = now_ms()
        tools.stack.up(names)
        return Span(gone_ms, back_ms) if {"gateway", "game", "rules", "postgres"} & set(parts) else None

    return do


async def _everything(tools: Tools) -> Black:
    """All at once, stores and services, with clocks running."""
    await tools.stack.down(tools.stack.names, signal.SIGKILL)
    gone_ms = now_ms()
    await asyncio.sleep(tools.chance.uniform(*HOLD_S))
    back_ms = now_ms()
    tools.stack.up(STORES)
    tools.stack.up(name for name in tools.stack.names if name not in STORES)
    return Span(gone_ms, back_ms)


async def _one_gateway_down(tools: Tools) -> Black:
    """One gateway is down for longer than the gap; with another gateway this is no outage."""
    name = tools.chance.choice(tools.stack.of("gateway"))
    await tools.stack.down([name], signal.SIGKILL)
    await asyncio.sleep(tools.chance.uniform(*ONE_DOWN_S))
    tools.stack.up([name])
    return None


def _frozen(part: str) -> Doing:
    """Stop one replica for some seconds with SIGSTOP, with its connections open."""

    async def do(tools: Tools) -> Black:
        name = tools.chance.choice(tools.stack.of(part))
        tools.stack.send(name, signal.SIGSTOP)
        await asyncio.sleep(tools.chance.uniform(*FREEZE_S))
        tools.stack.send(name, signal.SIGCONT)
        return None

    return do


def _unpublished(both: bool) -> Doing:
    """Kill the game service between commit and publish: while Valkey is stopped nothing can be published, and a new row
    in the outbox is an unpublished commit."""

    async def do(tools: Tools) -> Black:
        tools.stack.send("valkey", signal.SIGSTOP)
        try:
            row = await _committed(tools.stack.database_url)
            games = tools.stack.of("game")
            names = games if both else [tools.chance.choice(games)]
            await tools.stack.down(names, signal.SIGKILL)
            gone_ms = now_ms()
            left = await _outbox(tools.stack.database_url)
            tools.say(f"committed and not published: {len(left)} rows, the first was {row}")
            if row not in left:
                detail = f"killed {' and '.join(names)}, and {row} was published before: {len(left)} rows left"
                tools.note(Violation(NOT_TESTED, detail=detail))
        finally:
            tools.stack.send("valkey", signal.SIGCONT)
        await asyncio.sleep(tools.chance.uniform(*HOLD_S))
        back_ms = now_ms()
        tools.stack.up(names)
        return Span(gone_ms, back_ms) if len(names) == len(games) else None

    return do


async def _outbox(url: str) -> set[str]:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""), timeout=5)
    try:
        rows = await connection.fetch("SELECT owner, number FROM outbox WHERE kind = 'g'")
        return {f"{row['owner']}:{row['number']}" for row in rows}
    finally:
        await connection.close()


async def _committed(url: str) -> str:
    """Return once there is a new row in the outbox. Raises TimeoutError."""
    before = await _outbox(url)
    async with asyncio.timeout(COMMIT_SEEN_WITHIN_S):
        while not (new := await _outbox(url) - before):
            await asyncio.sleep(0.01)
    return min(new)


async def _flush(tools: Tools) -> Black:
    """Delete all data of Valkey."""
    redis = Redis.from_url(tools.stack.redis_url, socket_timeout=5)
    try:
        await redis.flushall()
    finally:
        await redis.aclose()
    return None


async def _pause(tools: Tools) -> Black:
    """Stop Valkey with SIGSTOP, with its connections open."""
    tools.stack.send("valkey", signal.SIGSTOP)
    await asyncio.sleep(tools.pause_s)
    tools.stack.send("valkey", signal.SIGCONT)
    return None


ENGINES = ("celery", "dispatcher", "beat")

FAULTS: dict[str, Doing] = {
    "kill-gateway": _one("gateway"),
    "kill-game": _one("game"),
    "kill-rules": _one("rules"),
    "kill-clock": _one("clock"),
    "kill-worker": _one("celery"),
    "kill-dispatcher": _one("dispatcher"),
    "kill-beat": _one("beat"),
    "kill-all-games": _all(["game"], HOLD_S),
    "kill-all-rules": _all(["rules"], HOLD_S),
    "kill-all-clocks": _all(["clock"], HOLD_S),
    "kill-all-workers": _all(ENGINES, HOLD_S),
    "gateway-down": _one_gateway_down,
    "gateways-down": _all(["gateway"], OUTAGE_S),
    "games-down": _all(["game"], OUTAGE_S),
    "rules-down": _all(["rules"], OUTAGE_S),
    "unpublished": _unpublished(both=False),
    "unpublished-all": _unpublished(both=True),
    "valkey-kill": _all(["valkey"], HOLD_S),
    "valkey-flush": _flush,
    "valkey-pause": _pause,
    "postgres-restart": _all(["postgres"], HOLD_S, signal.SIGINT),
    "postgres-kill": _all(["postgres"], HOLD_S),
    "everything": _everything,
    "drain-gateway": _one("gateway", signal.SIGTERM),
    "drain-game": _one("game", signal.SIGTERM),
    "drain-rules": _one("rules", signal.SIGTERM),
    "drain-clock": _one("clock", signal.SIGTERM),
    "drain-worker": _one("celery", signal.SIGTERM),
    "freeze-game": _frozen("game"),
    "freeze-rules": _frozen("rules"),
}
"""In the order of the documentation; a run takes them in random order."""
