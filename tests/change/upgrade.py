"""A rolling upgrade in the middle of play, and its way back, with the players and the ledger of `make chaos`.

Two replicas of each service begin on the previous release. In each step one replica of every service is replaced, all
of them at once, so that in between old and new ones answer each other in any mixture. After each step play must go on
at every table and the ledger must find nothing wrong.
"""

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import asyncpg

from deploy.laptop.child import StackError
from tests.chaos.facts import Rules
from tests.chaos.faults import Black, Doing, Tools
from tests.chaos.ground import Ground
from tests.chaos.run import DAY_MS, LOUD, SETTINGS, SWEEP_S, Log, Options, Run
from tests.stack.replicas import STORES, ReplicatedFlagfall

REFUSED = "the database was not migrated, it is of another version of Flagfall"
"""What releases up to f633432 say of a later schema, with exit code 1; later ones leave it with code 0."""

STARTED_AGAIN = "; starting it again in"

CATALOGUE = """
    SELECT format('%s.%s %s', c.relname, a.attname, a.atttypid::regtype), c.reloptions::text
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT version_num, '' FROM alembic_version ORDER BY 1
"""

RULES = Rules(grace_ms=100, first_move_ms=30_000, gap_ms=3_000, late_ms=20_000, expiry_late_ms=SWEEP_S * 1_000 + 30_000)

SECRET = "known-to-the-new-release,"
"""The old release sends no secret: as docs/upgrading.md asks, the new one accepts calls without any for the time."""


class FromRelease(ReplicatedFlagfall):
    """Begins on the previous release in `old`: its replicas, its schema and then that of `new`."""

    def __init__(self, say: Callable[[str], None], old: Path, new: Path) -> None:
        self.said: deque[str] = deque(maxlen=200)

        def hear(line: str) -> None:
            self.said.append(line)
            say(line)

        super().__init__(hear, replicas=2, gateways=2)
        self.old, self.new = old, new

    async def start(self, folder: Path, settings: Mapping[str, str], home: Path | None = None) -> None:
        """Start the old release, or that of `home`, and then migrate to the new one's schema under it."""
        await super().start(folder, {**settings, "FLAGFALL_SERVICE_SECRET": SECRET}, home or self.old)
        await self.migrate(self.new)

    async def migrate_back(self) -> None:
        """Run the older release's migration against the newer schema: it must do nothing, and say so."""
        before = await catalogue(self.database_url)
        self.said.clear()
        try:
            await self.migrate(self.old)
        except StackError:
            assert any(REFUSED in line for line in self.said), self.said
        assert await catalogue(self.database_url) == before

    def replicas(self, number: int) -> Sequence[str]:
        """The replica of each service that has this number."""
        return [name for name in self.names if name not in STORES and name.endswith(str(number))]


async def catalogue(database_url: str) -> list[tuple[str, str]]:
    """What tables and indexes have, and the schema's step."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        return [tuple(row) for row in await connection.fetch(CATALOGUE)]
    finally:
        await connection.close()


def steps(stack: FromRelease) -> dict[str, Doing]:
    """There and back, one replica of each service at a time."""

    def moved(number: int, home: Path) -> Doing:
        async def do(_: Tools) -> Black:
            if home == stack.old:
                await stack.migrate_back()  # whoever puts the older release back runs its migration, too
            await stack.move(stack.replicas(number), home)
            return None

        return do

    return {
        "first new": moved(1, stack.new),
        "all new": moved(2, stack.new),
        "second old again": moved(2, stack.old),
        "all old again": moved(1, stack.old),
    }


async def played_through(
    old: Path, new: Path, folder: Path, games: int, seed: int, say: Callable[[str], None], log: Log
) -> tuple[Run, Sequence[str]]:
    """Play while all steps are taken. What was found is in the run's ledger; which steps, beside it."""
    lines = _Lines(log)
    stack = FromRelease(lines.keep, old, new)
    doing = steps(stack)
    options = Options(games=games, seed=seed, faults=tuple(doing))
    run = Run(options, folder, say, log, Ground(stack, doing, SETTINGS, RULES, DAY_MS))
    try:
        await run.begin()
        for step in doing:
            await run.one(step, random.Random(seed))
        await run.finish()
    finally:
        await run.close()
    return run, lines.loud


class _Lines:
    """Keeps what the processes print, and apart errors and ends that nobody asked for."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.loud: list[str] = []

    def keep(self, line: str) -> None:
        self._log.write(line + "\n")
        if LOUD.match(line) or STARTED_AGAIN in line:
            self.loud.append(line)
