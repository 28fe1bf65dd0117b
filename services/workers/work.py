"""What a worker does for each task. Every outcome is a word for `flagfall_tasks_total`, not an exception."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from services.domain.refusal import Refusal, RefusalCode
from services.pb.flagfall.v1.game_pb2 import Accepted
from services.runtime import tracing
from services.runtime.logs import bind
from services.words.catalogue import sentence
from services.workers.grpc_game import GameUnavailable, Swept
from services.workers.levels import hint_level, level_of
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.turn import HintAsked, Position, Turn
from services.workers.work_metrics import REPLY_LATENESS, TASK_SECONDS, TASKS, move_counted

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")

PAUSE_MS_MAX = 1_000
LATE = frozenset(
    [
        RefusalCode.STALE_VERSION,
        RefusalCode.GAME_OVER,
        RefusalCode.TIME_IS_UP,
        RefusalCode.NOT_YOUR_TURN,
        RefusalCode.NOT_FOUND,
        RefusalCode.COMMAND_CONFLICT,  # another worker found another move for the same turn first
    ]
)
"""Refusals that mean that the game went on without this answer."""


class Game(Protocol):
    """The game service as tasks use it; see `GrpcGame`."""

    async def position(self, turn: Turn | HintAsked) -> Position | None: ...

    async def submit(self, turn: Turn, move: str, thought_ms: int) -> Accepted | Refusal: ...

    async def give_hint(self, hint: HintAsked, move: str) -> Refusal | None: ...

    async def sweep(self, limit: int) -> Swept: ...


class Work:
    """The tasks of one worker process."""

    def __init__(self, game: Game, mover: Mover, settings: WorkersSettings) -> None:
        self._game = game
        self._mover = mover
        self._settings = settings

    async def engine_move(self, turn: Turn) -> str:
        """Find a move for a turn and submit it. Returns `played`, `repeated`, `outdated` (no search was made), `late`
        (the game went on during the search), `refused`, or `unavailable` (the dispatcher will queue the turn again)."""
        with bind(game_id=turn.game_id), TASK_SECONDS.labels("engine_move").time():
            outcome = await (self._traced_move(turn) if tracing.on and turn.trace else self._engine_move(turn))
            TASKS.labels("engine_move", outcome).inc()
            return outcome

    async def _traced_move(self, turn: Turn) -> str:
        """As `engine_move`, with a span in the trace of the turn's event."""
        span = tracing.child("worker.engine_move", turn.trace, game=turn.game_id, level=turn.level)
        assert span is not None, "traces are on"
        outcome = "failed"
        with tracing.told(span.traceparent):
            try:
                outcome = await self._engine_move(replace(turn, trace=span.traceparent))
            finally:
                span.end(outcome=outcome)
                log.info("a computer's move in game %s: %s", turn.game_id, outcome)
        return outcome

    async def _engine_move(self, turn: Turn) -> str:
        position: Position | None = None
        try:
            position = await self._patiently(lambda: self._game.position(turn))
            if position is None:
                log.info("ply %d is no longer the computer's to play", turn.ply)
                return "outdated"
            began_s = time.monotonic()
            move = await self._mover.choose(position, level_of(turn.level))
            # Waiting for an engine, or for a new one after a crash, is not the computer's thinking.
            thought_ms = min(int((time.monotonic() - began_s) * 1000), self._settings.think_ms)
            answer = await self._patiently(lambda: self._submit(turn, move, thought_ms))
        except GameUnavailable as error:
            log.warning("ply %d waits to be queued again: %s", turn.ply, error)
            if position is not None:
                move_counted(position.mode, "computer", RefusalCode.UNAVAILABLE).inc()
            return "unavailable"
        move_counted(position.mode, "computer", answer.code if isinstance(answer, Refusal) else "accepted").inc()
        if not isinstance(answer, Refusal):
            if not answer.repeated:
                self._replied(turn)
            return "repeated" if answer.repeated else "played"
        if answer.code is RefusalCode.TIME_IS_UP:
            self._replied(turn)
        if answer.code in LATE:
            log.info("%s at ply %d came too late: %s", move, turn.ply, answer.code)
            return "late"
        log.warning("%s at ply %d was refused: %s %s", move, turn.ply, answer.code, sentence(answer.text))
        return "refused"

    def _replied(self, turn: Turn) -> None:
        """Measure the reply time of a turn beyond the engine's search time, by the database's and this clock."""
        if turn.since_ms:
            took_s = time.time() - turn.since_ms / 1000
            REPLY_LATENESS.observe(max(0.0, took_s - self._settings.think_ms / 1000))

    async def find_hint(self, hint: HintAsked) -> str:
        """Find a good move and send it as a hint. Returns `given`, `outdated`, `late` or `unavailable` (ask again)."""
        with bind(game_id=hint.game_id), TASK_SECONDS.labels("find_hint").time():
            outcome = await self._find_hint(hint)
            TASKS.labels("find_hint", outcome).inc()
            return outcome

    async def _find_hint(self, hint: HintAsked) -> str:
        try:
            position = await self._game.position(hint)
            if position is None:
                return "outdated"
            move = await self._mover.choose(position, hint_level(self._settings.hint_nodes))
            refusal = await self._game.give_hint(hint, move)
        except GameUnavailable as error:
            log.warning("a hint at ply %d was not sent: %s", hint.ply, error)
            return "unavailable"
        return "given" if refusal is None else "late"

    async def sweep_expired(self) -> str:
        """End what has expired, in bounded calls. Returns `done`, `more` (for the next sweep) or `unavailable`."""
        with TASK_SECONDS.labels("sweep_expired").time():
            outcome = await self._sweep_expired()
            TASKS.labels("sweep_expired", outcome).inc()
            return outcome

    async def _sweep_expired(self) -> str:
        outcome = "more"
        games = challenges = 0
        try:
            for _ in range(self._settings.sweep_rounds_max):
                swept = await self._patiently(lambda: self._game.sweep(self._settings.sweep_limit))
                games, challenges = games + swept.games, challenges + swept.challenges
                if not swept.more:
                    outcome = "done"
                    break
        except GameUnavailable as error:
            log.warning("the rest is left to the next sweep: %s", error)
            outcome = "unavailable"
        if games or challenges:
            log.info("swept %d games and %d challenges", games, challenges)
        return outcome

    async def _submit(self, turn: Turn, move: str, thought_ms: int) -> Accepted | Refusal:
        answer = await self._game.submit(turn, move, thought_ms)
        if isinstance(answer, Refusal) and answer.code is RefusalCode.UNAVAILABLE:
            raise GameUnavailable(sentence(answer.text))
        return answer

    async def _patiently(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Call `ask`; retry with growing pauses while the game service is away. Raises GameUnavailable in the end."""
        pause_ms = self._settings.submit_pause_ms
        for _ in range(self._settings.submit_tries_max - 1):
            try:
                return await ask()
            except GameUnavailable:
                await asyncio.sleep(pause_ms / 1000)
                pause_ms = min(pause_ms * 2, PAUSE_MS_MAX)
        return await ask()
