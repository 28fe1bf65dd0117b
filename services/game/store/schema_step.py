"""Checks whether the database's schema has all steps that this code needs.

A replica may start before the migration has run. Then it waits, not ready, until the database has the needed steps.
Later steps in the database do no harm: a step never breaks the previous release.
"""

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.game.store.database import single
from services.runtime.lifecycle import Stop

STEPS = Path(__file__).with_name("migrations") / "versions"
STEP_FILE = re.compile(r"r(\d{4})_\w+\.py")
LOOK_AGAIN_S = 0.25
LOOK_WITHIN_S = 1.0

_STEP = sa.text("SELECT max(version_num) FROM alembic_version")
_ANY_STEP = sa.text("SELECT to_regclass('alembic_version') IS NOT NULL")


class SchemaTooOld(RuntimeError):
    """The database lacks steps that this code needs."""


def newest_step(steps: Path = STEPS) -> str:
    """The number of the newest step that this code knows and needs, for example '0004'."""
    return max(found.group(1) for file in steps.iterdir() if (found := STEP_FILE.fullmatch(file.name)))


async def taken_step(connection: AsyncConnection) -> str:
    """The number of the last step taken in the database; empty for none."""
    if not (await connection.execute(_ANY_STEP)).scalar_one():
        return ""
    return (await connection.execute(_STEP)).scalar() or ""


class SchemaCheck:
    """A readiness check. Once passed, it always passes: no step is ever undone."""

    def __init__(self, engine: AsyncEngine, needed: str) -> None:
        self._engine = single(engine)
        self._needed = needed
        self._passed = asyncio.Event()

    async def __call__(self) -> None:
        """Raises SchemaTooOld if steps are missing, or the database's exception if it is away."""
        if self._passed.is_set():
            return
        async with self._engine.connect() as connection:
            step = await taken_step(connection)
        if step < self._needed:
            has = f"is at step {step}" if step else "has no tables"
            raise SchemaTooOld(f"the database {has}, this version needs {self._needed}: run `services.game migrate`")
        self._passed.set()

    async def reached(self, stop: Stop) -> bool:
        """Wait until the check passes, then return True; False if the process must stop before."""
        asked, passed = asyncio.ensure_future(stop.wait()), asyncio.ensure_future(self._passed.wait())
        try:
            while not asked.done() and not passed.done():
                with suppress(SchemaTooOld, SQLAlchemyError, OSError, TimeoutError):  # readiness reports the error
                    async with asyncio.timeout(LOOK_WITHIN_S):
                        await self()
                await asyncio.wait({asked, passed}, timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
            return passed.done()
        finally:
            asked.cancel()
            passed.cancel()
