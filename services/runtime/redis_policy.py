"""Whether a Redis may evict keys.

Alarms and a broker's queue are ordinary keys: a full Redis with an eviction policy deletes them silently. The sweep
and `ListComputerTurns` restore them, so eviction is reported and does not stop the process.
"""

import asyncio
import logging
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.metrics import REDIS_MEMORY_MAX, REDIS_MEMORY_USED

log = logging.getLogger(__name__)

NOEVICTION = "noeviction"


async def eviction_policy(redis: Redis, name: str = "redis") -> str | None:
    """The eviction policy of this Redis; None if it does not evict. Raises RedisError.

    Uses INFO, because some servers do not allow CONFIG. A server that does not report a policy counts as good. The
    memory figures of the same answer are exported as metrics of the store `name`.
    """
    memory: dict[str, Any] = await redis.info("memory")
    if "used_memory" in memory:
        REDIS_MEMORY_USED.labels(name).set(memory["used_memory"])
        REDIS_MEMORY_MAX.labels(name).set(memory.get("maxmemory", 0))
    policy = str(memory.get("maxmemory_policy", NOEVICTION))
    return None if policy == NOEVICTION or not memory.get("maxmemory") else policy


async def tell_eviction(stores: Mapping[str, Redis], facts: MutableMapping[str, str], period_ms: int) -> None:
    """Check the policy of each store every `period_ms`, for ever. If one evicts, add it to `facts` and warn once."""
    known: dict[str, str | None] = {}
    while True:
        for name, redis in stores.items():
            with suppress(RedisError, OSError, TimeoutError):  # away: reported elsewhere
                policy = await eviction_policy(redis, name)
                if policy is None:
                    facts.pop(f"{name} evicts", None)
                else:
                    facts[f"{name} evicts"] = policy
                    if known.get(name) != policy:
                        log.warning("%s evicts keys when full (%s): set maxmemory-policy noeviction", name, policy)
                known[name] = policy
        await asyncio.sleep(period_ms / 1000)
