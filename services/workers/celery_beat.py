"""The beat: it queues a sweep periodically. A second beat does no harm."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any

from celery.beat import Scheduler, Service
from prometheus_client import Gauge

from services.runtime.lifecycle import Stop, admin
from services.workers.broker import Broker
from services.workers.celery_app import LOOP_INTERVAL_S, make_app
from services.workers.celery_thread import in_thread
from services.workers.settings import WorkersSettings

log = logging.getLogger(__name__)

# Defined here and not in `metrics`: in any other process it would be 0 and look like a beat that has stopped.
BEAT_LAST_RUN = Gauge(
    "flagfall_beat_last_run_timestamp_seconds",
    "When this beat last sent a sweep, in seconds since 1970; 0 before the first.",
)


class MeteredScheduler(Scheduler):
    """Celery's scheduler in memory, without a file. A metric has the time when it last queued a task."""

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        """See Celery. Raises SchedulingError if the broker does not accept the task; Celery logs it and continues."""
        result = super().apply_async(*args, **kwargs)
        BEAT_LAST_RUN.set_to_current_time()
        return result


async def serve(settings: WorkersSettings, stop: Stop) -> None:
    """Run until asked to stop. Ready means: the broker answers."""
    async with AsyncExitStack() as stack:
        app = make_app(settings)
        stack.callback(app.close)
        broker = Broker(app, settings)
        stack.push_async_callback(broker.aclose)
        health = await stack.enter_async_context(admin(settings, stop))
        health.add_check("broker", broker.check)
        service = Service(app, max_interval=LOOP_INTERVAL_S, scheduler_cls=MeteredScheduler)
        ended = in_thread(lambda: service.start(embedded_process=True), stop, "beat")
        await stop.wait()
        health.drain()
        service.stop()
        await asyncio.wait([ended], timeout=settings.drain_ms / 1000)
