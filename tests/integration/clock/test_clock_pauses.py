"""Pauses and undos with a real clock service: a flag pauses, the time to decide runs out, and what is reopened runs."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest

from services.clock.redis_alarms import RedisAlarms
from services.domain.rule_set import FRIENDLY
from services.domain.time_control import ClockControl
from services.game.play.game import Seat, computer_seat
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_clocks import GRACE_MS, clock_of
from tests.integration.races.race_replicas import ANNA, BERT, PATIENT, SHARDS, World, racing, uci

DECISION_MS = 500
BULLET = ClockControl(15_000, 0)
UNTIL_FLAG_MS = 1_000
"""From the making of a game to the fall of White's flag."""


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    """A game service with a clock service, in which little time is given to decide."""
    async with (
        racing(database_url, redis_url, count=1, decision_ms=DECISION_MS, **PATIENT) as world,
        clock_of(world.first, redis_url),
    ):
        yield world


async def begun(world: World, black: Seat = BERT) -> str:
    """A game by `friendly` in which White's flag falls soon; its moves were made in the past."""
    created_ms = world.first.beats.now_ms() - 17_000 + UNTIL_FLAG_MS
    moves = (uci("e2e4"), uci("e7e5"))
    return await world.game(
        *moves, control=BULLET, rule_set=FRIENDLY, black=black, created_ms=created_ms, think_ms=1_000, rated=False
    )


async def events(world: World, game_id: str) -> list[events_pb2.GameEvent]:
    """What became of it after both had moved."""
    statement = "SELECT payload FROM game_event WHERE game_id = :id AND version > 3 ORDER BY version"
    return [events_pb2.GameEvent.FromString(payload) for (payload,) in await world.rows(statement, id=game_id)]


async def reached(world: World, game_id: str, count: int) -> bool:
    return len(await events(world, game_id)) >= count


async def alarms(world: World, count: int) -> bool:
    return await RedisAlarms(world.first.redis, SHARDS, GRACE_MS).count() == count


async def ask(world: World, game_id: str, player: Seat, **action: object) -> events_pb2.GameState:
    reply = await world.first.ask(pb.Command(game_id=game_id, player_id=player.player_id, **action))  # type: ignore[arg-type]
    assert reply.HasField("accepted"), reply
    return reply.accepted.state


async def test_who_does_not_decide_takes_the_result(world: World) -> None:
    game_id = await begun(world)
    await eventually(partial(reached, world, game_id, 2), "the flag and the time to decide have passed")
    paused, over = await events(world, game_id)
    assert (paused.kind, over.kind) == (events_pb2.GAME_EVENT_KIND_PAUSED, events_pb2.GAME_EVENT_KIND_ENDED)
    assert paused.state.pause.flagged == common_pb2.COLOR_WHITE
    assert paused.state.deadline_ms == paused.state.pause.since_ms + DECISION_MS
    assert over.state.ended_ms >= paused.state.deadline_ms + GRACE_MS
    assert (over.state.outcome.reason, over.state.outcome.winner) == (
        common_pb2.END_REASON_FLAG,
        common_pb2.COLOR_BLACK,
    )
    assert (over.state.white_ms, over.state.black_ms) == (0, 14_000)
    await eventually(partial(alarms, world, 0), "no alarm is left")


async def test_who_goes_on_without_a_clock_hears_of_no_flag_again(world: World) -> None:
    game_id = await begun(world, computer_seat(3))
    await eventually(partial(reached, world, game_id, 1), "the flag has fallen")
    state = await ask(world, game_id, ANNA, go_on=pb.GoOn())
    assert (state.without_clock, state.deadline_ms, state.HasField("pause")) == (True, 0, False)
    await eventually(partial(alarms, world, 0), "no alarm is left")
    second = await begun(world)
    await eventually(partial(reached, world, second, 2), "a later game has come to its end")
    assert [event.kind for event in await events(world, game_id)] == [
        events_pb2.GAME_EVENT_KIND_PAUSED,
        events_pb2.GAME_EVENT_KIND_WENT_ON,
    ]


async def test_a_game_that_is_reopened_has_an_alarm_again(world: World) -> None:
    game_id = await world.game(*map(uci, ("e2e4", "e7e5", "g1f3", "b8c6")), control=BULLET, black=computer_seat(3))
    await eventually(partial(alarms, world, 1), "its alarm is set")
    await ask(world, game_id, ANNA, resign=pb.Resign())
    await eventually(partial(alarms, world, 0), "the end has silenced it")
    before_ms = world.first.beats.now_ms()
    state = await ask(world, game_id, ANNA, undo=pb.Undo())
    assert state.deadline_ms >= before_ms + state.white_ms > before_ms
    await eventually(partial(alarms, world, 1), "it is set again")


async def test_many_pauses_at_once_are_each_decided_once(world: World) -> None:
    games = await asyncio.gather(*(begun(world) for _ in range(40)))
    for game_id in games:
        await eventually(partial(reached, world, game_id, 2), "all have ended")
    for game_id in games:
        kinds = [event.kind for event in await events(world, game_id)]
        assert kinds == [events_pb2.GAME_EVENT_KIND_PAUSED, events_pb2.GAME_EVENT_KIND_ENDED]
