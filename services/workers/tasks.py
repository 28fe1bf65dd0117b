"""What a worker does with a task."""

import logging
import threading
import time
from collections.abc import Callable
from random import SystemRandom

import chess
import grpc
from celery import Celery

from services.runtime import logs
from services.workers.celery_app import ENGINE_MOVE, HEARTBEAT, SWEEP_EXPIRED
from services.workers.engine import Engine
from services.workers.levels import LEVELS
from services.workers.metrics import TASKS
from services.workers.settings import WorkerSettings
from services.workers.sync_game import SyncGame
from services.workers.turn import Turn

log = logging.getLogger(__name__)


class Work:
    """The tasks of one worker process, and what they share."""

    def __init__(self, game: SyncGame, new_engine: Callable[[], Engine], settings: WorkerSettings) -> None:
        self._game = game
        self._new_engine = new_engine
        self._settings = settings
        self._own = threading.local()
        self._engines: list[Engine] = []
        self._lock = threading.Lock()
        self.heartbeat_s = 0.0
        """The monotonic time of the last heartbeat that came through the queue."""

    def register(self, app: Celery) -> None:
        """Let the application know its tasks."""
        app.task(name=ENGINE_MOVE)(self.engine_move)
        app.task(name=SWEEP_EXPIRED)(self.sweep_expired)
        app.task(name=HEARTBEAT)(self.heartbeat)

    def engine_move(self, game_id: str, version: int, ply: int, fen: str, level: int) -> None:
        """Find a move for the computer's turn and hand it in. Refused answers are done with: the game went on."""
        turn = Turn(game_id, version, ply, fen, level)
        with logs.bind(game_id=game_id):
            TASKS.labels("engine_move", self._engine_move(turn)).inc()

    def _engine_move(self, turn: Turn) -> str:
        if not self._game.still_waits(turn):
            log.info("the turn at ply %d was over before it was searched", turn.ply)
            return "outdated"
        move = self._engine().choose(chess.Board(turn.fen), LEVELS[turn.level])
        code = self._game.play(turn, move.uci())
        if code != "accepted":
            log.info("%s at ply %d was refused: %s", move.uci(), turn.ply, code)
        return code

    def sweep_expired(self) -> None:
        """End what has expired, in bounded batches, until nothing more is due."""
        for _ in range(self._settings.sweep_calls_max):
            try:
                swept = self._game.sweep(self._settings.sweep_max)
            except grpc.RpcError as error:
                log.warning("the sweep failed and is left to the next one: %s", error)
                TASKS.labels("sweep_expired", "failed").inc()
                return
            if swept.games_ended or swept.challenges_lapsed:
                log.info("swept %d games and %d invitations", swept.games_ended, swept.challenges_lapsed)
            if not swept.more:
                break
        TASKS.labels("sweep_expired", "done").inc()

    def heartbeat(self) -> None:
        """This worker takes tasks and does them."""
        self.heartbeat_s = time.monotonic()

    def warm_up(self) -> str:
        """Start an engine ahead of the first turn; what stands behind the computer, in words."""
        engine = self._engine()
        engine.warm_up()
        return engine.fact

    def fact(self) -> str:
        """What stands behind the computer, in words."""
        with self._lock:
            facts = {engine.fact for engine in self._engines} - {""}
        return "; ".join(sorted(facts)) or "no engine has been needed yet"

    def close(self) -> None:
        """End the engines."""
        with self._lock:
            for engine in self._engines:
                engine.close()

    def _engine(self) -> Engine:
        """This thread's engine."""
        engine: Engine | None = getattr(self._own, "engine", None)
        if engine is None:
            engine = self._own.engine = self._new_engine()
            with self._lock:
                self._engines.append(engine)
        return engine


def engine_factory(command: tuple[str, ...], settings: WorkerSettings) -> Callable[[], Engine]:
    """Makes an engine for each thread."""
    return lambda: Engine(command, settings.engine_start_ms, settings.engine_think_ms, SystemRandom())
