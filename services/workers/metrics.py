"""Metrics of the queues, from the dispatcher."""

from prometheus_client import Counter, Gauge

TURNS_ENQUEUED = Counter("flagfall_turns_enqueued_total", "The computer's turns put into the queue.", ["cause"])
"""`cause` is event, claimed (another dispatcher did not finish it) or reconciled (it waited without a task)."""
CAUSES = ("event", "claimed", "reconciled")
QUEUE_DEPTH = Gauge("flagfall_queue_depth", "Tasks that wait in a queue.", ["queue"])
QUEUE_OLDEST_AGE = Gauge(
    "flagfall_queue_oldest_age_seconds", "How long the oldest waiting task has waited; 0 for none.", ["queue"]
)
