"""The gateway as a process of its own, before a fake game service in the test that publishes what it commits."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from redis.asyncio import Redis

from deploy.laptop.node import ROOT
from deploy.laptop.plan import base_environment
from deploy.laptop.ports import PortBlock
from services.pb.flagfall.v1 import events_pb2
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.gateway.fake_game import FakeGame, register

WITHIN_S = 30.0


@asynccontextmanager
async def loud_game(redis_url: str) -> AsyncIterator[FakeGame]:
    """A fake game service on a free port, `target`, that publishes what commands make: anna has White, bob Black."""
    game = FakeGame()
    game.tokens = {name: events_pb2.Player(id=name, name=name.title()) for name in ("anna", "bob", "carl")}
    rpc = Settings(drain_ms=0)
    async with (
        Redis.from_url(redis_url) as redis,
        serving(rpc, partial(register, game)) as served,
    ):
        game.loud, game.target = redis, f"127.0.0.1:{served.port}"
        yield game


@dataclass(slots=True)
class GatewayProcess:
    """A running gateway."""

    process: asyncio.subprocess.Process
    port: int
    admin_port: int

    def url(self, query: str = "") -> str:
        """Where sockets connect."""
        return f"ws://127.0.0.1:{self.port}/api/flagfall/ws{query}"

    async def metric(self, line: str) -> float:
        """A number of the process; 0 while it has none."""
        async with httpx.AsyncClient(trust_env=False) as client:
            text = (await client.get(f"http://127.0.0.1:{self.admin_port}/metrics", timeout=5)).text
        found = re.search(rf"^flagfall_{re.escape(line)} (\S+)$", text, re.MULTILINE)
        return float(found.group(1)) if found else 0.0

    async def until(self, line: str, value: float, within_s: float = WITHIN_S) -> None:
        """Return once a number is that."""
        async with asyncio.timeout(within_s):
            while await self.metric(line) != value:
                await asyncio.sleep(0.02)

    @property
    def descriptors(self) -> int:
        """How many files and sockets it holds open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def resident_mib(self) -> float:
        """How much memory it holds."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
        assert found is not None
        return int(found.group(1)) / 1024


@asynccontextmanager
async def gateway_process(
    game_target: str, redis_url: str, log: Path | None = None, open_files: int | None = None, **settings: object
) -> AsyncIterator[GatewayProcess]:
    """`python -m services.gateway serve`, once it is ready. `log`: a file for what it writes, instead of the test's;
    `open_files`: the most that it may have open."""
    with PortBlock() as ports:
        port, admin_port = ports.take(), ports.take()
        fields = {
            "port": port,
            "admin_port": admin_port,
            "game_target": game_target,
            "redis_url": redis_url,
            "log_format": "text",
            "log_level": "WARNING",
            "drain_ms": 100,
            "socket_drain_ms": 0,
            **settings,
        }
        environment = base_environment(os.environ)
        environment |= {f"FLAGFALL_{name.upper()}": str(value) for name, value in fields.items()}
        limited = ["sh", "-c", f'ulimit -n {open_files}; exec "$@"', "gateway"] if open_files else []
        with ExitStack() as stack:
            output = None if log is None else stack.enter_context(log.open("wb"))
            process = await asyncio.create_subprocess_exec(
                *limited,
                *(sys.executable, "-m", "services.gateway", "serve"),
                env=environment,
                cwd=ROOT,
                stdout=output,
                stderr=output,
            )
        gateway = GatewayProcess(process, port, admin_port)
        try:
            await _ready(gateway)
            yield gateway
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _ready(gateway: GatewayProcess) -> None:
    async with httpx.AsyncClient(trust_env=False) as client, asyncio.timeout(WITHIN_S):
        while True:
            assert gateway.process.returncode is None, "the gateway has ended"
            try:
                answer = await client.get(f"http://127.0.0.1:{gateway.admin_port}/readyz", timeout=3)
                if answer.status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.02)
