"""What the rules service counts beside what every process does."""

from prometheus_client import Counter, Histogram

from services.runtime.metrics import SECONDS

VERDICTS = Counter("flagfall_rules_verdicts_total", "Questions judged.", ["question", "verdict"])
"""`verdict` is `ok` or the code of the refusal."""
JUDGE_SECONDS = Histogram("flagfall_rules_judge_seconds", "Time of judging one batch.", buckets=SECONDS)
