"""Metrics that every process has. Names and buckets are kept here so that dashboards meet one spelling."""

import asyncio
from contextlib import suppress

from prometheus_client import Counter, Gauge, Histogram, Info

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Buckets of durations: fine below the 250 ms and 500 ms of the service levels."""

BUILD = Info("flagfall_build", "What runs here.")
READY = Gauge("flagfall_ready", "1 while the check passes.", ["check"])
DRAINING = Gauge("flagfall_draining", "1 from the moment this process was asked to stop.")
LOOP_LAG = Histogram("flagfall_event_loop_lag_seconds", "How late the event loop wakes up.", buckets=SECONDS)
BATCH_SIZE = Histogram(
    "flagfall_batch_size", "Items that left together.", ["hop"], buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
BATCH_SECONDS = Histogram("flagfall_batch_duration_seconds", "Time of one batch on one hop.", ["hop"], buckets=SECONDS)
BATCH_REFUSED = Counter("flagfall_batch_refused_total", "Items refused since too many were waiting.", ["hop"])
RPC_SECONDS = Histogram(
    "flagfall_rpc_duration_seconds", "Time of one gRPC call at the server.", ["method"], buckets=SECONDS
)
RPC_TOTAL = Counter("flagfall_rpc_total", "gRPC calls answered, by status.", ["method", "code"])
EVENTS_PUBLISHED = Counter("flagfall_events_published_total", "Events sent to Redis.", ["outcome"])
STREAM_REFETCHES = Counter("flagfall_stream_refetches_total", "Times a listener had to ask for everything.", ["reason"])


async def measure_loop_lag(period_ms: int) -> None:
    """Observe for ever how late this loop wakes up; cancelled at the end of the process."""
    loop = asyncio.get_running_loop()
    with suppress(asyncio.CancelledError):
        while True:
            due = loop.time() + period_ms / 1000
            await asyncio.sleep(period_ms / 1000)
            LOOP_LAG.observe(max(0.0, loop.time() - due))
