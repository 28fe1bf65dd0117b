"""An environment of its own with matplotlib: nothing that serves games needs it."""

import os
import shutil
import sys
from pathlib import Path

from deploy.laptop.install import fingerprint, is_current, run, say
from deploy.laptop.node import ROOT

LOCK = Path(__file__).with_name("tools.txt")
PLACE = ROOT / "build" / "previews"
STAMP = ".flagfall-stamp"


def python() -> Path:
    """The interpreter of an environment that is as locked. Raises InstallError."""
    found = PLACE / "bin" / "python"
    wanted = fingerprint(LOCK, Path(__file__), sys.version, sys.base_prefix)
    if not is_current(PLACE, wanted):
        say("installing what paints the previews into build/previews")
        shutil.rmtree(PLACE, ignore_errors=True)
        uv = ROOT / ".venv" / "bin" / "uv"
        run(uv, "venv", "--quiet", "--python", sys.executable, PLACE)
        run(uv, "pip", "sync", "--system-certs", "--python", found, "--require-hashes", LOCK)
        (PLACE / STAMP).write_text(wanted)
    return found


def surroundings() -> dict[str, str]:
    """The environment of its processes: the path of this repository, and no screen."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
