"""Metrics of the queue, as the dispatcher sees it."""

from prometheus_client import Counter, Gauge

TURNS_ENQUEUED = Counter("flagfall_turns_enqueued_total", "Computer's turns put into the queue.", ["cause"])
"""`cause` is event, claimed (from another dispatcher that did not finish) or reconciled (found waiting in no queue)."""
CAUSES = ("event", "claimed", "reconciled")
QUEUE_DEPTH = Gauge("flagfall_queue_depth", "Tasks that wait in a queue.", ["queue"])
QUEUE_OLDEST_AGE = Gauge(
    "flagfall_queue_oldest_age_seconds", "How long the oldest waiting task has waited; 0 for none.", ["queue"]
)
