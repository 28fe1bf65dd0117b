"""A database for each test. It is copied from a template that was migrated once, and used again when a test has left
the schema as it was: emptying a few tables costs a tenth of copying and dropping three hundred files."""

import os
import subprocess
import sys
import uuid

import asyncpg

from deploy.laptop.node import ROOT
from deploy.laptop.plan import base_environment

TEMPLATE = "flagfall_template"

SCHEMA = """
    SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
        SELECT format('%s %s %s', oid::regclass, relkind, reloptions) FROM pg_class
            WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT format('%s %s %s %s %s', attrelid::regclass, attname, atttypid, attnotnull, attisdropped)
            FROM pg_attribute JOIN pg_class ON oid = attrelid WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT format('%s %s', tgrelid::regclass, tgname) FROM pg_trigger
        UNION ALL SELECT format('%s %s', oid::regprocedure, prosrc) FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT format('%s %s', setrole, setconfig) FROM pg_db_role_setting
            WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS all_of_it (line)
"""
"""A value that changes with tables, columns, indexes, constraints, triggers, functions or settings of a database."""

USED = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
        AND relname <> 'alembic_version'
"""


class Databases:
    """Makes and drops databases on one PostgreSQL server."""

    def __init__(self, server_url: str) -> None:
        """`server_url` is any database of the server, as the services want it (postgresql+asyncpg://)."""
        self._server_url = server_url
        self._schema = ""
        self._first_rows: dict[str, str] = {}
        self._clean: list[str] = []

    def url(self, name: str) -> str:
        """The URL of a database, as the services want it."""
        return f"{self._server_url.rpartition('/')[0]}/{name}"

    async def create(self) -> str:
        """Make a migrated database and return its URL."""
        if self._clean:
            return self._clean.pop()
        if not self._schema:
            await self._make_template()
        name = f"test_{uuid.uuid4().hex}"
        await self._sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        return self.url(name)

    async def give_back(self, url: str) -> None:
        """Empty a database of `create` for the next test, or drop it when its schema is another now."""
        connection = await self._connect(url)
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            same = await connection.fetchval(SCHEMA) == self._schema
            if same:
                if used := [row[0] for row in await connection.fetch(USED)]:
                    await connection.execute(f"TRUNCATE {', '.join(used)} RESTART IDENTITY CASCADE")
                for table, rows in self._first_rows.items():
                    await connection.execute(
                        f"INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, $1::jsonb)", rows
                    )
                await connection.execute("SELECT pg_stat_reset()")
        finally:
            await connection.close()
        if same:
            self._clean.append(url)
        else:
            await self.drop(url)

    async def _make_template(self) -> None:
        await self._sql(f"DROP DATABASE IF EXISTS {TEMPLATE}")
        await self._sql(f"CREATE DATABASE {TEMPLATE}")
        migrate(self.url(TEMPLATE))
        connection = await self._connect(self.url(TEMPLATE))
        try:
            for (table,) in await connection.fetch(USED):
                self._first_rows[table] = await connection.fetchval(f"SELECT jsonb_agg(row) FROM {table} AS row")
            self._schema = await connection.fetchval(SCHEMA)
        finally:
            await connection.close()

    async def create_empty(self) -> str:
        """Make a database without tables, for tests of the migrations."""
        name = f"test_{uuid.uuid4().hex}"
        await self._sql(f"CREATE DATABASE {name}")
        return self.url(name)

    async def drop(self, url: str) -> None:
        """Drop a database, also with open connections."""
        await self._sql(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")

    async def _sql(self, statement: str) -> None:
        connection = await self._connect(self._server_url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def _connect(self, url: str) -> asyncpg.Connection:
        return await asyncpg.connect(url.replace("+asyncpg", ""))


def migrate(url: str) -> None:
    """Run the game service's migration on a database. Raises AssertionError with its output if it fails."""
    result = subprocess.run(
        [sys.executable, "-m", "services.game", "migrate"],
        env=base_environment(os.environ) | {"FLAGFALL_DATABASE_URL": url, "FLAGFALL_LOG_FORMAT": "text"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise AssertionError(f"the migration failed:\n{result.stdout}{result.stderr}")
