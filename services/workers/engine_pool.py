"""Engine processes that are kept running and reused. A process that fails is killed."""

import logging
import shlex
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from services.workers.settings import WorkersSettings
from services.workers.uci_engine import Bounds, EngineFailed, UciEngine
from services.workers.work_metrics import ENGINE_FAILURES

log = logging.getLogger(__name__)

NO_ENGINE = "none"
PROGRAMS = ("fairy-stockfish", "stockfish")
FOLDERS = "/usr/games:/usr/local/games"
"""Debian installs engines here, and the PATH of a service may lack these folders."""
OWN_ENGINE = (sys.executable, "-m", "services.rules.uci")
"""The small search of the rules, as a process: it knows all variants and every option of Chaturanga."""


def find_command(given: str) -> tuple[str, ...] | None:
    """The command that starts an engine: from the setting `given`, or a known program; None if there is no engine."""
    if given == NO_ENGINE:
        return None
    if given:
        return tuple(shlex.split(given))
    for name in PROGRAMS:
        if found := shutil.which(name) or shutil.which(name, path=FOLDERS):
            return (found,)
    return None


class EnginePool:
    """Starts as many engines as are used at once; the caller bounds that. If none starts, `problem` says why."""

    def __init__(
        self, command: tuple[str, ...] | None, settings: WorkersSettings, steady_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._command = command
        self._bounds = Bounds(
            start_ms=settings.engine_start_ms,
            move_ms=settings.engine_move_ms,
            line_bytes_max=settings.engine_line_bytes_max,
            hash_mb=settings.engine_hash_mb,
        )
        self._retry_s = settings.engine_retry_ms / 1000
        self._steady_s = steady_s
        self._failed_s: float | None = None
        self._idle: list[UciEngine] = []
        self.name: str | None = None
        """The name of the engine started last; None while no engine can be started."""
        self.problem = "none is installed" if command is None else "not started yet"

    @asynccontextmanager
    async def engine(self) -> AsyncIterator[UciEngine]:
        """An engine for one move. Raises EngineFailed if none can be started. If the body fails, kills the engine."""
        engine = self._idle.pop() if self._idle else await self._start()
        try:
            yield engine
        except BaseException as error:
            if isinstance(error, EngineFailed):
                log.warning("engine replaced: %s", error)
                ENGINE_FAILURES.labels(error.reason).inc()
            await engine.kill()
            raise
        else:
            self._idle.append(engine)

    async def warm(self) -> None:
        """Start one engine before the first move, if possible."""
        try:
            async with self.engine():
                pass
        except EngineFailed:
            pass  # `_start` has logged it

    async def close(self) -> None:
        """End all idle engines."""
        while self._idle:
            await self._idle.pop().kill()

    async def _start(self) -> UciEngine:
        if self._command is None:
            raise EngineFailed("missing", self.problem)
        if self._failed_s is not None and self._steady_s() - self._failed_s < self._retry_s:
            raise EngineFailed("missing", self.problem)
        try:
            engine = await UciEngine.start(self._command, self._bounds)
        except EngineFailed as error:
            self._failed_s = self._steady_s()
            self.name, self.problem = None, str(error)
            log.warning("an engine cannot be started: %s", error)
            ENGINE_FAILURES.labels("start").inc()
            raise
        self._failed_s = None
        if self.name != engine.name:
            log.info("engine is %s", engine.name)
        self.name, self.problem = engine.name, ""
        return engine
