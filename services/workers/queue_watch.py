"""How long the queues are, read from a Redis broker. With another broker its own metrics serve."""

import asyncio
import json
import logging
import time

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.event_stream import connect
from services.workers.celery_app import QUEUES
from services.workers.metrics import QUEUE_DEPTH, QUEUE_OLDEST

log = logging.getLogger(__name__)

PERIOD_S = 5.0
SENT_HEADER = "sent_ms"


async def watch_queues(broker_url: str) -> None:
    """Keep the numbers true, for ever."""
    if not broker_url.startswith(("redis://", "rediss://", "unix://")):
        return
    redis = connect(broker_url, connections_max=1)
    try:
        while True:
            for queue in QUEUES:
                try:
                    await _look(redis, queue)
                except (RedisError, OSError, TimeoutError) as error:
                    log.debug("queue %s: %s", queue, error)
            await asyncio.sleep(PERIOD_S)
    finally:
        await redis.aclose()


async def _look(redis: Redis, queue: str) -> None:
    pipeline = redis.pipeline(transaction=False)
    pipeline.llen(queue)
    pipeline.lindex(queue, -1)  # tasks are pushed on the left and taken from the right
    depth, oldest = await pipeline.execute()
    QUEUE_DEPTH.labels(queue).set(depth)
    sent_ms = json.loads(oldest).get("headers", {}).get(SENT_HEADER) if oldest else None
    QUEUE_OLDEST.labels(queue).set(max(0.0, time.time() - sent_ms / 1000) if sent_ms else 0.0)
