"""Sets alarms from events, and starts a rebuild after each doubt."""

import logging
from typing import Protocol

from redis.exceptions import RedisError

from services.clock.alarm import Alarm, from_state, newest
from services.clock.rebuild import Rebuild, WishTaker
from services.runtime.event_stream import Follower, Refetch

log = logging.getLogger(__name__)


class Noticing(Protocol):
    """Gets notified of newly set alarms; see `Timer`."""

    def notice(self, alarms: list[Alarm]) -> None: ...


async def follow(events: Follower, alarms: WishTaker, timer: Noticing, rebuild: Rebuild) -> None:
    """Follow all events for ever."""
    async for heard in events.follow():
        if isinstance(heard, Refetch):
            rebuild.ask(heard.reason)
            continue
        wishes = newest(from_state(event.state) for event in heard)
        try:
            await alarms.put(wishes)
        except RedisError as error:
            log.warning("%d events set no alarm: %s: %s", len(heard), type(error).__name__, error)
            rebuild.ask("not_set")
            continue
        timer.notice([wish for wish in wishes if isinstance(wish, Alarm)])
