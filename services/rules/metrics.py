"""Metrics of the rules service."""

from prometheus_client import Counter, Histogram

from services.runtime.metrics import BATCH_SIZE, SECONDS, from_zero

VERDICTS = Counter("flagfall_rules_verdicts_total", "Questions judged.", ["question", "verdict"])
"""`verdict` is `ok` or the code of the refusal."""
JUDGE_SECONDS = Histogram("flagfall_rules_judge_seconds", "Time of judging one batch.", buckets=SECONDS)
SIDE_QUESTIONS = Counter(
    "flagfall_rules_side_questions_total",
    "Questions for processes beside the judging of moves.",
    ["work", "result"],
)
"""`result` is `answered`, `unanswered`, or `refused` (too many were waiting)."""
SIDE_PROCESSES_LOST = Counter(
    "flagfall_rules_side_processes_lost_total", "Times that such a process died, hung or did not start.", ["work"]
)
QUESTIONS_AT_ONCE = BATCH_SIZE.labels("judge")

from_zero(VERDICTS, ("play", "start", "forfeit", "ping", "none"), ("ok", "illegal_move", "unavailable"))
