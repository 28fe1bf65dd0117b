"""How Flagfall uses Celery: names, queues, and the settings with which a task survives the end of its worker.

Workers acknowledge a task after it is done, and prefetch only one. There is no eta and no countdown: a Redis broker
delivers such a task again at each visibility timeout, and it blocks other tasks.
"""

from datetime import timedelta

from celery import Celery
from kombu import Exchange, Queue

from services.runtime.redis_address import uses_tls
from services.runtime.redis_client import kombu_options, kombu_url, tls_options
from services.workers.settings import WorkersSettings

ENGINE_MOVE = "engine_move"
FIND_HINT = "find_hint"
SWEEP_EXPIRED = "sweep_expired"
HEARTBEAT = "heartbeat"
ENGINE_QUEUE = "engine"
HINT_QUEUE = "hint"
SWEEP_QUEUE = "sweep"
QUEUES = (ENGINE_QUEUE, SWEEP_QUEUE, HINT_QUEUE)
"""A worker takes tasks in this order, if the broker supports an order: hints do not delay moves."""
ENQUEUED_HEADER = "enqueued_ms"
"""Header of a task: when it was queued, in UTC milliseconds."""

RESTORE_PERIOD_S = 1
LOCK_KEPT_S = 5
LOOP_INTERVAL_S = 1


def queue_named(name: str, expires_s: float | None = None) -> Queue:
    """A queue addressed by its name, without an exchange. RabbitMQ deletes it if it is unused for `expires_s`."""
    return Queue(name, Exchange(""), routing_key=name, expires=expires_s)


def make_app(settings: WorkersSettings, *own_queues: Queue) -> Celery:
    """A Celery application with the broker's address; it connects on first use. `own_queues` are added to QUEUES."""
    app = Celery("flagfall", set_as_current=False)
    app.conf.update(
        broker_url=kombu_url(settings.broker),
        broker_connection_timeout=settings.broker_connect_s,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_heartbeat=0,
        broker_pool_limit=2,
        task_queues=[*map(queue_named, QUEUES), *own_queues],
        task_default_queue=ENGINE_QUEUE,
        task_default_exchange="",
        task_default_routing_key=ENGINE_QUEUE,
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_publish_retry=False,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_disable_rate_limits=True,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        enable_utc=True,
        timezone="UTC",
        beat_max_loop_interval=LOOP_INTERVAL_S,
        beat_schedule={
            "sweep": {
                "task": SWEEP_EXPIRED,
                "schedule": timedelta(seconds=settings.sweep_period_s),
                # A sweep that no worker took within two periods is dropped.
                "options": {"queue": SWEEP_QUEUE, "expires": 2 * settings.sweep_period_s},
            }
        },
    )
    if settings.broker_is_redis:
        if uses_tls(settings.broker):
            app.conf.broker_use_ssl = tls_options(settings)
        app.conf.broker_transport_options = {
            "queue_order_strategy": "priority",
            "visibility_timeout": settings.visibility_timeout_s,
            # How often a worker looks for tasks of dead workers; the defaults take minutes.
            "unacked_restore_interval": RESTORE_PERIOD_S,
            "unacked_restore_throttle": 1,
            # A worker that is killed in the middle of that look keeps its lock for so long; five minutes by default.
            "unacked_mutex_expire": LOCK_KEPT_S,
            "socket_connect_timeout": settings.broker_connect_s,
            "socket_timeout": settings.broker_answer_s,
            "socket_keepalive": True,
            **kombu_options(settings.broker, settings),
        }
    return app
