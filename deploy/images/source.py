"""What an image is built from: this work tree, or a commit of it."""

import contextlib
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy.images.run import ImageError, run
from deploy.laptop.node import ROOT

BUILT_FROM = (
    "LICENSE",
    "pyproject.toml",
    "requirements.txt",
    "deploy/Dockerfile",
    "deploy/laptop",
    "deploy/engine",
    "services",
)
"""The parts of the repository that are in an image or configure its build."""


@dataclass(frozen=True, slots=True)
class Source:
    """A folder to build from, with its version and revision."""

    folder: Path
    dockerfile: Path
    version: str
    """Version of the project; a commit's own, with the commit after `+`."""
    revision: str
    """The commit; with `-changed` after it where the work tree differs from it; empty without a repository."""

    @property
    def release(self) -> str:
        """The version alone, which is what an image is tagged with."""
        return self.version.partition("+")[0]


def of_work_tree() -> Source:
    """The files as they are now."""
    try:
        revision = run("git", "rev-parse", "HEAD", cwd=ROOT)
        changed = bool(run("git", "status", "--porcelain", "--", *BUILT_FROM, cwd=ROOT))
    except ImageError:
        revision, changed = "", False
    return Source(ROOT, ROOT / "deploy/Dockerfile", *named(ROOT, revision, changed))


@contextlib.contextmanager
def of_commit(commit: str) -> Iterator[Source]:
    """The files of a commit, unpacked. One from before there was a Dockerfile is built with the present one."""
    revision = run("git", "rev-parse", "--verify", f"{commit}^{{commit}}", cwd=ROOT)
    with tempfile.TemporaryDirectory(prefix="flagfall-images-") as name:
        folder = Path(name)
        with subprocess.Popen(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE) as packed:
            subprocess.run(["tar", "-x", "-C", name], stdin=packed.stdout, check=True)
        if packed.returncode:
            raise ImageError(f"git cannot unpack {revision}")
        dockerfile = folder / "deploy/Dockerfile"
        if not dockerfile.is_file():
            shutil.copy(ROOT / "deploy/Dockerfile", dockerfile)
            shutil.copy(ROOT / ".dockerignore", folder / ".dockerignore")
        yield Source(folder, dockerfile, *named(folder, revision, False))


def named(folder: Path, revision: str, changed: bool) -> tuple[str, str]:
    """The version and the revision that the images of a folder carry."""
    release = str(tomllib.loads((folder / "pyproject.toml").read_text())["project"]["version"])
    if not revision:
        return release, ""
    ending = ".changed" if changed else ""
    return f"{release}+g{revision[:10]}{ending}", revision + ("-changed" if changed else "")
