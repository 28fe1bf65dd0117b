"""An earlier commit's services in a folder of their own, to be run beside this tree's."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy.laptop.node import ROOT

RELEASED = ROOT / "deploy" / "released"
STATIC = Path("services/gateway/static")
"""The built page, which is not in the history: this tree's serves both."""


def released() -> str:
    """The commit of the last release, whose replicas may still run during an upgrade."""
    return RELEASED.read_text().strip()


@dataclass(frozen=True, slots=True)
class Release:
    """A commit, and the folder that has its files."""

    commit: str
    home: Path


def unpacked(commit: str, parent: Path) -> Release:
    """The files of a commit in a new folder below `parent`. Raises AssertionError without the history."""
    home = parent / commit[:10]
    home.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
    assert archive.returncode == 0, f"deploy/released needs the history: {archive.stderr.decode()}"
    subprocess.run(["tar", "-x", "-C", home], input=archive.stdout, check=True)
    if (ROOT / STATIC).is_dir():
        shutil.copytree(ROOT / STATIC, home / STATIC, dirs_exist_ok=True)
    return Release(commit, home)
