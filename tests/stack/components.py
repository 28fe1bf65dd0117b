"""Components that a machine may lack. A test declares `@pytest.mark.needs("chromium")`; this file checks whether the
component is installed. Tests of a missing component are skipped and the summary says so; with FLAGFALL_REQUIRE_ALL=1
they fail instead. FLAGFALL_WITHOUT names components that a run does without on purpose (`chromium,pgbouncer`).
"""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CONFORMANCE_FOLDERS = ("games", "perft", "pgn", "unwinnable")


def chromium() -> Path | None:
    """The browser for the tests: FLAGFALL_CHROMIUM, else one on PATH."""
    if given := os.environ.get("FLAGFALL_CHROMIUM"):
        return Path(given) if os.access(given, os.X_OK) else None
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return Path(found) if found else None


def conformance() -> Path | None:
    """The folder of public rules data: FLAGFALL_CONFORMANCE."""
    given = os.environ.get("FLAGFALL_CONFORMANCE")
    if not given:
        return None
    folder = Path(given)
    return folder if all((folder / name).is_dir() for name in CONFORMANCE_FOLDERS) else None


def pgbouncer() -> Path | None:
    """PgBouncer, a pooler for PostgreSQL."""
    found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    return Path(found) if found else None


def system_stores() -> Path | None:
    """Store servers of the machine's own, beside the locked packages."""
    redis = shutil.which("redis-server") or shutil.which("valkey-server")
    postgres = next(Path("/usr/lib/postgresql").glob("*/bin"), None)
    return postgres if redis else None


def program(name: str) -> Callable[[], Path | None]:
    """Finds a program on PATH or among those of the administrator."""

    def find() -> Path | None:
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        return Path(found) if found else None

    return find


def as_root(name: str) -> Callable[[], Path | None]:
    """Finds a program that only root can use as the tests do."""
    find = program(name)
    return lambda: find() if os.geteuid() == 0 else None


COMPONENTS: dict[str, tuple[Callable[[], Path | None], str]] = {
    "chromium": (chromium, "Chromium is missing (Debian: apt install chromium)"),
    "system_stores": (
        system_stores,
        "a PostgreSQL and a Redis of the machine's own are missing (Debian: apt install postgresql redis-server)",
    ),
    "pgbouncer": (pgbouncer, "PgBouncer is missing (Debian: apt install pgbouncer)"),
    "prometheus": (program("promtool"), "Prometheus is missing (Debian: apt install prometheus)"),
    "alertmanager": (
        program("prometheus-alertmanager"),
        "Alertmanager is missing (Debian: apt install prometheus-alertmanager)",
    ),
    "sentinel": (program("redis-sentinel"), "Redis Sentinel is missing (Debian: apt install redis-sentinel)"),
    "netns": (as_root("ip"), "network namespaces need root and iproute2 (Debian: apt install iproute2)"),
    "buildah": (as_root("buildah"), "images are built by root with buildah (Debian: apt install buildah)"),
    "podman": (
        as_root("podman"),
        "pods are run by root with podman (Debian: apt install podman runc catatonit netavark aardvark-dns)",
    ),
    "docker": (as_root("dockerd"), "compose is run by root with Debian's engine (Debian: apt install docker.io)"),
    "conformance": (conformance, "the conformance data is missing (FLAGFALL_CONFORMANCE names its folder)"),
}


OF_MAKE_TEST = frozenset(["chromium", "system_stores", "pgbouncer", "conformance"])
"""What tests of `make test` need; the rest is needed by the steps that come after it in the CI."""


def missing(names: Iterable[str]) -> list[str]:
    """Which of these components are not here, or are left out on purpose."""
    without = _without()
    return [name for name in names if name in without or COMPONENTS[name][0]() is None]


def required(names: Iterable[str]) -> list[str]:
    """Which of these missing components make the run fail."""
    return sorted(set(names) - _without()) if os.environ.get("FLAGFALL_REQUIRE_ALL") == "1" else []


def _without() -> frozenset[str]:
    names = frozenset(filter(None, os.environ.get("FLAGFALL_WITHOUT", "").split(",")))
    if unknown := names - COMPONENTS.keys():
        raise ValueError(f"FLAGFALL_WITHOUT names unknown components: {', '.join(sorted(unknown))}")
    return names
