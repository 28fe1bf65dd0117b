"""The state of each replica as a number, and the words for it."""

from deploy.observability.boards.panel import Colour, Word
from deploy.observability.boards.promql import OURS

_EACH = "by (job, instance)"
STATE = (
    f"clamp_max(sum {_EACH} (up{{{OURS}}})"
    f' + on (job, instance) sum {_EACH} (flagfall_ready{{check="all"}})'
    f" + on (job, instance) 2 * sum {_EACH} (flagfall_draining), 3)"
    f" or sum {_EACH} (up{{{OURS}}})"
)
STATE_WORDS = (
    Word(0, "DOWN", Colour.BAD),
    Word(1, "NOT READY", Colour.WATCH),
    Word(2, "ready", Colour.GOOD),
    Word(3, "draining", Colour.PLAIN),
)
