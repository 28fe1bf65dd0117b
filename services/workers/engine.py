"""Who finds the computer's moves: an engine that is kept warm, replaced when it stalls or dies, and a small search of
our own when none can start. The move comes in any case, within a bounded time."""

import logging
import shlex
import shutil
import time
from collections.abc import Sequence
from random import Random

import chess
import chess.engine

from services.workers.levels import Level
from services.workers.metrics import ENGINE_FAILURES, ENGINE_SECONDS
from services.workers.small_search import SmallSearch

log = logging.getLogger(__name__)

ON_PATH = ("fairy-stockfish", "stockfish")
SMALL_SEARCH_FACT = "own small search: no engine could be started"
SMALL_NODES_MAX = 3_000
"""Our own search is slow: more nodes would take seconds."""
FAILED_PAUSE_S = 30.0
"""After so many failures in a row (`FAILURES_MAX`) no engine is started for this long."""
FAILURES_MAX = 3


def find_command(setting: str) -> tuple[str, ...]:
    """The engine's command line: the setting's, or what is on the path; empty when there is none."""
    if setting:
        return tuple(shlex.split(setting))
    return next(((path,) for name in ON_PATH if (path := shutil.which(name))), ())


class Engine:
    """Chooses moves, for one worker process. Not for several threads at once."""

    def __init__(self, command: Sequence[str], start_ms: int, think_ms: int, random: Random) -> None:
        self._command = list(command)
        self._start_s = start_ms / 1000
        self._think_s = think_ms / 1000
        self._random = random
        self._engine: chess.engine.SimpleEngine | None = None
        self._name = ""
        self._failures = 0
        self._silent_until_s = 0.0
        self._broken = False

    @property
    def fact(self) -> str:
        """What stands behind the computer, for the health page; empty while nobody has needed it."""
        if self._engine is not None:
            return self._name
        return "" if self._command and not self._broken else SMALL_SEARCH_FACT

    def warm_up(self) -> None:
        """Start the engine, if there is one."""
        self._running()

    def choose(self, board: chess.Board, level: Level) -> chess.Move:
        """A legal move of a position that has one."""
        started_s = time.perf_counter()
        try:
            if self._random.randrange(100) < level.random_share:
                return self._random.choice(list(board.legal_moves))
            for _ in range(2):
                move = self._ask(board, level)
                if move is not None:
                    return move
            return SmallSearch(min(level.nodes, SMALL_NODES_MAX), self._random).choose(board)
        finally:
            ENGINE_SECONDS.labels(str(level.number)).observe(time.perf_counter() - started_s)

    def close(self) -> None:
        """End the engine's process."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _ask(self, board: chess.Board, level: Level) -> chess.Move | None:
        """One answer of the engine; None when there is none or it failed, after which it is replaced."""
        engine = self._running()
        if engine is None:
            return None
        try:
            options = _handicap(engine, level)
            result = engine.play(board, chess.engine.Limit(nodes=level.nodes, time=self._think_s), options=options)
        except (chess.engine.EngineError, TimeoutError, OSError) as error:
            self._failed("answers no more", error)
            return None
        self._failures = 0
        if result.move is None or result.move not in board.legal_moves:
            self._failed("gave no legal move", ValueError(str(result.move)))
            return None
        return result.move

    def _running(self) -> chess.engine.SimpleEngine | None:
        if self._engine is not None or not self._command or time.monotonic() < self._silent_until_s:
            return self._engine
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(self._command, timeout=self._start_s)
        except (chess.engine.EngineError, TimeoutError, OSError) as error:
            self._failed("cannot start", error)
        else:
            self._broken = False
            self._name = self._engine.id.get("name", self._command[0])
            log.info("engine: %s", self._name)
        return self._engine

    def _failed(self, what: str, error: Exception) -> None:
        ENGINE_FAILURES.labels(what).inc()
        log.warning("the engine %s: %s: %s", what, type(error).__name__, error)
        self.close()
        self._broken = True
        self._failures += 1
        if self._failures >= FAILURES_MAX:
            self._failures = 0
            self._silent_until_s = time.monotonic() + FAILED_PAUSE_S


def _handicap(engine: chess.engine.SimpleEngine, level: Level) -> dict[str, int]:
    option = engine.options.get("Skill Level")
    if option is None:
        return {}
    least, most = option.min if option.min is not None else 0, option.max if option.max is not None else 20
    return {"Skill Level": max(least, min(most, level.skill))}
