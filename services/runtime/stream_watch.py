"""Has a reader of event streams missed entries? What it asks Redis from time to time, and how it finds out.

A stream counts all entries ever added. A reader that counts its own reads can compare: so it sees whether entries
were trimmed before it read them, or whether this is another stream. (Redis also reports the highest deleted id, but
trimming does not count as deleting.) A changed identity shows that this is another Redis, or that a failover has set
it back.
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
    """An entry's id, and the number of entries ever added up to it; None while that number is not known."""

    id: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Stream:
    """The state of a stream as Redis reports it."""

    last: Place
    """The newest entry ever added."""
    first_id: str | None
    """The oldest entry that still exists; None if the stream is empty."""
    trimmed: int
    """The number of entries that were removed."""


@dataclass(frozen=True, slots=True)
class Look:
    """The identity of one Redis, and its streams."""

    identity: str
    streams: Mapping[str, Stream]


async def identify(redis: Redis) -> str:
    """The identity of this Redis and its data. It changes after a flush, a restart or a failover.

    It is made of the epoch (set now if missing), the server's run id and its replication id. Raises RedisError.
    """
    return (await look(redis, ())).identity


async def look(redis: Redis, names: Iterable[str]) -> Look:
    """The identity of this Redis and the state of these streams, in one round trip. Raises RedisError."""
    names = list(names)
    pipeline = redis.pipeline(transaction=False)
    pipeline.set(EPOCH, token_hex(8), nx=True)
    pipeline.get(EPOCH)
    pipeline.info("server")
    pipeline.info("replication")
    for name in names:
        pipeline.xinfo_stream(name)
    _, epoch, server, replication, *told = await pipeline.execute(raise_on_error=False)
    if not isinstance(epoch, bytes):  # it is missing and could not be set
        raise epoch if isinstance(epoch, RedisError) else ResponseError("this Redis takes no epoch")
    run, history = _field(server, "run_id"), _field(replication, "master_replid")
    return Look(f"{epoch.decode()}/{run}/{history}", dict(zip(names, map(_stream, told), strict=True)))


def lost(stream: Stream, before: Place, now: Place) -> str | None:
    """Why a reader at `now` may have missed entries, or None; `stream` is its state read after `now`.

    Nothing beyond `before` may be trimmed. For a reader that counts itself, `before` is `now`. For a consumer group,
    which Redis counts and may correct, `before` is the place at the last look. Entries trimmed beyond it may have been
    read since then, but only if a whole stream length went by.
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
    """The number of entries up to `checkpoint`, counted by a reader at `place` that now reads `ids`.

    None if `ids` do not reach the checkpoint. If the number differs from the checkpoint's count, entries were missed.
    """
    if place.count is None or not ids or not _number(place.id) < _number(checkpoint.id) <= _number(ids[-1]):
        return None
    return place.count + bisect_right(ids, _number(checkpoint.id), key=_number)


def put_right(stream: Stream, place: Place) -> Place:
    """The place with its count set from `stream` (None if unknown); the end of the stream if the place is beyond it."""
    if _number(place.id) >= _number(stream.last.id):
        return stream.last
    if stream.first_id is None or _number(place.id) < _number(stream.first_id):
        return Place(place.id, stream.trimmed)
    return Place(place.id, None)


def _field(told: Any, name: str) -> str:
    """A field of INFO; empty if this client may not read it."""
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
