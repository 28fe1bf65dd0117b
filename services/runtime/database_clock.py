"""What time it is at the database, never ahead of it."""

import time
from collections import deque
from collections.abc import Callable

SAMPLES = 10
"""Answers that are remembered: a database clock that was set back is followed after as many."""


def steady_ms() -> float:
    """Milliseconds of a clock that nobody sets."""
    return time.monotonic() * 1000


class DatabaseClock:
    """The database's time, from answers that tell it and this machine's own steady clock.

    An answer says what time it was at some moment before it arrived. So the estimate that starts from its arrival is
    behind the database by as long as the answer travelled, and never ahead. The best of the last few is taken.
    """

    def __init__(self, steady_ms: Callable[[], float]) -> None:
        self._steady_ms = steady_ms
        self._offsets_ms: deque[float] = deque(maxlen=SAMPLES)

    def learn(self, now_ms: int) -> None:
        """An answer with this time has just arrived."""
        self._offsets_ms.append(now_ms - self._steady_ms())

    def now_ms(self) -> int | None:
        """UTC milliseconds by the database's clock; None until an answer has come."""
        return int(max(self._offsets_ms) + self._steady_ms()) if self._offsets_ms else None
