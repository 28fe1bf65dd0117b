"""`python -m services.game migrate`: update a database to the tables of `schema`.

Everything runs in one transaction under an advisory lock of that transaction, so any number of processes may run it at
once, also through a pooler. Steps are the files of `migrations/versions`; a released step never changes. A database
with steps of a later release stays as it is, and this is no error: an older release can run on it (docs/upgrading.md).
"""

import asyncio
import logging
import sys
import time
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.game.settings import GameSettings
from services.game.store.database import DatabaseAway, meaning_of, open_migrating_engine
from services.game.store.schema_step import newest_step, taken_step

log = logging.getLogger(__name__)

SCRIPTS = Path(__file__).with_name("migrations")
ADVISORY_LOCK = 0x666C6167
IN_USE = ("55P03", "40P01")
"""SQLSTATEs of a lock timeout and of a deadlock."""
RETRY_PAUSE_S = 0.25


async def migrate(settings: GameSettings) -> None:
    """The command `migrate`. If it fails, it ends the process with an error message."""
    try:
        await bring_up_to_date(settings)
    except (DatabaseAway, TimeoutError) as error:
        sys.exit(f"the database was not migrated: {error}")
    except CommandError as error:
        sys.exit(f"the database was not migrated, it is of another version of Flagfall: {error}")


async def bring_up_to_date(settings: GameSettings) -> None:
    """Wait for the database, then take all steps that it lacks.

    Raises DatabaseAway if the database does not answer within `database_wait_ms`, or if locks on tables or another
    migration block this one for longer. Raises alembic's CommandError if the database's step is neither a step of this
    code nor a later one.
    """
    engine = open_migrating_engine(settings)
    known = newest_step()
    try:
        await _wait_for(engine, settings.database_wait_ms)
        until_s = time.monotonic() + settings.database_wait_ms / 1000
        while True:
            try:
                step = await _take_steps(engine, settings, known)
                break
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) not in IN_USE or time.monotonic() >= until_s:
                    raise meaning_of(error) from error
                log.info("a table is in use: the steps let go of their locks and are tried again")
            await asyncio.sleep(RETRY_PAUSE_S)
    finally:
        await engine.dispose()
    if step > known:
        log.warning("nothing to do: the database is at step %s, a later release's; this one knows %s", step, known)
    else:
        log.info("the database is up to date")


async def _take_steps(engine: AsyncEngine, settings: GameSettings, known: str) -> str:
    """Take all steps that the database lacks, in one transaction. Returns the step before.

    A step waits for a table's lock at most `migrate_lock_ms`, because later statements on the table wait behind it.
    """
    async with engine.begin() as connection:
        await connection.execute(sa.text(f"SET LOCAL lock_timeout = {max(1, settings.database_wait_ms)}"))
        await connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        await connection.execute(sa.text(f"SET LOCAL lock_timeout = {settings.migrate_lock_ms}"))
        step = await taken_step(connection)
        if step <= known:
            await connection.run_sync(_upgrade)
            await _protect_step(connection)
        return step


async def _protect_step(connection: AsyncConnection) -> None:
    """Let only the owner write the table of the current step. By default other roles may write new tables."""
    writers = sa.text("""
        SELECT DISTINCT quote_ident(grantee) FROM information_schema.role_table_grants
        WHERE table_schema = current_schema AND table_name = 'alembic_version'
          AND grantee NOT IN (current_user, 'PUBLIC') AND privilege_type IN ('INSERT', 'UPDATE', 'DELETE')
    """)
    for (grantee,) in (await connection.execute(writers)).all():
        await connection.execute(sa.text(f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {grantee}"))


async def _wait_for(engine: AsyncEngine, wait_ms: int) -> None:
    until_s = time.monotonic() + wait_ms / 1000
    told = False
    while True:
        try:
            async with engine.connect() as connection:
                await connection.execute(sa.text("SELECT 1"))
                return
        except (OSError, DBAPIError) as error:
            meaning = meaning_of(error) if isinstance(error, DBAPIError) else error
            if isinstance(meaning, DBAPIError):
                raise
            if time.monotonic() >= until_s:
                raise DatabaseAway(f"it did not answer within {wait_ms} ms: {error}") from error
            if not told:
                told = True
                log.info("waiting for the database: %s", error)
        await asyncio.sleep(RETRY_PAUSE_S)


def configuration(connection: sa.Connection) -> Config:
    """Alembic's configuration for this folder and an open connection."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: sa.Connection) -> None:
    command.upgrade(configuration(connection), "head")
