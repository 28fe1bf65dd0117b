"""Checks that a run had enough to check: a run without events finds no violation, and must not pass."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.chaos.facts import Violation

NOT_TESTED = "not tested"
LONG_S = 60
"""A run of at least this duration must show every kind of event: the first flag falls after 15 s."""
TABLES = 10
"""From this number on a run has every kind of table."""
MOVES_EACH = 5
"""The least acknowledged moves for each table; without faults there are about fifty a minute."""
OUTAGE_FAULTS = frozenset(["gateways-down", "games-down", "rules-down"])
"""The faults that certainly last longer than the gap."""

NEEDED = ("takenBack", "paused", "seatTaken", "timeGiven", "hinted", "conditional", "rematch", "rated")
"""Of each of these there must be one in a run of `WIDE_TABLES` or more."""
WIDE_TABLES = 40


@dataclass(frozen=True, slots=True)
class Work:
    """What a run did: `asked` and `done` are kinds of faults."""

    asked: frozenset[str]
    done: frozenset[str]
    seconds: float
    tables: int
    moves: int
    """Acknowledged ones of people."""
    flags: int
    computer_moves: int
    outages: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    """Events of each kind, and what the ledger counts beside them."""


def check_work(work: Work) -> Iterator[Violation]:
    """What a finished run did not test."""
    for kind in sorted(work.asked - work.done):
        yield Violation(NOT_TESTED, detail=f"{kind} was never done")
    implied = sorted(work.asked & OUTAGE_FAULTS)
    if implied and work.outages == 0:
        yield Violation(NOT_TESTED, detail=f"no outage after {', '.join(implied)}")
    if work.seconds < LONG_S or work.tables < TABLES:
        return
    if work.moves < MOVES_EACH * work.tables:
        yield Violation(NOT_TESTED, detail=f"{work.moves} moves at {work.tables} tables")
    if work.flags == 0:
        yield Violation(NOT_TESTED, detail="no flag fell")
    if work.computer_moves == 0:
        yield Violation(NOT_TESTED, detail="no computer moved")
    for kind in NEEDED:
        if work.tables >= WIDE_TABLES and work.kinds.get(kind, 0) == 0:
            yield Violation(NOT_TESTED, detail=f"nothing of kind {kind}")
