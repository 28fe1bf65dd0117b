"""Whether anybody can move, as this gateway's beats through all services show, and which service is at fault."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Literal, Protocol

from prometheus_client import Gauge

from services.gateway.errors import Refused

log = logging.getLogger(__name__)

Neighbour = Literal["game", "rules", "database"]
NEIGHBOURS: tuple[Neighbour, ...] = ("game", "rules", "database")
"""A beat goes through the game service and the rules into the database. Who refuses it names the one that failed."""

STILL_S = 2.5
"""After this time without a beat nobody can move: before players are compensated (3 s), and told within it."""

NOBODY_MOVES = Gauge(
    "flagfall_nobody_can_move", "1 while no beat of this gateway succeeds, by the service at fault.", ["neighbour"]
)


class Beating(Protocol):
    """Sends one beat through all services."""

    async def beat(self) -> None:
        """Raises Refused when a move cannot pass."""


class Pulse:
    """The last beat of this gateway that succeeded, and why a later one failed."""

    def __init__(self, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._steady_s = steady_s
        self._last_s = steady_s()
        self._failed: Neighbour = "game"
        for neighbour in NEIGHBOURS:
            NOBODY_MOVES.labels(neighbour).set_function(partial(self._is_at_fault, neighbour))

    @property
    def fault(self) -> Neighbour | None:
        """The service because of which nobody can move; None while moves are possible."""
        return self._failed if self._steady_s() - self._last_s >= STILL_S else None

    def succeeded(self) -> None:
        """A beat was committed."""
        self._last_s = self._steady_s()
        self._failed = "game"

    def failed(self, at: str) -> None:
        """A beat was refused; `at` is the service that the refusal names, or empty."""
        self._failed = next((neighbour for neighbour in NEIGHBOURS if neighbour == at), "game")

    def _is_at_fault(self, neighbour: Neighbour) -> float:
        return float(self.fault == neighbour)


async def beat(game: Beating, pulse: Pulse, period_ms: int, pause_ms: int) -> None:
    """Check periodically, until cancelled, that a move can pass through all services.

    A failed check is retried at once, like a command: the next attempt may reach another replica.
    """
    failed = 0
    while True:
        try:
            await game.beat()
        except Refused as error:
            pulse.failed(error.refusal.at)
            if not failed:
                log.warning("no beat: %s", error.refusal.text)
            failed += 1
            await asyncio.sleep(pause_ms / 1000)
            continue
        pulse.succeeded()
        if failed:
            log.info("beats succeed again, after %d failures", failed)
            failed = 0
        await asyncio.sleep(period_ms / 1000)
