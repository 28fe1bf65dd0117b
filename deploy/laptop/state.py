"""The folder with all data of one Flagfall, and the lock that allows only one run in it."""

import fcntl
import os
import time
from collections.abc import Mapping
from pathlib import Path

from deploy.laptop.child import StackError
from deploy.laptop.guardian import is_running
from deploy.laptop.node import ROOT
from deploy.laptop.output import Output

PORT_DEFAULT = 8000
ENDING_WITHIN_S = 15.0
ENDING = "ending"


def port_of(environment: Mapping[str, str]) -> int:
    """The gateway's port: PORT, 8000 unless given."""
    given = environment.get("PORT") or str(PORT_DEFAULT)
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= 65_535:
        raise StackError(f"PORT is a number from 1 to 65535, not {given!r}")
    return int(given)


def folder_of(environment: Mapping[str, str]) -> Path:
    """The state folder: FLAGFALL_STATE, else .flagfall in the clone, else one of its own for another PORT."""
    if given := environment.get("FLAGFALL_STATE"):
        return Path(given).expanduser().absolute()
    port = port_of(environment)
    return ROOT / (".flagfall" if port == PORT_DEFAULT else f".flagfall-{port}")


def lock(state: Path, output: Output) -> int:
    """Make the folder and lock it. Returns the descriptor that holds the lock. Raises StackError if another run has
    it."""
    try:
        state.mkdir(parents=True, exist_ok=True)
        file = os.open(state / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StackError(f"the state folder {state} cannot be used: {error}") from error
    deadline = time.monotonic() + ENDING_WITHIN_S
    told = False
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError as error:
            holder, ending = _holder(file)
            if not ending or time.monotonic() > deadline:
                os.close(file)
                raise StackError(
                    f"Flagfall already runs on {state} (process {holder or 'unknown'}). "
                    "For a second one: PORT=9000 make run"
                ) from error
            if not told:
                output.say("the last run is still ending; waiting for it")
                told = True
            time.sleep(0.1)
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
    return file


def mark_ending(held: int) -> None:
    """Note on a lock that is held that its holder is ending: another run may wait for it."""
    os.pwrite(held, f"{os.getpid()} {ENDING}\n".encode(), 0)


def _holder(file: int) -> tuple[str, bool]:
    """The process id that a lock names, and whether that process is ending or was killed."""
    words = os.pread(file, 64, 0).decode(errors="replace").split()
    if not words or not words[0].isdigit():
        return "", False
    return words[0], ENDING in words or not is_running(int(words[0]))
