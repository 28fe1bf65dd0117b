"""Metrics of the clock service."""

from prometheus_client import Counter, Gauge, Histogram

from services.runtime.event_stream import DOUBTS
from services.runtime.metrics import from_zero

TIMERS_OUTSTANDING = Gauge("flagfall_timers_outstanding", "Alarms in Redis, of all replicas.")
FLAG_LATENESS = Histogram(
    "flagfall_flag_lateness_seconds",
    "From a deadline to the answer that it was decided; the grace is part of it.",
    buckets=(0.1, 0.11, 0.125, 0.15, 0.2, 0.25, 0.35, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0),
)
EARLY_FIRES = Counter(
    "flagfall_early_fires_total", "Alarms fired ahead of the database's clock, and refused: must stay 0."
)
STALE_FIRES = Counter("flagfall_stale_fires_total", "Alarms fired for an outdated version, and refused.")
MOVED_FIRES = Counter(
    "flagfall_moved_fires_total", "Alarms fired for a deadline that an outage had moved, and set again."
)
FIRE_RETRIES = Counter("flagfall_fire_retries_total", "Fired alarms without a decision, to be retried.", ["reason"])
OLDEST_OVERDUE = Gauge(
    "flagfall_oldest_overdue_seconds", "How long the oldest undecided deadline is past its grace; 0 for none."
)
REBUILDS = Counter("flagfall_rebuilds_total", "Times all alarms were set again from the database.", ["reason"])

from_zero(FIRE_RETRIES, ("unavailable", "refused", "early"))
from_zero(REBUILDS, (*DOUBTS, "not_set"))
