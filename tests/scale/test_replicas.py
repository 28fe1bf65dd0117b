"""Two and more replicas of every service serve the same games, and lose nothing while PostgreSQL restarts.

Nor do they behind a pooler in transaction mode that restarts, too.
"""

import asyncio
import re
import signal
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest

from deploy.laptop.ports import PortBlock
from tests.chaos.facts import Span
from tests.chaos.faults import Tools
from tests.chaos.line import now_ms
from tests.scale.play import COUNTS, Lines, Stores, WideFlagfall, played, run_on, usual_stores
from tests.scale.poolers import SERVER_CONNECTIONS, pooler

GAMES = 20
AWAY_S = 1.0
WORKED = {
    "gateway": re.compile(r'^flagfall_moves_total\{.*outcome="accepted"\} [1-9]', re.M),
    "game": re.compile(r'^flagfall_rpc_total\{.*method="Submit".*\} [1-9]', re.M),
    "rules": re.compile(r'^flagfall_rpc_total\{.*method="Judge".*\} [1-9]', re.M),
    "clock": re.compile(r"^flagfall_timers_outstanding [1-9]", re.M),
    "dispatcher": re.compile(r"^flagfall_turns_enqueued_total\{.*\} [1-9]", re.M),
    "celery": re.compile(r'^flagfall_tasks_total\{.*task="engine_move".*\} [1-9]', re.M),
    "beat": re.compile(r"^flagfall_beat_last_run_timestamp_seconds [1-9]", re.M),
}
"""What a replica's /metrics says once it has done its part."""


def restarted(name: str, number: int) -> Callable[[Tools], Awaitable[Span]]:
    """A fault: a store ends by that signal and comes back after a while."""

    async def do(tools: Tools) -> Span:
        await tools.stack.down([name], number)
        gone_ms = now_ms()
        await asyncio.sleep(AWAY_S)
        tools.stack.up([name])
        return Span(gone_ms, now_ms())

    return do


async def all_work(tools: Tools) -> None:
    """No fault: wait until every replica of every service has done a part of the work. Raises TimeoutError."""
    stack = tools.stack
    assert isinstance(stack, WideFlagfall)
    waiting = {name: WORKED[part] for part in COUNTS for name in stack.of(part)}
    assert len(waiting) == sum(COUNTS.values())
    try:
        async with asyncio.timeout(40):
            while waiting:
                for name in list(waiting):
                    if waiting[name].search(await asyncio.to_thread(metrics, stack.admin_port(name))):
                        del waiting[name]
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise TimeoutError(f"without work: {sorted(waiting)}") from None


def metrics(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return str(answer.read().decode())


async def few_connections(tools: Tools) -> None:
    """No fault: three pools of game services share the few connections of the pooler."""
    connection = await asyncpg.connect(tools.stack.database_url.replace("+asyncpg", ""), timeout=5)
    try:
        count = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()
    if not 1 <= count <= SERVER_CONNECTIONS:
        raise OSError(f"{count} connections")


FAULTS = {
    "few-connections": few_connections,
    "all-work": all_work,
    "postgres-fast": restarted("postgres", signal.SIGINT),
    "postgres-immediate": restarted("postgres", signal.SIGQUIT),
    "pooler-restart": restarted("pgbouncer", signal.SIGTERM),
}


def behind_a_pooler(folder: Path, ports: PortBlock, environment: dict[str, str]) -> Stores:
    """The usual stores, with a PgBouncer that all game services are told of instead of PostgreSQL."""
    usual = usual_stores(folder, ports, environment)
    command, url = pooler(usual.database_url, folder, ports.take(), environment)
    return Stores(
        (*usual.groups, (command,)), usual.database_url, usual.redis_url, url, {"FLAGFALL_DATABASE_POOLED": "true"}
    )


async def play(folder: Path, kinds: list[str], stores: Callable[..., Stores]) -> None:
    lines = Lines()
    stack = WideFlagfall(lambda line: lines.write(f"0 {line}"), stores)
    run = run_on(folder, stack, lines, {kind: FAULTS[kind] for kind in kinds}, GAMES)
    told = await played(run, kinds)
    assert told["computer_moves"] > 0


@pytest.mark.timeout(240)
async def test_replicas_of_everything_play_on_while_postgresql_restarts(wide_folder: Path) -> None:
    await play(wide_folder, ["all-work", "postgres-fast", "postgres-immediate"], usual_stores)


@pytest.mark.timeout(240)
@pytest.mark.needs("pgbouncer")
async def test_replicas_play_on_behind_a_pooler_that_restarts(wide_folder: Path) -> None:
    await play(wide_folder, ["few-connections", "pooler-restart", "postgres-fast", "all-work"], behind_a_pooler)
