"""A dump of the database as docs/backup.md has it for compose, restored into another database beside it."""

from pathlib import Path

import pytest

from deploy.laptop.node import ROOT
from tests.compose.project import Project

pytestmark = [pytest.mark.needs("docker", "buildah", "netns"), pytest.mark.timeout(900)]

SCRIPTS = ROOT / "deploy" / "backup"


def run(up: Project, script: str, folder: Path, database: str, argument: str) -> str:
    """A script of deploy/backup in a container of the database's image."""
    settings = dict(line.split("=", 1) for line in up.settings.read_text().splitlines() if "=" in line)
    told = {
        "PGHOST": "postgres",
        "PGDATABASE": database,
        "PGUSER": "flagfall_owner",
        "PGPASSWORD": settings["OWNER_PASSWORD"],
    }
    variables = [word for name, value in told.items() for word in ("-e", f"{name}={value}")]
    return up.compose(
        *("run", "--rm", "--no-deps", "-T", "--user", "0:0", "--entrypoint", f"/scripts/{script}"),
        *("-v", f"{SCRIPTS}:/scripts:ro", "-v", f"{folder}:/backups", *variables, "postgres", argument),
    )


def sql(up: Project, database: str, statement: str) -> str:
    """What the database's administrator is answered."""
    asked = ("psql", "--username=postgres", "--host=127.0.0.1", "-XAt", "-d", database, "-c", statement)
    word = '"$POSTGRES_PASSWORD"'
    return up.compose("exec", "-T", "postgres", "sh", "-c", f'PGPASSWORD={word} exec "$@"', "sh", *asked).strip()


def test_a_dump_is_made_and_restored_beside_the_running_one(up: Project, tmp_path: Path) -> None:
    assert "tables" in run(up, "backup", tmp_path, "flagfall", "/backups")
    (dump,) = tmp_path.glob("flagfall-*.dump")
    sql(up, "postgres", "CREATE DATABASE again OWNER flagfall_owner")
    try:
        run(up, "restore", tmp_path, "again", f"/backups/{dump.name}")
        step = "SELECT version_num FROM alembic_version"
        assert sql(up, "again", step) == sql(up, "flagfall", step) != ""
    finally:
        sql(up, "postgres", "DROP DATABASE again")
