"""Was there anything to check? A run in which nothing happened finds nothing, and must not pass for that."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.chaos.facts import Violation

NOT_TESTED = "not tested"
LONG_S = 60
"""From here on a run must show every kind of thing: a flag falls after 15 s at the earliest."""
TABLES = 10
"""From here on every kind of table is there."""
MOVES_EACH = 5
"""Acknowledged moves a table, of some fifty a minute when nothing is broken."""
OUTAGE_FAULTS = frozenset(["gateways-down", "games-down", "rules-down"])
"""Those that last longer than the gap for certain."""

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
    """What a run that came to its end did not try."""
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
