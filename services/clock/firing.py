"""Sends due alarms to the game service and handles each answer."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from operator import attrgetter
from typing import Protocol, TypeVar

from redis.exceptions import RedisError

from services.clock.alarm import Alarm, NoAlarm, newest
from services.clock.game_port import Decided, Game, GameUnavailable
from services.clock.metrics import EARLY_FIRES, FIRE_RETRIES, FLAG_LATENESS, MOVED_FIRES, STALE_FIRES
from services.clock.redis_alarms import Answered
from services.clock.settings import ClockSettings
from services.domain.refusal import Refusal, RefusalCode
from services.runtime.batching import Batcher, Overloaded
from services.runtime.database_clock import DatabaseClock
from services.words.catalogue import sentence

log = logging.getLogger(__name__)
Item = TypeVar("Item")
Answer = TypeVar("Answer")

OVERTAKEN = frozenset([RefusalCode.STALE_VERSION, RefusalCode.GAME_OVER, RefusalCode.NOT_FOUND])
"""Refusals that mean that this version has nothing left to decide."""


class Alarms(Protocol):
    """Where the results of alarms are stored; see `RedisAlarms`."""

    async def put(self, wishes: Sequence[Alarm | NoAlarm], *, corrects: bool = False) -> int: ...

    async def answer(self, answers: Sequence[Answered]) -> Sequence[None]: ...


class Firing:
    """The alarms that are being fired: at most `alarms_firing_max`, and one for each game and version."""

    def __init__(self, game: Game, alarms: Alarms, clock: DatabaseClock, settings: ClockSettings) -> None:
        self._alarms = alarms
        self._clock = clock
        self._settings = settings
        self._line = self._batcher("flag", game.flag, key=attrgetter("game_id"))
        self._questions = self._batcher("standing", game.standing)
        self._answers = self._batcher("alarm_answers", alarms.answer)
        self._corrections = self._batcher("alarm_corrections", self._correct)
        self._tasks: dict[Alarm, asyncio.Task[None]] = {}
        self._tries: OrderedDict[Alarm, int] = OrderedDict()

    def _batcher(
        self,
        hop: str,
        send: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]],
        key: Callable[[Item], Hashable] | None = None,
    ) -> Batcher[Item, Answer]:
        return Batcher(
            hop,
            send,
            size_max=self._settings.batch_size_max,
            waiting_max=self._settings.batch_waiting_max,
            under_way_max=self._settings.batches_under_way_max,
            key=key,
        )

    @property
    def room(self) -> int:
        """How many more alarms may be started."""
        return max(0, self._settings.alarms_firing_max - len(self._tasks))

    def start(self, alarms: Iterable[Alarm]) -> None:
        """Fire these alarms. Alarms in flight already, or for which there is no room, are left out.

        An alarm that is left out is due again when its lease ends, or the next sweep finds it.
        """
        for alarm in alarms:
            if alarm not in self._tasks and self.room:
                task = asyncio.create_task(self._see_to(alarm))
                self._tasks[alarm] = task

    async def has_room(self) -> None:
        """Return once one more alarm may be started."""
        while not self.room:
            await asyncio.wait(tuple(self._tasks.values()), return_when=asyncio.FIRST_COMPLETED)

    async def drained(self) -> None:
        """Return once no alarm is in flight."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks.values()))

    async def _see_to(self, alarm: Alarm) -> None:
        try:
            await self._fire(alarm)
        except (RedisError, Overloaded) as error:
            # An alarm whose result was not stored is fired again when its lease ends, and refused as overtaken.
            log.debug("the answer for %s is not stored: %s", alarm, error)
        except Exception:
            log.exception("firing %s failed", alarm)
        finally:
            self._tasks.pop(alarm, None)

    async def _fire(self, alarm: Alarm) -> None:
        try:
            answer = await self._line.call(alarm)
            if isinstance(answer, Decided):
                now_ms = self._clock.now_ms()
                if now_ms is not None:
                    FLAG_LATENESS.observe(max(0, now_ms - alarm.deadline_ms) / 1000)
                await self._forget(alarm)
            elif answer.code in OVERTAKEN:
                STALE_FIRES.inc()
                await self._forget(alarm)
            elif answer.code is RefusalCode.NOT_DUE:
                await self._ask_why(alarm)
            elif answer.code is RefusalCode.UNAVAILABLE:
                await self._again(alarm, "unavailable")
            else:
                log.warning("%s refused: %s %s", alarm, answer.code, sentence(answer.text))
                await self._again(alarm, "refused")
        except (GameUnavailable, Overloaded) as error:
            log.info("%s not fired: %s", alarm, error)
            await self._again(alarm, "unavailable")

    async def _ask_why(self, alarm: Alarm) -> None:
        """Handle `not_due`: overtaken, moved by an outage, or too early. The game's state shows which."""
        standing = await self._questions.call(alarm.game_id)
        if standing is None:
            STALE_FIRES.inc()
            await self._forget(alarm)
        elif isinstance(standing, Refusal):
            log.warning("%s: the game's state is not available: %s %s", alarm, standing.code, sentence(standing.text))
            await self._again(alarm, "unavailable")
        elif standing.wish == alarm:
            early = standing.at_ms < alarm.deadline_ms + self._settings.flag_grace_ms
            if early:
                EARLY_FIRES.inc()
            await self._again(alarm, "early" if early else "refused")
        else:
            (MOVED_FIRES if standing.wish.version == alarm.version else STALE_FIRES).inc()
            self._tries.pop(alarm, None)
            await self._corrections.call(standing.wish)

    async def _correct(self, wishes: Sequence[Alarm | NoAlarm]) -> Sequence[None]:
        await self._alarms.put(newest(wishes), corrects=True)
        return [None] * len(wishes)

    async def _forget(self, alarm: Alarm) -> None:
        self._tries.pop(alarm, None)
        await self._answers.call(Answered(alarm, None))

    async def _again(self, alarm: Alarm, reason: str) -> None:
        FIRE_RETRIES.labels(reason).inc()
        tries = self._tries.pop(alarm, 0)
        self._tries[alarm] = tries + 1
        if len(self._tries) > self._settings.alarms_firing_max:
            self._tries.popitem(last=False)
        pause_ms = min(self._settings.retry_pause_ms << min(tries, 16), self._settings.retry_pause_max_ms)
        now_ms = self._clock.now_ms()
        if now_ms is not None:
            await self._answers.call(Answered(alarm, now_ms + pause_ms))
