"""Whether Redis accepts writes: one that is full, or a replica, answers reads and PING as ever."""

from redis.asyncio import Redis

KEY = "flagfall:health:write"


async def check_writes(redis: Redis) -> None:
    """A check: raises RedisError, OSError or TimeoutError unless Redis stores something."""
    await redis.set(KEY, b"1", px=60_000)
