"""Build everything that a clone needs to run: `.venv`, the engine and the web page.

Started by `deploy/laptop/install` with whatever Python was found, so: the standard library only. Each step writes a
stamp with a fingerprint of its inputs, and is skipped while they have not changed.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from deploy.laptop.node import ENGINE, ROOT, find_node

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements.txt"
UV_LOCK = ROOT / "deploy" / "laptop" / "uv.txt"
WEB = ROOT / "services" / "gateway" / "web"
PAGE = ROOT / "services" / "gateway" / "static"
STAMP = ".flagfall-stamp"


class InstallError(Exception):
    """A step cannot be done; the message says why and what to do."""


def say(text: str) -> None:
    """Print a line of progress."""
    print(f"flagfall: {text}", flush=True)


def fingerprint(*parts: Path | str) -> str:
    """Hash texts and the contents of files and folders (without installed packages)."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            digest.update(part.encode() + b"\0")
            continue
        files = [part] if part.is_file() else sorted(p for p in part.rglob("*") if p.is_file())
        for file in files:
            if "node_modules" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_current(folder: Path, wanted: str) -> bool:
    """Whether the folder was made from exactly this."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text() == wanted


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Run a command quietly; on failure print its output and raise InstallError."""
    words = [str(word) for word in command]
    environment = os.environ | (env or {})
    result = subprocess.run(
        words, check=False, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if result.returncode:
        said = (result.stdout + result.stderr).strip()
        raise InstallError(f"`{' '.join(words)}` failed with exit code {result.returncode}:\n{said}")


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Allow only one installation at a time in this clone."""
    with (ROOT / "deploy" / "laptop" / "install.py").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another `make install` in this folder")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def caches() -> Iterator[dict[str, str]]:
    """Give the package tools a place for their caches where the user has no home (as `nobody`)."""
    if os.access(Path.home(), os.W_OK):
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="flagfall-cache-") as folder:
        yield {
            "HOME": folder,
            "UV_CACHE_DIR": f"{folder}/uv",
            "PIP_CACHE_DIR": f"{folder}/pip",
            "npm_config_cache": f"{folder}/npm",
        }


def install_python_packages(env: dict[str, str]) -> None:
    """Make `.venv` hold exactly what the lock names; by uv, or by pip where uv cannot work."""
    wanted = fingerprint(LOCK, UV_LOCK, sys.version, sys.base_prefix)
    if is_current(VENV, wanted) and PYTHON.exists():
        return
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError as error:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise InstallError(
            f"Python at {sys.executable} lacks the module `{error.name}`. On Debian or Ubuntu: "
            f"apt install python{version}-venv"
        ) from error
    say("installing the Python packages into .venv")
    python = fingerprint(sys.version, sys.base_prefix)
    if not is_current(VENV / "bin", python) or not PYTHON.exists():
        shutil.rmtree(VENV, ignore_errors=True)
        venv.EnvBuilder(with_pip=True, symlinks=True).create(VENV)
        (VENV / "bin" / STAMP).write_text(python)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--require-hashes", "-r")
    try:
        run(*pip, UV_LOCK, env=env)
        run(
            *(VENV / "bin" / "uv", "pip", "sync", "--system-certs", "--python", PYTHON),
            *("--require-hashes", "--compile-bytecode", LOCK),
            env=env,
        )
    except InstallError as error:
        say(f"uv did not work here, pip does it (slower). {error}")
        run(*pip, LOCK, env=env)
    (VENV / STAMP).write_text(wanted)


def npm(folder: Path, *words: str, env: dict[str, str]) -> None:
    """Run npm in a folder, with its own node first on PATH.

    Like uv it trusts the system's certificates: many networks of schools and firms have one of their own.
    """
    node = find_node(VENV)
    if node is None:
        raise InstallError("node and npm are missing: neither the locked package nor PATH has them")
    path = f"{node.executable.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    system_certificates = os.environ.get("NODE_USE_SYSTEM_CA", "1")
    run(*node.npm, *words, cwd=folder, env=env | {"PATH": path, "NODE_USE_SYSTEM_CA": system_certificates})


def install_node_packages(folder: Path, env: dict[str, str]) -> None:
    """Make the folder's node_modules hold exactly its package-lock.json."""
    wanted = fingerprint(folder / "package.json", folder / "package-lock.json")
    if is_current(folder / "node_modules", wanted):
        return
    say(f"installing the node packages of {folder.relative_to(ROOT)}")
    npm(folder, "ci", "--no-audit", "--no-fund", "--ignore-scripts", env=env)
    (folder / "node_modules" / STAMP).write_text(wanted)


def install_engine(env: dict[str, str]) -> None:
    """Fetch the chess engine for the workers."""
    install_node_packages(ENGINE, env)


def build_page(env: dict[str, str]) -> None:
    """Build the web page that the gateway serves."""
    if not (WEB / "package-lock.json").is_file():
        say("there is no web page to build yet")
        return
    wanted = fingerprint(WEB)
    if is_current(PAGE, wanted):
        return
    install_node_packages(WEB, env)
    say("building the web page")
    npm(WEB, "run", "--silent", "build", env=env)
    if not (PAGE / "index.html").is_file():
        raise InstallError(f"the build of the web page left no {PAGE.relative_to(ROOT)}/index.html")
    (PAGE / STAMP).write_text(wanted)


def main() -> int:
    """Do every step that is due."""
    steps: list[Callable[[dict[str, str]], None]] = [install_python_packages, install_engine, build_page]
    try:
        with alone(), caches() as env:
            for step in steps:
                step(env)
    except (InstallError, OSError) as error:
        print(f"flagfall: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
