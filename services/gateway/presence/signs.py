"""Signs of life: requests of a player on a game that is not open here, as by a client that only posts its moves.

Such a client shows nothing between two requests. So it counts as present while its opponent is to move, and is away
from the beginning of its own turn on until it shows itself again (`services/runtime/presence.py`).
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Protocol

from redis.asyncio import Redis

from services.gateway.errors import Refused
from services.gateway.presence.game_presence import AWAY, OTHERS, WORDS, is_watched
from services.gateway.public_api import public_json
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1.events_pb2 import GameInfo
from services.runtime.presence import NOTING, SINCE, presence_key

log = logging.getLogger(__name__)

_SIGN = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own, other = ARGV[1], ARGV[2]
local seen = tonumber(redis.call('HGET', KEYS[1], own))
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[3], now) end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[5])
if seen and not redis.call('HGET', KEYS[1], own .. ':asked') then
  local away = now - math.max(seen, tonumber(redis.call('GET', KEYS[3]) or '0'))
  if away >= tonumber(ARGV[3]) then
    redis.call('HINCRBY', KEYS[1], own .. ':times', 1)
    redis.call('HINCRBY', KEYS[1], own .. ':ms', away)
  end
end
redis.call('HSET', KEYS[1], own, now, own .. ':asked', 1)
redis.call('HSETNX', KEYS[1], other, now)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
"""
"""Records a request of a side, and counts its absence if one has just ended."""


class Watching(Protocol):
    """The boards of this process."""

    def seated(self, game_id: str, side: common_pb2.Color) -> bool:
        """Whether the player of `side` is at the board here: then nothing needs to be recorded."""

    def shown(self, game_id: str) -> None:
        """A player of this game has shown a sign of life: tell at once who waits for it."""


Find = Callable[[str], Awaitable[GameInfo]]
"""The info of a game, by id. Raises Refused."""


class Signs:
    """Records signs of life. `run` does it, soon after they come."""

    def __init__(self, redis: Redis, settings: GatewaySettings, boards: Watching, find: Find) -> None:
        self._redis = redis
        self._settings = settings
        self._boards = boards
        self._find = find
        self._script = redis.register_script(_SIGN)
        self._games: OrderedDict[str, GameInfo | None] = OrderedDict()
        """The players of known games; None for games in which absences do not matter."""
        self._new: dict[tuple[str, str], None] = {}
        self._stirred = asyncio.Event()

    def show(self, game_id: str, player_id: str) -> None:
        """This player has sent a request on this game. It waits for nothing; beyond a limit, signs are dropped."""
        if not game_id or not player_id:
            return
        if game_id in self._games:
            info = self._games[game_id]
            side = None if info is None else public_json.colour_of(info, player_id)
            if not side or self._boards.seated(game_id, side):
                return
        if len(self._new) < self._settings.signs_waiting_max:
            self._new[game_id, player_id] = None
            self._stirred.set()

    async def run(self) -> None:
        """Record signs, until cancelled."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            signs, self._new = list(self._new), {}
            try:
                for first in range(0, len(signs), self._settings.presence_renewed_max):
                    await self._record(signs[first : first + self._settings.presence_renewed_max])
            except AWAY as error:
                log.debug("signs of life are lost: %s", type(error).__name__)
            await asyncio.sleep(min(0.2, self._settings.game_presence_period_ms / 1000))

    async def _record(self, signs: list[tuple[str, str]]) -> None:
        found = await asyncio.gather(*(self._info(game_id) for game_id, _ in signs))
        settings, shown = self._settings, []
        pipeline = self._redis.pipeline(transaction=False)
        for (game_id, player_id), info in zip(signs, found, strict=True):
            side = public_json.colour_of(info, player_id) if info is not None else common_pb2.COLOR_UNSPECIFIED
            if side not in WORDS or self._boards.seated(game_id, side):
                continue
            noting_ms = 3 * settings.game_presence_period_ms
            words = (WORDS[side], WORDS[OTHERS[side]])
            arguments: list[str | int] = [*words, settings.gone_ms, settings.game_presence_kept_ms, noting_ms]
            await self._script(keys=[presence_key(game_id), NOTING, SINCE], args=arguments, client=pipeline)
            shown.append(game_id)
        if shown:
            async with asyncio.timeout(settings.redis_answer_ms / 1000):
                await pipeline.execute()
        for game_id in shown:
            self._boards.shown(game_id)

    async def _info(self, game_id: str) -> GameInfo | None:
        if game_id in self._games:
            self._games.move_to_end(game_id)
            return self._games[game_id]
        try:
            info = await self._find(game_id)
        except Refused:
            return None  # there is no such game, or it cannot be read now
        watched = self._games[game_id] = info if is_watched(info) else None
        if len(self._games) > self._settings.signs_games_max:
            self._games.popitem(last=False)
        return watched
