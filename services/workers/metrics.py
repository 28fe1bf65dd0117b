"""Metrics of the workers."""

from prometheus_client import Counter, Gauge, Histogram

TASKS = Counter("flagfall_tasks_total", "Tasks done, by what came of them.", ["task", "outcome"])
ENGINE_THINK = Histogram(
    "flagfall_engine_think_seconds",
    "From a position to the computer's move, replaced engines included.",
    ["level"],
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
ENGINE_FAILURES = Counter("flagfall_engine_failures_total", "Engines that were killed and replaced.", ["reason"])
MOVES_BY = Counter("flagfall_computer_moves_total", "Moves found, by what found them.", ["by"])
TURNS_ENQUEUED = Counter("flagfall_turns_enqueued_total", "Computer's turns put into the queue.", ["cause"])
QUEUE_DEPTH = Gauge("flagfall_queue_depth", "Tasks that wait in a queue.", ["queue"])
QUEUE_OLDEST_AGE = Gauge(
    "flagfall_queue_oldest_age_seconds", "How long the oldest waiting task has waited; 0 for none.", ["queue"]
)
