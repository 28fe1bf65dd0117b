"""Metrics of the tasks and the engine. Only a process that runs tasks imports this file and exports them."""

from functools import cache

from prometheus_client import Counter, Histogram

from services.domain.time_control import MODES
from services.runtime.metrics import MOVE_OUTCOMES, MOVES, from_zero
from services.workers.celery_app import ENGINE_MOVE, FIND_HINT, SWEEP_EXPIRED
from services.workers.levels import LEVELS

TASKS = Counter("flagfall_tasks_total", "Tasks done, by outcome.", ["task", "outcome"])
TASK_SECONDS = Histogram(
    "flagfall_task_duration_seconds",
    "Time of one task, from its start in a worker to its end.",
    ["task"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0),
)
REPLY_LATENESS = Histogram(
    "flagfall_engine_reply_lateness_seconds",
    "How long after an engine's time for a move the computer's move was committed; 0 when earlier.",
    buckets=(0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0),
)
ENGINE_THINK = Histogram(
    "flagfall_engine_think_seconds",
    "From a position to the computer's move, replaced engines included.",
    ["level"],
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0),
)
ENGINE_FAILURES = Counter(
    "flagfall_engine_failures_total", "Engines that failed and were killed, or could not be started.", ["reason"]
)
MOVES_BY = Counter("flagfall_computer_moves_total", "Moves of the computer, by what found them.", ["by"])

OUTCOMES = {
    ENGINE_MOVE: ("played", "repeated", "outdated", "late", "refused", "unavailable", "malformed"),
    FIND_HINT: ("given", "outdated", "late", "unavailable", "malformed"),
    SWEEP_EXPIRED: ("done", "more", "unavailable"),
}
"""The possible outcomes of each task."""

for _task, _outcomes in OUTCOMES.items():
    from_zero(TASKS, (_task,), _outcomes)
from_zero(TASK_SECONDS, OUTCOMES)
from_zero(ENGINE_THINK, map(str, (0, *LEVELS)))
from_zero(ENGINE_FAILURES, ("start", "missing", "died", "stalled", "garbage", "illegal"))
from_zero(MOVES_BY, ("chance", "engine", "small_search", "last_resort"))
from_zero(MOVES, MODES, ("computer",), MOVE_OUTCOMES)

move_counted = cache(MOVES.labels)
