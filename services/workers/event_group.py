"""The events of all games, shared by all dispatchers: each event goes to one of them, and to another if that one dies.

What was read is pending until it is acknowledged. What is pending for longer than a lease is claimed.
"""

import logging
import os
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.runtime.event_stream import ensure_epoch
from services.runtime.redis_keys import EPOCH, event_stream
from services.workers.settings import WorkersSettings

log = logging.getLogger(__name__)

GROUP = "dispatcher"
FORGET_IDLE_MS = 600_000
"""A consumer that has had nothing pending and asked for nothing so long belongs to a process that is gone."""


class GroupLost(Exception):
    """The streams or the group are not what they were; the message says how. `join` again and ask for all turns."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Events and the places that are to be acknowledged when they are done."""

    events: tuple[GameEvent, ...]
    places: tuple[tuple[str, bytes], ...]


class EventGroup:
    """All methods raise RedisError when Redis is away, and GroupLost."""

    def __init__(self, redis: Redis, settings: WorkersSettings) -> None:
        self._redis = redis
        self._streams = [event_stream(shard) for shard in range(settings.event_shards)]
        self._count = settings.dispatch_read_max
        self._block_ms = settings.dispatch_block_ms
        self._lease_ms = settings.dispatch_lease_ms
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._epoch: str | None = None

    async def join(self) -> None:
        """Make the group where it is missing. It begins with the events that come from now on."""
        self._epoch = await ensure_epoch(self._redis)
        for stream in self._streams:
            try:
                await self._redis.xgroup_create(stream, GROUP, id="$", mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise

    async def read(self) -> Batch:
        """New events; waits a while for some."""
        try:
            answer: Any = await self._redis.xreadgroup(
                GROUP, self._name, dict.fromkeys(self._streams, ">"), count=self._count, block=self._block_ms
            )
        except ResponseError as error:
            raise _lost(error) from error
        return _batch([(name.decode(), rows) for name, rows in answer or []])

    async def claim(self) -> Batch:
        """Events that another dispatcher, or this one, has read and not acknowledged within a lease."""
        pipeline = self._redis.pipeline(transaction=False)
        for stream in self._streams:
            pipeline.xautoclaim(stream, GROUP, self._name, self._lease_ms, "0-0", count=self._count)
        try:
            answers = await pipeline.execute()
        except ResponseError as error:
            raise _lost(error) from error
        return _batch([(stream, answer[1]) for stream, answer in zip(self._streams, answers, strict=True)])

    async def acknowledge(self, batch: Batch) -> None:
        """These are done."""
        pipeline = self._redis.pipeline(transaction=False)
        by_stream: dict[str, list[bytes]] = {}
        for stream, place in batch.places:
            by_stream.setdefault(stream, []).append(place)
        for stream, places in by_stream.items():
            pipeline.xack(stream, GROUP, *places)
        await pipeline.execute()

    async def check(self) -> None:
        """Raise GroupLost when events may have been missed: another Redis, or a stream trimmed past the group."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.get(EPOCH)
        for stream in self._streams:
            pipeline.xinfo_stream(stream)
            pipeline.xinfo_groups(stream)
        try:
            epoch, *infos = await pipeline.execute()
        except ResponseError as error:
            raise _lost(error) from error
        if not isinstance(epoch, bytes) or epoch.decode() != self._epoch:
            raise GroupLost("epoch")
        for stream, groups in zip(infos[::2], infos[1::2], strict=True):
            own = next((group for group in groups if group["name"] == GROUP.encode()), None)
            if own is None:
                raise GroupLost("group")
            if _number(stream["max-deleted-entry-id"]) > _number(own["last-delivered-id"]):
                raise GroupLost("trimmed")

    async def forget_the_dead(self) -> None:
        """Remove consumers that are long gone and owe nothing."""
        for stream in self._streams:
            for consumer in await self._redis.xinfo_consumers(stream, GROUP):
                if consumer["pending"] == 0 and consumer["idle"] > FORGET_IDLE_MS:
                    await self._redis.xgroup_delconsumer(stream, GROUP, consumer["name"])


def _batch(streams: Sequence[tuple[str, Any]]) -> Batch:
    events: list[GameEvent] = []
    places: list[tuple[str, bytes]] = []
    for stream, rows in streams:
        for place, fields in rows:
            places.append((stream, place))
            if fields:  # an entry that was trimmed while pending has none
                events.append(GameEvent.FromString(fields[b"e"]))
    return Batch(tuple(events), tuple(places))


def _lost(error: ResponseError) -> Exception:
    return GroupLost("group") if "NOGROUP" in str(error) or "no such key" in str(error) else error


def _number(place: bytes) -> tuple[int, int]:
    milliseconds, _, count = place.decode().partition("-")
    return int(milliseconds), int(count)
