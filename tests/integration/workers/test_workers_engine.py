"""Engine processes that behave and that do not, and what moves in their place."""

import asyncio
import os
import random
import shlex
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import chess
import pytest
from prometheus_client import REGISTRY

from services.domain.chaturanga import ChaturangaRules, Elephant
from services.workers.engine_pool import OWN_ENGINE, EnginePool
from services.workers.levels import LEVELS, Level
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.turn import Position
from services.workers.uci_engine import EngineFailed

TAME = Path(__file__).with_name("tame_engine.py")
MASTER = LEVELS[10]
ROOKWISE = Elephant.ROOKWISE_LEAP
SHATRANJ_FEN = "7k/8/8/8/8/8/4p3/4K1N1 w - - 0 1"
SHATRANJ_LEGAL = ("e1d1", "e1d2", "e1e2", "e1f2", "g1e2", "g1f3", "g1h3")
LEAPER_FEN = "4k3/8/8/8/8/8/p2B4/4K3 w - - 0 1"
LEAPER_LEGAL = ("d2b2", "d2d4", "d2f2", "e1d1", "e1e2", "e1f1", "e1f2")
MakePool = Callable[..., EnginePool]


def start_position() -> Position:
    board = chess.Board()
    return Position("standard", "", (), board.fen(), tuple(move.uci() for move in board.legal_moves))


def tame(mode: str = "", **files: Path) -> tuple[str, ...]:
    return (sys.executable, str(TAME), mode, *(f"{name}={path}" for name, path in files.items()))


@pytest.fixture
async def make_pool() -> AsyncIterator[MakePool]:
    made: list[EnginePool] = []

    def make(command: tuple[str, ...] | None, steady_s: Callable[[], float] = time.monotonic, **own: int) -> EnginePool:
        settings = WorkersSettings().model_copy(update={"engine_move_ms": 10_000, **own})
        made.append(EnginePool(command, settings, steady_s))
        return made[-1]

    yield make
    for pool in made:
        await pool.close()


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"flagfall_{name}", labels) or 0.0


async def choose(pool: EnginePool, level: Level = MASTER, position: Position | None = None) -> str:
    own = EnginePool(OWN_ENGINE, WorkersSettings())
    try:
        return await Mover(pool, own, 200, random.Random(1)).choose(position or start_position(), level)
    finally:
        await own.close()


async def test_an_engine_is_kept_and_used_again(make_pool: MakePool) -> None:
    pool = make_pool(tame())
    async with pool.engine() as first:
        assert await first.best_move(start_position(), MASTER) == "a2a3"
    async with pool.engine() as second:
        assert second is first
        async with pool.engine() as beside:  # one more at the same time is a process more
            assert beside is not first
    assert pool.name == "Tame engine"


@pytest.mark.parametrize(("mode", "reason"), [("stall", "stalled"), ("die", "died"), ("illegal", "illegal")])
async def test_an_engine_that_fails_is_replaced_and_the_move_comes(
    make_pool: MakePool, tmp_path: Path, mode: str, reason: str
) -> None:
    failed, by_engine = count("engine_failures_total", reason=reason), count("computer_moves_total", by="engine")
    pool = make_pool(tame(mode, once=tmp_path / "once"), engine_move_ms=1_500 if mode == "stall" else 60_000)
    assert await choose(pool) == "a2a3"
    assert count("engine_failures_total", reason=reason) == failed + 1
    assert count("computer_moves_total", by="engine") == by_engine + 1


@pytest.mark.parametrize("mode", ["stall", "die", "illegal", "garbage", "endless", "mute", "missing"])
async def test_the_own_search_moves_when_no_engine_does(make_pool: MakePool, mode: str) -> None:
    by_search = count("computer_moves_total", by="small_search")
    command = ("/nowhere/engine",) if mode == "missing" else tame(mode)
    move_ms = 300 if mode == "stall" else 60_000
    pool = make_pool(command, engine_move_ms=move_ms, engine_start_ms=300 if mode == "mute" else 60_000)
    assert await choose(pool) in start_position().legal
    assert count("computer_moves_total", by="small_search") == by_search + 1


async def test_a_failed_process_is_gone(make_pool: MakePool) -> None:
    pool = make_pool(tame("illegal"))
    async with pool.engine() as engine:
        pid = engine._process.pid
    await choose(pool)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_cancelled_search_kills_its_engine(make_pool: MakePool, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    pool = make_pool(tame("stall", asked=asked), engine_move_ms=600_000)
    task = asyncio.create_task(choose(pool))
    while not asked.exists():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not pool._idle


async def test_no_engine_is_started_for_a_while_after_a_failed_start(make_pool: MakePool, tmp_path: Path) -> None:
    now_s = [0.0]
    command = tmp_path / "engine"
    pool = make_pool((str(command),), lambda: now_s[0], engine_retry_ms=30_000)
    assert await choose(pool) in start_position().legal
    assert "engine" in pool.problem
    command.write_text(f"#!/bin/sh\nexec {shlex.join(tame())}\n")
    command.chmod(0o755)
    now_s[0] = 29.0
    assert Mover(pool, pool, 1, random.Random(1)).engine_name.startswith("own small search (no engine: ")
    with pytest.raises(EngineFailed):
        async with pool.engine():
            pass
    now_s[0] = 31.0
    assert await choose(pool) == "a2a3"
    assert Mover(pool, pool, 1, random.Random(1)).engine_name == "Tame engine"


async def test_weak_levels_ask_no_engine_for_their_share_of_moves(make_pool: MakePool) -> None:
    chance = random.Random(1)
    mover = Mover(make_pool(tame()), make_pool(None), 200, chance)
    moves = [await mover.choose(start_position(), LEVELS[1]) for _ in range(60)]
    assert 2 <= moves.count("a2a3") <= 30  # a fifth by the engine, and now and then chance agrees with it
    assert len(set(moves)) > 5


async def test_chance_moves_when_not_even_the_own_search_can(make_pool: MakePool) -> None:
    by_chance = count("computer_moves_total", by="last_resort")
    mover = Mover(make_pool(None), make_pool(("/nowhere/engine",)), 200, random.Random(1))
    assert await mover.choose(start_position(), MASTER) in start_position().legal
    assert count("computer_moves_total", by="last_resort") == by_chance + 1


@pytest.mark.parametrize(
    "position",
    [
        # a variant that the engine does not name, and an option that it does not have
        Position("shatranj", SHATRANJ_FEN, (), SHATRANJ_FEN, SHATRANJ_LEGAL),
        Position("chaturanga", LEAPER_FEN, (), LEAPER_FEN, LEAPER_LEGAL, ChaturangaRules(elephant=ROOKWISE)),
    ],
)
async def test_the_own_search_moves_where_the_engine_does_not_know_the_rules(
    make_pool: MakePool, position: Position
) -> None:
    failed = sum(count("engine_failures_total", reason=reason) for reason in ("illegal", "stalled", "died"))
    by_search = count("computer_moves_total", by="small_search")
    await choose(make_pool(tame()), position=position)
    assert count("computer_moves_total", by="small_search") == by_search + 1
    assert sum(count("engine_failures_total", reason=reason) for reason in ("illegal", "stalled", "died")) == failed
