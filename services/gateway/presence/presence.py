"""Who is online: players with an open stream hold a lease in Redis. A player without an answer is only unknown.

An account that has just used a token counts as online too; then Redis is not asked.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1.game_pb2 import Account

log = logging.getLogger(__name__)


class Presence:
    """Renews the leases of players who are connected here, and reads the leases of others."""

    def __init__(self, redis: Redis, settings: GatewaySettings) -> None:
        self._redis = redis
        self._lease_ms = settings.presence_lease_ms
        self._seen_ms = settings.presence_seen_ms
        self._answer_s = settings.presence_answer_ms / 1000
        self._renewed_max = settings.presence_renewed_max
        self._here: Counter[str] = Counter()
        self._new = asyncio.Event()

    @contextmanager
    def of(self, player_id: str) -> Iterator[None]:
        """Count this player as online while the body runs."""
        self._here[player_id] += 1
        self._new.set()
        try:
            yield
        finally:
            self._here[player_id] -= 1
            if not self._here[player_id]:
                del self._here[player_id]

    async def renew(self) -> None:
        """Renew the leases of all connected players, and soon after somebody comes, until cancelled."""
        while True:
            self._new.clear()
            ids = list(self._here)
            try:
                for first in range(0, len(ids), self._renewed_max):
                    pipeline = self._redis.pipeline(transaction=False)
                    for player_id in ids[first : first + self._renewed_max]:
                        pipeline.set(_lease(player_id), b"1", px=self._lease_ms)
                    await pipeline.execute()
            except (RedisError, OSError, TimeoutError) as error:
                log.debug("presence: %s", error)
            period_s = self._lease_ms / 3000
            await asyncio.sleep(min(1.0, period_s))
            try:
                async with asyncio.timeout(period_s):
                    await self._new.wait()
            except TimeoutError:
                pass  # time to renew

    async def among(self, accounts: Iterable[Account]) -> frozenset[str]:
        """The ids of those accounts that are online, as far as is known."""
        now_ms = time.time_ns() // 1_000_000
        there: set[str] = set()
        unsure: list[str] = []
        for account in accounts:
            player_id = account.player.id
            if player_id in self._here or account.seen_ms > now_ms - self._seen_ms:
                there.add(player_id)
            else:
                unsure.append(player_id)
        if unsure:
            try:
                async with asyncio.timeout(self._answer_s):
                    leases = await self._redis.mget([_lease(player_id) for player_id in unsure])
            except (RedisError, OSError, TimeoutError) as error:
                log.debug("presence: %s", error)
            else:
                there.update(player_id for player_id, lease in zip(unsure, leases, strict=True) if lease)
        return frozenset(there)


def _lease(player_id: str) -> str:
    return f"flagfall:present:{player_id}"
