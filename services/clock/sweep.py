"""Asks the game service each second for overdue deadlines and fires them. Without Redis, only this fires alarms."""

import asyncio
import logging

from services.clock.firing import Firing
from services.clock.game_port import Game, GameUnavailable
from services.clock.metrics import OLDEST_OVERDUE
from services.clock.settings import ClockSettings
from services.runtime.database_clock import DatabaseClock

log = logging.getLogger(__name__)


class Sweep:
    """Fires overdue deadlines. The answers also update the database clock, which decides when alarms are due."""

    def __init__(
        self,
        game: Game,
        firing: Firing,
        clock: DatabaseClock,
        settings: ClockSettings,
    ) -> None:
        self._game = game
        self._firing = firing
        self._clock = clock
        self._settings = settings
        self._away = False

    async def run(self) -> None:
        """Sweep for ever."""
        while True:
            await asyncio.gather(self._overdue(), asyncio.sleep(self._settings.overdue_period_ms / 1000))

    async def _overdue(self) -> None:
        after, oldest_ms = "", 0
        try:
            for _ in range(self._settings.overdue_pages_max):
                page = await self._game.deadlines(after, overdue_only=True)
                self._clock.learn(page.now_ms)
                # The database lists all past deadlines. Those still within the grace time have their own alarms.
                late_ms = {a: page.now_ms - a.deadline_ms - self._settings.flag_grace_ms for a in page.alarms}
                self._firing.start(alarm for alarm in page.alarms if late_ms[alarm] >= 0)
                oldest_ms = max(oldest_ms, *late_ms.values(), 0)
                if page.next_after <= after:
                    break
                after = page.next_after
        except GameUnavailable as error:
            if not self._away:
                log.warning("no sweep: %s", error)
            self._away = True
            return
        if self._away:
            log.info("sweeping again")
        self._away = False
        OLDEST_OVERDUE.set(oldest_ms / 1000)
