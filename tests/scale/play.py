"""Games of tests/chaos on a stack that has several replicas of every service, and the stores that a test asks for."""

import asyncio
import contextlib
import os
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from deploy.laptop.child import Command
from deploy.laptop.node import ROOT
from deploy.laptop.plan import Place, base_environment, make_plan
from deploy.laptop.ports import PortBlock
from deploy.laptop.stores import Tuning, postgres, valkey
from tests.chaos.facts import Rules
from tests.chaos.ground import Ground
from tests.chaos.report import reproduction, summary
from tests.chaos.run import DAY_MS, SETTINGS, SWEEP_S, Options, Run
from tests.stack.replicas import READY_WITHIN_S, ReplicatedFlagfall, living_in, spread

COUNTS = {"gateway": 3, "game": 3, "rules": 3, "clock": 2, "dispatcher": 2, "celery": 2, "beat": 2}
LATE_MS = 20_000
MOVES_EACH = 5
"""Acknowledged moves of people for each table, after which there was enough play."""
PLAYED_WITHIN_S = 60.0
NO_FLAG = "no flag fell"
"""Runs of a minute must have one. These take that long only where the start is slow, and are about other things."""


@dataclass(frozen=True, slots=True)
class Stores:
    """Processes to start before all others, in this order, and how services reach what they make."""

    groups: tuple[tuple[Command, ...], ...]
    database_url: str
    """PostgreSQL itself."""
    redis_url: str
    services_database_url: str = ""
    """What the game service is told; empty: the same."""
    settings: Mapping[str, str] | None = None
    """What the services must know of it."""


class MakeStores(Protocol):
    """Prepares stores in a folder. It may block."""

    def __call__(self, folder: Path, ports: PortBlock, environment: dict[str, str]) -> Stores: ...


def usual_stores(folder: Path, ports: PortBlock, environment: dict[str, str]) -> Stores:
    """One PostgreSQL and one Valkey, as on a laptop."""
    database = postgres(folder, ports.take(), Tuning(), environment)
    redis = valkey(folder, ports.take(), Tuning(), environment)
    return Stores(((database.command, redis.command),), database.url, redis.url)


class WideFlagfall(ReplicatedFlagfall):
    """As many of each as `COUNTS` says."""

    def __init__(self, say: Callable[[str], None], make_stores: MakeStores) -> None:
        super().__init__(say, replicas=max(COUNTS.values()), gateways=COUNTS["gateway"])
        self._make_stores = make_stores

    async def start(self, folder: Path, settings: Mapping[str, str], home: Path = ROOT) -> None:
        """See the class above."""
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "FLAGFALL_LOG_FORMAT": "text", **settings}
        stores = await asyncio.to_thread(self._make_stores, folder, self._ports, base_environment(environment))
        self.database_url, self.redis_url = stores.database_url, stores.redis_url
        place = Place(folder, "127.0.0.1", 0, self.database_url, self.redis_url, "")
        plan = make_plan(place, self._ports, {**environment, **(stores.settings or {})})
        self._plan = replace(plan, environment=living_in(home, plan.environment))
        wide = spread(plan, self._blocks, COUNTS["gateway"])
        own = {"FLAGFALL_DATABASE_URL": stores.services_database_url or self.database_url}
        commands = tuple(
            replace(each, environment=living_in(home, {**each.environment, **own}))
            for each in wide.commands
            if int(each.name[-1]) <= COUNTS[each.name[:-1]]
        )
        self.gateways = tuple(f"http://127.0.0.1:{port}" for port in wide.gateway_ports)
        first, *others = stores.groups
        await self._stack.start(first)
        await self._stack.migrate(self._plan)
        for group in others:
            await self._stack.start(group)
        await self._stack.start_services(replace(plan, commands=commands), READY_WITHIN_S)


def run_on(
    folder: Path, stack: WideFlagfall, lines: "Lines", faults: Mapping[str, Any], games: int, **settings: str
) -> Run:
    """A run of tests/chaos on that stack; `faults` by name, as there."""
    rules = Rules(
        grace_ms=100, first_move_ms=30_000, gap_ms=3_000, late_ms=LATE_MS, expiry_late_ms=SWEEP_S * 1_000 + 60_000
    )
    ground = Ground(stack, faults, {**SETTINGS, **settings}, rules, DAY_MS)
    options = Options(games=games, seed=7, gateways=COUNTS["gateway"], faults=tuple(faults))
    return Run(options, folder, lines.write, lines, ground)


class Lines:
    """What all processes, and the run, have printed."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def write(self, text: str, /) -> None:
        """One more."""
        self.kept.append(text.rstrip("\n"))

    def of(self, name: str) -> list[str]:
        """Those of a process, or of all replicas of a part."""
        return [line for line in self.kept if line.split(" ")[1:2] and line.split(" ")[1].startswith(name)]


async def played(run: Run, faults: Sequence[str]) -> dict[str, Any]:
    """Play, do the faults one after the other, let everybody finish, and say what was found. Nobody may have lost
    anything: that fails here, with what is known of it."""
    chance = random.Random(run.options.seed)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(run.close)
        await run.begin()
        for kind in faults:
            await run.one(kind, chance)
        with contextlib.suppress(TimeoutError):  # the caller looks at the number
            async with asyncio.timeout(PLAYED_WITHIN_S):
                while len(run.acks_ms()) < MOVES_EACH * len(run.tables):
                    await asyncio.sleep(0.1)
        await run.finish()
    told = summary(run)
    found = [violation for violation in run.ledger.violations if violation.detail != NO_FLAG]
    assert not found, f"{told}\n{reproduction(run)}"
    assert told["moves_acknowledged"] >= MOVES_EACH * len(run.tables)
    return told
