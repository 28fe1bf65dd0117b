"""Processes of the workers for tests, with a real Valkey and a game service in memory."""

import asyncio
import os
import shlex
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import httpx
import pytest
from redis.asyncio import Redis

from deploy.laptop.node import ROOT
from services.runtime.event_stream import Publisher
from services.runtime.redis_client import connect
from services.workers.celery_app import ENGINE_QUEUE, make_app
from services.workers.celery_queue import CeleryQueue
from services.workers.settings import WorkersSettings
from services.workers.turn import Turn, turn_of
from tests.integration.game.game_in_memory import GameInMemory, Record, eventually

SHARDS = 8
TAME = Path(__file__).with_name("tame_engine.py")


@dataclass(slots=True)
class Part:
    """A process of the workers."""

    process: asyncio.subprocess.Process
    admin_port: int

    async def get(self, path: str) -> httpx.Response | None:
        """An answer of the admin port, or None while nobody is there."""
        try:
            async with httpx.AsyncClient(trust_env=False) as client:
                return await client.get(f"http://127.0.0.1:{self.admin_port}{path}", timeout=3)
        except httpx.TransportError:
            return None

    async def ready(self) -> bool:
        """Whether /readyz says yes."""
        assert self.process.returncode is None, "the process has ended"
        answer = await self.get("/readyz")
        return answer is not None and answer.status_code == 200

    async def metrics(self) -> str:
        """The text of /metrics."""
        answer = await self.get("/metrics")
        assert answer is not None
        return answer.text

    async def facts(self) -> dict[str, str]:
        """What the health page says beside the checks."""
        answer = await self.get("/healthz")
        assert answer is not None
        facts: dict[str, str] = answer.json()["facts"]
        return facts


@dataclass(slots=True)
class World:
    """A game service, a Valkey, and processes that use them."""

    game: GameInMemory
    redis: Redis
    redis_url: str
    parts: list[Part]

    async def start(self, verb: str, **own: str) -> Part:
        """Start a process and wait until it is ready."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        environment = os.environ | {
            "FLAGFALL_REDIS_URL": self.redis_url,
            "FLAGFALL_GAME_TARGET": self.game.target,
            "FLAGFALL_ADMIN_PORT": str(port),
            "FLAGFALL_EVENT_SHARDS": str(SHARDS),
            "FLAGFALL_LOG_FORMAT": "text",
            "FLAGFALL_ENGINE_COMMAND": "none",
            "FLAGFALL_HEARTBEAT_PERIOD_MS": "500",
            **{f"FLAGFALL_{name.upper()}": value for name, value in own.items()},
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.workers", verb, env=environment, cwd=ROOT
        )
        part = Part(process, port)
        self.parts.append(part)
        await eventually(part.ready, f"{verb} is ready", 40)
        return part

    async def computer_game(self, game_id: str, level: int = 10, **own: Any) -> Record:
        """A game in which the computer has White and the move; the highest level plays nothing by chance."""
        return await self.game.add(Record(game_id, level=level, computer=chess.WHITE, **own))

    async def enqueue(self, *turns: Turn) -> None:
        """Put tasks into the queue as the dispatcher does."""
        app = make_app(WorkersSettings(redis_url=self.redis_url))
        await CeleryQueue(app).enqueue(turns)
        app.close()

    def turn(self, record: Record) -> Turn:
        """The computer's turn of a game."""
        turn = turn_of(self.game.state(record))
        assert turn is not None
        return turn

    async def queued(self) -> int:
        """Tasks that wait for an engine."""
        async with connect(WorkersSettings(redis_url=self.redis_url).broker) as broker:
            return int(await broker.llen(ENGINE_QUEUE))


@pytest.fixture
async def world(redis_url: str) -> AsyncIterator[World]:
    redis = connect(redis_url)
    async with GameInMemory.make(Publisher(redis, SHARDS, 20_000)).running() as game:
        world = World(game, redis, redis_url, [])
        try:
            yield world
        finally:
            for part in world.parts:
                if part.process.returncode is None:
                    part.process.kill()
                    await part.process.wait()
            await redis.aclose()


def tame(mode: str = "", **files: Path) -> str:
    """The command of an engine that misbehaves as told."""
    return shlex.join([sys.executable, str(TAME), mode, *(f"{name}={path}" for name, path in files.items())])


async def played(world: World, count: int, within_s: float = 30) -> None:
    """Return once the computer has made so many moves."""
    await eventually(lambda: len(world.game.moves) >= count, f"{count} moves of the computer", within_s)


async def has(part: Part, line: str) -> bool:
    """Whether a line is among its metrics."""
    return line in await part.metrics()
