"""The events of all games, shared by all dispatchers: one of them gets an event, and another one if the first dies.

An event is pending from the read until it is acknowledged. Events that are pending for longer than a lease are claimed.
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
from services.runtime.event_stream import events_of
from services.runtime.redis_keys import event_stream
from services.runtime.stream_watch import START, Look, Place, look, lost, put_right
from services.workers.settings import WorkersSettings

log = logging.getLogger(__name__)

GROUP = "dispatcher"


class GroupLost(Exception):
    """Events may be lost: the streams or the group have changed (see the message). `join` again, refetch all turns."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Events, and the places to acknowledge after the events are handled."""

    events: tuple[GameEvent, ...]
    places: tuple[tuple[str, bytes], ...]
    torn: bool
    """Whether some entries could not be read, or were trimmed before a dispatcher acknowledged them."""


class EventGroup:
    """The consumer group of all dispatchers. Methods raise RedisError if Redis is away, and GroupLost."""

    def __init__(self, redis: Redis, settings: WorkersSettings) -> None:
        self._redis = redis
        self._streams = [event_stream(shard) for shard in range(settings.event_shards)]
        self._count = settings.dispatch_read_max
        self._block_ms = settings.dispatch_block_ms
        self._lease_ms = settings.dispatch_lease_ms
        self._forget_ms = settings.dispatch_forget_ms
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._seen: Look | None = None
        self._places: dict[str, Place] = {}

    async def join(self) -> None:
        """Create the group in each stream where it is missing; it begins with new events.

        If its place or its count is wrong, correct it so that the group reads all unread entries that still exist.
        """
        groups = await self._groups()
        seen = await look(self._redis, self._streams)
        places: dict[str, Place] = {}
        for name, stream in seen.streams.items():
            place = groups[name]
            if place is None:
                place = stream.last
                await self._make(name, place)
            elif why := lost(stream, place, place):
                place = put_right(stream, place)
                log.warning("the consumer group of %s was %s: it continues at %s", name, why, place.id)
                await self._redis.xgroup_setid(name, GROUP, place.id, entries_read=place.count)
            places[name] = place
        self._seen, self._places = seen, places

    async def read(self) -> Batch:
        """New events; waits for some up to `dispatch_block_ms`, then returns an empty batch."""
        try:
            answer: Any = await self._redis.xreadgroup(
                GROUP, self._name, dict.fromkeys(self._streams, ">"), count=self._count, block=self._block_ms
            )
        except ResponseError as error:
            raise _lost(error) from error
        return _batch([(name.decode(), rows, False) for name, rows in answer or []])

    async def claim(self) -> Batch:
        """Events that any dispatcher has read but not acknowledged within a lease."""
        pipeline = self._redis.pipeline(transaction=False)
        for stream in self._streams:
            pipeline.xautoclaim(stream, GROUP, self._name, self._lease_ms, "0-0", count=self._count)
        try:
            answers = await pipeline.execute()
        except ResponseError as error:
            raise _lost(error) from error
        return _batch(
            [(stream, answer[1], bool(answer[2])) for stream, answer in zip(self._streams, answers, strict=True)]
        )

    async def acknowledge(self, batch: Batch) -> None:
        """Acknowledge a batch: its events are handled."""
        pipeline = self._redis.pipeline(transaction=False)
        by_stream: dict[str, list[bytes]] = {}
        for stream, place in batch.places:
            by_stream.setdefault(stream, []).append(place)
        for stream, places in by_stream.items():
            pipeline.xack(stream, GROUP, *places)
        await pipeline.execute()

    async def check(self) -> None:
        """Raise GroupLost if events may have been missed: another Redis, or a stream trimmed past the group."""
        groups = await self._groups()
        seen = await look(self._redis, self._streams)
        places = {name: place for name, place in groups.items() if place is not None}
        before, before_places = self._seen, self._places
        self._seen, self._places = seen, places
        if before is None or before.identity != seen.identity:
            raise GroupLost("epoch")
        if len(places) < len(self._streams):
            raise GroupLost("group")
        for name, stream in seen.streams.items():
            if why := lost(stream, before_places.get(name, Place(START, None)), places[name]):
                raise GroupLost(why)

    async def _groups(self) -> dict[str, Place | None]:
        """The group's place in each stream; None for a stream without the group.

        To compare it with the streams, read this first: otherwise the group may seem to be ahead of a stream.
        """
        pipeline = self._redis.pipeline(transaction=False)
        for name in self._streams:
            pipeline.xinfo_groups(name)
        told = await pipeline.execute(raise_on_error=False)
        return {name: _place(groups) for name, groups in zip(self._streams, told, strict=True)}

    async def _make(self, stream: str, place: Place) -> None:
        try:
            await self._redis.xgroup_create(stream, GROUP, id=place.id, mkstream=True, entries_read=place.count)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):  # another dispatcher was faster
                raise

    async def forget_the_dead(self) -> None:
        """Delete consumers that have been gone for long and have no pending events."""
        for stream in self._streams:
            for consumer in await self._redis.xinfo_consumers(stream, GROUP):
                if consumer["pending"] == 0 and consumer["idle"] > self._forget_ms:
                    await self._redis.xgroup_delconsumer(stream, GROUP, consumer["name"])


def _batch(streams: Sequence[tuple[str, Any, bool]]) -> Batch:
    events: list[GameEvent] = []
    places: list[tuple[str, bytes]] = []
    torn = False
    for stream, rows, trimmed in streams:
        torn = torn or trimmed
        for place, fields in rows:
            places.append((stream, place))
            batch = events_of(fields or {})
            if batch is None:
                torn = True
            else:
                events.extend(batch)
    return Batch(tuple(events), tuple(places), torn)


def _place(told: Any) -> Place | None:
    if isinstance(told, ResponseError) and isinstance(_lost(told), GroupLost):
        return None
    if isinstance(told, BaseException):
        raise told
    for group in told:
        if group["name"] == GROUP.encode():
            return Place(group["last-delivered-id"].decode(), group["entries-read"])
    return None


def _lost(error: ResponseError) -> Exception:
    return GroupLost("group") if "NOGROUP" in str(error) or "no such key" in str(error) else error
