"""A rate limit: a burst at once, and an average rate over time."""

import math

_WHOLE = 1 - 1e-9
"""A token that is incomplete only by rounding counts as whole."""


class TokenBucket:
    """Holds up to `burst` tokens and gains `per_s` each second. The time is an argument: ms that never go back."""

    __slots__ = ("_burst", "_per_ms", "_tokens", "_when_ms")

    def __init__(self, per_s: float, burst: int, now_ms: int) -> None:
        self._per_ms = per_s / 1000
        self._burst = float(burst)
        self._tokens = float(burst)
        self._when_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Take a token. False when there is none."""
        self._fill(now_ms)
        if self._tokens < _WHOLE:
            return False
        self._tokens -= 1.0
        return True

    def wait_ms(self, now_ms: int) -> int:
        """Milliseconds until there is a token; 0 when there is one."""
        self._fill(now_ms)
        return max(0, math.ceil((_WHOLE - self._tokens) / self._per_ms))

    def _fill(self, now_ms: int) -> None:
        if now_ms > self._when_ms:
            self._tokens = min(self._burst, self._tokens + (now_ms - self._when_ms) * self._per_ms)
            self._when_ms = now_ms
