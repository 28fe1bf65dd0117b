"""Who is at the board of a live game between people, recorded in Redis for the opponents who wait.

Each side that is here is recorded again and again, and the other side's record is read at the same time. A player
without a record for longer than a page reload has left. Then the opponent is notified. By the rule set, the opponent
may later claim the game, or a computer takes the empty seat. When the game ends, both players get how often and how
long each was away, and the records expire. If Redis loses its data, a player without a record counts as unknown, and
the time away starts again at zero.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.domain import absence
from services.domain.rule_set import AbsentPlayer
from services.domain.time_control import TimeControl
from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol.absence import Absence, Away, Ears
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.presence import NOTING, SINCE, absences, away_by_request, away_ms, number, presence_key
from services.runtime.wire import rule_set_from_pb, time_control_from_pb

log = logging.getLogger(__name__)

AWAY = (RedisError, OSError, TimeoutError)

ROUNDS_MISSED = 3
"""After so many missed rounds, older records are not trusted any more."""

_NOTE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local own, other = ARGV[1], ARGV[2]
local seen = tonumber(redis.call('HGET', KEYS[1], own))
local asked = redis.call('HDEL', KEYS[1], own .. ':asked')
if seen and asked == 0 then
  local away = now - math.max(seen, tonumber(ARGV[3]))
  if away >= tonumber(ARGV[4]) then
    redis.call('HINCRBY', KEYS[1], own .. ':times', 1)
    redis.call('HINCRBY', KEYS[1], own .. ':ms', away)
  end
end
redis.call('HSET', KEYS[1], own, now)
redis.call('HSETNX', KEYS[1], other, now)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {now, redis.call('HGET', KEYS[1], other), redis.call('HGET', KEYS[1], other .. ':asked')}
"""
"""Records a side, counts its absence if one has just ended, and reads when the other side was last seen, and whether
it was by a request alone."""

WORDS = {common_pb2.COLOR_WHITE: "white", common_pb2.COLOR_BLACK: "black"}
OTHERS = {common_pb2.COLOR_WHITE: common_pb2.COLOR_BLACK, common_pb2.COLOR_BLACK: common_pb2.COLOR_WHITE}


@dataclass(slots=True)
class _Seat:
    """A side that is at its board in this process, on one or more connections."""

    game: HeldGame
    side: common_pb2.Color
    ears: dict[int, Ears] = field(default_factory=dict)
    gone: bool = False
    """Whether the other side is known to be away."""
    away_ms: int = 0
    unaware: set[int] = field(default_factory=set)
    """Listeners that do not know yet whether the other side is away."""
    asked_version: int = 0
    """The version for which a change of seats was requested."""
    asking: bool = False
    """Whether such a request is under way."""


def is_watched(info: events_pb2.GameInfo) -> bool:
    """Whether absences matter in this game: between people, and live or with a computer for absent players."""
    people = bool(info.white.id and info.black.id) and not (info.white.computer_level or info.black.computer_level)
    return people and absence.is_watched(*_terms(info))


class GamePresence:
    """All seats of this process. `run` keeps them recorded."""

    def __init__(
        self, redis: Redis, settings: GatewaySettings, ask: Callable[[game_pb2.Command], Awaitable[game_pb2.Reply]]
    ) -> None:
        self._redis = redis
        self._settings = settings
        self._ask = ask
        self._note = redis.register_script(_NOTE)
        self._seats: dict[tuple[str, common_pb2.Color], _Seat] = {}
        self._stirred = asyncio.Event()
        self._failed = False
        """Whether records may have expired, because writing failed."""

    def enter(self, game: HeldGame, side: common_pb2.Color, ears: Ears) -> None:
        """A connection of the player of `side` opens the board. Harmless for games in which absences do not matter."""
        if side not in WORDS or not is_watched(game.info):
            return
        seat = self._seats.setdefault((game.info.id, side), _Seat(game, side))
        seat.game = game
        seat.ears[id(ears)] = ears
        seat.unaware.add(id(ears))
        self._stirred.set()

    def leave(self, game_id: str, ears: Ears) -> None:
        """This connection has left the board."""
        for side in WORDS:
            seat = self._seats.get((game_id, side))
            if seat is not None and seat.ears.pop(id(ears), None) is not None:
                seat.unaware.discard(id(ears))
                if not seat.ears:
                    del self._seats[game_id, side]

    def seated(self, game_id: str, side: common_pb2.Color) -> bool:
        """Whether the player of `side` is at this board here."""
        return (game_id, side) in self._seats

    def shown(self, game_id: str) -> None:
        """A player of this game has shown a sign of life: look at once if somebody here believes that it is away."""
        seats = (self._seats.get((game_id, side)) for side in WORDS)
        if any(seat is not None and seat.gone for seat in seats):
            self._stirred.set()

    async def run(self) -> None:
        """Record all seats periodically, and soon after somebody comes, until cancelled."""
        period_s = self._settings.game_presence_period_ms / 1000
        async with asyncio.TaskGroup() as asking:
            while True:
                self._stirred.clear()
                try:
                    await self._round(asking)
                except AWAY as error:
                    if not self._failed:
                        log.warning("presence is not known for now: %s", type(error).__name__)
                    self._failed = True
                await asyncio.sleep(min(0.2, period_s))
                try:
                    async with asyncio.timeout(period_s):
                        await self._stirred.wait()
                except TimeoutError:
                    pass  # time to record all seats again

    async def _round(self, asking: asyncio.TaskGroup) -> None:
        since_ms = await self._since()
        seats = list(self._seats.values())
        size = self._settings.presence_renewed_max
        for first in range(0, len(seats), size):
            part = seats[first : first + size]
            running = [seat for seat in part if seat.game.running]
            await self._note_all(running, since_ms)
            for seat in running:
                # Do not wait for it: with a slow game service, the records of all other seats would expire.
                if (command := self._wanted(seat)) is not None:
                    seat.asking = True
                    asking.create_task(self._see_to_seats(seat, command, seat.game.version))
            for seat in [seat for seat in part if not seat.game.running]:
                await self._sum_up(seat, since_ms)

    async def _since(self) -> int:
        """The Unix time (ms) from which records can be trusted. It is now, if nothing was written for a while."""
        noting, since = cast("list[bytes | None]", await self._redis.mget(NOTING, SINCE))
        since_ms = number(since) or 0
        if self._failed or noting is None:
            seconds, micros = await self._redis.time()
            since_ms = seconds * 1000 + micros // 1000
            await self._redis.set(SINCE, since_ms)
        await self._redis.set(NOTING, b"1", px=ROUNDS_MISSED * self._settings.game_presence_period_ms)
        self._failed = False
        return since_ms

    async def _note_all(self, seats: list[_Seat], since_ms: int) -> None:
        if not seats:
            return
        pipeline = self._redis.pipeline(transaction=False)
        settings = self._settings
        for seat in seats:
            words = (WORDS[seat.side], WORDS[OTHERS[seat.side]])
            arguments: list[str | int] = [*words, since_ms, settings.gone_ms, settings.game_presence_kept_ms]
            await self._note(keys=[presence_key(seat.game.info.id)], args=arguments, client=pipeline)
        async with asyncio.timeout(settings.redis_answer_ms / 1000):
            answers = await pipeline.execute()
        for seat, (now_ms, seen, asked) in zip(seats, answers, strict=True):
            away = away_ms(number(seen), since_ms, now_ms)
            if asked is not None:
                away = away_by_request(away, _turn_began_ms(seat.game, OTHERS[seat.side]), now_ms)
            self._look(seat, away or 0)

    def _look(self, seat: _Seat, away_ms: int) -> None:
        """Notify the listeners when the other side has left or is back. New listeners only learn that it is away."""
        here = (seat.game.info.id, OTHERS[seat.side]) in self._seats
        seat.away_ms = 0 if here else away_ms
        gone = absence.has_lasted(seat.away_ms, self._settings.gone_ms)
        told = list(seat.ears) if gone is not seat.gone else list(seat.unaware) if gone else []
        seat.gone = gone
        seat.unaware.clear()
        if not told:
            return
        claims = gone and absence.is_claimed(_terms(seat.game.info)[0])
        left_ms = absence.left_ms(seat.away_ms, self._settings.absence_ms) if claims else None
        told_absence = Absence(OTHERS[seat.side], gone, seat.away_ms, left_ms)
        for key in told:
            seat.ears[key].absent(seat.game.info.id, told_absence)

    def _wanted(self, seat: _Seat) -> game_pb2.Command | None:
        """The command that the seats need, or None: a computer takes the seat of an absent player, or gives it back."""
        info, state = seat.game.info, seat.game.state
        if not absence.computer_takes_seats(*_terms(info)):
            return None
        if seat.asking or seat.asked_version == state.version:
            return None
        held = {common_pb2.COLOR_WHITE: state.white_held_level, common_pb2.COLOR_BLACK: state.black_held_level}
        command = game_pb2.Command(game_id=info.id, player_id=_player(info, seat.side).id)
        if held[seat.side]:
            command.return_seat.SetInParent()
            command.command_id = f"back-{state.version}"
            return command
        long_away = absence.has_lasted(seat.away_ms, self._settings.seat_ms)
        if long_away and not held[OTHERS[seat.side]] and not _counts(info, state):
            command.take_seat.side = OTHERS[seat.side]
            command.command_id = f"seat-{state.version}"
            return command
        return None

    async def _see_to_seats(self, seat: _Seat, command: game_pb2.Command, version: int) -> None:
        """Send the command; `version` is the game's version when it was made."""
        try:
            reply = await self._ask(command)
        except Exception as error:  # whatever it was, the next round tries again
            log.warning("the seats of game %s cannot change now: %s", command.game_id, type(error).__name__)
            return
        finally:
            seat.asking = False
        if not reply.HasField("refusal") or reply.refusal.code == "stale_version":
            seat.asked_version = version

    async def _sum_up(self, seat: _Seat, since_ms: int) -> None:
        """Send each side's number and length of absences to the listeners, once, and let the records expire soon."""
        ears = [seat.ears[key] for key in seat.ears]
        self._seats.pop((seat.game.info.id, seat.side), None)
        key = presence_key(seat.game.info.id)
        try:
            async with asyncio.timeout(self._settings.redis_answer_ms / 1000):
                notes = await cast("Awaitable[dict[bytes, bytes]]", self._redis.hgetall(key))
                await self._redis.pexpire(key, self._settings.game_presence_told_ms)
        except AWAY as error:
            log.info("the absences of a game are not reported: %s", type(error).__name__)
            return
        until_ms, gone_ms = seat.game.state.ended_ms, self._settings.gone_ms
        white, black = (Away(*absences(notes, side, since_ms, until_ms, gone_ms)) for side in WORDS.values())
        for listener in ears:
            listener.absences(seat.game.info.id, white, black)


def _terms(info: events_pb2.GameInfo) -> tuple[AbsentPlayer, TimeControl]:
    """The rule set's rule for an absent player, and the time control: these decide what an absence leads to."""
    return rule_set_from_pb(info.rule_set).absent_player, time_control_from_pb(info.time_control)


def _turn_began_ms(game: HeldGame, side: common_pb2.Color) -> int | None:
    """When the running turn of `side` began (UTC ms); None if it is not to move."""
    if game.state.turn != side:
        return None
    return game.moves[-1].at_ms if game.moves else game.info.created_ms


def _player(info: events_pb2.GameInfo, side: common_pb2.Color) -> events_pb2.Player:
    return info.white if side == common_pb2.COLOR_WHITE else info.black


def _counts(info: events_pb2.GameInfo, state: events_pb2.GameState) -> bool:
    """Whether the game is rated. In rated games no computer takes a seat, because the clock decides."""
    return info.rated and not state.unrated
