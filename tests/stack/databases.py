"""A database for each test, copied from a template that was migrated once."""

import os
import subprocess
import sys
import uuid

import asyncpg

from deploy.laptop.node import ROOT
from deploy.laptop.plan import base_environment

TEMPLATE = "flagfall_template"


class Databases:
    """Makes and drops databases on one PostgreSQL server."""

    def __init__(self, server_url: str) -> None:
        """`server_url` is any database of the server, as the services want it (postgresql+asyncpg://)."""
        self._server_url = server_url
        self._migrated = False

    def url(self, name: str) -> str:
        """The URL of a database, as the services want it."""
        return f"{self._server_url.rpartition('/')[0]}/{name}"

    async def create(self) -> str:
        """Make a migrated database and return its URL."""
        if not self._migrated:
            await self._sql(f"DROP DATABASE IF EXISTS {TEMPLATE}")
            await self._sql(f"CREATE DATABASE {TEMPLATE}")
            migrate(self.url(TEMPLATE))
            self._migrated = True
        name = f"test_{uuid.uuid4().hex}"
        await self._sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        return self.url(name)

    async def create_empty(self) -> str:
        """Make a database without tables, for tests of the migrations."""
        name = f"test_{uuid.uuid4().hex}"
        await self._sql(f"CREATE DATABASE {name}")
        return self.url(name)

    async def drop(self, url: str) -> None:
        """Drop a database, also with open connections."""
        await self._sql(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")

    async def _sql(self, statement: str) -> None:
        connection = await asyncpg.connect(self._server_url.replace("+asyncpg", ""))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


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
