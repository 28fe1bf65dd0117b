"""State folder, port and passwords of `make run`."""

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from deploy.laptop import cli, state
from deploy.laptop.child import StackError
from deploy.laptop.node import ROOT
from deploy.laptop.output import Output, Terminal
from deploy.laptop.stores import Tuning, _prepare_postgres, find_postgres, password

HOLD = (
    "import sys, time; sys.path.insert(0, sys.argv[1])\n"
    "from pathlib import Path; from deploy.laptop.state import lock; from deploy.laptop.output import Output\n"
    "lock(Path(sys.argv[2]), Output(print)); print('held', flush=True); time.sleep(600)"
)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({}, ROOT / ".flagfall"),
        ({"PORT": "8000"}, ROOT / ".flagfall"),
        ({"PORT": ""}, ROOT / ".flagfall"),  # as `make run` hands on an unset one
        ({"PORT": "9000"}, ROOT / ".flagfall-9000"),
        ({"PORT": "9000", "FLAGFALL_STATE": "/games"}, Path("/games")),
        ({"FLAGFALL_STATE": "games"}, Path.cwd() / "games"),
    ],
)
def test_another_port_has_its_own_folder_unless_one_is_named(environment: dict[str, str], folder: Path) -> None:
    assert state.folder_of(environment) == folder


@pytest.mark.parametrize("given", ["0", "65536", "-1", "80a", "8000.0", "٨٠٠٠", "9" * 400])
def test_a_port_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(StackError, match="PORT is a number from 1 to 65535"):
        state.port_of({"PORT": given})


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StackError, match="cannot be used"):
        state.lock(tmp_path / "file" / "state", Output(print))


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(ROOT), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(StackError, match=rf"already runs on .* \(process {first.pid}\)"):
            state.lock(tmp_path, Output(print))
        first.kill()
    os.close(state.lock(tmp_path, Output(print)))


def test_a_run_waits_for_the_end_of_one_that_was_killed(tmp_path: Path) -> None:
    """The guardian of a killed run holds the lock until all has ended."""
    lines: list[str] = []
    held = state.lock(tmp_path, Output(lines.append))
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    os.pwrite(held, gone.stdout.ljust(12), 0)
    timer = threading.Timer(0.3, os.close, [held])
    timer.start()
    os.close(state.lock(tmp_path, Output(lines.append)))
    timer.join()
    assert any("still ending" in line for line in lines)


def test_a_run_waits_for_the_end_of_one_that_is_ending(tmp_path: Path) -> None:
    lines: list[str] = []
    held = state.lock(tmp_path, Output(lines.append))
    state.mark_ending(held)
    timer = threading.Timer(0.3, os.close, [held])
    timer.start()
    again = state.lock(tmp_path, Output(lines.append))
    timer.join()
    assert any("still ending" in line for line in lines)
    assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"
    os.close(again)


def test_passwords_are_kept_and_only_the_owner_reads_them(tmp_path: Path) -> None:
    first = password(tmp_path, "postgres")
    assert password(tmp_path, "valkey") != first
    assert password(tmp_path, "postgres") == first
    file = tmp_path / "passwords.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["postgres"] == first


def test_data_of_another_major_version_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(StackError, match=r"was written by PostgreSQL 9"):
        _prepare_postgres(find_postgres(), tmp_path, Tuning())
    assert (tmp_path / "postgres" / "PG_VERSION").read_text() == "9\n"


def test_data_of_another_user_is_named(tmp_path: Path) -> None:
    programs = find_postgres()
    (tmp_path / "postgres").mkdir()
    major = subprocess.run([programs / "postgres", "-V"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "postgres" / "PG_VERSION").write_text(major.split()[-1].split(".")[0])
    if os.geteuid() == 0:
        os.chown(tmp_path / "postgres", 4242, -1)
        with pytest.raises(StackError, match="was made by the user with id 4242"):
            _prepare_postgres(programs, tmp_path, Tuning())
    else:
        assert _prepare_postgres(programs, tmp_path, Tuning()) == tmp_path / "postgres"


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StackError, match=f"port {port} is taken"):
            cli.check_port("127.0.0.1", port)


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(StackError, match=r"nothing can listen on 192\.0\.2\.1"):
        cli.check_port("192.0.2.1", 8000)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg", "postgresql+psycopg"])
def test_any_spelling_of_a_postgresql_address_is_taken(scheme: str) -> None:
    assert cli.database_url(f"{scheme}://me@there/games") == "postgresql+asyncpg://me@there/games"


@pytest.mark.parametrize("given", ["mysql://me@there/games", "games.sqlite", "postgresql"])
def test_an_address_of_another_database_is_refused(given: str) -> None:
    with pytest.raises(StackError, match="no postgresql:// address"):
        cli.database_url(given)


def test_a_terminal_that_stands_still_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deploy.laptop.output.LINES_WAITING_MAX", 3)
    read, write = os.pipe()
    with os.fdopen(write, "w", buffering=1) as stuck, os.fdopen(read) as reader:
        os.set_blocking(write, True)
        monkeypatch.setattr(sys, "stdout", stuck)
        terminal = Terminal()
        for _ in range(50):
            terminal("x" * 100_000)  # more than a pipe takes
        assert terminal._dropped > 0
        drain = threading.Thread(target=reader.read, daemon=True)
        drain.start()
        terminal.close(10.0)
        stuck.close()
        drain.join()


def test_a_terminal_that_has_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stdout:  # closing it writes what it could not: it must not fail either
        monkeypatch.setattr(sys, "stdout", stdout)
        terminal = Terminal()
        terminal("nobody hears this")
        terminal("nor this")
        terminal.close()
        assert not terminal._thread.is_alive()
