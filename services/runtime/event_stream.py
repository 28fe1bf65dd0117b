"""Facts out by Redis: how they are published, and how a process follows all of them.

Publishing is one pipeline a batch. A follower reads every shard from where it last was and says when it may have missed
something (Redis was away or lost its memory, the stream was trimmed past its place): then it must ask the game service.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from services.pb.flagfall.v1.events_pb2 import ChatLine, GameEvent, GameMessage, PlayerEvent
from services.runtime.metrics import EVENTS_PUBLISHED, STREAM_REFETCHES
from services.runtime.redis_keys import EPOCH, event_stream, game_channel, player_channel, shard_of

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 1.0
ANSWER_TIMEOUT_S = 2.0
RETRY_PAUSE_S = 0.25
BLOCK_MS = 500
READ_COUNT = 500
LATE_S = 2.0


def connect(url: str, *, answer_timeout_s: float | None = ANSWER_TIMEOUT_S, connections_max: int = 16) -> Redis:
    """A client with time limits on everything; it connects when first used. Commands are not retried by themselves."""
    return Redis.from_url(
        url,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        socket_timeout=answer_timeout_s,
        socket_keepalive=True,
        health_check_interval=5,
        max_connections=connections_max,
        retry=Retry(NoBackoff(), 0),
    )


async def ensure_epoch(redis: Redis) -> str:
    """The epoch of this Redis, set now if it was missing."""
    await redis.set(EPOCH, secrets.token_hex(8), nx=True)
    value = await redis.get(EPOCH)
    return value.decode() if isinstance(value, bytes) else str(value)


class Publisher:
    """Sends committed facts. Raises RedisError when Redis is away: the outbox keeps what was not published."""

    def __init__(self, redis: Redis, shards: int, stream_events_max: int) -> None:
        self._redis = redis
        self._shards = shards
        self._stream_events_max = stream_events_max

    async def publish(self, games: Sequence[GameEvent] = (), players: Sequence[PlayerEvent] = ()) -> None:
        """One pipeline for all of them."""
        if not games and not players:
            return
        pipeline = self._redis.pipeline(transaction=False)
        for event in games:
            game_id = event.state.game_id
            stream = event_stream(shard_of(game_id, self._shards))
            pipeline.xadd(stream, {b"e": event.SerializeToString()}, maxlen=self._stream_events_max, approximate=True)
            pipeline.publish(game_channel(game_id), GameMessage(event=event).SerializeToString())
        for player_event in players:
            pipeline.publish(player_channel(player_event.player_id), player_event.SerializeToString())
        try:
            await pipeline.execute()
        except BaseException:
            EVENTS_PUBLISHED.labels("failed").inc(len(games) + len(players))
            raise
        EVENTS_PUBLISHED.labels("sent").inc(len(games) + len(players))

    async def publish_chat(self, line: ChatLine) -> None:
        """A line of chat: whoever does not hear it finds it in the list."""
        await self._redis.publish(game_channel(line.game_id), GameMessage(chat=line).SerializeToString())


@dataclass(frozen=True, slots=True)
class Refetch:
    """Something may have been missed; ask the game service for everything."""

    reason: str


@dataclass(slots=True)
class Follower:
    """Follows every shard, for one process. Nothing is acknowledged: each replica hears everything."""

    redis: Redis
    shards: int
    _places: dict[str, str] = field(default_factory=dict)
    _epoch: str | None = None
    _read_s: float = 0.0

    async def follow(self) -> AsyncIterator[list[GameEvent] | Refetch]:
        """For ever: lists of events in the order of each shard, and a Refetch at the start and after each doubt."""
        doubt: str | None = "start"
        while True:
            try:
                if doubt is not None:
                    await self._take_places()
                    STREAM_REFETCHES.labels(doubt).inc()
                    yield Refetch(doubt)
                    doubt = None
                places, asked_s = dict(self._places), time.monotonic()
                events = await self._read()
                if events:
                    yield events
                # Idle, far behind, or stopped for a while: the moments at which something can have been missed.
                if not events or len(events) >= READ_COUNT or asked_s - self._read_s > LATE_S:
                    doubt = await self._doubt(places)
                self._read_s = time.monotonic()
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("event stream: %s: %s", type(error).__name__, error)
                doubt = "redis_away"
                await asyncio.sleep(RETRY_PAUSE_S)

    async def _take_places(self) -> None:
        self._epoch = await ensure_epoch(self.redis)
        names = [event_stream(shard) for shard in range(self.shards)]
        pipeline = self.redis.pipeline(transaction=False)
        for name in names:
            pipeline.xrevrange(name, count=1)
        last = await pipeline.execute()
        self._places = {name: rows[0][0].decode() if rows else "0-0" for name, rows in zip(names, last, strict=True)}

    async def _read(self) -> list[GameEvent]:
        # The library's types cover both protocols of Redis; over RESP2 the shape is [name, [[id, {field: value}]]].
        answer: Any = await self.redis.xread(self._places, count=READ_COUNT, block=BLOCK_MS)  # type: ignore[arg-type]
        events: list[GameEvent] = []
        for raw_name, rows in answer:
            name = raw_name.decode()
            for row_id, fields in rows:
                events.append(GameEvent.FromString(fields[b"e"]))
                self._places[name] = row_id.decode()
        return events

    async def _doubt(self, places: dict[str, str]) -> str | None:
        """Is this the same Redis, and had the streams not been trimmed past the `places` we read from?"""
        pipeline = self.redis.pipeline(transaction=False)
        pipeline.get(EPOCH)
        for name in places:
            pipeline.xinfo_stream(name)
        answers = await pipeline.execute(raise_on_error=False)
        if not isinstance(answers[0], bytes) or answers[0].decode() != self._epoch:
            return "epoch"
        for place, info in zip(places.values(), answers[1:], strict=True):
            if isinstance(info, dict) and _number(info["max-deleted-entry-id"]) > _number(place):
                return "trimmed"
        return None


def _number(entry_id: bytes | str) -> tuple[int, int]:
    text = entry_id.decode() if isinstance(entry_id, bytes) else entry_id
    milliseconds, _, count = text.partition("-")
    return int(milliseconds), int(count)
