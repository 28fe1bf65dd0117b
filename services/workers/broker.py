"""Direct questions to the broker: does it answer, and how long are its queues."""

import asyncio
import json
import time

from celery import Celery
from redis.asyncio import Redis

from services.runtime.redis_client import connect
from services.runtime.redis_writes import check_writes
from services.workers.celery_app import ENQUEUED_HEADER, QUEUES
from services.workers.metrics import QUEUE_DEPTH, QUEUE_OLDEST_AGE
from services.workers.settings import WorkersSettings


class Broker:
    """A Redis broker can be measured. Another broker has its own metrics, and here only `check` works for it."""

    def __init__(self, app: Celery, settings: WorkersSettings) -> None:
        self._app = app
        self._redis: Redis | None = connect(settings.broker, settings) if settings.broker_is_redis else None

    @property
    def redis(self) -> Redis | None:
        """The client of a Redis broker; None for another broker."""
        return self._redis

    async def check(self) -> None:
        """A readiness check: raises if the broker does not answer, or stores nothing."""
        if self._redis is not None:
            await check_writes(self._redis)
        else:
            await asyncio.to_thread(self._connect_once)

    def _connect_once(self) -> None:
        within_s = self._app.conf.broker_connection_timeout
        with self._app.connection_for_write(connect_timeout=within_s) as connection:
            connection.ensure_connection(max_retries=1, timeout=within_s)

    async def depth(self, queue: str) -> int:
        """The number of waiting tasks in a queue; 0 if the broker is not Redis. Raises RedisError if it is away."""
        return int(await self._redis.llen(queue)) if self._redis is not None else 0

    async def let_expire(self, queue: str, after_s: int) -> None:
        """Delete a queue after `after_s` seconds, unless this is called again."""
        if self._redis is not None:
            await self._redis.expire(queue, after_s)

    async def measure(self) -> None:
        """Set the gauges of all queues. Raises RedisError if the broker is away."""
        if self._redis is None:
            return
        for queue in QUEUES:
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.llen(queue)
            pipeline.lindex(queue, -1)  # tasks are added on the left and taken from the right
            depth, oldest = await pipeline.execute()
            QUEUE_DEPTH.labels(queue).set(depth)
            QUEUE_OLDEST_AGE.labels(queue).set(age_s(oldest, time.time_ns() // 1_000_000))

    async def aclose(self) -> None:
        """Close the connection."""
        if self._redis is not None:
            await self._redis.aclose()


def age_s(message: bytes | None, now_ms: int) -> float:
    """How many seconds a queued message has waited; 0 for None, and for a message without a time."""
    if message is None:
        return 0.0
    enqueued_ms = json.loads(message).get("headers", {}).get(ENQUEUED_HEADER)
    return max(0, now_ms - enqueued_ms) / 1000 if isinstance(enqueued_ms, int) else 0.0
