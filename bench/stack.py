"""A whole Flagfall for a measure: every process as `make run` starts it, durable stores included, in a folder that is
thrown away."""

import asyncio
import os
import shutil
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from deploy.laptop.child import StackError
from deploy.laptop.output import Output
from deploy.laptop.plan import Place, base_environment, make_plan
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.stores import Tuning, postgres, valkey
from deploy.laptop.watch import Watch
from services.runtime.settings import Settings

READY_WITHIN_S = 90.0
LINES_SHOWN = 60

LIMITS_RAISED = {
    "FLAGFALL_SIGN_UPS_PER_HOUR": "10000000",
    "FLAGFALL_CHALLENGES_PER_MINUTE": "100000",
    "FLAGFALL_SOCKET_FRAMES_PER_S": "10000",
    "FLAGFALL_SOCKET_FRAMES_BURST": "10000",
    "FLAGFALL_GAMES_ONGOING_MAX": "100000",
    "FLAGFALL_FIRST_MOVE_MS": "3600000",  # games are made before they are played
}
"""One machine plays everybody here: limits of an address or a person would measure themselves."""


@dataclass(frozen=True, slots=True)
class BenchStack:
    """A running stack."""

    address: str
    database_url: str
    redis_url: str
    game_target: str
    rules_target: str
    settings: Settings
    """For channels to its services: it has their secret."""
    admin_ports: Mapping[str, int]
    stack: Stack

    def pids(self) -> dict[str, int]:
        """The process ids of all parts, stores included."""
        return {name: child.pid for name, child in self.stack.children.items() if child.pid is not None}

    def metrics(self, name: str) -> str:
        """The text of /metrics of a service."""
        url = f"http://127.0.0.1:{self.admin_ports[name]}/metrics"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return str(answer.read().decode())


@asynccontextmanager
async def running(
    settings: Mapping[str, str] | None = None, postgres_settings: Mapping[str, str] | None = None
) -> AsyncIterator[BenchStack]:
    """Start everything, and end it afterwards. `settings` by their whole name, given to every process."""
    lines: list[str] = []
    folder = await asyncio.to_thread(_folder)
    watch, ports = Watch(), PortBlock()
    stack = Stack(Output(lines.append), watch)
    environment = {**os.environ, **LIMITS_RAISED, **(settings or {})}
    base = base_environment(environment)
    try:
        database = await asyncio.to_thread(postgres, folder, ports.take(), Tuning(), base)
        redis = await asyncio.to_thread(valkey, folder, ports.take(), Tuning(), base)
        flags = [word for name, value in (postgres_settings or {}).items() for word in ("-c", f"{name}={value}")]
        database_command = replace(database.command, argv=(*database.command.argv, *flags))
        await stack.start([database_command, redis.command])
        broker_url = redis.url.removesuffix("/0") + "/1"
        place = Place(folder, "127.0.0.1", ports.take(), database.url, redis.url, broker_url)
        plan = make_plan(place, ports, environment)
        await stack.migrate(plan)
        await stack.start_services(plan, READY_WITHIN_S)
        yield BenchStack(
            place.address,
            database.url,
            redis.url,
            plan.environment["FLAGFALL_GAME_TARGET"],
            plan.environment["FLAGFALL_RULES_TARGET"],
            Settings.model_validate({"service_secret": plan.environment["FLAGFALL_SERVICE_SECRET"]}),
            plan.admin_ports,
            stack,
        )
    except StackError:
        print("\n".join(lines[-LINES_SHOWN:]), flush=True)
        raise
    finally:
        await stack.stop()
        watch.close()
        ports.close()
        shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="flagfall-bench-"))
    folder.chmod(0o755)  # PostgreSQL may run as another user
    return folder
