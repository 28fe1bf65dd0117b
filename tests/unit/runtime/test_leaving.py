"""Between SIGTERM and the drain a process may serve on for a while."""

import asyncio
import time

from services.runtime.health import Health
from services.runtime.lifecycle import Stop


async def test_who_leaves_says_so_at_once_and_stops_later() -> None:
    stop, health = Stop(), Health(timeout_ms=1_000)
    stop.when_leaving(health.drain)
    assert await health.check_once()
    began_s = time.monotonic()
    assert stop.leave(60)
    assert not health.ready
    assert not stop.is_set()
    await asyncio.wait_for(stop.wait(), 5)
    assert time.monotonic() - began_s >= 0.055


async def test_without_such_a_while_it_stops_at_once() -> None:
    stop = Stop()
    assert stop.leave(0)
    assert stop.is_set()


async def test_asked_again_it_is_known_to_be_leaving_and_can_be_stopped_now() -> None:
    told: list[str] = []
    stop = Stop()
    stop.when_leaving(lambda: told.append("goes"))
    assert stop.leave(60_000)
    assert not stop.leave(60_000)
    stop.set()
    assert stop.is_set()
    assert told == ["goes"]
