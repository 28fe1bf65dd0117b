"""`python -m services.game migrate`: bring a database to the tables of `schema`.

Everything happens in one transaction under an advisory lock of that transaction, so that any number of processes may do
it at once, through a pooler too. Steps are the files of `migrations/versions`; a step that was released never changes.
A database with steps that a later release made is left as it is, which is no failure: an older release that is put back
runs on it (docs/upgrading.md).
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
"""SQLSTATEs of a lock that was waited for in vain, and of two who waited for each other."""
RETRY_PAUSE_S = 0.25


async def migrate(settings: GameSettings) -> None:
    """The command: ends the process with a sentence when it cannot be done."""
    try:
        await bring_up_to_date(settings)
    except (DatabaseAway, TimeoutError) as error:
        sys.exit(f"the database was not migrated: {error}")
    except CommandError as error:
        sys.exit(f"the database was not migrated, it is of another version of Flagfall: {error}")


async def bring_up_to_date(settings: GameSettings) -> None:
    """Wait for the database, then take all steps that it lacks.

    Raises DatabaseAway when it does not answer within `database_wait_ms`, or when tables or another migration are in
    the way for longer than that, alembic's CommandError when the database is at a step that is no step of this code's
    and no later one.
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
                log.info("a table is in use, so everybody goes first: the steps are tried again")
            await asyncio.sleep(RETRY_PAUSE_S)
    finally:
        await engine.dispose()
    if step > known:
        log.warning("nothing to do: the database is at step %s, a later release's; this one knows %s", step, known)
    else:
        log.info("the database is up to date")


async def _take_steps(engine: AsyncEngine, settings: GameSettings, known: str) -> str:
    """All steps that the database lacks, in one transaction. Returns the step that it was at.

    Whoever waits for a table's lock holds up all who come after, so that a step waits for none longer than
    `migrate_lock_ms`.
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
    """Let nobody but the owner say which step the database is at; new tables are others' to write by default."""
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
    """Alembic's view of this folder, working on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: sa.Connection) -> None:
    command.upgrade(configuration(connection), "head")
