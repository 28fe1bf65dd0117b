"""The life of a process: boot, run until asked to stop, drain, end."""

import asyncio
import gc
import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

import uvloop
from prometheus_client import disable_created_metrics

from services.runtime import logs, tracing
from services.runtime.health import AdminServer, Health
from services.runtime.metrics import BUILD, READY, measure_loop_lag
from services.runtime.open_files import raise_limit
from services.runtime.settings import Settings

log = logging.getLogger(__name__)
S = TypeVar("S", bound=Settings)

GC_YOUNG, GC_MIDDLE, GC_OLD = 20_000, 20, 50
"""Thresholds of Python's garbage collector. The default (700) costs about 5 % of the CPU time of a busy process."""

CANCEL_AGAIN_S = 0.5
"""If a cancelled background task has not ended after this time (seconds), it is cancelled again."""


class Stop:
    """Set once this process was asked to stop.

    Before that the process may be leaving: it announces the stop and still serves, until its callers have noticed.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._leaving = False
        self._told: list[Callable[[], None]] = []

    def when_leaving(self, tell: Callable[[], None]) -> None:
        """Call `tell` when this process starts to leave (see `leave`)."""
        self._told.append(tell)

    def leave(self, leave_ms: int) -> bool:
        """Announce the stop now, and set it after `leave_ms`. Return False if the process was already leaving."""
        if self._leaving:
            return False
        self._leaving = True
        for tell in self._told:
            tell()
        if leave_ms:
            asyncio.get_running_loop().call_later(leave_ms / 1000, self.set)
        else:
            self.set()
        return True

    def set(self) -> None:
        """Ask this process to stop now."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether this process was asked to stop."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Return once this process was asked to stop."""
        await self._event.wait()


@asynccontextmanager
async def background(coroutine: Awaitable[None], name: str, stop: Stop) -> AsyncIterator[None]:
    """Run a coroutine beside the body and cancel it when the body ends. If it fails before, set `stop`."""
    task = asyncio.ensure_future(coroutine)

    def ended(done: asyncio.Future[None]) -> None:
        if not done.cancelled() and (error := done.exception()) is not None:
            log.critical("%s failed", name, exc_info=error)
            stop.set()

    task.add_done_callback(ended)
    try:
        yield
    finally:
        await cancelled(task)


async def cancelled(task: "asyncio.Future[None]") -> None:
    """Cancel a task and return once it has ended, with any result or exception.

    Cancels repeatedly if needed. Before Python 3.12 `wait_for`, which redis-py uses for each command, may lose a
    cancellation. A driver may also raise another error during its cleanup, and a loop may catch that and go on.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=CANCEL_AGAIN_S)


@asynccontextmanager
async def admin(settings: Settings, stop: Stop) -> AsyncIterator[Health]:
    """Serve the admin port, run the readiness checks and measure the loop's delay while the body runs."""
    health = Health(settings.ready_timeout_ms, settings.ready_period_ms, settings.loop_stuck_ms)
    READY.labels("all").set_function(lambda: float(health.ready))
    stop.when_leaving(health.drain)
    server = AdminServer(health, settings.host, settings.admin_port)
    server.open()
    log.info("admin port is %d", server.port)
    try:
        async with (
            background(health.run(), "readiness", stop),
            background(measure_loop_lag(settings.loop_lag_period_ms), "loop lag", stop),
        ):
            yield health
    finally:
        server.close()


def run(service: str, settings: S, main: Callable[[S, Stop], Awaitable[None]], schema: str = "") -> None:
    """Run a process from boot to end.

    The first SIGTERM or SIGINT sets `stop` after `leave_ms`. A second one sets it now. A third one ends the process.

    `schema` is the newest schema migration that this process knows; empty for a process without a database.
    """
    logs.set_up(service, settings.log_format, settings.log_level)
    # The creation time of each series would double the number of lines, and nothing reads it.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    raise_limit()
    tracing.set_up(service, _version(), settings)
    BUILD.info({"service": service, "version": _version(), "revision": settings.revision, "schema": schema})

    async def whole() -> None:
        stop = Stop()
        loop = asyncio.get_running_loop()

        def asked(name: str) -> None:
            if stop.is_set():
                log.warning("%s again: ending at once", name)
                os._exit(1)
            if not stop.leave(settings.leave_ms):
                stop.set()
            log.info("%s: %s", name, "stopping" if stop.is_set() else f"leaving, stopping in {settings.leave_ms} ms")

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, asked, number.name)
        await main(settings, stop)
        log.info("stopped")

    # Objects loaded so far stay for ever: exclude them. Collect young objects less often: most are freed by then.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_YOUNG, GC_MIDDLE, GC_OLD)
    try:
        uvloop.run(whole())
    finally:
        tracing.shut_down()


def _version() -> str:
    try:
        return version("flagfall")
    except PackageNotFoundError:
        return "source"
