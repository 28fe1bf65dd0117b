"""Sets all alarms again from the deadlines in the database, page by page."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from redis.exceptions import RedisError

from services.clock.alarm import Alarm, NoAlarm
from services.clock.game_port import Game, GameUnavailable
from services.clock.metrics import REBUILDS
from services.clock.settings import ClockSettings
from services.runtime.database_clock import DatabaseClock

log = logging.getLogger(__name__)


class WishTaker(Protocol):
    """Where alarms are set; see `RedisAlarms`."""

    async def put(self, wishes: Sequence[Alarm | NoAlarm], *, corrects: bool = False) -> int: ...


class Rebuild:
    """Runs at most one rebuild at a time. It only adds alarms: newer ones from events have a higher version and stay.

    An alarm in Redis that is no longer in the database fires once and is refused as overtaken.
    """

    def __init__(
        self,
        game: Game,
        alarms: WishTaker,
        clock: DatabaseClock,
        settings: ClockSettings,
        notice: Callable[[list[Alarm]], None],
    ) -> None:
        self._game = game
        self._alarms = alarms
        self._clock = clock
        self._settings = settings
        self._notice = notice
        self._reasons: list[str] = []
        self._asked = asyncio.Event()

    def ask(self, reason: str) -> None:
        """Rebuild soon. If a rebuild is running, another one follows: its first pages may be older than the doubt."""
        if reason not in self._reasons:
            self._reasons.append(reason)
        self._asked.set()

    async def run(self) -> None:
        """Rebuild after each `ask`, for ever."""
        pause_ms = self._settings.rebuild_pause_ms
        while True:
            await self._asked.wait()
            self._asked.clear()
            reasons, self._reasons = self._reasons, []
            try:
                count = await self._all_pages()
            except (GameUnavailable, RedisError) as error:
                log.warning("rebuild (%s) put off: %s: %s", ", ".join(reasons), type(error).__name__, error)
                for reason in reasons:
                    self.ask(reason)
                await asyncio.sleep(pause_ms / 1000)
                pause_ms = min(pause_ms * 2, self._settings.rebuild_pause_max_ms)
            else:
                pause_ms = self._settings.rebuild_pause_ms
                for reason in reasons:
                    REBUILDS.labels(reason).inc()
                log.info("rebuilt (%s): %d live deadlines", ", ".join(reasons), count)

    async def _all_pages(self) -> int:
        after, count = "", 0
        while True:
            page = await self._game.deadlines(after, overdue_only=False)
            self._clock.learn(page.now_ms)
            await self._alarms.put(page.alarms, corrects=True)
            self._notice(list(page.alarms))
            count += len(page.alarms)
            if page.next_after <= after:  # the last page, or the server repeats a page
                return count
            after = page.next_after
