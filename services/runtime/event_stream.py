"""Events through Redis: how they are published, and how a process follows all of them.

Publishing uses one pipeline for each batch. A follower reads every shard from its last place. It reports when it may
have missed events (Redis was away or lost its data, or the stream was trimmed past its place): then its process must
refetch from the game service.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import DecodeError
from redis.asyncio import Redis
from redis.exceptions import ReadOnlyError, RedisError

from services.pb.flagfall.v1.events_pb2 import ChatLine, EventBatch, GameEvent, GameMessage, Hint, PlayerEvent
from services.runtime.metrics import BATCH_SIZE, EVENTS_PUBLISHED, REDIS_RECONNECTS, STREAM_REFETCHES, from_zero
from services.runtime.redis_keys import event_stream, game_channel, player_channel, shard_of
from services.runtime.settings import Settings
from services.runtime.stream_watch import Look, Place, look, lost, passed

log = logging.getLogger(__name__)


_PUBLISH = """
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'e', ARGV[2])
for place = 3, #ARGV, 2 do
    redis.call('PUBLISH', ARGV[place], ARGV[place + 1])
end
"""
"""Adds an entry to the stream of a shard and sends a message to the channel of each game, in one command."""


ENTRY_EVENTS_MAX = 64
"""Events in one entry at the most. Together with the length of a stream this bounds the memory of Redis."""


class NotPublished(RedisError):
    """Redis refused the events `games` and `players`, and accepted the rest of the batch."""

    def __init__(self, games: Sequence[GameEvent], players: Sequence[PlayerEvent], why: Exception) -> None:
        super().__init__(f"{len(games) + len(players)} events: {why}")
        self.games = games
        self.players = players


class Publisher:
    """Sends committed events. Raises RedisError when Redis is away; the outbox keeps the unpublished events."""

    def __init__(self, redis: Redis, shards: int, stream_entries_max: int) -> None:
        self._redis = redis
        self._shards = shards
        self._stream_entries_max = stream_entries_max
        self._sizes = BATCH_SIZE.labels("publish")
        self._sent, self._failed = EVENTS_PUBLISHED.labels("sent"), EVENTS_PUBLISHED.labels("failed")
        self._reconnects = REDIS_RECONNECTS.labels("publisher")
        self._away = False

    async def publish(self, games: Sequence[GameEvent] = (), players: Sequence[PlayerEvent] = ()) -> None:
        """Send all events in one pipeline. Raises NotPublished if Redis refused some and accepted the others."""
        if not games and not players:
            return
        self._sizes.observe(len(games) + len(players))
        pipeline = self._redis.pipeline(transaction=False)
        entries = list(self._entries(games))
        for shard, events in entries:
            told: list[str | bytes] = []
            for event in events:
                told += game_channel(event.state.game_id), GameMessage(event=event).SerializeToString()
            batch = EventBatch(events=events)
            for event in batch.events:
                event.state.ClearField("legal")  # a third of the size, and stream readers do not use it
            entry = batch.SerializeToString()
            pipeline.eval(_PUBLISH, 1, event_stream(shard), self._stream_entries_max, entry, *told)
        for player_event in players:
            pipeline.publish(player_channel(player_event.player_id), player_event.SerializeToString())
        try:
            answers = await pipeline.execute(raise_on_error=False)
        except BaseException:
            self._failed.inc(len(games) + len(players))
            self._away = True
            raise
        if self._away:
            self._away = False
            self._reconnects.inc()
        errors = [answer if isinstance(answer, Exception) else None for answer in answers]
        refused = [
            event
            for events, error in zip([events for _, events in entries], errors[: len(entries)], strict=True)
            if error
            for event in events
        ]
        unheard = [event for event, error in zip(players, errors[len(entries) :], strict=True) if error]
        self._failed.inc(len(refused) + len(unheard))
        self._sent.inc(len(games) + len(players) - len(refused) - len(unheard))
        if any(isinstance(error, ReadOnlyError) for error in errors):
            await self._redis.connection_pool.disconnect(inuse_connections=False)  # see `redis_client.connect`
        if why := next(filter(None, errors), None):
            raise NotPublished(refused, unheard, why)

    def _entries(self, games: Sequence[GameEvent]) -> Iterator[tuple[int, Sequence[GameEvent]]]:
        """Yield each shard with the events of one entry: at most `ENTRY_EVENTS_MAX` events."""
        by_shard: dict[int, list[GameEvent]] = {}
        for event in games:
            by_shard.setdefault(shard_of(event.state.game_id, self._shards), []).append(event)
        for shard, events in by_shard.items():
            for first in range(0, len(events), ENTRY_EVENTS_MAX):
                yield shard, events[first : first + ENTRY_EVENTS_MAX]

    async def publish_chat(self, line: ChatLine) -> None:
        """Send a chat line. A client that misses it finds it in the chat list."""
        await self._redis.publish(game_channel(line.game_id), GameMessage(chat=line).SerializeToString())

    async def publish_hint(self, hint: Hint) -> None:
        """Send a hint. A client that misses it asks again."""
        await self._redis.publish(game_channel(hint.game_id), GameMessage(hint=hint).SerializeToString())


def events_of(fields: Mapping[bytes, bytes]) -> Sequence[GameEvent] | None:
    """The events of a stream entry; None if it cannot be read. An entry of another version may have no events."""
    try:
        events = EventBatch.FromString(fields[b"e"]).events
    except (KeyError, DecodeError):
        events = None
    if not events:
        log.warning("an entry of an event stream cannot be read")
    return events or None


@dataclass(frozen=True, slots=True)
class Refetch:
    """Events may have been missed: refetch everything from the game service."""

    reason: str


DOUBTS = ("start", "redis_away", "epoch", "rewound", "trimmed", "skipped", "unreadable")
"""The reasons for which a Follower yields Refetch."""


@dataclass(slots=True)
class Follower:
    """Follows every shard, for one process. Nothing is acknowledged: each replica reads all events."""

    redis: Redis
    settings: Settings
    _places: dict[str, Place] = field(default_factory=dict)
    _seen: Look = field(default_factory=lambda: Look("", {}))
    _looked_s: float = 0.0

    def __post_init__(self) -> None:
        """Export its metrics from the start."""
        from_zero(STREAM_REFETCHES, DOUBTS)
        from_zero(REDIS_RECONNECTS, ("stream",))

    async def follow(self) -> AsyncIterator[list[GameEvent] | Refetch]:
        """Yield lists of events for ever, in the order of each shard; and Refetch at the start and after each doubt."""
        doubt: str | None = "start"
        away = False
        while True:
            try:
                if doubt is not None:
                    await self._begin()
                    STREAM_REFETCHES.labels(doubt).inc()
                    if away:
                        REDIS_RECONNECTS.labels("stream").inc()
                    away = False
                    yield Refetch(doubt)
                events, doubt = await self._read()
                if events:
                    yield events
                    await asyncio.sleep(self.settings.stream_gather_ms / 1000)
                # Look by time, not only when the stream is quiet: a busy stream may also belong to another Redis.
                if doubt is None and time.monotonic() - self._looked_s >= self.settings.stream_look_ms / 1000:
                    doubt = await self._look()
            except (RedisError, OSError, TimeoutError) as error:
                # One warning when Redis goes away, not one for each failed reconnect.
                log.log(logging.DEBUG if away else logging.WARNING, "event stream: %s: %s", type(error).__name__, error)
                doubt, away = "redis_away", True
                await asyncio.sleep(self.settings.redis_pause_ms / 1000)

    async def _begin(self) -> None:
        names = [event_stream(shard) for shard in range(self.settings.event_shards)]
        self._seen = await look(self.redis, names)
        self._looked_s = time.monotonic()
        self._places = {name: stream.last for name, stream in self._seen.streams.items()}

    async def _read(self) -> tuple[list[GameEvent], str | None]:
        """The new events, and a doubt if some events are missing."""
        places: Any = {name: place.id for name, place in self._places.items()}
        answer: Any = await self.redis.xread(
            places, count=self.settings.stream_read_max, block=self.settings.stream_block_ms
        )
        events: list[GameEvent] = []
        doubt = None
        for raw_name, rows in answer:
            name = raw_name.decode()
            ids = [row_id.decode() for row_id, _ in rows]
            place, checkpoint = self._places[name], self._seen.streams[name].last
            if passed(checkpoint, place, ids) not in (None, checkpoint.count):
                doubt = "skipped"
            self._places[name] = Place(ids[-1], (place.count or 0) + len(ids))
            for _, fields in rows:
                batch = events_of(fields)
                if batch is None:
                    doubt = "unreadable"
                else:
                    events.extend(batch)
        return events, doubt

    async def _look(self) -> str | None:
        """A doubt if this is another Redis, or if entries were trimmed before they were read; otherwise None."""
        before, self._seen = self._seen, await look(self.redis, self._places)
        self._looked_s = time.monotonic()
        if before.identity != self._seen.identity:
            return "epoch"
        for name, stream in self._seen.streams.items():
            if why := lost(stream, self._places[name], self._places[name]):
                return why
        return None
