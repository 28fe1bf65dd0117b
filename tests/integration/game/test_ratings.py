"""Ratings on a real PostgreSQL: they change in the commit of the end, or not at all, and everybody is told."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.colour import Colour
from services.domain.rating import START, Rating, both_after
from services.domain.rule_set import CLAIMED, FRIENDLY, PARTY, Takeback
from services.domain.time_control import Correspondence
from services.game.play.game import Extra, Seat
from services.game.ratings import sql_ratings
from services.game.ratings.sql_ratings import Owned, Point
from services.game.wire.extra_bytes import extra_to_bytes
from services.pb.flagfall.v1 import events_pb2, stored_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import PATIENT, World, racing, uci

CARL = Seat("carl", "Carl")
GUEST = Seat("guest-2", "Guest-2", guest=True)
BYTES = sa.bindparam("extra", type_=postgresql.BYTEA)


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    """One replica, and the people."""
    async with racing(database_url, redis_url, count=1, **PATIENT) as made:
        await made.execute(
            "INSERT INTO player (id, name, guest, created_ms, seen_ms)"
            " VALUES ('carl', 'Carl', false, 0, 0), ('guest-2', 'Guest-2', true, 0, 0)"
        )
        yield made


async def resign(world: World, game_id: str, player: str = "bert", command_id: str = "r1") -> pb.Reply:
    command = pb.Command(game_id=game_id, player_id=player, command_id=command_id, resign=pb.Resign())
    return await world.first.ask(command)


async def rated_game(world: World, **more: Any) -> str:
    """A rated game of a minute between Anna and Bert, unless something else is said, after a move."""
    return await world.game(uci("e2e4"), **({"rated": True} | more))


async def ended(world: World, game_id: str, player: str = "bert") -> events_pb2.GameState:
    """The state of a game that somebody has resigned."""
    reply = await resign(world, game_id, player)
    assert reply.HasField("accepted"), reply
    return reply.accepted.state


async def stored(world: World, speed: str = "bullet") -> dict[str, Rating]:
    """Everybody's rating in standard games of a speed."""
    rows = await world.rows(
        "SELECT player_id, value, deviation, volatility, games, at_ms FROM rating"
        " WHERE variant = 'standard' AND speed = :speed",
        speed=speed,
    )
    return {player: Rating(*fields) for player, *fields in rows}


async def points(world: World, player: str) -> list[tuple[int, str, float]]:
    """Number, game and value of somebody's points, by number."""
    found = await world.rows(
        "SELECT number, game_id, value FROM rating_point WHERE player_id = :player ORDER BY number", player=player
    )
    return [(number, game_id, value) for number, game_id, value in found]


async def nothing_is_rated(world: World) -> bool:
    rows = await world.rows("SELECT (SELECT count(*) FROM rating), (SELECT count(*) FROM rating_point)")
    return rows == [(0, 0)]


async def ended_ms(world: World, game_id: str) -> int:
    ((found,),) = await world.rows("SELECT ended_ms FROM game WHERE id = :id", id=game_id)
    return int(found)


def differences(state: events_pb2.GameState) -> tuple[int, int] | None:
    """White's and Black's; None when neither is told."""
    told = [state.HasField("white_rating_diff"), state.HasField("black_rating_diff")]
    assert len(set(told)) == 1, "both are told or neither"
    return (state.white_rating_diff, state.black_rating_diff) if told[0] else None


async def test_an_end_changes_both_ratings_by_the_published_method(world: World) -> None:
    game_id = await rated_game(world)
    await ended(world, game_id)
    white, black = both_after(START, START, Colour.WHITE, await ended_ms(world, game_id))
    assert await stored(world) == {"anna": white, "bert": black}
    assert await points(world, "anna") == [(1, game_id, white.value)]
    assert await points(world, "bert") == [(1, game_id, black.value)]


async def test_whoever_hears_of_the_end_hears_what_it_did(world: World) -> None:
    """The reply, the event, both players' `game_finish`, the row, and whoever asks later."""
    game_id = await rated_game(world)
    state = await ended(world, game_id)
    now = await stored(world)
    expected = (round(now["anna"].value) - 1_500, round(now["bert"].value) - 1_500)
    assert expected[0] > 0 > expected[1]
    assert differences(state) == expected
    ((payload, extra),) = await world.rows(
        "SELECT e.payload, g.extra FROM game AS g JOIN game_event AS e ON e.game_id = g.id AND e.version = g.version"
        " WHERE g.id = :id",
        id=game_id,
    )
    assert differences(events_pb2.GameEvent.FromString(payload).state) == expected
    kept = stored_pb2.GameExtra.FromString(extra)
    assert (kept.white_rating_diff, kept.black_rating_diff) == expected
    finishes = [
        events_pb2.PlayerEvent.FromString(row[0]).game_finish
        for row in await world.rows("SELECT payload FROM player_event ORDER BY seq")
    ]
    told = [finish.state for finish in finishes if finish.info.id == game_id]
    assert [differences(state) for state in told] == [expected, expected]
    fetched = await world.first.servicer.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]), None)
    assert differences(fetched.results[0].snapshot.state) == expected


async def test_a_repeated_command_is_answered_with_the_same_and_rates_nothing(world: World) -> None:
    game_id = await rated_game(world)
    first = await ended(world, game_id)
    again = await resign(world, game_id)
    assert again.accepted.repeated
    assert differences(again.accepted.state) == differences(first)
    assert [number for number, _, _ in await points(world, "anna")] == [1]


async def test_a_mate_is_told_with_its_move(world: World) -> None:
    moves = [uci(text) for text in ("f2f3", "e7e5", "g2g4")]
    game_id = await world.game(*moves, rated=True)
    reply = await world.first.ask(pb.Command(game_id=game_id, player_id="bert", move=uci("d8h4")))
    told = differences(reply.accepted.state)
    assert told is not None
    assert told[0] < 0 < told[1]


async def test_a_conditional_move_that_mates_counts_in_the_commit_of_the_move_before(world: World) -> None:
    moves = [uci(text) for text in ("f2f3", "e7e5")]
    game_id = await world.game(*moves, rated=True, control=Correspondence(3))
    lines = [pb.ConditionalLine(moves=["g2g4", "d8h4"])]
    asked = pb.SetConditionalMovesRequest(game_id=game_id, player_id="bert", lines=lines)
    kept = await world.first.servicer.SetConditionalMoves(asked, None)
    assert kept.HasField("lines"), kept
    await _accepted(world, game_id, "anna", move=uci("g2g4"))
    now = await stored(world, "correspondence")
    assert now["bert"].value > START.value > now["anna"].value
    told = [
        differences(events_pb2.GameEvent.FromString(payload).state)
        for (payload,) in await world.rows(
            "SELECT payload FROM game_event WHERE game_id = :id ORDER BY version DESC LIMIT 2", id=game_id
        )
    ]
    assert told == [(round(now["anna"].value) - 1_500, round(now["bert"].value) - 1_500), None]


@pytest.mark.parametrize("rule_set", [CLAIMED, PARTY], ids=["half a point", "left alone"])
async def test_a_draw_counts_as_the_rule_set_says(world: World, rule_set: Any) -> None:
    """Rows 74 and 75: Bert, who is stronger, loses points by a draw, or nothing happens."""
    await ended(world, await rated_game(world), "anna")
    before = await stored(world)
    game_id = await rated_game(world, rule_set=rule_set)
    for player in ("anna", "bert"):
        reply = await world.first.ask(pb.Command(game_id=game_id, player_id=player, offer_draw=pb.OfferDraw()))
    after = await stored(world)
    if rule_set is PARTY:
        assert after == before
        assert differences(reply.accepted.state) == (0, 0)
        assert len(await points(world, "anna")) == 1
    else:
        assert after["anna"].value > before["anna"].value
        assert after["bert"].value < before["bert"].value
        assert after["anna"].games == 2


async def test_a_first_draw_that_leaves_ratings_alone_makes_none(world: World) -> None:
    game_id = await rated_game(world, rule_set=PARTY)
    for player in ("anna", "bert"):
        await world.first.ask(pb.Command(game_id=game_id, player_id=player, offer_draw=pb.OfferDraw()))
    assert await nothing_is_rated(world)


@pytest.mark.parametrize(
    "more",
    [
        {"rated": False},
        {"black": GUEST},
        {"black": Seat("computer", "Computer level 3", computer_level=3)},
        {"white": Seat("ghost", "Ghost")},
    ],
    ids=["casual", "guest", "computer", "nobody's account"],
)
async def test_other_games_leave_ratings_alone(world: World, more: dict[str, Any]) -> None:
    game_id = await rated_game(world, **more)
    loser = (
        more["black"].player_id if "black" in more and more["black"].guest else "anna" if "black" in more else "bert"
    )
    assert differences(await ended(world, game_id, loser)) is None
    assert [row for row in await stored(world) if (await points(world, row))] == []


async def test_a_game_that_counts_no_more_leaves_ratings_alone(world: World) -> None:
    game_id = await rated_game(world)
    async with world.first.engine.begin() as connection:
        statement = sa.text("UPDATE game SET extra = :extra WHERE id = :id").bindparams(BYTES)
        await connection.execute(statement, {"extra": extra_to_bytes(Extra(unrated=True)), "id": game_id})
    world.first.path.forget(game_id)
    assert differences(await ended(world, game_id)) is None
    assert await nothing_is_rated(world)


async def _accepted(world: World, game_id: str, player: str, received_ms: int | None = None, **action: Any) -> None:
    reply = await world.first.ask(pb.Command(game_id=game_id, player_id=player, **action), received_ms)
    assert reply.HasField("accepted"), reply


async def test_a_takeback_takes_a_game_out_of_the_ratings(world: World) -> None:
    game_id = await rated_game(world, rule_set=replace(CLAIMED, takeback=Takeback.BY_CONSENT))
    for player in ("anna", "bert"):
        await _accepted(world, game_id, player, offer_takeback=pb.OfferTakeback())
    await _accepted(world, game_id, "anna", move=uci("d2d4"))
    state = await ended(world, game_id)
    assert state.unrated
    assert differences(state) is None
    assert await nothing_is_rated(world)


@pytest.mark.parametrize("goes_on", [True, False])
async def test_a_flag_that_is_taken_counts_and_going_on_after_it_does_not(world: World, goes_on: bool) -> None:
    game_id = await world.game(uci("e2e4"), uci("e7e5"), rated=True, rule_set=FRIENDLY)
    ((version, deadline_ms),) = await world.rows("SELECT version, deadline_ms FROM game WHERE id = :id", id=game_id)
    fallen_ms = deadline_ms + world.first.settings.flag_grace_ms
    await _accepted(world, game_id, "", fallen_ms, flag=pb.Flag(version=version))
    assert await nothing_is_rated(world), "it is only paused"
    if goes_on:
        for player in ("bert", "anna"):
            await _accepted(world, game_id, player, fallen_ms + 1, go_on=pb.GoOn())
        await _accepted(world, game_id, "anna", fallen_ms + 2, resign=pb.Resign())
        assert await nothing_is_rated(world)
    else:
        await _accepted(world, game_id, "bert", fallen_ms + 1, claim_win=pb.ClaimWin())
        now = await stored(world)
        assert now["bert"].value > START.value > now["anna"].value


async def test_an_abort_leaves_ratings_alone(world: World) -> None:
    game_id = await rated_game(world)
    reply = await world.first.ask(pb.Command(game_id=game_id, player_id="bert", abort=pb.Abort()))
    assert reply.HasField("accepted")
    assert differences(reply.accepted.state) is None
    assert await nothing_is_rated(world)


async def test_two_games_of_one_player_in_one_batch_are_rated_one_after_the_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = []
    keep = sql_ratings.keep

    async def watched(connection: AsyncConnection, found: Mapping[Owned, Rating], made: Sequence[Point]) -> None:
        batches.append([point.game_id for point in made])
        await keep(connection, found, made)

    monkeypatch.setattr(sql_ratings, "keep", watched)
    games = [await rated_game(world), await rated_game(world, black=CARL), await rated_game(world, white=CARL)]
    now_ms = world.first.beats.now_ms()
    losers = ["bert", "anna", "carl"]
    replies = await asyncio.gather(
        *(
            world.first.ask(pb.Command(game_id=game_id, player_id=loser, resign=pb.Resign()), now_ms + place)
            for place, (game_id, loser) in enumerate(zip(games, losers, strict=True))
        )
    )
    first = both_after(START, START, Colour.WHITE, now_ms)  # Anna beats Bert,
    second = both_after(first[0], START, Colour.BLACK, now_ms + 1)  # loses to Carl,
    third = both_after(second[1], first[1], Colour.BLACK, now_ms + 2)  # and Bert beats Carl
    assert await stored(world) == {"anna": second[0], "bert": third[1], "carl": third[0]}
    shown = [[round(rating.value) for rating in pair] for pair in (first, second, third)]
    assert [differences(reply.accepted.state) for reply in replies] == [
        (shown[0][0] - 1_500, shown[0][1] - 1_500),
        (shown[1][0] - shown[0][0], shown[1][1] - 1_500),
        (shown[2][0] - shown[1][1], shown[2][1] - shown[0][1]),
    ]
    assert len(batches) < len(games), "some were in one batch"


async def test_a_process_that_dies_between_the_end_and_the_ratings_has_done_neither(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await rated_game(world)
    version = await world.version(game_id)
    tries = 0

    async def dies(connection: AsyncConnection, found: Mapping[Owned, Rating], made: Sequence[Point]) -> None:
        nonlocal tries
        tries += 1
        await connection.execute(sa.text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with monkeypatch.context() as broken:
        broken.setattr(sql_ratings, "keep", dies)
        assert (await resign(world, game_id)).HasField("refusal")
    assert tries > 0
    assert await nothing_is_rated(world)
    assert await world.version(game_id) == version
    assert (
        await world.rows("SELECT 1 FROM outbox WHERE owner = :id AND number > :version", id=game_id, version=version)
        == []
    )
    # The same command again finds everything as it was, and does it once.
    assert differences(await ended(world, game_id)) is not None
    assert [number for number, _, _ in await points(world, "anna")] == [1]


async def test_an_end_that_loses_its_race_rates_nothing(world: World) -> None:
    """The state in memory is old: somebody else has moved on, and the game that was decided on is not the one there."""
    game_id = await rated_game(world)
    memory = world.first.path._memory[game_id]
    await world.execute("UPDATE game SET version = version + 1 WHERE id = :id", id=game_id)
    assert world.first.path._memory[game_id] is memory
    await ended(world, game_id)
    assert [number for number, _, _ in await points(world, "anna")] == [1]
    assert await world.version(game_id) == memory.version + 2


async def test_a_game_begins_with_its_players_ratings(world: World) -> None:
    rating = Rating(1_712.4, 60.0, 0.06, games=40, at_ms=world.first.beats.now_ms())
    await insert_rating(world, "anna", rating)
    game_id = await rated_game(world)
    ((*row,),) = await world.rows(
        "SELECT white_rating, white_provisional, black_rating, black_provisional FROM game WHERE id = :id", id=game_id
    )
    assert row == [1_712, False, 1_500, True]
    fetched = await world.first.servicer.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]), None)
    info = fetched.results[0].snapshot.info
    assert (info.white.rating, info.white.provisional) == (1_712, False)
    assert (info.black.rating, info.black.provisional) == (1_500, True)


async def test_guests_and_computers_begin_without_a_rating(world: World) -> None:
    game_id = await world.game(white=GUEST, black=Seat("computer", "Computer level 3", computer_level=3))
    assert await world.rows("SELECT white_rating, black_rating FROM game WHERE id = :id", id=game_id) == [(0, 0)]


async def insert_rating(world: World, player: str, rating: Rating, speed: str = "bullet") -> None:
    await world.execute(
        "INSERT INTO rating VALUES (:player, 'standard', :speed, :value, :deviation, :volatility, :games, :at)",
        player=player,
        speed=speed,
        value=rating.value,
        deviation=rating.deviation,
        volatility=rating.volatility,
        games=rating.games,
        at=rating.at_ms,
    )


async def account(world: World, player: str) -> pb.Account:
    answer = await world.first.servicer.GetPlayers(pb.GetPlayersRequest(ids=[player]), None)
    found: pb.Account = answer.accounts[0]
    return found


async def test_an_account_shows_its_ratings_as_of_now(world: World) -> None:
    now_ms = world.first.beats.now_ms()
    year_ms = 366 * 86_400_000
    await insert_rating(world, "anna", Rating(1_712.4, 60.0, 0.06, games=40, at_ms=now_ms))
    await insert_rating(world, "anna", Rating(1_600.0, 60.0, 0.06, games=9, at_ms=now_ms - year_ms), "blitz")
    blitz, bullet = (await account(world, "anna")).perfs
    assert (bullet.speed, bullet.games, bullet.rating, bullet.provisional) == ("bullet", 40, 1_712.4, False)
    assert bullet.deviation == pytest.approx(60, abs=0.1)
    assert (blitz.speed, blitz.rating, blitz.provisional) == ("blitz", 1_600.0, True)
    assert blitz.deviation > 110
    assert list((await account(world, "bert")).perfs) == []


async def test_progress_is_over_the_last_twelve_games(world: World) -> None:
    await insert_rating(world, "anna", Rating(1_620.0, 60.0, 0.06, games=14, at_ms=1))
    await insert_points(world, [(number, f"game{number:04}", 1_500.0 + number, number) for number in range(1, 15)])
    (perf,) = (await account(world, "anna")).perfs
    assert perf.progress == 1_620 - 1_502


async def test_progress_of_a_beginner_is_from_the_beginning(world: World) -> None:
    await insert_rating(world, "anna", Rating(1_620.0, 160.0, 0.06, games=3, at_ms=1))
    (perf,) = (await account(world, "anna")).perfs
    assert perf.progress == 120


async def insert_points(world: World, rows: Sequence[tuple[int, str, float, int]], speed: str = "bullet") -> None:
    """Number, game, value and moment of Anna's."""
    for number, game_id, value, at_ms in rows:
        await world.execute(
            "INSERT INTO rating_point VALUES ('anna', :game, 'standard', :speed, :number, :at, :value, 60)",
            game=game_id,
            speed=speed,
            number=number,
            value=value,
            at=at_ms,
        )


async def history(world: World, **asked: Any) -> list[str]:
    """The games of Anna's history."""
    request = pb.GetRatingHistoryRequest(player_id="anna", **asked)
    answer = await world.first.servicer.GetRatingHistory(request, None)
    assert answer.HasField("history"), answer.refusal
    return [point.game_id for point in answer.history.points]


DAY_MS = 86_400_000


async def test_a_history_comes_in_pages_by_day_and_by_what_it_is_of(world: World) -> None:
    midnight = 20_000 * DAY_MS
    await insert_points(
        world,
        [
            (1, "first", 1_510.0, midnight - 1),
            (2, "second", 1_520.0, midnight),
            (3, "third", 1_530.0, midnight),  # in the same millisecond
            (4, "fourth", 1_540.0, midnight + DAY_MS - 1),
            (5, "fifth", 1_550.0, midnight + DAY_MS),
        ],
    )
    await insert_points(world, [(1, "slow", 1_480.0, midnight + 5)], "rapid")
    assert await history(world) == ["first", "second", "third", "slow", "fourth", "fifth"]
    assert await history(world, daily=True) == ["first", "slow", "fourth", "fifth"]
    assert await history(world, speed="rapid") == ["slow"]
    assert await history(world, variant="atomic") == []
    assert await history(world, limit=2) == ["fourth", "fifth"]
    assert await history(world, limit=2, before_ms=midnight + DAY_MS - 1) == ["third", "slow"]


@pytest.mark.parametrize(
    "asked",
    [{"player_id": "NO!"}, {"variant": "checkers"}, {"speed": "fast"}, {"limit": -1}, {"before_ms": -1}],
    ids=lambda asked: next(iter(asked)),
)
async def test_what_cannot_be_asked_is_refused(world: World, asked: dict[str, Any]) -> None:
    request = pb.GetRatingHistoryRequest(**({"player_id": "anna"} | asked))
    answer = await world.first.servicer.GetRatingHistory(request, None)
    assert answer.refusal.code in ("not_found", "unsupported_variant", "malformed")
