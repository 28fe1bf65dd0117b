"""Arithmetic of the bench: percentiles, costs a move, batch sizes."""

import re
from collections.abc import Mapping, Sequence

_BATCH = re.compile(r'^flagfall_batch_size_(sum|count)\{hop="([^"]+)"\} (\S+)$', re.MULTILINE)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` (0 to 1) of them do not exceed. ValueError when there are none."""
    if not values:
        raise ValueError("no values")
    ranked = sorted(values)
    rank = -int(-share * len(ranked) // 1)  # the ceiling
    return ranked[min(max(rank, 1), len(ranked)) - 1]


def us_per_move(spent_s: Mapping[str, float], moves: int) -> dict[str, float]:
    """Microseconds of processor time a move, of each part. Raises ValueError when no move was made."""
    if moves <= 0:
        raise ValueError("no move was committed")
    return {name: seconds * 1e6 / moves for name, seconds in spent_s.items()}


def batch_totals(metrics: str) -> dict[str, tuple[float, float]]:
    """For each hop in a text of metrics: items and batches so far."""
    found: dict[str, dict[str, float]] = {}
    for what, hop, value in _BATCH.findall(metrics):
        found.setdefault(hop, {})[what] = float(value)
    return {hop: (values.get("sum", 0.0), values.get("count", 0.0)) for hop, values in found.items()}


def mean_sizes(before: Mapping[str, tuple[float, float]], after: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Items a batch between two readings, for each hop that had a batch."""
    sizes: dict[str, float] = {}
    for hop, (items, batches) in after.items():
        items_before, batches_before = before.get(hop, (0.0, 0.0))
        if batches > batches_before:
            sizes[hop] = (items - items_before) / (batches - batches_before)
    return sizes
