"""Ratings where people are asked to play: challenges and their events show those of the game that is asked for."""

from collections.abc import AsyncIterator

import pytest
import sqlalchemy as sa

from services.game.store.database import transaction
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.game.people import BLITZ, DAILY, START_MS, People, people


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    """Ann is known in blitz and has not played for long in correspondence; Bob is new."""
    async with people(database_url) as built:
        await built.accounts("Ann", "Bob")
        async with transaction(built.engine) as connection:
            for speed, value, at_ms in (("blitz", 1_712.4, START_MS), ("correspondence", 1_900.0, 0)):
                await connection.execute(
                    sa.text("INSERT INTO rating VALUES ('ann', 'standard', :speed, :value, 60, 0.06, 40, :at)"),
                    {"speed": speed, "value": value, "at": at_ms},
                )
        yield built


def shown(player: events.Player) -> tuple[int, bool]:
    return player.rating, player.provisional


async def test_a_challenge_shows_the_ratings_of_its_game(house: People) -> None:
    blitz = await house.challenge("ann", "bob", BLITZ)
    assert (shown(blitz.challenger), shown(blitz.dest)) == ((1_712, False), (1_500, True))
    slow = await house.challenge("bob", "ann", DAILY)
    assert (shown(slow.challenger), shown(slow.dest)) == ((1_500, True), (1_900, True))
    for made in (blitz, slow):
        again = await house.state_of(made.id)
        assert (shown(again.challenger), shown(again.dest)) == (shown(made.challenger), shown(made.dest))


async def test_lists_and_events_of_challenges_show_the_same(house: People) -> None:
    await house.challenge("ann", "bob", BLITZ)
    await house.decline((await house.challenge("bob", "ann", DAILY)).id, "ann")
    heard = list((await house.events("bob")).events)
    assert [shown(event.challenge.challenger) for event in heard[:2]] == [(1_712, False), (1_500, True)]
    assert shown(heard[2].challenge_declined.dest) == (1_900, True)
    incoming = (await house.server.ListChallenges(pb.ListChallengesRequest(player_id="bob"), None)).incoming
    assert [shown(challenge.challenger) for challenge in incoming] == [(1_712, False)]


async def test_guests_and_nobody_show_none(house: People) -> None:
    guest = await house.guest()
    assert shown((await house.challenge(guest, "ann", BLITZ)).challenger) == (0, False)
    assert not (await house.challenge("", "", BLITZ)).HasField("challenger")


async def test_the_game_begins_with_what_the_challenge_showed(house: People) -> None:
    challenge = await house.challenge("ann", "bob", BLITZ, rated=True)
    info = (await house.accept(challenge.id, "bob")).game.info
    assert {shown(info.white), shown(info.black)} == {(1_712, False), (1_500, True)}
