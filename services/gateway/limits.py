"""How often somebody may do something costly. Moves are never limited here."""

import time
from collections import OrderedDict

from services.domain.refusal import Refusal, RefusalCode
from services.gateway.errors import Refused


class Limits:
    """Allowances by (what, who): so many in a span, refilled evenly. The oldest are forgotten past `keys_max`."""

    def __init__(self, keys_max: int) -> None:
        self._keys_max = keys_max
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def spend(self, what: str, who: str, most: int, span_s: float) -> None:
        """Take one; Refused (429, with the time until the next) when none is left."""
        now_s = time.monotonic()
        key = (what, who)
        left, then_s = self._left.pop(key, (float(most), now_s))
        left = min(float(most), left + (now_s - then_s) * most / span_s)
        spent = left - 1 if left >= 1 else left
        self._left[key] = (spent, now_s)
        while len(self._left) > self._keys_max:
            self._left.popitem(last=False)
        if left < 1:
            wait_s = max(1, round((1 - left) * span_s / most))
            raise Refused(Refusal(RefusalCode.LIMIT_REACHED, f"Too many {what}; try again in {wait_s} s."), wait_s)
