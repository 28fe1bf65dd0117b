"""Processor time of process trees, by part, in seconds; those that have ended count too.

A living process is read by its own clock (nanoseconds, all its threads), and what it has waited for of ended children
by /proc (ticks of 10 ms). When a child ends its time moves from the first to the second, so sums never go back: a
PostgreSQL backend that came and went is counted.
"""

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """What /proc/PID/stat says: the parent, and the processor seconds of children that ended."""

    pid: int
    parent: int
    ended_children_s: float


def parse_stat(text: str) -> ProcessRow:
    """One /proc/PID/stat. The name in it may hold anything, also spaces and parentheses."""
    head, _, rest = text.rpartition(")")
    fields = rest.split()
    return ProcessRow(
        pid=int(head.split(" ", 1)[0]),
        parent=int(fields[1]),
        ended_children_s=(int(fields[13]) + int(fields[14])) / TICKS_PER_S,
    )


def tree(root: int, rows: Iterable[ProcessRow]) -> list[ProcessRow]:
    """The process `root` and all that descend from it."""
    rows = list(rows)
    children: dict[int, list[ProcessRow]] = {}
    for row in rows:
        children.setdefault(row.parent, []).append(row)
    found = [row for row in rows if row.pid == root]
    for row in found:  # grows as it goes
        found += children.get(row.pid, [])
    return found


def own_s(pid: int) -> float:
    """Processor seconds of a living process, threads that ended included. Raises OSError when there is none."""
    return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) makes of a process id on Linux


def sample(roots: Mapping[str, int]) -> dict[str, float]:
    """Processor seconds so far of the tree under each of `roots`."""
    rows = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                rows.append(parse_stat((entry / "stat").read_text()))
            except OSError:
                continue  # it has just ended
    spent: dict[str, float] = {}
    for name, root in roots.items():
        spent[name] = 0.0
        for row in tree(root, rows):
            try:
                spent[name] += own_s(row.pid) + row.ended_children_s
            except OSError:
                continue
    return spent


def spent_between(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Processor seconds of each part between two samples. A part that was started anew counts from its start."""
    return {name: after[name] - before[name] if after[name] >= before[name] else after[name] for name in after}


def parse_busy(text: str) -> float:
    """Processor seconds that all processors together have spent at work, by the first line of /proc/stat."""
    user, nice, system, _idle, _waiting, irq, soft_irq, *_ = (int(word) for word in text.split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + soft_irq) / TICKS_PER_S


def machine_busy_s() -> float:
    """Processor seconds that this machine has spent at work since its start."""
    return parse_busy(Path("/proc/stat").read_text())
