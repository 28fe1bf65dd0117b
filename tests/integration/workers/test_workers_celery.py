"""Dispatcher, Celery worker and beat as processes, with a real Valkey and a game service in memory."""

import asyncio
import shlex
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import chess
import pytest

from deploy.laptop.node import engine_command
from services.pb.flagfall.v1 import events_pb2
from services.runtime.redis_client import connect
from services.runtime.redis_keys import COMPUTER_ENGINE
from services.workers.celery_app import ENGINE_QUEUE, make_app
from services.workers.settings import WorkersSettings
from services.workers.turn import Turn
from tests.integration.game.game_in_memory import Record, eventually
from tests.integration.workers.running_workers import SHARDS, Part, World, has, played, tame, world

__all__ = ["world"]


async def test_an_event_becomes_a_move(world: World) -> None:
    await world.start("dispatcher")
    worker = await world.start("celery")
    record = await world.computer_game("game")
    await played(world, 1)
    record.board.push(next(iter(record.board.legal_moves)))  # the person answers
    record.version += 1
    await world.game.tell(record)
    await played(world, 2)
    assert [(game, ply) for game, ply, _ in world.game.moves] == [("game", 0), ("game", 2)]
    assert len(world.game.move_commands) == 2
    await eventually(
        lambda: has(worker, 'flagfall_tasks_total{outcome="played",task="engine_move"} 2.0'), "both are counted"
    )


async def test_a_hint_is_found_and_given_and_not_searched_twice_at_once(world: World) -> None:
    await world.start("dispatcher")
    worker = await world.start("celery")
    record = await world.game.add(Record("game", level=3, computer=chess.BLACK))
    for _ in range(2):
        record.version += 1
        await world.game.tell(record, events_pb2.GAME_EVENT_KIND_HINTED)
    await eventually(lambda: bool(world.game.hints), "a hint is given")
    (hint,) = world.game.hints
    assert hint[:2] == ("game", 0)
    assert chess.Move.from_uci(hint[2]) in record.board.legal_moves
    assert world.game.move_commands == []
    await eventually(lambda: has(worker, 'flagfall_tasks_total{outcome="given",task="find_hint"} 1.0'), "it is counted")


async def test_two_dispatchers_queue_a_turn_once_whatever_names_it(world: World) -> None:
    own = {"reconcile_period_ms": "100", "turn_lost_ms": "600000"}
    await asyncio.gather(world.start("dispatcher", **own), world.start("dispatcher", **own))
    for number in range(30):
        record = await world.computer_game(f"game{number}")
        record.turn_began_ms -= 3_600_000  # so every list of waiting turns names it too
    listed = world.game.turns_listed
    await eventually(lambda: world.game.turns_listed >= listed + 6, "both have looked at the waiting turns")

    async def all_queued() -> bool:
        return await world.queued() >= 30

    await eventually(all_queued, "all turns are queued")
    assert await world.queued() == 30
    await world.start("celery")
    await played(world, 30)
    assert len(world.game.move_commands) == 30


async def test_a_dead_dispatchers_events_are_claimed(world: World) -> None:
    first = await world.start("dispatcher")
    await _read_by_a_dead_dispatcher(world, first)
    await world.start("dispatcher", dispatch_lease_ms="300", turn_lost_ms="600000")
    await world.start("celery")
    await played(world, 1)


async def _read_by_a_dead_dispatcher(world: World, alive: Part) -> None:
    """An event that somebody read who will never acknowledge it; the turn is in no queue."""
    streams = [f"flagfall:events:{shard}" for shard in range(SHARDS)]

    async def has_groups() -> bool:
        told = await asyncio.gather(*map(world.redis.xinfo_groups, streams), return_exceptions=True)
        return all(isinstance(groups, list) and groups for groups in told)

    await eventually(has_groups, "the dispatcher has made its consumer groups")  # a ready one may not have yet
    alive.process.kill()
    await alive.process.wait()
    record = await world.computer_game("game")
    for stream in streams:
        await world.redis.xreadgroup("dispatcher", "dead", {stream: ">"}, count=10)
    record.turn_began_ms += 3_600_000  # no list of waiting turns names it
    assert await world.queued() == 0


async def test_a_turn_whose_task_was_lost_is_found(world: World) -> None:
    await world.start("dispatcher", turn_lost_ms="1000", reconcile_period_ms="200")
    await world.computer_game("game")

    async def queued() -> bool:
        return await world.queued() == 1

    await eventually(queued, "the turn is queued")
    async with connect(WorkersSettings(redis_url=world.redis_url).broker) as broker:
        await broker.flushdb()
    await world.start("celery")
    await played(world, 1)


async def test_turns_are_found_after_redis_lost_its_memory(world: World) -> None:
    await world.start("dispatcher", reconcile_period_ms="300", turn_lost_ms="600000")
    await world.computer_game("before")
    await world.redis.flushall()
    await world.start("celery")
    await played(world, 1)
    await world.computer_game("after")
    await played(world, 2)


async def test_a_dispatcher_starts_with_the_turns_that_wait(world: World) -> None:
    record = Record("game", level=1, computer=chess.WHITE)
    await world.game.add(record, silently=True)
    await world.start("dispatcher")
    await world.start("celery")
    await played(world, 1)


async def test_late_repeated_and_outdated_tasks_do_no_harm(world: World) -> None:
    record = await world.computer_game("game")
    ended = await world.computer_game("ended")
    turn, over = world.turn(record), world.turn(ended)
    ended.status = events_pb2.GAME_STATUS_ENDED
    await world.enqueue(turn, turn, over, Turn("nowhere", 0, turn.fen, 3), Turn("game", 7, turn.fen, 3))
    worker = await world.start("celery", worker_threads="1")
    await eventually(
        lambda: has(worker, 'flagfall_tasks_total{outcome="outdated",task="engine_move"} 4.0'), "all are done with"
    )
    assert len(world.game.moves) == 1
    assert len(world.game.move_commands) == 1
    assert await world.queued() == 0


async def test_a_malformed_task_is_done_with(world: World) -> None:
    app = make_app(WorkersSettings(redis_url=world.redis_url))
    for payload in ({}, {"game_id": 5}, None, "x", {"game_id": "g", "ply": 0, "fen": "f", "level": 77}):
        app.send_task("engine_move", args=[payload], queue=ENGINE_QUEUE)
    app.close()
    await world.computer_game("game")
    await world.enqueue(world.turn(world.game.games["game"]))
    worker = await world.start("celery")
    await played(world, 1)
    assert 'flagfall_tasks_total{outcome="malformed",task="engine_move"} 5.0' in await worker.metrics()


async def test_a_killed_workers_turn_is_given_out_again(world: World, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    first = await world.start("celery", engine_command=tame("stall", asked=asked), engine_move_ms="600000")
    record = await world.computer_game("game")
    await world.enqueue(world.turn(record))
    await eventually(asked.exists, "the engine thinks")
    first.process.kill()
    await first.process.wait()
    await world.start("celery", visibility_timeout_s="5")
    await played(world, 1, 30)
    assert len(world.game.move_commands) == 1


async def test_sigterm_finishes_the_task_at_hand(world: World, tmp_path: Path) -> None:
    asked, go = tmp_path / "asked", tmp_path / "go"
    worker = await world.start(
        "celery", engine_command=tame("wait", asked=asked, go=go), engine_move_ms="600000", drain_ms="15000"
    )
    record = await world.computer_game("game")
    await world.enqueue(world.turn(record))
    await eventually(asked.exists, "the engine thinks")
    worker.process.send_signal(signal.SIGTERM)

    async def draining() -> bool:
        answer = await worker.get("/readyz")
        return answer is not None and answer.json()["draining"] is True

    await eventually(draining, "the worker drains")
    go.touch()
    assert await asyncio.wait_for(worker.process.wait(), 15) == 0
    assert len(world.game.moves) == 1
    assert await world.queued() == 0


async def test_sigterm_puts_back_what_takes_longer_than_the_drain(world: World, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    worker = await world.start(
        "celery", engine_command=tame("stall", asked=asked), engine_move_ms="600000", drain_ms="1500"
    )
    record = await world.computer_game("game")
    await world.enqueue(world.turn(record))
    await eventually(asked.exists, "the engine thinks")
    worker.process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(worker.process.wait(), 15) == 0
    await world.start("celery", visibility_timeout_s="600")
    await played(world, 1, 10)


async def test_the_move_comes_from_another_engine_when_one_fails(world: World, tmp_path: Path) -> None:
    once = tmp_path / "once"
    worker = await world.start("celery", engine_command=tame("die", once=once))
    assert (await worker.facts())["computer"] == "Tame engine"
    record = await world.computer_game("game", level=10)
    await world.enqueue(world.turn(record))
    await played(world, 1)
    assert world.game.moves == [("game", 0, "a2a3")]
    metrics = await worker.metrics()
    assert 'flagfall_engine_failures_total{reason="died"} 1.0' in metrics
    assert 'flagfall_computer_moves_total{by="engine"} 1.0' in metrics


async def test_the_engine_in_use_is_told(world: World) -> None:
    worker = await world.start("celery")
    told = "own small search (no engine: none is installed)"
    assert (await worker.facts())["computer"] == told
    assert await world.redis.get(COMPUTER_ENGINE) == told.encode()
    assert 0 < await world.redis.ttl(COMPUTER_ENGINE) <= 30


async def test_the_installed_engine_plays(world: World) -> None:
    command = engine_command(Path(sys.prefix))
    assert command is not None, "run `make install`: it brings the engine"
    worker = await world.start("celery", engine_command=shlex.join(command), engine_start_ms="60000")
    for level in (1, 3, 7, 10):
        record = await world.computer_game(f"game{level}", level=level)
        record.board.push_uci("e2e4")
        record.board.push_uci("e7e5")
        await world.enqueue(world.turn(record))
    await played(world, 4)
    assert "Fairy-Stockfish" in (await worker.facts())["computer"]
    assert 'flagfall_computer_moves_total{by="small_search"} 0.0' in await worker.metrics()


async def test_a_worker_waits_for_a_game_service_that_is_away_and_then_leaves_it(world: World) -> None:
    worker = await world.start("celery", submit_tries_max="3", submit_pause_ms="10")
    await world.start("dispatcher", turn_lost_ms="1000", reconcile_period_ms="200")
    world.game.available = False
    record = Record("game", level=3, computer=chess.WHITE)
    await world.game.add(record)
    await eventually(
        lambda: has(worker, 'flagfall_tasks_total{outcome="unavailable",task="engine_move"} 1.0'), "it gives up"
    )
    world.game.available = True
    await played(world, 1)


async def test_the_beat_sweeps_in_bounded_calls(world: World) -> None:
    world.game.left_to_sweep = 25
    beat = await world.start("beat", sweep_period_s="1")
    await world.start("celery", sweep_limit="10")
    await eventually(lambda: world.game.sweeps[:4] == [10, 10, 5, 0], "everything is swept")
    assert "flagfall_beat_last_run_timestamp_seconds 0.0" not in await beat.metrics()
    beat.process.terminate()
    assert await asyncio.wait_for(beat.process.wait(), 10) == 0


async def test_a_worker_is_ready_only_while_tasks_come_through(world: World) -> None:
    worker = await world.start("celery", heartbeat_period_ms="200", heartbeat_fresh_ms="2000")
    await _cut_off(world)

    async def not_ready() -> bool:
        return not await worker.ready()

    await eventually(not_ready, "the worker says that it is not ready")


async def _cut_off(world: World) -> None:
    """Let the broker refuse all writes, as a full one does."""
    await world.redis.config_set("maxmemory", "1")


@pytest.fixture(autouse=True)
async def _memory(redis_url: str) -> AsyncIterator[None]:
    yield
    async with connect(redis_url) as redis:
        await redis.config_set("maxmemory", "0")


async def test_queues_are_measured(world: World) -> None:
    dispatcher = await world.start("dispatcher", gauges_period_ms="100")
    await world.computer_game("game")

    async def measured() -> bool:
        text = await dispatcher.metrics()
        age = next(
            (line for line in text.splitlines() if line.startswith("flagfall_queue_oldest_age_seconds{queue=")), ""
        )
        return 'flagfall_queue_depth{queue="engine"} 1.0' in text and float(age.split()[-1]) > 0

    await eventually(measured, "one task waits")


@pytest.mark.parametrize("verb", ["dispatcher", "celery", "beat"])
async def test_each_process_ends_on_sigterm(world: World, verb: str) -> None:
    part = await world.start(verb)
    part.process.terminate()
    assert await asyncio.wait_for(part.process.wait(), 10) == 0
