"""People's events on a real PostgreSQL: numbers without gaps, whoever writes them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from services.game.store import player_events
from services.game.store.database import transaction
from services.game.wire.events import PersonEvent
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Challenge, PlayerEvent
from tests.integration.game.people import START_MS, People, people


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


def event(player: str, challenge_id: str = "") -> PlayerEvent:
    return PlayerEvent(player_id=player, challenge=Challenge(id=challenge_id))


async def append(house: People, *events: PlayerEvent, now_ms: int = START_MS) -> list[PlayerEvent]:
    async with transaction(house.engine) as connection:
        told = await player_events.append(connection, [PersonEvent(event) for event in events], now_ms)
    return [PlayerEvent.FromString(event.to_bytes()) for event in told]


async def test_each_player_has_own_numbers_in_the_order_given(house: People) -> None:
    await house.accounts("Ann", "Bob")
    first = await append(house, event("bob", "1"), event("ann", "2"), event("bob", "3"))
    assert [(told.player_id, told.seq, told.challenge.id) for told in first] == [
        ("bob", 1, "1"),
        ("ann", 1, "2"),
        ("bob", 2, "3"),
    ]
    assert (await append(house, event("bob")))[0].seq == 3
    assert await append(house) == []


async def test_nobodys_event_is_left_out(house: People) -> None:
    await house.accounts("Ann")
    told = await append(house, event("computer"), event("ann"))
    assert [(one.player_id, one.seq) for one in told] == [("ann", 1)]


async def test_an_undone_transaction_leaves_no_gap(house: People) -> None:
    await house.accounts("Ann")

    async def fail() -> None:
        async with transaction(house.engine) as connection:
            await player_events.append(connection, [PersonEvent(event("ann"))] * 2, START_MS)
            raise LookupError("on purpose")

    with pytest.raises(LookupError):
        await fail()
    assert (await append(house, event("ann")))[0].seq == 1


async def test_writers_in_any_order_of_players_neither_deadlock_nor_leave_gaps(house: People) -> None:
    names = await house.accounts("Ann", "Bob", "Eve", "Kim")
    orders = [names[start:] + names[:start] for start in range(4)] + [list(reversed(names))]
    await asyncio.gather(*(append(house, *map(event, orders[round_number % 5])) for round_number in range(50)))
    for name in names:
        listed = await house.events(name)
        assert [one.seq for one in listed.events] == list(range(1, 51))
        assert listed.last_seq == 50
    async with transaction(house.engine) as connection:
        statement = sa.text("SELECT count(*) FROM outbox WHERE kind = 'p'")
        assert (await connection.execute(statement)).scalar_one() == 200


async def test_a_list_begins_after_the_number_seen_and_keeps_its_bound(database_url: str) -> None:
    async with people(database_url, player_events_listed_max=3) as house:
        await house.accounts("Ann")
        await append(house, *[event("ann") for _ in range(5)])
        for since, expected in [(0, [1, 2, 3]), (2, [3, 4, 5]), (5, []), (99, []), (-7, [1, 2, 3])]:
            listed = await house.events("ann", since)
            assert [one.seq for one in listed.events] == expected
            assert listed.last_seq == 5
        assert (await house.events("nobody1")).last_seq == 0
        assert (await house.events("nul\0")).last_seq == 0


async def test_old_events_are_pruned_oldest_first_and_numbers_go_on(house: People) -> None:
    await house.accounts("Ann", "Bob")
    for at_ms in (10, 20, 30):
        await append(house, event("ann"), event("bob"), now_ms=at_ms)
    assert await player_events.prune(house.engine, 30, 3) == 3
    assert await player_events.prune(house.engine, 30, 3) == 1
    assert await player_events.prune(house.engine, 30, 3) == 0
    for name in ("ann", "bob"):
        listed = await house.events(name)
        assert [one.seq for one in listed.events] == [3]
    assert (await append(house, event("ann"), now_ms=40))[0].seq == 4


async def test_events_of_many_players_come_in_one_answer(database_url: str) -> None:
    async with people(database_url, player_events_listed_max=6) as house:
        await house.accounts("Ann", "Bob", "Cleo")
        for number in range(5):
            await append(house, event("ann", f"a{number}"), event("bob", f"b{number}"))
        asked = [("bob", 3), ("nobody", 0), ("ann", 0), ("cleo", 0), ("ann", 5), ("not an id", 0)]
        request = pb.ListEventsOfPlayersRequest(
            players=[pb.ListPlayerEventsRequest(player_id=player, since_seq=seq) for player, seq in asked]
        )
        answer = await house.server.ListEventsOfPlayers(request, None)
        assert [(result.last_seq, [told.seq for told in result.events]) for result in answer.results] == [
            (5, [4]),  # together no more than six
            (0, []),
            (5, [1]),
            (0, []),
            (5, []),
            (0, []),
        ]
        alone = await house.events("ann", 1)
        assert (alone.last_seq, [told.challenge.id for told in alone.events]) == (5, ["a1", "a2", "a3", "a4"])
        assert (await house.server.ListEventsOfPlayers(pb.ListEventsOfPlayersRequest(), None)).results == []
