"""Finds the computer's move: at weak levels by chance, else by the engine, a second one, the small search or chance."""

import random
import time
from dataclasses import replace

from services.workers.engine_pool import EnginePool
from services.workers.levels import Level
from services.workers.turn import Position
from services.workers.uci_engine import EngineFailed
from services.workers.work_metrics import ENGINE_THINK, MOVES_BY

ENGINE_TRIES = 2


class Mover:
    """Always finds a legal move, in bounded time.

    `own` plays every variant with every option. It is used if the engine is missing, fails, or cannot play the rules.
    """

    def __init__(self, engines: EnginePool, own: EnginePool, own_nodes_max: int, chance: random.Random) -> None:
        self._engines = engines
        self._own = own
        self._own_nodes_max = own_nodes_max
        self._chance = chance

    @property
    def engine_name(self) -> str:
        """The name of the engine in use now, for people."""
        return self._engines.name or f"own small search (no engine: {self._engines.problem})"

    async def choose(self, position: Position, level: Level) -> str:
        """A move in UCI from `position.legal`, which must not be empty."""
        started_s = time.perf_counter()
        move, by = await self._choose(position, level)
        ENGINE_THINK.labels(str(level.number)).observe(time.perf_counter() - started_s)
        MOVES_BY.labels(by).inc()
        return move

    async def _choose(self, position: Position, level: Level) -> tuple[str, str]:
        if self._chance.random() < level.random_share:
            return self._chance.choice(position.legal), "chance"
        for _ in range(ENGINE_TRIES):
            try:
                async with self._engines.engine() as engine:
                    if engine.plays(position):
                        return await engine.best_move(position, level), "engine"
                break
            except EngineFailed:
                continue  # the pool has logged it and starts another engine
        try:
            async with self._own.engine() as engine:
                few = replace(level, nodes=min(level.nodes, self._own_nodes_max))
                return await engine.best_move(position, few), "small_search"
        except EngineFailed:
            return self._chance.choice(position.legal), "last_resort"
