"""The base of the images where no registry is available: Debian made by debootstrap, slimmed like Debian's slim image.

It stands in for the `debian:trixie-slim` that deploy/Dockerfile starts from, but is stored as an image of this machine
(`localhost/`), so that it never takes the place of the published one. The machine's own certificates go into it, since
many networks of firms have one of their own and the build fetches packages through it; the finished images trust
Debian's certificates only.
"""

import fcntl
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from deploy.images.run import ImageError, run
from deploy.laptop.node import ROOT

CACHE = ROOT / "build" / "images"
RELEASE = "trixie"
NAME = f"localhost/debian:{RELEASE}-slim"
MARK = "flagfall.base"
"""Label of a base that was made here: the fingerprint of what it was made from."""

CERTIFICATES = Path("etc/ssl/certs/ca-certificates.crt")
PACKAGES = "ca-certificates"
TIME_S = 315_532_800
"""The time of every file in the images: the beginning of 1980. It does not depend on the commit, since builds of
several commits share layers, and a cached layer must have the same bytes as a new one."""
EMPTIED = (
    *("usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/lintian", "usr/share/groff"),
    *("var/cache/apt", "var/cache/debconf", "var/cache/ldconfig", "var/lib/apt/lists", "var/log"),
)
"""Folders of manuals, languages, caches and logs; copyright files stay."""

NO_MANUALS = """\
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/man/*
path-exclude /usr/share/info/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/lintian/*
"""
QUIET_APT = """\
APT::Install-Recommends "false";
APT::Install-Suggests "false";
Acquire::Languages "none";
"""


def certificates() -> bytes:
    """The certificates that this machine trusts, or nothing."""
    file = Path("/") / CERTIFICATES
    return file.read_bytes() if file.is_file() else b""


def fingerprint() -> str:
    """A hash of everything that a base is made from."""
    digest = hashlib.sha256()
    recipe = repr((RELEASE, PACKAGES, TIME_S, EMPTIED, NO_MANUALS, QUIET_APT))
    for part in (recipe.encode(), certificates()):
        digest.update(part + b"\0")
    return digest.hexdigest()[:16]


def ensure_base(say: Callable[[str], None]) -> None:
    """Make the base unless this machine has it; uses its archive under build/ if that exists."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = fingerprint()
        if stored() == wanted:
            return
        archive = CACHE / f"base-{wanted}.tar"
        if not archive.is_file():
            say(f"making the base from Debian's packages ({RELEASE}, half a minute)")
            bootstrap(archive)
        load(archive, wanted)


def stored() -> str:
    """The fingerprint of the base that this machine has, or nothing."""
    try:
        described = json.loads(run("buildah", "inspect", "--type", "image", NAME))
    except ImageError:
        return ""
    labels = described["OCIv1"]["config"].get("Labels") or {}
    return str(labels.get(MARK, ""))


def bootstrap(archive: Path) -> None:
    """Install a minimal Debian into a folder, slim it and pack it."""
    folder = CACHE / "root"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", RELEASE, folder)
        slim(folder)
        (folder / CERTIFICATES).write_bytes(certificates() or (folder / CERTIFICATES).read_bytes())
        packing = archive.with_suffix(".part")
        run("tar", "--sort=name", "--numeric-owner", "-C", folder, "-cf", packing, ".")
        packing.rename(archive)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def slim(folder: Path) -> None:
    """Delete files that no container reads, and configure dpkg to leave them out later."""
    for name in EMPTIED:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
            (folder / name).mkdir()
    for file in sorted((folder / "usr/share/doc").rglob("*"), reverse=True):
        if file.is_symlink() or (file.is_file() and file.name != "copyright"):
            file.unlink()
        elif file.is_dir() and not any(file.iterdir()):
            file.rmdir()
    (folder / "etc/dpkg/dpkg.cfg.d/no-manuals").write_text(NO_MANUALS)
    (folder / "etc/apt/apt.conf.d/quiet").write_text(QUIET_APT)
    for name in ("etc/machine-id", "etc/hostname", "etc/resolv.conf"):
        (folder / name).unlink(missing_ok=True)


def load(archive: Path, wanted: str) -> None:
    """Store the packed folder as an image."""
    container = run("buildah", "from", "scratch")
    try:
        run("buildah", "add", "--quiet", container, archive, "/")
        run("buildah", "config", "--label", f"{MARK}={wanted}", "--cmd", "bash", container)
        run("buildah", "commit", "--quiet", "--timestamp", str(TIME_S), container, NAME)
    finally:
        run("buildah", "rm", container)
