"""Finds the computer's move: chance for the weak levels, an engine, another engine, the own small search."""

import asyncio
import random
import time

from services.workers.engine_pool import EnginePool
from services.workers.levels import Level
from services.workers.metrics import ENGINE_THINK, MOVES_BY
from services.workers.small_search import search
from services.workers.turn import Position
from services.workers.uci_engine import EngineFailed

ENGINE_TRIES = 2
SMALL_SEARCH = "own small search"


class Mover:
    """Always finds a legal move, in bounded time."""

    def __init__(self, engines: EnginePool, search_nodes_max: int, chance: random.Random) -> None:
        self._engines = engines
        self._search_nodes_max = search_nodes_max
        self._chance = chance

    @property
    def engine_name(self) -> str:
        """What stands behind the computer now, for people."""
        return self._engines.name or f"{SMALL_SEARCH} (no engine: {self._engines.problem})"

    async def choose(self, position: Position, level: Level) -> str:
        """A move in UCI out of `position.legal`, which must not be empty."""
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
                    return await engine.best_move(position, level), "engine"
            except EngineFailed:
                continue  # the pool has told, and starts another
        nodes_max = min(level.nodes, self._search_nodes_max)
        return await asyncio.to_thread(search, position, nodes_max, self._chance), "small_search"
