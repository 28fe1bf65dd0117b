"""Shows on the health page which engine plays for the computer, as the workers report it."""

import asyncio

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.health import Health
from services.runtime.redis_keys import COMPUTER_ENGINE

PERIOD_S = 5.0


async def follow_engine(redis: Redis, health: Health) -> None:
    """Keep the health page's engine fact current, until cancelled."""
    while True:
        try:
            value = await redis.get(COMPUTER_ENGINE)
            health.facts["computer"] = value.decode() if isinstance(value, bytes) else "no worker has told"
        except (RedisError, OSError, TimeoutError):
            health.facts["computer"] = "unknown: Redis does not answer"
        await asyncio.sleep(PERIOD_S)
