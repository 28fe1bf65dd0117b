"""Runs a program and returns its output; a failure raises an error with the output."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

TIME_MAX_S = 900
"""No step of a build takes longer, on two busy cores and a slow network."""


class ImageError(Exception):
    """An image cannot be made; the message says why."""


def run(*words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a program to its end and return its standard output without the space around it."""
    command = [str(word) for word in words]
    try:
        result = subprocess.run(
            command,
            cwd=cwd,
            env=os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIME_MAX_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise ImageError(f"`{command[0]}` is missing (Debian: apt install buildah debootstrap)") from error
    except subprocess.TimeoutExpired as error:
        raise ImageError(f"`{' '.join(command)}` took more than {TIME_MAX_S} s") from error
    if result.returncode:
        said = "\n".join((result.stdout + result.stderr).strip().splitlines()[-40:])
        raise ImageError(f"`{' '.join(command)}` failed with exit code {result.returncode}:\n{said}")
    return result.stdout.strip()
