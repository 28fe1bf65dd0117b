"""Everything that brings people together at once, among the same few: nothing blocks, and what was promised holds."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest
import sqlalchemy as sa

from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl
from services.game.invitations import invitations
from services.game.lobby import seeks
from services.game.store.database import transaction
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.integration.game.people import BLITZ, DAILY, People, people

RAPID = ClockControl(900_000, 10_000)
DEEDS = 30
COLORS = (common.COLOR_UNSPECIFIED, common.COLOR_UNSPECIFIED, common.COLOR_WHITE, common.COLOR_BLACK)


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url, connection_wait_ms=30_000, challenges_open_max=1_000) as built:
        yield built


async def deadlocks(house: People) -> int:
    async with transaction(house.engine) as connection:
        await connection.execute(sa.text("SELECT pg_stat_clear_snapshot()"))
        found = await connection.execute(
            sa.text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        )
        return int(found.scalar_one())


async def end_all(house: People) -> list[str]:
    """Let all games be over; their ids."""
    async with transaction(house.engine) as connection:
        found = await connection.execute(
            sa.text("UPDATE game SET end_reason = 2, deadline_kind = 0, ended_ms = 1 RETURNING id")
        )
        return list(found.scalars())


async def test_a_crowd_in_which_everybody_asks_everybody(house: People) -> None:
    """A lock taken out of order would show as a deadlock, which PostgreSQL counts and ends with an error."""
    chance = random.Random(5)
    names = await house.accounts("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")
    for one, other in pairwise(names):
        await house.accept((await house.challenge(one, other)).id, other)
    ended = await end_all(house)
    called = Counter[str]()

    async def seek(name: str) -> None:
        control = chance.choice((BLITZ, RAPID, DAILY))
        request = pb.CreateSeekRequest(
            player_id=name,
            variant="standard",
            rule_set=rule_set_to_pb(CLAIMED),
            time_control=time_control_to_pb(control),
            color=chance.choice(COLORS),
        )
        await house.server.CreateSeek(request, None)

    async def take(name: str) -> None:
        for found in (await house.server.ListSeeks(pb.ListSeeksRequest(player_id=name), None)).seeks:
            await house.server.AcceptSeek(pb.AcceptSeekRequest(id=found.id, player_id=name), None)

    async def challenge(name: str) -> None:
        await house.try_challenge(name, chance.choice([other for other in names if other != name]))

    async def answer(name: str) -> None:
        waiting = (await house.server.ListChallenges(pb.ListChallengesRequest(player_id=name), None)).incoming
        for found in waiting:
            how = chance.choice(("accept", "decline", "counter"))
            if how == "counter":
                await house.try_challenge(name, found.challenger.id, counter_to=found.id)
            else:
                await (house.accept if how == "accept" else house.decline)(found.id, name)

    async def rematch(name: str) -> None:
        request = pb.OfferRematchRequest(game_id=chance.choice(ended), player_id=name)
        await house.server.OfferRematch(request, None)

    async def keep(name: str) -> None:
        found = (await house.server.ListSeeks(pb.ListSeeksRequest(), None)).seeks
        request = pb.KeepAliveRequest(player_ids=names, seek_ids=[entry.id for entry in found])
        await house.server.KeepAlive(request, None)

    async def sweep(name: str) -> None:
        house.clock.ms += 3_000
        await invitations.lapse_due(house.engine, house.heard, house.clock.ms, 100)
        await seeks.lapse_due(house.engine, house.clock.ms, 100)

    deeds: list[Callable[[str], Awaitable[None]]] = [seek, seek, take, challenge, answer, rematch, keep, sweep]

    async def live(name: str) -> None:
        for _ in range(DEEDS):
            deed: Any = chance.choice(deeds)
            called[deed.__name__] += 1
            await deed(name)

    await asyncio.gather(*(live(name) for name in names for _ in range(2)))
    assert len(called) == len(set(deeds)), called
    assert await deadlocks(house) == 0
    async with transaction(house.engine) as connection:
        twice = await connection.execute(
            sa.text("SELECT rematch_of FROM game WHERE rematch_of <> '' GROUP BY rematch_of HAVING count(*) > 1")
        )
        assert list(twice) == []
        alone = await connection.execute(sa.text("SELECT id FROM game WHERE white_id = black_id"))
        assert list(alone) == []
    for name in names:
        since = 0
        while batch := (await house.events(name, since)).events:
            assert [event.seq for event in batch] == list(range(since + 1, since + 1 + len(batch)))
            since = batch[-1].seq
