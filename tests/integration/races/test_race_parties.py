"""Many at one party's door at once: no more get in than there is room for, and one game begins."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.game.parties.party import PartySettings
from services.game.parties.party_messages import settings_message
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.party_house import PartyHouse, party_house
from tests.integration.races.race_replicas import new_chance, rounds

WRITERS = 20
ROOM = 8
Change = dict[str, Any]
JOIN: Change = {"join": pb.PartyJoin()}
LEAVE: Change = {"leave": pb.PartyLeave()}
START: Change = {"start": pb.PartyStart()}


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[PartyHouse]:
    async with party_house(database_url, party_members_max=ROOM, parties_joined_max=1_000) as built:
        yield built


def line(party: events.Party) -> list[str]:
    return [member.player.id for member in party.members]


async def at_once(house: PartyHouse, party_id: str, changes: list[tuple[str, Change]]) -> list[Any]:
    """The answers to changes that all set out together, in the order of the list."""
    barrier = asyncio.Barrier(len(changes))

    async def change(player_id: str, what: Change) -> pb.ChangePartyResponse:
        await barrier.wait()
        return await house.change(party_id, player_id, **what)

    return await asyncio.gather(*(change(player_id, what) for player_id, what in changes))


async def test_as_many_get_in_as_there_is_room_for(house: PartyHouse) -> None:
    host, *guests = await house.guests(1 + WRITERS)
    heard = 0
    for _ in range(rounds(4)):
        party_id = await house.party(host)
        answers = await at_once(house, party_id, [(guest, JOIN) for guest in guests])
        codes = Counter(answer.refusal.code for answer in answers)
        assert codes == {"": ROOM - 1, "limit_reached": WRITERS - ROOM + 1}
        party = await house.state_of(party_id)
        assert (len(set(line(party))), party.version) == (ROOM, ROOM)
        inside = [answer.party.version for answer in answers if answer.HasField("party")]
        assert sorted(inside) == list(range(2, ROOM + 1))
        told = (await house.house.events(host, heard)).events
        assert [event.party.version for event in told] == list(range(1, ROOM + 1))
        await house.changed(party_id, host, close=pb.PartyClose())
        heard = (await house.house.events(host, heard)).last_seq


async def test_starts_make_one_game(house: PartyHouse) -> None:
    people = await house.guests(4)
    for played in range(rounds(4)):
        party_id = await house.party(*people)
        answers = await at_once(house, party_id, [(people[number % 2], START) for number in range(WRITERS)])
        assert len({answer.game.info.id for answer in answers} - {""}) == 1
        assert not any(answer.HasField("refusal") for answer in answers)
        assert (await house.rows("SELECT count(*) FROM game")) == [(played + 1,)]
        party = await house.state_of(party_id)
        assert (party.version, party.game_id) == (5, answers[0].game.info.id)
        await house.changed(party_id, people[0], close=pb.PartyClose())


async def test_a_host_who_leaves_while_it_starts_leaves_it_whole(house: PartyHouse) -> None:
    """Either the game began before, with the host in it, or it began without: never half of it."""
    host, friend, third = await house.guests(3)
    chance, kinds = new_chance(), Counter[bool]()
    for _ in range(rounds(12)):
        party_id = await house.party(host, friend, third)
        changes = [(host, LEAVE), (host, START), (friend, START)]
        chance.shuffle(changes)
        answers = await at_once(house, party_id, changes)
        party = await house.state_of(party_id)
        assert (party.host_id, host in line(party)) == (friend, False)
        ((game_id, *players),) = await house.rows(
            f"SELECT id, white_id, black_id FROM game WHERE party_id = '{party_id}'"
        )
        assert party.game_id == game_id
        assert set(players) in ({host, friend}, {friend, third})
        by_friend = answers[changes.index((friend, START))]
        assert by_friend.game.info.id == game_id
        by_host = answers[changes.index((host, START))]
        assert by_host.game.info.id == game_id or by_host.refusal.code == "not_a_player"
        kinds[host in players] += 1
        await house.end(game_id)
        await house.changed(party_id, friend, close=pb.PartyClose())
    print("the host was in the game or not:", dict(kinds))


async def test_parties_of_the_same_people_never_wait_for_each_other_in_a_ring(house: PartyHouse) -> None:
    """All locks are taken in one order."""
    people = await house.guests(5)
    made = [await house.party(*people[shift:], *people[:shift]) for shift in range(5)]

    async def live(number: int) -> None:
        party_id, host = made[number], people[number]
        for turn in range(rounds(4)):
            marks = settings_message(PartySettings(legal_marks=bool(turn % 2)))
            await house.changed(party_id, host, settings=marks)
            await house.leave(party_id, people[number - 1])
            game = await house.start(party_id, host)
            await house.join(party_id, people[number - 1])
            await house.end(game.info.id)

    await asyncio.gather(*(live(number) for number in range(5)))
    for party_id in made:
        assert sorted(line(await house.state_of(party_id))) == sorted(people)
    for player_id in people:
        listed = await house.house.events(player_id)
        assert [event.seq for event in listed.events] == list(range(1, len(listed.events) + 1))
