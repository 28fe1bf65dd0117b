"""The Celery application: queues, delivery, schedule.

Tasks are idempotent, acknowledged late, taken one at a time. There is no eta and no countdown: the Redis broker would
deliver such a task again at every visibility timeout.
"""

from datetime import timedelta

from celery import Celery
from kombu import Queue

from services.workers.settings import WorkerSettings

ENGINE_QUEUE = "engine"
SWEEP_QUEUE = "sweep"
QUEUES = (ENGINE_QUEUE, SWEEP_QUEUE)

ENGINE_MOVE = "flagfall.engine_move"
SWEEP_EXPIRED = "flagfall.sweep_expired"
HEARTBEAT = "flagfall.heartbeat"


def make_app(settings: WorkerSettings) -> Celery:
    """The application for a process; it connects when first used."""
    app = Celery("flagfall", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_send_task_events=False,
        task_serializer="json",
        accept_content=["json"],
        enable_utc=True,
        timezone="UTC",
        task_default_queue=ENGINE_QUEUE,
        task_create_missing_queues=True,
        task_queues=[Queue(name) for name in QUEUES],
        task_routes={ENGINE_MOVE: {"queue": ENGINE_QUEUE}, SWEEP_EXPIRED: {"queue": SWEEP_QUEUE}},
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=2,
        broker_pool_limit=4,
        task_publish_retry_policy={"max_retries": 3, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5},
        broker_transport_options={
            "visibility_timeout": settings.task_visibility_s,
            # What a killed worker left in the keeping of the transport is looked for each second, not each minute.
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
        },
        beat_scheduler="celery.beat:Scheduler",
        beat_max_loop_interval=5,
        beat_schedule={
            "sweep": {
                "task": SWEEP_EXPIRED,
                "schedule": timedelta(seconds=settings.sweep_period_s),
                # A sweep that nobody took before the next one is due is not worth keeping.
                "options": {"queue": SWEEP_QUEUE, "expires": max(10.0, 2 * settings.sweep_period_s)},
            }
        },
    )
    return app
