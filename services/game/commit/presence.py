"""Which players have left, read from Redis, where the gateways write it. Unknown never counts as absent."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.domain.colour import Colour
from services.game.play.game import Both, Game
from services.runtime.presence import NOTING, SIDES, SINCE, away_by_request, away_ms, number, presence_key

log = logging.getLogger(__name__)


class RedisPresence:
    """Reads the presence of players that gateways write to Redis."""

    def __init__(self, redis: Redis, timeout_s: float) -> None:
        self._redis = redis
        self._timeout_s = timeout_s

    async def away_ms(self, games: Sequence[Game]) -> Mapping[str, Both[int | None]]:
        """By game id, for how long each side has been away, in ms; None: present. Unknown games are left out."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._read(games)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("presence cannot be read: %s", type(error).__name__)
            return {}

    async def _read(self, games: Sequence[Game]) -> dict[str, Both[int | None]]:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.time()
        pipeline.mget(NOTING, SINCE)
        for game in games:
            pipeline.hmget(presence_key(game.terms.id), [*SIDES, *(f"{side}:asked" for side in SIDES)])
        (seconds, micros), (noting, since), *seen = await pipeline.execute()
        if noting is None:
            return {}  # no gateway writes presence now: the players may still be present
        now_ms, since_ms = seconds * 1000 + micros // 1000, number(since) or 0
        found = {}
        for game, (white, black, *asked) in zip(games, seen, strict=True):
            away = [away_ms(number(side), since_ms, now_ms) for side in (white, black)]
            for place, side in enumerate(Colour):
                if asked[place] is not None:
                    began_ms = game.clock.turn_started_ms if game.turn is side else None
                    away[place] = away_by_request(away[place], began_ms, now_ms)
            found[game.terms.id] = Both(*away)
        return found

    async def begin_anew(self, game_ids: Sequence[str], kept_ms: int) -> None:
        """Start the absence of players of unknown presence now, kept for `kept_ms`. Raises RedisError or OSError."""
        pipeline = self._redis.pipeline(transaction=False)
        (seconds, micros) = await self._redis.time()
        for game_id in game_ids:
            for side in SIDES:
                pipeline.hsetnx(presence_key(game_id), side, seconds * 1000 + micros // 1000)
            pipeline.pexpire(presence_key(game_id), kept_ms)
        await pipeline.execute()
