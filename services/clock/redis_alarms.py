"""The alarms of all games in Redis, shared by all replicas.

Each shard has three keys in one slot: `due` (sorted set, game -> moment at which its alarm fires), `known` (hash,
game -> "version:deadline", without a deadline if the game has no alarm) and `quiet` (sorted set, game -> since when it
has no alarm). A game without an alarm is kept for ten minutes, so that a late older event does not set one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import NoScriptError

from services.clock.alarm import Alarm, NoAlarm
from services.runtime.redis_keys import shard_of

# ARGV: 1 if a deadline may also correct the same version; then for each game: id, version, deadline or "", due.
_PUT = """
local changed = 0
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV, 4 do
  local game, version, deadline, due = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3]
  local known = redis.call('HGET', KEYS[2], game)
  local known_version, known_deadline = -1, ''
  if known then
    known_version, known_deadline = string.match(known, '^(%d+):(%d*)$')
    known_version = tonumber(known_version)
  end
  local corrects = ARGV[1] == '1' and version == known_version and deadline ~= known_deadline
  if version > known_version or corrects then
    if deadline ~= '' then
      redis.call('HSET', KEYS[2], game, ARGV[i + 1] .. ':' .. deadline)
      redis.call('ZADD', KEYS[1], due, game)
      redis.call('ZREM', KEYS[3], game)
      changed = changed + 1
    elseif known then
      redis.call('HSET', KEYS[2], game, ARGV[i + 1] .. ':')
      redis.call('ZREM', KEYS[1], game)
      redis.call('ZADD', KEYS[3], now, game)
      changed = changed + 1
    end
  end
end
local forgotten = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - 600000, 'LIMIT', 0, 100)
for _, game in ipairs(forgotten) do
  redis.call('HDEL', KEYS[2], game)
  redis.call('ZREM', KEYS[3], game)
end
return changed
"""

# ARGV: now, the most alarms to take, the end of their lease. Returns the next due time, then game and known in turn.
_TAKE = """
local taken = {}
for _, game in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])) do
  local known = redis.call('HGET', KEYS[2], game)
  if known then
    redis.call('ZADD', KEYS[1], ARGV[3], game)
    taken[#taken + 1] = game
    taken[#taken + 1] = known
  else
    redis.call('ZREM', KEYS[1], game)
  end
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
table.insert(taken, 1, first[2] or '')
return taken
"""

# ARGV: for each game its id, version, the time to fire again or "". Does nothing if the version is no longer the same.
_ANSWER = """
local time = redis.call('TIME')
for i = 1, #ARGV, 3 do
  local game, version, again = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local known = redis.call('HGET', KEYS[2], game)
  if known and string.match(known, '^(%d+):') == version then
    if again ~= '' then
      redis.call('ZADD', KEYS[1], again, game)
    else
      redis.call('HSET', KEYS[2], game, version .. ':')
      redis.call('ZREM', KEYS[1], game)
      redis.call('ZADD', KEYS[3], time[1] * 1000, game)
    end
  end
end
return #ARGV / 3
"""

_SCRIPTS = {sha1(text.encode(), usedforsecurity=False).hexdigest(): text for text in (_PUT, _TAKE, _ANSWER)}
_PUT_SHA, _TAKE_SHA, _ANSWER_SHA = _SCRIPTS


@dataclass(frozen=True, slots=True)
class Taken:
    """Alarms that this process must fire within the lease, and when the next one is due (UTC ms; None: no alarm)."""

    alarms: tuple[Alarm, ...]
    next_ms: int | None


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a fired alarm: it fires again at `again_ms` (UTC ms), or never (None)."""

    alarm: Alarm
    again_ms: int | None


class RedisAlarms:
    """The alarms in Redis. All methods raise RedisError if Redis is away."""

    def __init__(self, redis: Redis, shards: int, grace_ms: int) -> None:
        self._redis = redis
        self._shards = shards
        self._grace_ms = grace_ms

    async def put(self, wishes: Sequence[Alarm | NoAlarm], *, corrects: bool = False) -> int:
        """Apply the wishes with a higher version than the known one. Return how many had an effect.

        With `corrects`, an alarm with the same version and another deadline also applies: it is from the database.
        """
        by_shard: dict[int, list[str | int]] = {}
        for wish in wishes:
            deadline: tuple[str | int, str | int] = ("", "")
            if isinstance(wish, Alarm):
                deadline = (wish.deadline_ms, wish.deadline_ms + self._grace_ms)
            by_shard.setdefault(shard_of(wish.game_id, self._shards), []).extend(
                (wish.game_id, wish.version, *deadline)
            )
        flag = "1" if corrects else "0"
        answers = await self._run(_PUT_SHA, [(shard, [flag, *words]) for shard, words in by_shard.items()])
        return sum(answers)

    async def take(self, now_ms: int, count_max: int, lease_ms: int) -> Taken:
        """Take alarms that are due at `now_ms`, about `count_max` at the most, with a lease of `lease_ms`."""
        each = max(1, count_max // self._shards)
        answers = await self._run(
            _TAKE_SHA, [(shard, [now_ms, each, now_ms + lease_ms]) for shard in range(self._shards)]
        )
        alarms: list[Alarm] = []
        moments: list[int] = []
        for first, *pairs in answers:
            if first:
                moments.append(int(float(first)))
            for game, known in zip(pairs[::2], pairs[1::2], strict=True):
                version, _, deadline = known.decode().partition(":")
                alarms.append(Alarm(game.decode(), int(version), int(deadline)))
        return Taken(tuple(alarms), min(moments, default=None))

    async def answer(self, answers: Sequence[Answered]) -> Sequence[None]:
        """Store the results of fired alarms; a newer alarm of the same game stays. Returns None for each."""
        by_shard: dict[int, list[str | int]] = {}
        for entry in answers:
            alarm, again = entry.alarm, "" if entry.again_ms is None else entry.again_ms
            by_shard.setdefault(shard_of(alarm.game_id, self._shards), []).extend((alarm.game_id, alarm.version, again))
        await self._run(_ANSWER_SHA, list(by_shard.items()))
        return [None] * len(answers)

    async def count(self) -> int:
        """The number of alarms."""
        pipeline = self._redis.pipeline(transaction=False)
        for shard in range(self._shards):
            pipeline.zcard(_keys(shard)[0])
        return sum(await pipeline.execute())

    async def _run(self, sha: str, calls: Sequence[tuple[int, list[str | int]]]) -> list[Any]:
        """Run one script for several shards, in one round trip. If Redis has lost its scripts, no call had an effect:
        load them and repeat."""
        if not calls:
            return []
        try:
            return await self._send(sha, calls)
        except NoScriptError:
            await self._redis.script_load(_SCRIPTS[sha])
            return await self._send(sha, calls)

    async def _send(self, sha: str, calls: Sequence[tuple[int, list[str | int]]]) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for shard, words in calls:
            pipeline.evalsha(sha, 3, *_keys(shard), *words)
        return await pipeline.execute()


def _keys(shard: int) -> tuple[str, str, str]:
    slot = f"flagfall:alarms:{{{shard}}}"
    return f"{slot}:due", f"{slot}:known", f"{slot}:quiet"
