"""What each role of the database may do, and that it is enough (the whole stack as flagfall_app: test_backup)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from services.game.settings import GameSettings
from services.game.store.database import open_engine, transaction
from services.game.store.schema import metadata
from tests.change.roles import PASSWORDS, as_url, libpq, make_roles
from tests.stack.background import Background
from tests.stack.databases import Databases, migrate


@pytest.fixture(scope="module")
def served_url(databases: Databases, background: Background) -> Iterator[str]:
    """A database whose tables the owner made after the roles were there, and the roles again after that, as whoever
    renews a password does it."""
    url = background.call(databases.create_empty())
    make_roles(url)
    migrate(as_url(url, "flagfall_owner"))
    make_roles(url)
    yield url
    background.call(databases.drop(url))


async def tried(url: str, role: str, statement: str) -> str:
    """How a role's statement ends: OK, or the SQLSTATE; what it did is undone."""
    connection = await asyncpg.connect(libpq(as_url(url, role)))
    try:
        change = connection.transaction()
        await change.start()
        try:
            await connection.execute(statement)
        except asyncpg.PostgresError as error:
            return str(error.sqlstate)
        finally:
            await change.rollback()
        return "OK"
    finally:
        await connection.close()


DENIED, READ_ONLY = "42501", "25006"
DDL = (
    "CREATE TABLE more (id int)",
    "CREATE TEMPORARY TABLE more (id int)",
    "ALTER TABLE game ADD COLUMN more int",
    "CREATE INDEX more ON game (id)",
    "DROP TABLE seek",
    "TRUNCATE outage",
    "CREATE SCHEMA more",
    "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "UPDATE alembic_version SET version_num = '0001'",
    "SET ROLE flagfall_owner",
)


@pytest.mark.parametrize("statement", DDL)
async def test_the_services_role_changes_rows_and_nothing_else(served_url: str, statement: str) -> None:
    assert await tried(served_url, "flagfall_app", statement) == DENIED


async def test_the_services_role_has_the_rows_of_every_table(served_url: str) -> None:
    for table in metadata.tables:
        for statement in (
            f"SELECT 1 FROM {table}",
            f"DELETE FROM {table}",
            f"INSERT INTO {table} SELECT * FROM {table} WHERE false",
        ):
            assert await tried(served_url, "flagfall_app", statement) == "OK", statement
    assert await tried(served_url, "flagfall_app", "INSERT INTO outage (start_ms, end_ms) VALUES (1, 2)") == "OK"
    assert await tried(served_url, "flagfall_app", "SELECT version_num FROM alembic_version") == "OK"


async def test_the_backups_role_reads_every_table_and_writes_none(served_url: str) -> None:
    for table in metadata.tables:
        assert await tried(served_url, "flagfall_backup", f"SELECT 1 FROM {table}") == "OK"
    assert await tried(served_url, "flagfall_backup", "DELETE FROM outage") == READ_ONLY
    writes = "SET TRANSACTION READ WRITE; DELETE FROM outage"
    assert await tried(served_url, "flagfall_backup", writes) == DENIED


async def test_who_watches_sees_statistics_and_no_row(served_url: str) -> None:
    assert await tried(served_url, "flagfall_monitor", "SELECT query FROM pg_stat_activity") == "OK"
    assert await tried(served_url, "flagfall_monitor", "SELECT 1 FROM public.game") == DENIED


async def test_the_services_role_has_its_limits_where_a_pooler_passes_none_on(served_url: str) -> None:
    settings = GameSettings(database_url=as_url(served_url, "flagfall_app"), database_pooled=True)
    engine = open_engine(settings)
    async with transaction(engine) as connection:
        for name, value in (("statement_timeout", "5s"), ("jit", "off"), ("synchronous_commit", "on")):
            assert (await connection.exec_driver_sql(f"SHOW {name}")).scalar_one() == value
    await engine.dispose()


async def test_tables_of_one_role_for_everything_are_taken_over(empty_database_url: str) -> None:
    migrate(empty_database_url)
    make_roles(empty_database_url)
    migrate(as_url(empty_database_url, "flagfall_owner"))
    assert await tried(empty_database_url, "flagfall_owner", "ALTER TABLE game ADD COLUMN more int") == "OK"
    assert await tried(empty_database_url, "flagfall_app", "DELETE FROM game") == "OK"
    assert await tried(empty_database_url, "flagfall_app", "DROP TABLE game") == DENIED


async def test_a_password_that_is_not_given_leaves_the_role_as_it_is(served_url: str) -> None:
    """As whoever renews one password, or restores into a new database, runs it."""
    for role in PASSWORDS.copy():
        make_roles_without(served_url, role)
        assert await tried(served_url, role, "SELECT 1") == "OK"


async def test_a_new_database_needs_no_password_where_the_roles_are(
    served_url: str, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a restore does it, on the same server."""
    with monkeypatch.context() as without:
        for role in PASSWORDS.copy():
            without.delitem(PASSWORDS, role)
        make_roles(empty_database_url)
    migrate(as_url(empty_database_url, "flagfall_owner"))
    assert await tried(empty_database_url, "flagfall_app", "DELETE FROM game") == "OK"
    assert await tried(empty_database_url, "flagfall_backup", "SELECT 1 FROM game") == "OK"


async def test_a_role_that_was_not_there_may_log_in_once_it_has_a_password(served_url: str) -> None:
    administrator = await asyncpg.connect(libpq(served_url))
    try:
        for role in ("flagfall_backup", "flagfall_monitor"):
            async with away(administrator, role):
                make_roles_without(served_url, role)
                asked = "SELECT rolcanlogin FROM pg_roles WHERE rolname = $1"
                assert await administrator.fetchval(asked, role) is False
                make_roles(served_url)
                assert await tried(served_url, role, "SELECT 1") == "OK"
    finally:
        await administrator.close()


async def test_without_the_first_passwords_nothing_is_done(empty_database_url: str) -> None:
    administrator = await asyncpg.connect(libpq(empty_database_url))
    try:
        for role in ("flagfall_owner", "flagfall_app"):
            async with away(administrator, role):
                with pytest.raises(AssertionError, match="must be set"):
                    make_roles_without(empty_database_url, role)
                assert not await administrator.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = $1", role)
    finally:
        await administrator.close()


@asynccontextmanager
async def away(administrator: asyncpg.Connection, role: str) -> AsyncIterator[None]:
    """While it lasts there is no role of that name; what was made under it meanwhile goes."""
    await administrator.execute(f"ALTER ROLE {role} RENAME TO {role}_kept")
    try:
        yield
    finally:
        if await administrator.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = $1", role):
            await administrator.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
        await administrator.execute(f"ALTER ROLE {role}_kept RENAME TO {role}")


def make_roles_without(url: str, role: str) -> None:
    """Run roles.sql with one password lacking."""
    kept = PASSWORDS.pop(role)
    try:
        make_roles(url)
    finally:
        PASSWORDS[role] = kept


async def test_on_a_new_database_the_services_role_cannot_say_which_step_it_is_at(empty_database_url: str) -> None:
    """As compose and the local overlay make it: roles once, before there is a table."""
    make_roles(empty_database_url)
    migrate(as_url(empty_database_url, "flagfall_owner"))
    assert await tried(empty_database_url, "flagfall_app", "UPDATE alembic_version SET version_num = '0001'") == DENIED
    assert await tried(empty_database_url, "flagfall_app", "SELECT version_num FROM alembic_version") == "OK"
    assert await tried(empty_database_url, "flagfall_app", "DELETE FROM game") == "OK"
