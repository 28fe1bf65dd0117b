"""Whether a Redis may throw away what it was given.

Alarms and the queue of a broker are ordinary keys: a Redis that is full and evicts takes them away without a word. Both
are found again (by the sweep, by `ListComputerTurns`), so it is a fact to be told and no reason to stop.
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
    """The policy by which this Redis evicts keys when it is full; None when it does not. Raises RedisError.

    Asked by INFO, which servers answer that keep CONFIG to themselves; one that does not tell counts as good. What it
    says of its memory is shown as that of the store `name`.
    """
    memory: dict[str, Any] = await redis.info("memory")
    if "used_memory" in memory:
        REDIS_MEMORY_USED.labels(name).set(memory["used_memory"])
        REDIS_MEMORY_MAX.labels(name).set(memory.get("maxmemory", 0))
    policy = str(memory.get("maxmemory_policy", NOEVICTION))
    return None if policy == NOEVICTION or not memory.get("maxmemory") else policy


async def tell_eviction(stores: Mapping[str, Redis], facts: MutableMapping[str, str], period_ms: int) -> None:
    """Look at the policy of each store for ever; one that evicts is a fact of health, and a warning when it is new."""
    known: dict[str, str | None] = {}
    while True:
        for name, redis in stores.items():
            with suppress(RedisError, OSError, TimeoutError):  # away: told elsewhere
                policy = await eviction_policy(redis, name)
                if policy is None:
                    facts.pop(f"{name} evicts", None)
                else:
                    facts[f"{name} evicts"] = policy
                    if known.get(name) != policy:
                        log.warning("%s evicts keys when full (%s): set maxmemory-policy noeviction", name, policy)
                known[name] = policy
        await asyncio.sleep(period_ms / 1000)
