"""Sleeps until the next alarm is due, takes the due alarms, and passes them on to be fired."""

import asyncio
import logging
import math
from contextlib import suppress
from typing import Protocol

from redis.exceptions import RedisError

from services.clock.alarm import Alarm
from services.clock.firing import Firing
from services.clock.redis_alarms import Taken
from services.clock.settings import ClockSettings
from services.runtime.database_clock import DatabaseClock

log = logging.getLogger(__name__)


class DueAlarms(Protocol):
    """The source of due alarms; see `RedisAlarms`."""

    async def take(self, now_ms: int, count_max: int, lease_ms: int) -> Taken: ...


class Timer:
    """One for each process. It wakes for the next known alarm, for an earlier one that this process sets (`notice`),
    and after `alarm_poll_ms` for alarms that other replicas set."""

    def __init__(self, alarms: DueAlarms, firing: Firing, clock: DatabaseClock, settings: ClockSettings) -> None:
        self._alarms = alarms
        self._firing = firing
        self._clock = clock
        self._settings = settings
        self._wake = asyncio.Event()
        self._planned_ms = math.inf
        self._away = False

    def notice(self, alarms: list[Alarm]) -> None:
        """Note that these alarms were set: wake earlier if needed."""
        if any(alarm.deadline_ms + self._settings.flag_grace_ms < self._planned_ms for alarm in alarms):
            self._wake.set()

    async def run(self) -> None:
        """Take and pass on due alarms, for ever."""
        while True:
            self._wake.clear()
            self._planned_ms = math.inf  # until the round knows the next alarm, every notice wakes it
            pause_ms = await self._round()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_ms / 1000):
                    await self._wake.wait()

    async def _round(self) -> float:
        """Take due alarms and pass them on. Return the time to sleep in ms."""
        longest_ms = self._settings.alarm_poll_ms
        await self._firing.has_room()
        now_ms = self._clock.now_ms()
        if now_ms is None:
            return longest_ms
        try:
            taken = await self._alarms.take(now_ms, self._firing.room, self._settings.alarm_lease_ms)
        except RedisError as error:
            if not self._away:
                log.warning("no alarms, flags wait for the sweep: %s: %s", type(error).__name__, error)
            self._away = True
            return longest_ms
        if self._away:
            log.info("alarms are back")
        self._away = False
        self._firing.start(taken.alarms)
        if taken.next_ms is None:
            return longest_ms
        self._planned_ms = taken.next_ms
        later_ms = self._clock.now_ms() or now_ms
        # If hundreds of alarms are due, one round for each would cost more than the alarms.
        shortest_ms = self._settings.alarm_gather_ms if taken.alarms else 0
        return min(max(taken.next_ms - later_ms + 1, shortest_ms), longest_ms)
