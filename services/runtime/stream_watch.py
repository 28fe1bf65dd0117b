"""Has a reader of event streams missed anything? What it asks Redis from time to time, and how it tells.

A stream counts every entry that was ever added to it. A reader that counts what it has read knows from this number
alone whether entries were trimmed before it came to them, or the stream is another one than before. (Redis also tells
the highest id that was deleted, but trimming does not count as deleting.) That the whole Redis is another one, or has
been set back by a failover, shows in its identity.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from services.runtime.redis_keys import EPOCH

START = "0-0"
"""The place before the first entry."""


@dataclass(frozen=True, slots=True)
class Place:
    """An entry's id, and how many entries there have ever been up to it; None while that is not known."""

    id: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as Redis tells of it."""

    last: Place
    """The newest entry that there ever was."""
    first_id: str | None
    """The oldest one that is still there."""
    trimmed: int
    """How many were there and are not any more."""


@dataclass(frozen=True, slots=True)
class Look:
    """One Redis and the streams in it."""

    identity: str
    streams: Mapping[str, Stream]


async def identify(redis: Redis) -> str:
    """Which Redis this is, and which memory it has: another word after a flush, a restart or a failover.

    It is made of an epoch, set now if it was missing, of the server's run and of its history. Raises RedisError.
    """
    return (await look(redis, ())).identity


async def look(redis: Redis, names: Iterable[str]) -> Look:
    """Its identity, and these streams, in one round trip. Raises RedisError."""
    names = list(names)
    pipeline = redis.pipeline(transaction=False)
    pipeline.set(EPOCH, token_hex(8), nx=True)
    pipeline.get(EPOCH)
    pipeline.info("server")
    pipeline.info("replication")
    for name in names:
        pipeline.xinfo_stream(name)
    _, epoch, server, replication, *told = await pipeline.execute(raise_on_error=False)
    if not isinstance(epoch, bytes):  # nothing to read, nor could it be set
        raise epoch if isinstance(epoch, RedisError) else ResponseError("this Redis takes no epoch")
    run, history = _field(server, "run_id"), _field(replication, "master_replid")
    return Look(f"{epoch.decode()}/{run}/{history}", dict(zip(names, map(_stream, told), strict=True)))


def lost(stream: Stream, before: Place, now: Place) -> str | None:
    """Why a reader that is at `now` may have missed entries, or None; `stream` was seen after that.

    Trimmed must be nothing beyond `before`: the same place for a reader that counts for itself. For a group of readers,
    which Redis counts and may count right again, it is the place at the last look: what is trimmed beyond it may have
    been read since, but only if a whole stream has gone by.
    """
    if _number(now.id) > _number(stream.last.id):
        return "rewound"
    if now.count is not None and now.count > (stream.last.count or 0):
        return "rewound"
    if before.count is not None and stream.trimmed > before.count:
        return "trimmed"
    if now.count is not None and now.id == stream.last.id and now.count != stream.last.count:
        return "skipped"
    return None


def passed(checkpoint: Place, place: Place, ids: Sequence[str]) -> int | None:
    """How many entries there have been up to a checkpoint, as a reader counts that now reads `ids` from `place` on.

    None while it has not come so far. Another number than the checkpoint's means that entries were missed.
    """
    if place.count is None or not ids or not _number(place.id) < _number(checkpoint.id) <= _number(ids[-1]):
        return None
    return place.count + bisect_right(ids, _number(checkpoint.id), key=_number)


def put_right(stream: Stream, place: Place) -> Place:
    """The same place with the count that it must have; the stream's end for one beyond it."""
    if _number(place.id) >= _number(stream.last.id):
        return stream.last
    if stream.first_id is None or _number(place.id) < _number(stream.first_id):
        return Place(place.id, stream.trimmed)
    return Place(place.id, None)


def _field(told: Any, name: str) -> str:
    """A word of INFO; empty where this client may not ask for it."""
    return str(told.get(name, "")) if isinstance(told, dict) else ""


def _stream(told: Any) -> Stream:
    if isinstance(told, ResponseError) and "no such key" in str(told):
        return Stream(Place(START, 0), None, 0)
    if isinstance(told, BaseException):
        raise told
    added = int(told["entries-added"])
    first = told["first-entry"]
    return Stream(
        Place(told["last-generated-id"].decode(), added),
        first[0].decode() if first else None,
        added - int(told["length"]),
    )


def _number(entry_id: str) -> tuple[int, int]:
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count)
