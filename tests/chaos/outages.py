"""Checks outages: each one in the database was real and is recorded once, and each real one is recorded."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tests.chaos.facts import Rules, Span, Violation

BOOT_SLACK_MS = 1_200
"""An outage may have begun a beat (1 s) after the last one, or during a beat."""
ACK_EACH_MS = 1_000
EDGE_MS = 700


def check_rows(outages: Sequence[Span], rules: Rules) -> Iterator[Violation]:
    """Each is longer than the gap, and none overlaps another: recorded once."""
    ordered = sorted(outages, key=lambda span: span.start_ms)
    for span in ordered:
        if span.end_ms - span.start_ms <= rules.gap_ms:
            yield Violation("no outage at all", detail=f"{span}")
    for earlier, later in pairwise(ordered):
        if later.start_ms < earlier.end_ms:
            yield Violation("outage recorded twice", detail=f"{earlier} and {later}")


def check_made(outages: Sequence[Span], made: Sequence[Span], rules: Rules) -> Iterator[Violation]:
    """Each period in which nobody could move, certainly longer than the gap, is in one outage. `made` are those that
    the fault injector knows: every replica of a part was dead, or the database was."""
    for black_out in made:
        lasted_ms = black_out.end_ms - black_out.start_ms
        if lasted_ms <= rules.gap_ms + BOOT_SLACK_MS:
            continue
        within = [o for o in outages if o.start_ms < black_out.end_ms and o.end_ms > black_out.start_ms]
        covered_ms = sum(min(o.end_ms, black_out.end_ms) - max(o.start_ms, black_out.start_ms) for o in within)
        if covered_ms < lasted_ms - BOOT_SLACK_MS:
            yield Violation("outage not recorded", detail=f"{black_out}: {within}")
        elif len(within) != 1:
            yield Violation("outage recorded twice", detail=f"{black_out}: {within}")


def check_earned(outages: Sequence[Span], acks_ms: Sequence[int], rules: Rules) -> Iterator[Violation]:
    """No time is given back in which people could move: moves were acknowledged all along."""
    for span in outages:
        start_ms, end_ms = span.start_ms + EDGE_MS, span.end_ms - EDGE_MS
        inside = [start_ms, *sorted(at for at in acks_ms if start_ms <= at <= end_ms), end_ms]
        widest_ms = max(later - earlier for earlier, later in pairwise(inside))
        if widest_ms < ACK_EACH_MS:
            yield Violation("outage while people could move", detail=f"{span}: {len(inside) - 2} moves answered")
