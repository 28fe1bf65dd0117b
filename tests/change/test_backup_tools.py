"""What the scripts of deploy/backup refuse, keep and remove (that a restored database is played on: test_backup)."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from deploy.laptop.node import ROOT
from deploy.laptop.stores import find_postgres
from tests.change.roles import as_role, as_url, libpq, make_roles
from tests.stack.background import Background
from tests.stack.databases import Databases, migrate


@pytest.fixture(scope="module")
def url(databases: Databases, background: Background) -> Iterator[str]:
    """A database with tables and roles."""
    url = background.call(databases.create_empty())
    make_roles(url)
    migrate(as_url(url, "flagfall_owner"))
    yield url
    background.call(databases.drop(url))


def run(name: str, url: str, role: str, *arguments: str | Path, path: Path | None = None) -> tuple[int, str]:
    """Exit code and words of a script."""
    programs = f"{path or find_postgres()}:{find_postgres()}:{os.environ['PATH']}"
    result = subprocess.run(
        [ROOT / "deploy" / "backup" / name, *arguments],
        env={"PATH": programs, **as_role(url, role)},
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stdout + result.stderr


def test_the_newest_dumps_stay_and_other_files_are_left_alone(url: str, tmp_path: Path) -> None:
    old = [tmp_path / f"flagfall-2026010{day}T000000Z.dump" for day in range(1, 5)]
    for file in old:
        file.write_text("old")
        file.with_suffix(".dump.sha256").write_text("old")
    (tmp_path / "flagfall-notes.txt").write_text("mine")
    code, said = run("backup", url, "flagfall_backup", tmp_path, "3")
    assert code == 0, said
    names = sorted(file.name for file in tmp_path.iterdir())
    fresh = [name for name in names if name.endswith(".dump") and not name.startswith("flagfall-2026010")]
    assert len(fresh) == 1
    assert names == sorted(
        [f"{file.name}{end}" for file in old[2:] for end in ("", ".sha256")]
        + [fresh[0], f"{fresh[0]}.sha256", "flagfall-notes.txt"]
    )
    assert (tmp_path / fresh[0]).stat().st_mode & 0o077 == 0  # it has everybody's password hashes


def test_a_dump_that_breaks_off_leaves_nothing_and_removes_nothing(url: str, tmp_path: Path) -> None:
    kept = tmp_path / "flagfall-20260101T000000Z.dump"
    kept.write_text("old")
    broken = tmp_path / "programs"
    broken.mkdir()
    (broken / "pg_dump").write_text(
        '#!/bin/sh\nfor word; do case $word in --file=*) echo PGDMP > "${word#--file=}";; esac; done\n'
    )
    (broken / "pg_dump").chmod(0o755)
    code, said = run("backup", url, "flagfall_backup", tmp_path, "1", path=broken)
    assert code != 0, said
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == [kept.name]
    code, _ = run("backup", url.replace("/test_", "/none_"), "flagfall_backup", tmp_path, "1")
    assert code != 0
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == [kept.name]


async def count(url: str) -> int:
    connection = await asyncpg.connect(libpq(url))
    try:
        return int(await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    finally:
        await connection.close()


async def test_only_an_empty_database_is_restored_into_and_only_a_whole_dump(
    url: str, empty_database_url: str, tmp_path: Path
) -> None:
    code, said = run("backup", url, "flagfall_backup", tmp_path)
    assert code == 0, said
    dump = next(tmp_path.glob("*.dump"))
    code, said = run("restore", url, "flagfall_owner", dump)
    assert code == 1
    assert "restore into an empty one" in said

    make_roles(empty_database_url)
    whole = dump.read_bytes()
    dump.write_bytes(whole[: len(whole) // 2])
    code, said = run("restore", empty_database_url, "flagfall_owner", dump)
    assert code != 0, said
    dump.with_suffix(".dump.sha256").unlink()  # even where nobody can tell from a sum
    code, said = run("restore", empty_database_url, "flagfall_owner", dump)
    assert code != 0, said
    assert await count(empty_database_url) == 0

    dump.write_bytes(whole)
    code, said = run("restore", empty_database_url, "flagfall_owner", dump)
    assert (code, said) == (0, f"{dump}: restored into {empty_database_url.rpartition('/')[2]}\n")
    assert await count(empty_database_url) == await count(url)


async def test_of_a_folder_the_newest_dump_or_the_named_one_is_restored(
    url: str, empty_database_url: str, tmp_path: Path
) -> None:
    code, said = run("restore", empty_database_url, "flagfall_owner", tmp_path)
    assert code != 0
    assert "no dump is there" in said

    code, said = run("backup", url, "flagfall_backup", tmp_path)
    assert code == 0, said
    dump = next(tmp_path.glob("*.dump"))
    older, newer = (tmp_path / f"flagfall-{day}T000000Z.dump" for day in (20000101, 29990101))
    older.write_bytes(dump.read_bytes())
    newer.write_text("broken")
    make_roles(empty_database_url)
    code, said = run("restore", empty_database_url, "flagfall_owner", tmp_path, "newest")
    assert code != 0  # the newest by its name, and that one is broken
    code, said = run("restore", empty_database_url, "flagfall_owner", tmp_path, "flagfall-20000102T000000Z.dump")
    assert code == 1
    assert "there is no such dump" in said
    assert await count(empty_database_url) == 0
    code, said = run("restore", empty_database_url, "flagfall_owner", tmp_path, older.name)
    assert (code, said) == (0, f"{older}: restored into {empty_database_url.rpartition('/')[2]}\n")
    newer.unlink()
    code, said = run("restore", empty_database_url, "flagfall_owner", tmp_path)
    assert code == 1
    assert "restore into an empty one" in said


def test_what_a_killed_dump_has_left_is_swept_away(url: str, tmp_path: Path) -> None:
    (tmp_path / ".flagfall-20260101T000000Z.dump.unfinished").write_text("half")
    code, said = run("backup", url, "flagfall_backup", tmp_path)
    assert code == 0, said
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []
    assert run("backup", url, "flagfall_backup", tmp_path, "0")[0] == 1
    assert len(list(tmp_path.glob("*.dump"))) == 1


def test_a_restore_whose_end_fails_has_put_nothing_back(
    url: str, tmp_path: Path, databases: Databases, background: Background
) -> None:
    """The leap of numbers belongs to it: a database without it would be played on by whoever overlooks the error."""
    assert run("backup", url, "flagfall_backup", tmp_path)[0] == 0
    (dump,) = tmp_path.glob("*.dump")
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name in ("restore", "after_restore.sql"):
        (scripts / name).write_bytes((ROOT / "deploy" / "backup" / name).read_bytes())
    (scripts / "restore").chmod(0o755)
    with (scripts / "after_restore.sql").open("a") as out:
        out.write("SELECT 1 / 0;\n")
    empty = background.call(databases.create_empty())
    try:
        make_roles(empty)
        environment = {"PATH": f"{find_postgres()}:{os.environ['PATH']}", **as_role(empty, "flagfall_owner")}
        failed = subprocess.run(
            [scripts / "restore", dump], env=environment, capture_output=True, text=True, check=False
        )
        assert failed.returncode != 0
        assert "division by zero" in failed.stderr
        code, said = run("restore", empty, "flagfall_owner", dump)
        assert code == 0, said
        dump.write_bytes(dump.read_bytes()[:-2_000])
        Path(f"{dump}.sha256").unlink()
    finally:
        background.call(databases.drop(empty))
    other = background.call(databases.create_empty())
    try:
        make_roles(other)
        assert run("restore", other, "flagfall_owner", dump)[0] != 0
    finally:
        background.call(databases.drop(other))
