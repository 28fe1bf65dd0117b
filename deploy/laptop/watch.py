"""The supervisor's side of the guardian: a process that outlives the supervisor and ends what it leaves behind."""

import contextlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

GUARDIAN = Path(__file__).with_name("guardian.py")


class Watch:
    """Reports the running processes to the guardian."""

    def __init__(self, held: Sequence[int] = ()) -> None:
        """`held` are file descriptors (of locks) that stay open until the last process has ended."""
        self._guardian = subprocess.Popen(
            [sys.executable, "-I", str(GUARDIAN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            pass_fds=held,
            start_new_session=True,
            cwd="/",
        )

    def started(self, pid: int, stop_signal: int, rank: int) -> None:
        """A process runs."""
        self._tell(f"+ {pid} {int(stop_signal)} {rank}")

    def ended(self, pid: int) -> None:
        """A process has ended and its group with it."""
        self._tell(f"- {pid}")

    def close(self) -> None:
        """Disconnect from the guardian; it ends all processes that were not reported as ended."""
        assert self._guardian.stdin is not None
        with contextlib.suppress(OSError):
            self._guardian.stdin.close()
        self._guardian.wait()

    def _tell(self, line: str) -> None:
        assert self._guardian.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # without a guardian the supervisor still does its own work
            self._guardian.stdin.write(line + "\n")
