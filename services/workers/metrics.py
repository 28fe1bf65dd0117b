"""Numbers of the workers."""

from prometheus_client import Counter, Gauge, Histogram

TASKS = Counter("flagfall_tasks_total", "Tasks done, by what became of them.", ["task", "outcome"])
ENGINE_SECONDS = Histogram(
    "flagfall_engine_think_seconds",
    "Time to find one move of the computer.",
    ["level"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
ENGINE_FAILURES = Counter("flagfall_engine_failures_total", "Times that the engine had to be replaced.", ["what"])
QUEUE_DEPTH = Gauge("flagfall_queue_depth", "Tasks that wait.", ["queue"])
QUEUE_OLDEST = Gauge("flagfall_queue_oldest_age_seconds", "Age of the task that waits longest.", ["queue"])
BEAT_LAST = Gauge("flagfall_beat_last_run_timestamp_seconds", "When the beat last sent a task.")
TURNS = Counter("flagfall_computer_turns_total", "Turns of the computer seen by the dispatcher.", ["outcome"])
