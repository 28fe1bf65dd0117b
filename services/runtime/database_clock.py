"""An estimate of the database's time. It is never ahead of the database."""

import time
from collections import deque
from collections.abc import Callable

SAMPLES = 10
"""How many answers are kept. If the database clock is set back, the estimate follows after this many answers."""


def steady_ms() -> float:
    """Milliseconds of the monotonic clock."""
    return time.monotonic() * 1000


class DatabaseClock:
    """The database's time, from answers that contain it and this machine's monotonic clock.

    An answer contains the time of a moment before it arrived. An estimate that starts at its arrival is therefore
    behind the database by the travel time, and never ahead. The best of the last `SAMPLES` answers is used.
    """

    def __init__(self, steady_ms: Callable[[], float]) -> None:
        self._steady_ms = steady_ms
        self._offsets_ms: deque[float] = deque(maxlen=SAMPLES)

    def learn(self, now_ms: int) -> None:
        """Note that an answer with this database time (UTC milliseconds) has just arrived."""
        self._offsets_ms.append(now_ms - self._steady_ms())

    def now_ms(self) -> int | None:
        """UTC milliseconds by the database's clock; None before the first answer."""
        return int(max(self._offsets_ms) + self._steady_ms()) if self._offsets_ms else None
