"""A game service that starts before the migration: not ready, and it says why, until the steps are there."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from deploy.laptop.node import ROOT
from deploy.laptop.plan import base_environment
from deploy.laptop.ports import PortBlock
from services.game.store.schema_step import newest_step
from tests.stack.databases import migrate

WITHIN_S = 40.0


@dataclass(frozen=True, slots=True)
class Ports:
    """Of the game service."""

    admin: int
    grpc: int


@pytest.fixture
async def game(empty_database_url: str, redis_url: str) -> AsyncIterator[Ports]:
    """A game service that runs on a database without tables, beside the rules."""
    with PortBlock() as ports:
        admin, target, served = ports.take(), ports.take(), ports.take()
        given = {
            **base_environment(os.environ),
            "FLAGFALL_DATABASE_URL": empty_database_url,
            "FLAGFALL_REDIS_URL": redis_url,
            "FLAGFALL_RULES_TARGET": f"127.0.0.1:{target}",
            "FLAGFALL_READY_PERIOD_MS": "100",
        }
        own = {
            "game": {"FLAGFALL_ADMIN_PORT": str(admin), "FLAGFALL_GRPC_PORT": str(served)},
            "rules": {"FLAGFALL_GRPC_PORT": str(target)},
        }
        processes = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", f"services.{name}", "serve"),
                env=given | more,
                cwd=ROOT,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            for name, more in own.items()
        ]
        try:
            yield Ports(admin, served)
        finally:
            for process in processes:
                process.terminate()
            assert [await process.wait() for process in processes] == [0, 0]


async def report(client: httpx.AsyncClient, checks: dict[str, str]) -> httpx.Response:
    """What /readyz says once its checks say that (the beginning of it). Raises TimeoutError."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                answer = await client.get("/readyz")
                told = answer.json()["checks"]
                if all(told.get(name, "").startswith(text) for name, text in checks.items()):
                    return answer
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.05)


async def test_it_becomes_ready_when_the_migration_has_run(game: Ports, empty_database_url: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{game.admin}") as client:
        lacks = f"SchemaTooOld: the database has no tables, this version needs {newest_step()}: run `services.game mig"
        answer = await report(client, {"schema": lacks, "rules": "ok", "database": "ok"})
        assert answer.status_code == 503
        metrics = (await client.get("/metrics")).text
        assert 'flagfall_ready{check="schema"} 0.0' in metrics
        assert 'flagfall_ready{check="database"} 1.0' in metrics
        assert (await client.get("/healthz")).status_code == 200  # nobody restarts what only waits
        with pytest.raises(ConnectionRefusedError):  # whoever does not look at readiness goes elsewhere
            await asyncio.open_connection("127.0.0.1", game.grpc)
        await asyncio.to_thread(migrate, empty_database_url)
        answer = await report(client, {"schema": "ok"})
        assert answer.status_code == 200
        assert 'flagfall_ready{check="schema"} 1.0' in (await client.get("/metrics")).text
        _, writer = await asyncio.open_connection("127.0.0.1", game.grpc)
        writer.close()


async def test_it_may_be_ended_while_it_waits(game: Ports) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{game.admin}") as client:
        await report(client, {"schema": "SchemaTooOld"})  # the fixture asks it to end, and for exit code 0
