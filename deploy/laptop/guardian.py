"""Ends a stack whose supervisor was killed. A script of its own: `python guardian.py`, fed through standard input.

The supervisor writes `+ PID SIGNAL RANK` for each process it starts and `- PID` when one has ended. Only the
supervisor holds the writing end, so the end of input means that the supervisor is dead. Then the processes that still
run get their signal, the highest rank first, and are killed with their process group if they do not end.
"""

import os
import signal
import sys
import time

RANK_PATIENCE_S = 2.0
POLL_S = 0.05


def is_running(pid: int) -> bool:
    """Whether a process exists and is more than an entry that nobody has collected."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not os.path.isdir("/proc/self")


def send(pid: int, number: int, *, group: bool = False) -> None:
    """Signal a process or its group; does nothing if it has ended."""
    try:
        if group:
            os.killpg(pid, number)
        else:
            os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def end(processes: dict[int, tuple[int, int]]) -> None:
    """End processes by rank; `processes` maps a pid to its signal and rank."""
    for rank in sorted({rank for _, rank in processes.values()}, reverse=True):
        members = {pid: number for pid, (number, its_rank) in processes.items() if its_rank == rank}
        for pid, number in members.items():
            send(pid, number)
        deadline = time.monotonic() + RANK_PATIENCE_S
        while any(is_running(pid) for pid in members) and time.monotonic() < deadline:
            time.sleep(POLL_S)
        for pid in members:
            send(pid, signal.SIGKILL, group=True)


def main() -> None:
    """Listen until the supervisor is gone."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    processes: dict[int, tuple[int, int]] = {}
    for line in sys.stdin:
        match line.split():
            case ["+", pid, number, rank]:
                processes[int(pid)] = (int(number), int(rank))
            case ["-", pid]:
                processes.pop(int(pid), None)
    end(processes)


if __name__ == "__main__":
    main()
