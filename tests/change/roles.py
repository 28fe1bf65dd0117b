"""The roles of deploy/postgres/roles.sql on a database of a test."""

import os
import subprocess
from urllib.parse import quote, urlsplit

from deploy.laptop.node import ROOT
from deploy.laptop.stores import find_postgres

PASSWORDS = {
    "flagfall_owner": "owner's own",
    "flagfall_app": "of the services",
    "flagfall_backup": 'with "quotes"',
    "flagfall_monitor": "watches",
}


def libpq(url: str) -> str:
    """A URL of the services' as PostgreSQL's own programs want it."""
    return url.replace("+asyncpg", "")


def as_url(url: str, role: str) -> str:
    """The same database for a role, as the services want it."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"{role}:{quote(PASSWORDS[role], safe='')}@{parts.hostname}:{parts.port}").geturl()


def as_role(url: str, role: str) -> dict[str, str]:
    """The same database for a role, as variables of libpq."""
    parts = urlsplit(url)
    return {
        "PGHOST": parts.hostname or "",
        "PGPORT": str(parts.port),
        "PGDATABASE": parts.path.lstrip("/"),
        "PGUSER": role,
        "PGPASSWORD": PASSWORDS[role],
    }


def make_roles(url: str) -> None:
    """Run roles.sql as the administrator that `url` names. Raises AssertionError with its words when it fails."""
    given = {f"FLAGFALL_{role.removeprefix('flagfall_').upper()}_PASSWORD": word for role, word in PASSWORDS.items()}
    result = subprocess.run(
        [find_postgres() / "psql", "-X", "-q", "-d", libpq(url), "-f", ROOT / "deploy" / "postgres" / "roles.sql"],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
