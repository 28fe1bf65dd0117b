"""Seeks on a real PostgreSQL: made, paired, taken, held, lapsed, raced for."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from itertools import cycle
from typing import Any, cast

import pytest
import sqlalchemy as sa

from services.domain.rule_set import CLAIMED, EVERYDAY
from services.domain.time_control import ClockControl, TimeControl
from services.game.lobby import seeks
from services.game.store.database import transaction
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Seek
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.integration.game.people import BLITZ, DAILY, DAY_MS, START_MS, UNTIMED, People, people

WHITE, BLACK = common.COLOR_WHITE, common.COLOR_BLACK
RAPID = ClockControl(900_000, 10_000)
ROUNDS = 8


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[People]:
    async with people(database_url) as built:
        yield built


async def try_seek(house: People, player: str, control: TimeControl = BLITZ, **more: Any) -> pb.CreateSeekResponse:
    terms: dict[str, Any] = {
        "variant": "standard",
        "rule_set": rule_set_to_pb(CLAIMED),
        "time_control": time_control_to_pb(control),
    }
    request = pb.CreateSeekRequest(player_id=player, **(terms | more))
    return cast(pb.CreateSeekResponse, await house.server.CreateSeek(request, None))


async def seek(house: People, player: str, control: TimeControl = BLITZ, **more: Any) -> Seek:
    """A seek that waits; the test fails when it is refused or paired."""
    response = await try_seek(house, player, control, **more)
    assert response.HasField("seek"), response
    return response.seek


async def paired(house: People, player: str, control: TimeControl = BLITZ, **more: Any) -> tuple[str, str]:
    """White and Black of the game that this seek makes at once."""
    response = await try_seek(house, player, control, **more)
    assert response.HasField("game"), response
    return response.game.info.white.id, response.game.info.black.id


async def take(house: People, seek_id: str, player: str) -> pb.AcceptSeekResponse:
    return cast(
        pb.AcceptSeekResponse, await house.server.AcceptSeek(pb.AcceptSeekRequest(id=seek_id, player_id=player), None)
    )


async def cancel(house: People, seek_id: str, player: str) -> str:
    """The code of the refusal, empty for none."""
    answer = await house.server.CancelSeek(pb.CancelSeekRequest(id=seek_id, player_id=player), None)
    return str(answer.refusal.code)


async def listed(house: People, player: str = "", limit: int = 0) -> list[str]:
    """The ids of the lobby as somebody sees it."""
    answer = await house.server.ListSeeks(pb.ListSeeksRequest(player_id=player, limit=limit), None)
    return [found.id for found in answer.seeks]


async def keep(house: People, *seek_ids: str) -> list[str]:
    """Keep seeks alive; those that are gone."""
    return list((await house.server.KeepAlive(pb.KeepAliveRequest(seek_ids=seek_ids), None)).gone_seek_ids)


async def pairs(house: People) -> list[tuple[str, str]]:
    """The two of each game there is."""
    async with transaction(house.engine) as connection:
        rows = await connection.execute(sa.text("SELECT white_id, black_id FROM game"))
        return [(row.white_id, row.black_id) for row in rows]


async def rate(house: People, player: str, rating: float, speed: str = "blitz") -> None:
    async with transaction(house.engine) as connection:
        await connection.execute(
            sa.text("INSERT INTO rating VALUES (:player, 'standard', :speed, :rating, 60, 0.06, 30, 0)"),
            {"player": player, "speed": speed, "rating": rating},
        )


async def test_two_who_look_for_the_same_game_have_it_in_the_commit_that_ends_the_seek(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    waiting = await seek(house, ann, rated=True)
    assert (waiting.player.id, waiting.player.rating, waiting.rated) == (ann, 1500, True)
    assert waiting.expires_ms == START_MS + 20_000
    assert await listed(house) == [waiting.id]
    response = await try_seek(house, bob, rated=True)
    info = response.game.info
    assert {info.white.id, info.black.id} == {ann, bob}
    assert (info.source, info.rated, info.initial_fen) == ("lobby", True, "")
    assert await listed(house) == []
    for player in (ann, bob):
        assert await house.kinds(player) == ["game_start"]
    assert {event.player_id for event in house.heard.players} == {ann, bob}


async def test_the_one_who_has_waited_longest_is_first(house: People) -> None:
    ann, bob, cleo = await house.accounts("Ann", "Bob", "Cleo")
    await seek(house, ann, color=WHITE)
    house.clock.ms += 1
    await seek(house, bob, color=WHITE)
    house.clock.ms += 1
    assert await paired(house, cleo, color=BLACK) == (ann, cleo)
    assert await paired(house, ann) == (bob, ann)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"rated": True}, {"rated": False}),
        ({"variant": "atomic"}, {"variant": "crazyhouse"}),
        ({"control": BLITZ}, {"control": RAPID}),
        ({"control": DAILY}, {"control": UNTIMED}),
        ({"rule_set": rule_set_to_pb(CLAIMED)}, {"rule_set": rule_set_to_pb(EVERYDAY)}),
        ({"color": WHITE}, {"color": WHITE}),
        ({"color": BLACK}, {"color": BLACK}),
        ({"rating_min": 1600}, {}),  # the one who comes has 1500
        ({}, {"rating_max": 1400}),  # the one who waits has
        ({"rating_max": 1499}, {"rating_min": 1501}),
    ],
)
async def test_what_does_not_fit_waits(house: People, first: dict[str, Any], second: dict[str, Any]) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    await seek(house, ann, **first)
    await seek(house, bob, **second)
    assert len(await listed(house)) == 2
    assert await pairs(house) == []


async def test_ranges_are_of_the_rating_for_this_variant_and_speed(house: People) -> None:
    ann, bob, cleo = await house.accounts("Ann", "Bob", "Cleo")
    await rate(house, bob, 1799.6)
    await rate(house, cleo, 2100, "rapid")
    await seek(house, ann, rating_min=1600, rating_max=1800, color=WHITE)
    await seek(house, cleo, color=BLACK, rating_min=1600)  # 1500 at this speed, whatever at another
    assert await paired(house, bob, color=BLACK, rating_max=1500) == (ann, bob)


async def test_a_guest_meets_those_who_ask_for_no_rating(house: People) -> None:
    (ann,), guest, other = await house.accounts("Ann"), await house.guest(), await house.guest()
    await seek(house, ann, rating_min=1)
    waiting = await seek(house, guest)
    assert waiting.player.rating == 0
    assert await listed(house, other) == [waiting.id]
    assert set(await paired(house, other)) == {guest, other}
    needs_account: list[tuple[TimeControl, dict[str, Any]]] = [(DAILY, {}), (BLITZ, {"rated": True})]
    for control, more in needs_account:
        assert (await try_seek(house, guest, control, **more)).refusal.code == "account_needed"
        named = await seek(house, ann, control, **more)
        assert (await take(house, named.id, guest)).refusal.code == "account_needed"
        assert named.id not in await listed(house, guest)


async def test_a_seek_is_taken_out_of_the_list(house: People) -> None:
    ann, bob, cleo = await house.accounts("Ann", "Bob", "Cleo")
    waiting = await seek(house, ann, color=BLACK)
    assert (await take(house, waiting.id, ann)).refusal.code == "not_allowed"
    strong = await seek(house, cleo, rating_min=1900)
    assert (await take(house, strong.id, bob)).refusal.code == "not_allowed"
    assert await listed(house, bob) == [waiting.id]
    info = (await take(house, waiting.id, bob)).game.info
    assert (info.white.id, info.black.id, info.source) == (bob, ann, "lobby")
    assert (await take(house, waiting.id, cleo)).refusal.code == "not_found"
    assert (await take(house, "nosuchid", cleo)).refusal.code == "not_found"
    assert await listed(house, cleo) == [strong.id]


async def test_a_live_game_ends_the_other_live_seeks_of_its_players(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    await seek(house, ann, RAPID)
    daily = await seek(house, ann, DAILY)
    await seek(house, bob, BLITZ, color=WHITE)
    await paired(house, ann)
    assert await listed(house) == [daily.id]
    assert set(await paired(house, bob, DAILY)) == {ann, bob}
    await seek(house, ann, RAPID)
    await paired(house, bob, RAPID)
    await seek(house, bob)
    await house.accept((await house.challenge(ann, bob)).id, bob)
    assert await listed(house) == []


async def test_a_new_seek_takes_the_place_of_an_older_one_for_the_same_game(house: People) -> None:
    (ann,) = await house.accounts("Ann")
    older = await seek(house, ann)
    other = await seek(house, ann, RAPID)
    newer = await seek(house, ann, color=WHITE)
    assert set(await listed(house)) == {newer.id, other.id}
    assert await keep(house, older.id, newer.id) == [older.id]


async def test_a_seek_holds_while_it_is_kept_alive_and_then_for_twenty_seconds(house: People) -> None:
    ann, bob, cleo = await house.accounts("Ann", "Bob", "Cleo")
    live = await seek(house, ann)
    daily = await seek(house, bob, DAILY)
    assert daily.expires_ms == START_MS + 14 * DAY_MS
    for _ in range(3):
        house.clock.ms += 19_999
        assert await keep(house, live.id, daily.id) == []
    house.clock.ms += 19_999
    assert set(await listed(house)) == {live.id, daily.id}
    house.clock.ms += 1
    assert await listed(house) == [daily.id]
    assert await keep(house, live.id) == [live.id], "what has lapsed is not called back"
    assert (await take(house, live.id, cleo)).refusal.code == "not_found"
    await seek(house, cleo)
    assert await seeks.lapse_due(house.engine, house.clock.ms, 10) == 1
    assert await seeks.lapse_due(house.engine, house.clock.ms, 10) == 0
    house.clock.ms = daily.expires_ms
    assert await listed(house) == [], "keeping alive does not prolong what holds for days"
    assert await seeks.lapse_due(house.engine, house.clock.ms, 1) == 1
    assert await seeks.lapse_due(house.engine, house.clock.ms, 10) == 1


async def test_only_the_maker_cancels(house: People) -> None:
    ann, bob = await house.accounts("Ann", "Bob")
    waiting = await seek(house, ann)
    assert await cancel(house, waiting.id, bob) == "not_found"
    assert await cancel(house, waiting.id, ann) == ""
    assert await cancel(house, waiting.id, ann) == "not_found"
    assert await listed(house) == []


async def test_what_cannot_be_looked_for(house: People) -> None:
    (ann,) = await house.accounts("Ann")
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"variant": "losers"}, "unsupported_variant", "variant"),
        ({"control": ClockControl(1, 0)}, "malformed", "time_control"),
        ({"rating_min": 1800, "rating_max": 1500}, "malformed", "rating_min"),
        ({"rating_min": -5}, "malformed", "rating_min"),
    ]
    for more, code, at in wrong:
        refusal = (await try_seek(house, ann, **more)).refusal
        assert (refusal.code, refusal.at) == (code, at)
    assert (await try_seek(house, "nobody")).refusal.code == "not_found"


async def test_bounds(database_url: str) -> None:
    async with people(database_url, seeks_of_player_max=2, seeks_max=3) as house:
        ann, bob, cleo = await house.accounts("Ann", "Bob", "Cleo")
        await seek(house, ann, variant="atomic")
        await seek(house, ann, variant="crazyhouse")
        assert (await try_seek(house, ann)).refusal.code == "limit_reached"
        await seek(house, ann, variant="atomic", color=WHITE)  # instead of the first
        await seek(house, bob)
        assert (await try_seek(house, cleo, DAILY)).refusal.message == "The lobby is full."
        assert await paired(house, cleo, variant="atomic") == (ann, cleo)
        await seek(house, cleo, variant="crazyhouse", rating_min=2000)
        await seek(house, cleo, variant="shatranj")
        house.clock.ms += 20_000  # no sweep came by, and what has lapsed is in nobody's way
        await seek(house, cleo)


async def test_who_has_as_many_games_as_allowed_is_passed_over(database_url: str) -> None:
    async with people(database_url, games_ongoing_max=1) as house:
        ann, bob, cleo, dan = await house.accounts("Ann", "Bob", "Cleo", "Dan")
        anns = await seek(house, ann, DAILY)
        await seek(house, ann)
        await paired(house, bob)
        assert (await try_seek(house, bob, RAPID)).refusal.code == "limit_reached"
        house.clock.ms += 1
        await seek(house, cleo, DAILY)  # Ann's has waited longer, and she cannot play it
        assert (await take(house, anns.id, dan)).refusal.message == "Ann is playing too many games."
        assert set(await paired(house, dan, DAILY)) == {cleo, dan}
        assert await listed(house) == [anns.id]


@pytest.mark.parametrize("racers", [2, 20])
async def test_all_who_look_at_once_are_paired(house: People, database_url: str, racers: int) -> None:
    """However they come, to whichever of two replicas: nobody is left waiting beside another or has two games."""
    players = [await house.guest() for _ in range(racers)]
    async with people(database_url) as other:
        for round_number in range(1, ROUNDS + 1):
            barrier = asyncio.Barrier(racers)

            async def look(replica: People, player: str, barrier: asyncio.Barrier = barrier) -> pb.CreateSeekResponse:
                await barrier.wait()
                return await try_seek(replica, player)

            answers = await asyncio.gather(
                *(look(replica, player) for replica, player in zip(cycle((house, other)), players, strict=False))
            )
            assert sum(answer.HasField("game") for answer in answers) == racers // 2
            assert await listed(house) == []
            games = Counter(player for pair in await pairs(house) for player in pair)
            assert games == Counter(dict.fromkeys(players, round_number))


async def test_one_who_takes_a_seek_wins_the_race(house: People) -> None:
    racers = [await house.guest() for _ in range(20)]
    (ann,) = await house.accounts("Ann")
    games = 0
    for _ in range(ROUNDS):
        waiting = await seek(house, ann)
        barrier = asyncio.Barrier(len(racers) + 1)

        async def race(player: str, barrier: asyncio.Barrier = barrier, seek_id: str = waiting.id) -> str:
            await barrier.wait()
            answer = await take(house, seek_id, player)
            return player if answer.HasField("game") else str(answer.refusal.code)

        async def leave(barrier: asyncio.Barrier = barrier, seek_id: str = waiting.id) -> str:
            await barrier.wait()
            return ann if not await cancel(house, seek_id, ann) else "not_found"

        answers = Counter(await asyncio.gather(*(race(player) for player in racers), leave()))
        assert answers.pop("not_found") == len(racers)
        ((winner, _),) = answers.items()
        games += winner != ann
        assert len(await pairs(house)) == games
        assert await listed(house) == []


async def test_who_looks_for_several_games_at_once_has_one(house: People) -> None:
    """Each of many has two seeks, and all are taken at once. Nothing blocks, and no live seek outlives a game."""
    makers = [await house.guest() for _ in range(4)]
    takers = [await house.guest() for _ in range(8)]
    for _ in range(ROUNDS):
        found = [
            (await seek(house, maker, control, variant=variant)).id
            for maker, variant in zip(makers, ("standard", "atomic", "crazyhouse", "kingOfTheHill"), strict=True)
            for control in (BLITZ, RAPID)
        ]
        before = Counter(player for pair in await pairs(house) for player in pair)
        answers = await asyncio.gather(*(take(house, id, taker) for id, taker in zip(found, takers, strict=True)))
        assert all(answer.HasField("game") or answer.refusal.code == "not_found" for answer in answers)
        after = Counter(player for pair in await pairs(house) for player in pair)
        assert {player: after[player] - before[player] for player in makers} == dict.fromkeys(makers, 1)
        assert await listed(house) == []
