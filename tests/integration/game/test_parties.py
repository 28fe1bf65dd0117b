"""Parties on a real PostgreSQL: made by link, played game by game, left and closed."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from services.domain.colour import Colour
from services.domain.rule_set import FIDE
from services.game.parties import parties
from services.game.parties.parties import close_unused, is_party_id
from services.game.parties.party import PartySettings
from services.game.parties.party_messages import settings_message
from services.game.store.database import transaction
from services.game.upkeep.sweep import Sweep
from services.pb.flagfall.v1 import events_pb2 as events
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import END_REASON_ABORT, END_REASON_NO_FIRST_MOVE, END_REASON_RESIGNATION
from tests.integration.game.party_house import DEFAULTS, PartyHouse, party_house
from tests.integration.game.people import START_MS

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
FAST = settings_message(PartySettings(turn_ms=30_000))


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[PartyHouse]:
    async with party_house(database_url) as built:
        yield built


def line(party: events.Party) -> list[str]:
    return [member.player.id for member in party.members]


def seats(game: events.GameSummary) -> set[str]:
    return {game.info.white.id, game.info.black.id}


async def parties_told(house: PartyHouse, player_id: str) -> list[events.Party]:
    listed = await house.house.events(player_id)
    return [event.party for event in listed.events if event.HasField("party")]


async def test_a_guest_makes_one_and_others_come_by_its_link(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    assert is_party_id(party_id)
    party = await house.state_of(party_id)
    assert (party.host_id, line(party), party.version, party.closed) == (host, [host, friend], 2, False)
    assert party.settings == DEFAULTS
    assert all(member.player.guest for member in party.members)
    assert party.game_id == ""


async def test_what_a_party_is_told_is_in_the_commit_for_each_member_and_for_who_left(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    await house.changed(party_id, host, settings=FAST)
    await house.leave(party_id, friend)
    assert [party.version for party in await parties_told(house, host)] == [1, 2, 3, 4]
    assert [party.version for party in await parties_told(house, friend)] == [2, 3, 4]
    last = (await parties_told(house, friend))[-1]
    assert (line(last), last.settings.turn_ms) == ([host], 30_000)
    outbox = await house.rows(f"SELECT number FROM outbox WHERE kind = 'p' AND owner = '{host}' ORDER BY 1")
    assert [number for (number,) in outbox] == [1, 2, 3, 4]
    assert len(house.house.heard.players) == 7


async def test_the_same_again_changes_nothing_and_tells_nobody(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    heard = len(house.house.heard.players)
    assert (await house.join(party_id, friend)).version == 2
    assert (await house.changed(party_id, host, settings=DEFAULTS)).version == 2
    assert (await house.leave(party_id, (await house.guests(1))[0])).version == 2
    assert len(house.house.heard.players) == heard


async def test_the_game_begins_in_the_commit_of_the_party(house: PartyHouse) -> None:
    host, friend, third = await house.guests(3)
    party_id = await house.party(host, friend, third)
    game = await house.start(party_id, friend)
    info = game.info
    assert (seats(game), info.source, info.party_id, info.rated) == ({host, friend}, "party", party_id, False)
    assert info.time_control.HasField("unlimited")
    assert info.rule_set == DEFAULTS.rule_set
    for player_id, expected in ((host, ["party", "game_start"]), (friend, ["party", "game_start"]), (third, ["party"])):
        kinds = await house.house.kinds(player_id)
        assert kinds[-len(expected) :] == expected
        assert (await parties_told(house, player_id))[-1].game_id == info.id
    stored = await house.rows("SELECT id, source, party_id, rated FROM game")
    assert stored == [(info.id, "party", party_id, False)]
    party = await house.state_of(party_id)
    assert (party.game_id, line(party)[0]) == (info.id, third)


async def test_the_next_game_is_of_those_who_wait_with_colours_swapped(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    whites = []
    for _ in range(3):
        game = await house.start(party_id, host)
        whites.append(game.info.white.id)
        await house.end(game.info.id)
        assert (await house.state_of(party_id)).game_id == ""
    assert whites[0] == whites[2] != whites[1]
    third = (await house.guests(1))[0]
    await house.join(party_id, third)
    assert seats(await house.start(party_id, host)) == {host, friend}
    await house.end((await house.state_of(party_id)).game_id)
    assert third in seats(await house.start(party_id, host))


async def test_those_two_who_had_the_same_colour_last_swap_that_of_their_own_last_game(
    house: PartyHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = await house.guests(3)
    party_id = await house.party(one, two, three)
    first = await house.start(party_id, one)
    white = first.info.white.id
    other = two if white == one else one
    await house.end(first.info.id)
    # The other one has White against the third; then both had White last.
    await house.join(party_id, white, spectator=True)
    second = await house.start(party_id, one)
    assert (second.info.white.id, second.info.black.id) == (other, three)
    await house.end(second.info.id)
    await house.join(party_id, white)
    await house.join(party_id, three, spectator=True)
    first_in_line = line(await house.state_of(party_id))[0]
    monkeypatch.setattr(parties, "_coin", lambda: Colour.WHITE if first_in_line == white else Colour.BLACK)
    again = await house.start(party_id, one)
    assert seats(again) == {one, two}
    assert again.info.white.id == other


@pytest.mark.parametrize("reason", [END_REASON_ABORT, END_REASON_NO_FIRST_MOVE])
async def test_an_aborted_game_swaps_nothing(house: PartyHouse, reason: int) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    whites = []
    for end in (reason, reason, END_REASON_RESIGNATION, reason):
        game = await house.start(party_id, host)
        whites.append(game.info.white.id)
        await house.end(game.info.id, reason=end)
    assert whites[0] == whites[1] == whites[2] != whites[3]


async def test_a_turn_limit_is_that_of_the_next_game(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    slow = await house.start(party_id, host)
    await house.changed(party_id, host, settings=FAST)
    await house.end(slow.info.id)
    assert (await house.start(party_id, host)).info.time_control.per_move.turn_ms == 30_000


async def test_start_again_answers_with_the_game_that_is_on(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    assert (await house.start(party_id, host)).info.id == (await house.start(party_id, friend)).info.id
    assert len(await house.rows("SELECT id FROM game")) == 1


async def test_settings_that_change_while_the_rules_are_asked_are_the_ones_that_count(
    house: PartyHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    prepare, asked = house.parties._new_games.prepare, Counter[str]()

    async def prepared(variant: str, fen: str, rule_set: Any) -> Any:
        asked[rule_set.name] += 1
        if asked.total() == 1:
            changed = settings_message(PartySettings(rule_set=FIDE))
            await house.changed(party_id, host, settings=changed)
        return await prepare(variant, fen, rule_set)

    monkeypatch.setattr(house.parties._new_games, "prepare", prepared)
    game = await house.start(party_id, host)
    assert dict(asked) == {"party": 1, "fide": 1}
    assert game.info.rule_set == settings_message(PartySettings(rule_set=FIDE)).rule_set


async def test_a_member_who_leaves_a_game_is_out_of_line_and_the_game_is_not(house: PartyHouse) -> None:
    host, friend, third = await house.guests(3)
    party_id = await house.party(host, friend, third)
    game = await house.start(party_id, host)
    party = await house.leave(party_id, host)
    assert (party.host_id, party.game_id, line(party)) == (friend, game.info.id, [third, friend])
    assert (await house.rows("SELECT end_reason FROM game")) == [(0,)]
    back = await house.join(party_id, host)
    assert line(back)[0] == third  # who is at the board has had the turn


async def test_the_last_one_out_closes_it(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    await house.leave(party_id, host)
    assert (await house.leave(party_id, friend)).closed
    joined = await house.change(party_id, host, join=pb.PartyJoin())
    assert joined.refusal.code == "not_allowed"
    assert await house.rows("SELECT count(*) FROM party_member") == [(0,)]


async def test_a_host_sends_somebody_away_who_is_told(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    assert (await house.change(party_id, friend, leave=pb.PartyLeave(player_id=host))).refusal.code == "not_allowed"
    assert line(await house.leave(party_id, host, whom=friend)) == [host]
    assert line((await parties_told(house, friend))[-1]) == [host]


@pytest.mark.parametrize(
    ("settings", "code", "at"),
    [
        (events.PartySettings(variant="standard"), "malformed", "rule_set.repetition"),
        (settings_message(PartySettings(turn_ms=45_000)), "malformed", "turn_ms"),
        (settings_message(PartySettings(variant="draughts")), "unsupported_variant", "variant"),
    ],
)
async def test_settings_that_cannot_be_are_refused_when_made_and_when_changed(
    house: PartyHouse, settings: events.PartySettings, code: str, at: str
) -> None:
    (host,) = await house.guests(1)
    party_id = await house.party(host)
    made = await house.try_party(host, settings)
    changed = await house.change(party_id, host, settings=settings)
    for refusal in (made.refusal, changed.refusal):
        assert (refusal.code, refusal.at) == (code, at)


@pytest.mark.parametrize("party_id", ["", "short", "x" * 12, "--nosuchid--"])
async def test_what_is_not_there_is_not_found(house: PartyHouse, party_id: str) -> None:
    (host,) = await house.guests(1)
    got = await house.server.GetParty(pb.GetPartyRequest(id=party_id), None)
    assert got.refusal.code == "not_found"
    for change in ({"join": pb.PartyJoin()}, {"start": pb.PartyStart()}, {"close": pb.PartyClose()}):
        assert (await house.change(party_id, host, **change)).refusal.code == "not_found"


async def test_nobody_makes_or_joins_none(house: PartyHouse) -> None:
    (host,) = await house.guests(1)
    party_id = await house.party(host)
    for nobody in ("", "nobody1", "No Body"):
        assert (await house.try_party(nobody)).refusal.code == "not_found"
        assert (await house.change(party_id, nobody, join=pb.PartyJoin())).refusal.code == "not_found"
    assert (await house.change(party_id, host)).refusal.code == "malformed"


async def test_parties_of_one_host_and_of_one_member_are_bounded(database_url: str) -> None:
    async with party_house(database_url, parties_hosted_max=2, parties_joined_max=3) as house:
        host, friend = await house.guests(2)
        first, second = await house.party(host), await house.party(host)
        assert (await house.try_party(host)).refusal.code == "limit_reached"
        third = await house.party(friend, host)
        # Handing on would make a third; following a host who left is nobody's choice.
        handed = await house.change(third, friend, host=pb.PartyHost(player_id=host))
        assert handed.refusal.code == "limit_reached"
        assert (await house.leave(third, friend)).host_id == host
        fourth = await house.party(friend)
        assert (await house.change(fourth, host, join=pb.PartyJoin())).refusal.code == "limit_reached"
        for party_id in (first, second):
            assert (await house.changed(party_id, host, close=pb.PartyClose())).closed
        assert host in line(await house.join(fourth, host))


async def test_what_nobody_uses_for_a_day_is_closed_and_told(house: PartyHouse) -> None:
    host, friend, other = await house.guests(3)
    clock = house.house.clock
    idle, playing, played = await house.party(host), await house.party(host, friend), await house.party(friend, other)
    on, over = await house.start(playing, host), await house.start(played, friend)
    began_ms = clock.ms
    clock.ms = began_ms + HOUR_MS
    used = await house.party(host)
    await house.end(over.info.id)

    async def close(at_ms: int, limit: int = 100) -> int:
        return await close_unused(house.house.engine, house.house.heard, at_ms, DAY_MS, limit)

    assert await close(began_ms + DAY_MS - 100) == 0
    assert await close(began_ms + DAY_MS + 1) == 1
    assert (await house.state_of(idle)).closed
    assert (await parties_told(house, host))[-1].closed
    # The other's last game ended an hour later; the one whose game goes on is in use.
    assert await close(began_ms + DAY_MS + HOUR_MS + 1, limit=1) == 1
    assert await close(began_ms + DAY_MS + HOUR_MS + 1) == 1
    assert (await house.state_of(used)).closed
    assert (await house.state_of(played)).closed
    assert await close(began_ms + 30 * DAY_MS) == 0
    await house.end(on.info.id)
    assert await close(began_ms + 30 * DAY_MS) == 1


async def test_a_sweep_closes_many_in_pieces(house: PartyHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parties, "CLOSED_AT_ONCE", 2)
    for host in await house.guests(5):
        await house.party(host)
    later_ms = house.house.clock.ms + DAY_MS + 1
    sweeps = [close_unused(house.house.engine, house.house.heard, later_ms, DAY_MS, 100) for _ in range(3)]
    assert sum(await asyncio.gather(*sweeps)) == 5
    assert await house.rows("SELECT count(*) FROM party WHERE NOT closed") == [(0,)]


async def test_the_sweep_closes_what_nobody_uses(house: PartyHouse) -> None:
    (host,) = await house.guests(1)
    party_id = await house.party(host)
    people = house.house
    path, beats, heard = SimpleNamespace(limits=house.limits), people.clock, people.heard
    sweep = Sweep(people.engine, cast(Any, path), cast(Any, beats), cast(Any, heard), people.settings)
    for passed_ms, closed in ((DAY_MS, False), (DAY_MS + 1, True)):
        people.clock.ms = START_MS + passed_ms
        await sweep.run(100)
        assert (await house.state_of(party_id)).closed is closed


async def test_no_game_begins_with_a_member_whose_account_is_closed_meanwhile(house: PartyHouse) -> None:
    host, friend = await house.guests(2)
    party_id = await house.party(host, friend)
    async with transaction(house.house.engine) as connection:
        await connection.execute(sa.text("UPDATE player SET closed_ms = 1 WHERE id = :id"), {"id": friend})
    response = await house.change(party_id, host, start=pb.PartyStart())
    assert (response.refusal.code, response.HasField("game")) == ("unavailable", False)
    assert await house.rows("SELECT id FROM game") == []
    assert (await house.state_of(party_id)).game_id == ""
