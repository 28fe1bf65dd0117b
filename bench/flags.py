"""Flags at scale: many running clocks, and many of them that fall within one second.

The games are inserted as the game service would insert them, and both first moves of each are played through it, so
that every clock runs by committed events. How late a flag is, is the moment of its commit by PostgreSQL's own record
(`track_commit_timestamp`) minus the deadline that stood in the database before; the grace of 100 ms is part of it.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import grpc
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.processor_time import machine_busy_s, sample, spent_between
from bench.stack import BenchStack
from services.channels import open_game_channel, open_rules_channel
from services.domain.clock import ChessClock, Outages
from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl
from services.game.commit.creation import new_game_id
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Game, Limits, Seat, Standing, Terms
from services.game.play.question import Start
from services.game.settings import GameSettings
from services.game.store.database import open_engine, transaction
from services.game.store.rows import CHANGING, changing_values, fixed_values
from services.game.store.schema import game as game_table
from services.game.store.schema import game_event as event_table
from services.game.store.schema import player as player_table
from services.game.wire.grpc_rules import GrpcRules
from services.game.wire.messages import event_message
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub

SHORT_MS = (30_000, 15_000)
"""The shortest clocks there are: half of the games whose flags fall has one, half the other. The longer ones are
started so much earlier that all fall together: starting all of them within a second would be a load of its own."""
LONG_MS = 10_800_000
SIDES = ("white", "black")
SUBMITTED_AT_ONCE = 250
SLICES = 100
"""The falling clocks are started in so many slices, spread over a little less than a second."""
SPREAD_S = 0.9
LEAD_S = 3.0
PATIENCE_S = 30.0
OVER_VERSION = 4
"""Created, two moves, the flag."""

POSTGRES_SETTINGS = {"track_commit_timestamp": "on"}
SETTINGS = {"FLAGFALL_FIRST_MOVE_MS": "3600000"}


@dataclass(frozen=True, slots=True)
class Flags:
    """The results. `late_ms`: from the deadline to the commit, ascending."""

    clocks: int
    deadlines_spread_ms: int
    late_ms: tuple[float, ...]
    by_flag: int
    """How many ended by the flag, as they should."""
    outages: int
    us_by_process: Mapping[str, float]
    """Processor time of each server process for a flag, from the first deadline to the last commit."""
    others_cores: float


async def measure(stack: BenchStack, clocks: int, falling: int) -> Flags:
    """Start `clocks` clocks and let `falling` of them fall. Raises AssertionError when any does not."""
    settings = GameSettings(database_url=stack.database_url)
    engine = open_engine(settings, "flagfall-bench")
    channel = open_game_channel(stack.game_target, stack.settings)
    rules_channel = open_rules_channel(stack.rules_target, stack.settings)
    try:
        standing = (await GrpcRules(rules_channel, 5_000).judge([Start("standard", CLAIMED, "")]))[0]
        assert isinstance(standing, Standing)
        long = await _insert(engine, standing, clocks - falling, LONG_MS)
        groups = [await _insert(engine, standing, falling // len(SHORT_MS), initial_ms) for initial_ms in SHORT_MS]
        for ply in (0, 1):
            await _move(channel, long, ply)
        began_s = time.monotonic()
        for group, initial_ms in zip(groups, SHORT_MS, strict=True):
            # White's move comes shortly before: from then on Black's clock runs.
            await asyncio.sleep(began_s + (SHORT_MS[0] - initial_ms) / 1000 - time.monotonic())
            await _move(channel, group, 0)
            await asyncio.sleep(began_s + LEAD_S + (SHORT_MS[0] - initial_ms) / 1000 - time.monotonic())
            await _start_together(channel, group)
        await _alarms(stack, clocks)
        await _vacuum(engine)
        deadlines = await _deadlines(engine, [game_id for game_ids in groups for game_id in game_ids])
        assert len(deadlines) == falling, f"{len(deadlines)} of {falling} clocks run"
        return await _watch(stack, engine, deadlines, clocks)
    finally:
        await channel.close()
        await rules_channel.close()
        await engine.dispose()


async def _insert(engine: AsyncEngine, standing: Standing, count: int, initial_ms: int) -> list[str]:
    """Games before their first move; no events are published."""
    now_ms = time.time_ns() // 1_000_000
    control = ClockControl(initial_ms, 0)
    limits = Limits(day_ms=86_400_000, first_move_ms=3_600_000, flag_grace_ms=100)
    players, rows, events = [], [], []
    for _ in range(count):
        game_id = new_game_id()
        white, black = (Seat(_player(side, game_id), f"Guest {game_id}", guest=True) for side in SIDES)
        players += [
            {"id": seat.player_id, "name": seat.name, "guest": True, "created_ms": now_ms, "seen_ms": now_ms}
            for seat in (white, black)
        ]
        terms = Terms(game_id, "standard", CLAIMED, control, white, black, False, "friend", "", now_ms)
        game = Game(terms, 1, standing, ChessClock.start(control, standing.turn, now_ms))
        event = event_message(Change(game, ChangeKind.CREATED, None, now_ms), limits, Outages())
        rows.append(fixed_values(terms) | dict(zip(CHANGING, changing_values(game, limits), strict=True)))
        events.append({"game_id": terms.id, "version": 1, "payload": event.SerializeToString(), "at_ms": now_ms})
    async with transaction(engine) as connection:
        for first in range(0, count, 500):
            await connection.execute(sa.insert(player_table), players[2 * first : 2 * first + 1_000])
            await connection.execute(sa.insert(game_table), rows[first : first + 500])
            await connection.execute(sa.insert(event_table), events[first : first + 500])
    return [event["game_id"] for event in events]  # type: ignore[misc]


def _player(side: str, game_id: str) -> str:
    return f"{side}-{game_id.lower()}"


async def _move(channel: grpc.aio.Channel, game_ids: Sequence[str], ply: int) -> None:
    """Play ply 0 or 1 in each game, in large batches."""
    stub = GameServiceStub(channel)
    for first in range(0, len(game_ids), SUBMITTED_AT_ONCE):
        commands = [
            pb.Command(
                game_id=game_id,
                player_id=_player(SIDES[ply], game_id),
                command_id=f"bench:{ply}",
                move=pb.Move(text=("e2e4", "e7e5")[ply], ply=ply),
            )
            for game_id in game_ids[first : first + SUBMITTED_AT_ONCE]
        ]
        answer = await stub.Submit(pb.SubmitRequest(commands=commands), timeout=10)
        refused = [reply.refusal for reply in answer.replies if not reply.HasField("accepted")]
        assert not refused, f"{len(refused)} first moves refused: {refused[0]}"


async def _start_together(channel: grpc.aio.Channel, game_ids: Sequence[str]) -> None:
    """Play the second move everywhere within a second: White's clocks run from then on."""
    size = -(-len(game_ids) // SLICES)
    began = time.monotonic()
    slices = [game_ids[first : first + size] for first in range(0, len(game_ids), size)]

    async def one(number: int, chosen: Sequence[str]) -> None:
        await asyncio.sleep(began + number * SPREAD_S / SLICES - time.monotonic())
        await _move(channel, chosen, 1)

    await asyncio.gather(*(one(number, chosen) for number, chosen in enumerate(slices)))


async def _alarms(stack: BenchStack, least: int) -> None:
    """Wait until the clock service has set so many alarms."""
    ended = time.monotonic() + PATIENCE_S
    while True:
        metrics = await asyncio.to_thread(stack.metrics, "clock")
        line = next(line for line in metrics.splitlines() if line.startswith("flagfall_timers_outstanding "))
        alarms = int(float(line.split()[1]))
        if alarms >= least:
            return
        assert time.monotonic() < ended, f"only {alarms} of {least} alarms were set"
        await asyncio.sleep(0.5)


async def _vacuum(engine: AsyncEngine) -> None:
    """Vacuum the tables now, because they were filled within a minute: autovacuum would take half a second later,
    perhaps in the measured second. An older database needs little vacuum."""
    async with engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(sa.text("VACUUM (ANALYZE)"))


async def _deadlines(engine: AsyncEngine, game_ids: Sequence[str]) -> dict[str, int]:
    """The deadlines of running clocks among these games."""
    statement = sa.select(game_table.c.id, game_table.c.deadline_ms).where(
        game_table.c.id.in_(game_ids), game_table.c.version == OVER_VERSION - 1
    )
    async with transaction(engine) as connection:
        return {row.id: row.deadline_ms for row in await connection.execute(statement)}


async def _watch(stack: BenchStack, engine: AsyncEngine, deadlines: Mapping[str, int], clocks: int) -> Flags:
    """Wait until all have fallen and read when they were committed."""
    over = sa.select(sa.func.count()).where(game_table.c.id.in_(list(deadlines)), game_table.c.end_reason != 0)
    roots, first_ms = stack.pids(), min(deadlines.values())
    await asyncio.sleep(first_ms / 1000 - time.time())
    began_s, before, busy_before_s = time.monotonic(), sample(roots), machine_busy_s()
    await asyncio.sleep(max(deadlines.values()) / 1000 - time.time())
    ended = time.monotonic() + PATIENCE_S
    while True:
        async with transaction(engine) as connection:
            fallen = (await connection.execute(over)).scalar_one()
        if fallen == len(deadlines):
            break
        assert time.monotonic() < ended, f"only {fallen} of {len(deadlines)} flags have fallen"
        await asyncio.sleep(0.1)
    spent, busy_s, took_s = (
        spent_between(before, sample(roots)),
        machine_busy_s() - busy_before_s,
        time.monotonic() - began_s,
    )
    committed = sa.text("""
        SELECT game_id, extract(epoch FROM pg_xact_commit_timestamp(game_event.xmin)) * 1000 AS at_ms, end_reason
        FROM game_event JOIN game ON game.id = game_id
        WHERE game_event.version = :over AND game_id = ANY(CAST(:ids AS text[]))
    """)
    async with transaction(engine) as connection:
        rows = (await connection.execute(committed, {"over": OVER_VERSION, "ids": list(deadlines)})).all()
        outages = (await connection.execute(sa.text("SELECT count(*) FROM outage"))).scalar_one()
    assert len(rows) == len(deadlines), f"{len(rows)} of {len(deadlines)} flags have an event"
    return Flags(
        clocks=clocks,
        deadlines_spread_ms=max(deadlines.values()) - min(deadlines.values()),
        late_ms=tuple(sorted(float(row.at_ms) - deadlines[row.game_id] for row in rows)),
        by_flag=sum(row.end_reason == common_pb2.END_REASON_FLAG for row in rows),
        outages=outages,
        us_by_process={name: value * 1e6 / len(rows) for name, value in spent.items()},
        others_cores=max(0.0, busy_s - sum(spent.values())) / took_s,
    )
