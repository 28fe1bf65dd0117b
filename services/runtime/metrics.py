"""Metrics of several services. deploy/observability/metrics.toml lists all metrics."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from itertools import product

from prometheus_client import Counter, Gauge, Histogram, Info

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
"""Buckets of durations. They include the 250 ms, 500 ms and 2 s of the service levels and are finer below these."""

BUILD = Info("flagfall_build", "What runs here.")
READY = Gauge("flagfall_ready", "1 while the check passes; the check `all` is what /readyz answers.", ["check"])
DRAINING = Gauge("flagfall_draining", "1 after this process was asked to stop.")
LOOP_LAG = Histogram("flagfall_event_loop_lag_seconds", "How late the event loop wakes up.", buckets=SECONDS)
BATCH_SIZE = Histogram(
    "flagfall_batch_size", "Items sent in one batch.", ["hop"], buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
BATCH_SECONDS = Histogram("flagfall_batch_duration_seconds", "Time of one batch on one hop.", ["hop"], buckets=SECONDS)
BATCH_REFUSED = Counter("flagfall_batch_refused_total", "Items refused because too many were waiting.", ["hop"])
MOVES = Counter("flagfall_moves_total", "Moves sent through this process, by outcome.", ["mode", "actor", "outcome"])
"""`actor` is person or bot at a gateway, computer at a worker; `outcome` is accepted or the code of the refusal."""
UNKNOWN_MODE = "unknown"
"""The mode for a refusal that does not contain the game's mode."""
MOVE_OUTCOMES = ("accepted", "illegal_move", "not_your_turn", "time_is_up", "game_over", "unavailable")
"""The outcomes that are exported from the start."""
RPC_SECONDS = Histogram(
    "flagfall_rpc_duration_seconds", "Time of one gRPC call at the server.", ["method"], buckets=SECONDS
)
RPC_TOTAL = Counter("flagfall_rpc_total", "gRPC calls answered, by status.", ["method", "code"])
RPC_STRANGERS = Counter("flagfall_rpc_strangers_total", "gRPC calls refused for lack of the services' secret.")
EVENTS_PUBLISHED = Counter("flagfall_events_published_total", "Events sent to Redis.", ["outcome"])
REDIS_RECONNECTS = Counter("flagfall_redis_reconnects_total", "Reconnects of a lasting Redis connection.", ["use"])
"""`use` is pubsub, publisher, stream or group."""
REDIS_MEMORY_USED = Gauge("flagfall_redis_memory_used_bytes", "Memory that a Redis reports as used.", ["store"])
REDIS_MEMORY_MAX = Gauge("flagfall_redis_memory_max_bytes", "Memory that a Redis may use; 0 for no limit.", ["store"])
STREAM_REFETCHES = Counter("flagfall_stream_refetches_total", "Times a listener had to refetch everything.", ["reason"])


def from_zero(metric: Counter | Histogram, *values: Iterable[str]) -> None:
    """Export the series of all combinations of these label values at zero, before anything is counted.

    Otherwise the first count creates the series, and a query of increases does not see it.
    """
    for labels in product(*values):
        metric.labels(*labels)


async def measure_loop_lag(period_ms: int) -> None:
    """Measure every `period_ms`, for ever, how late this event loop wakes up. Cancelled at the end of the process."""
    loop = asyncio.get_running_loop()
    with suppress(asyncio.CancelledError):
        while True:
            due = loop.time() + period_ms / 1000
            await asyncio.sleep(period_ms / 1000)
            LOOP_LAG.observe(max(0.0, loop.time() - due))
