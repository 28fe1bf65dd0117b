"""The game service in memory, for clock and workers, answers as the real one does: one set of tests, asked of both."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import chess
import pytest

from services.channels import GameStubs
from services.game.play.game import computer_seat
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.game_in_memory import GameInMemory, Record
from tests.integration.races.race_replicas import PATIENT, channel_to, racing, uci

MINUTE_MS, LEVEL = 60_000, 3
NUMBERS = count(1)


@dataclass
class Service:
    """A game service that is asked as a clock and a worker ask."""

    stubs: GameStubs
    running: Callable[[int], Awaitable[str]]
    """A game at version 3 in which the side to move has a minute from so many milliseconds ago on."""
    against_computer: Callable[[], Awaitable[str]]
    """A game in which the computer has Black, and White has not moved."""

    async def ask(self, game_id: str, player_id: str = "", command_id: str = "", **action: Any) -> pb.Reply:
        """The answer to a command."""
        command = pb.Command(game_id=game_id, player_id=player_id, command_id=command_id, **action)
        (reply,) = (await self.stubs.games.Submit(pb.SubmitRequest(commands=[command]))).replies
        return reply

    async def code(self, game_id: str, player_id: str = "", **action: Any) -> str:
        """The code of a command that is refused."""
        reply = await self.ask(game_id, player_id, f"command{next(NUMBERS):08}" if player_id else "", **action)
        assert reply.WhichOneof("result") == "refusal", reply
        return reply.refusal.code

    async def turns(self) -> list[tuple[str, int]]:
        """The games that wait for the computer, with its level."""
        request = pb.ListComputerTurnsRequest(waiting_ms=0, limit=10)
        games = (await self.stubs.upkeep.ListComputerTurns(request)).games
        return [(game.state.game_id, game.state.computer_turn_level) for game in games]


@asynccontextmanager
async def in_memory() -> AsyncIterator[Service]:
    game = GameInMemory.make()

    async def running(since_ms: int) -> str:
        now_ms = time.time_ns() // 1_000_000
        record = Record(f"game{next(NUMBERS):04}", version=3, deadline_ms=now_ms - since_ms + MINUTE_MS)
        return (await game.add(record)).id

    async def against_computer() -> str:
        return (await game.add(Record(f"game{next(NUMBERS):04}", level=LEVEL, computer=chess.BLACK))).id

    yield Service(GameStubs(channel_to(game)), running, against_computer)


@asynccontextmanager
async def the_real_one(database_url: str, redis_url: str) -> AsyncIterator[Service]:
    async with racing(database_url, redis_url, 1, **PATIENT) as world:

        async def running(since_ms: int) -> str:
            created_ms = world.first.beats.now_ms() - since_ms
            return await world.game(uci("e2e4"), uci("e7e5"), created_ms=created_ms)

        async def against_computer() -> str:
            return await world.game(black=computer_seat(LEVEL))

        yield Service(GameStubs(channel_to(world.first.servicer)), running, against_computer)


@pytest.fixture(params=["memory", "real"])
async def service(request: pytest.FixtureRequest, redis_url: str) -> AsyncIterator[Service]:
    if request.param == "memory":
        async with in_memory() as made:
            yield made
    else:
        async with the_real_one(request.getfixturevalue("database_url"), redis_url) as made:
            yield made


async def test_a_flag_falls_once_and_only_when_it_is_due(service: Service) -> None:
    early, due = await service.running(0), await service.running(2 * MINUTE_MS)
    assert await service.code(early, flag=pb.Flag(version=3)) == "not_due"
    assert await service.code(due, flag=pb.Flag(version=2)) == "stale_version"
    assert await service.code("nowhere1", flag=pb.Flag(version=3)) == "not_found"
    reply = await service.ask(due, flag=pb.Flag(version=3))
    assert (reply.accepted.version, reply.accepted.state.status) == (4, events_pb2.GAME_STATUS_ENDED)
    assert (reply.accepted.state.deadline_ms, reply.accepted.state.legal) == (0, "")
    assert await service.code(due, flag=pb.Flag(version=4)) == "game_over"


async def test_deadlines_are_listed_by_id_until_their_games_end(service: Service) -> None:
    games = sorted([await service.running(0), await service.running(2 * MINUTE_MS)])
    due = (await listed(service, overdue_only=True))[0]
    assert await listed(service) == games
    assert await listed(service, after_game_id=games[0]) == games[1:]
    assert await listed(service, limit=1) == games[:1]
    await service.ask(due, flag=pb.Flag(version=3))
    assert await listed(service) == [game_id for game_id in games if game_id != due]


async def listed(service: Service, limit: int = 10, **asked: Any) -> list[str]:
    """The games of a list of deadlines."""
    answer = await service.stubs.upkeep.ListDeadlines(pb.ListDeadlinesRequest(limit=limit, **asked))
    assert abs(answer.now_ms - time.time_ns() // 1_000_000) < MINUTE_MS
    for deadline in answer.deadlines:
        assert (deadline.version, deadline.kind) == (3, events_pb2.DEADLINE_KIND_FLAG)
        assert (deadline.deadline_ms <= answer.now_ms) or not asked.get("overdue_only")
    return [deadline.game_id for deadline in answer.deadlines]


async def test_the_computers_turn_waits_until_it_has_moved(service: Service) -> None:
    game_id = await service.against_computer()
    assert await service.turns() == []
    assert await service.code(game_id, "computer", move=pb.Move(text="e7e5")) == "not_your_turn"
    await service.ask(game_id, "anna", "first001", move=pb.Move(text="e2e4"))
    assert await service.turns() == [(game_id, LEVEL)]
    assert await service.code(game_id, "computer", move=pb.Move(text="e7e5", ply=0)) == "stale_version"
    assert await service.code(game_id, "computer", move=pb.Move(text="e7e4", ply=1)) == "illegal_move"
    moved = await service.ask(game_id, "computer", "second02", move=pb.Move(text="e7e5", ply=1))
    assert (moved.accepted.version, moved.accepted.state.ply) == (3, 2)
    again = await service.ask(game_id, "computer", "second02", move=pb.Move(text="e7e5", ply=1))
    assert again.accepted.version == 3
    assert await service.turns() == []
    items = [pb.FetchItem(game_id=each) for each in (game_id, "nowhere1")]
    there, nowhere = (await service.stubs.games.Fetch(pb.FetchRequest(items=items))).results
    assert [move.uci for move in there.snapshot.moves] == ["e2e4", "e7e5"]
    assert (there.snapshot.state.version, nowhere.refusal.code) == (3, "not_found")


async def test_a_sweep_says_what_it_ended_and_whether_there_is_more(service: Service) -> None:
    answer = await service.stubs.upkeep.Sweep(pb.SweepRequest(limit=10))
    assert (answer.games_ended, answer.more) == (0, False)
