"""A worker proves that it works: it sends a task to itself, through the broker and its own pool."""

import asyncio
import logging
from collections.abc import Callable

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from services.workers.broker import Broker
from services.workers.celery_app import HEARTBEAT
from services.workers.settings import WorkersSettings

log = logging.getLogger(__name__)

QUEUE_KEPT_S = 300
"""The worker's own queue is deleted this many seconds after the worker died."""
EAGER_PAUSE_S = 0.2


class Heartbeat:
    """Sends heartbeat tasks. The task calls `came_back`, in a thread of Celery."""

    def __init__(
        self, app: Celery, broker: Broker, queue: str, settings: WorkersSettings, steady_s: Callable[[], float]
    ) -> None:
        self._app = app
        self._broker = broker
        self._queue = queue
        self._settings = settings
        self._steady_s = steady_s
        self._came_s: float | None = None
        self._sent_s: float | None = None
        self._possible_s = steady_s()
        """Since when the broker answers, as known to this process (seconds of `steady_s`)."""

    def came_back(self) -> None:
        """Note that the task ran now."""
        self._came_s = self._steady_s()
        self._sent_s = None

    async def check(self) -> None:
        """A readiness check: raises TimeoutError unless a heartbeat ran within `heartbeat_fresh_ms`."""
        if self._came_s is None:
            raise TimeoutError("no task has come through the queue yet")
        age_ms = (self._steady_s() - self._came_s) * 1000
        if age_ms > self._settings.heartbeat_fresh_ms:
            raise TimeoutError(f"the last task came through the queue {age_ms / 1000:.0f} s ago")

    async def check_vital(self) -> None:
        """Raise TimeoutError if no heartbeat ran for `heartbeat_dead_ms` although the broker answers.

        Then the consumer or the pool of this process is stuck. If the broker is away, a restart would not help.
        """
        try:
            async with asyncio.timeout(self._settings.ready_timeout_ms / 2_000):
                await self._broker.check()
        except (OperationalError, RedisError, OSError, TimeoutError):
            self._possible_s = self._steady_s()
            return
        silent_ms = (self._steady_s() - max(self._possible_s, self._came_s or 0.0)) * 1000
        if silent_ms > self._settings.heartbeat_dead_ms:
            raise TimeoutError(f"the broker answers, but no task came through the queue for {silent_ms / 1000:.0f} s")

    async def run(self) -> None:
        """Send a heartbeat each period, for ever; but not while one is in flight, unless that counts as lost."""
        period_s = self._settings.heartbeat_period_ms / 1000
        while True:
            lost_s = self._settings.heartbeat_fresh_ms / 1000
            if self._sent_s is None or self._steady_s() - self._sent_s > lost_s:
                try:
                    await asyncio.to_thread(self._send)
                    await self._broker.let_expire(self._queue, QUEUE_KEPT_S)
                except (OperationalError, RedisError, OSError, TimeoutError) as error:
                    log.warning("no heartbeat sent: %s: %s", type(error).__name__, error)
                    self._sent_s = None
            await asyncio.sleep(period_s if self._came_s is not None else EAGER_PAUSE_S)

    def _send(self) -> None:
        self._sent_s = self._steady_s()
        self._app.send_task(HEARTBEAT, queue=self._queue, retry=False, expires=self._settings.heartbeat_fresh_ms / 1000)
