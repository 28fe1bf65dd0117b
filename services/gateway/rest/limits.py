"""Rate limits for costly requests. Moves are never limited here."""

import time
from collections import OrderedDict
from collections.abc import Callable

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.errors import Refused
from services.gateway.token_bucket import TokenBucket


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class RateLimits:
    """One rate limit for each pair of action and client. Beyond `keys_max` pairs, the least recently used is dropped.

    `clock` returns milliseconds that never go back.
    """

    def __init__(self, keys_max: int, clock: Callable[[], int] = _steady_ms) -> None:
        self._keys_max = keys_max
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], TokenBucket] = OrderedDict()

    def spend(self, what: str, who: str, most: int, span_s: int) -> None:
        """Count one request. Raises Refused (429, with the seconds to wait) above `most` in `span_s` seconds.

        `what` is the action, a variant of the message `gateway.too_many`; `who` is the client. `most` and `span_s` must
        be the same in all calls with one `what`.
        """
        now_ms = self._clock()
        key = (what, who)
        bucket = self._buckets.pop(key, None) or TokenBucket(most / span_s, most, now_ms)
        self._buckets[key] = bucket
        while len(self._buckets) > self._keys_max:
            self._buckets.popitem(last=False)
        if not bucket.take(now_ms):
            wait_s = -(-bucket.wait_ms(now_ms) // 1000)
            text = say("gateway.too_many", what=what, seconds=wait_s)
            raise Refused(Refusal(RefusalCode.LIMIT_REACHED, text), wait_s)
