"""Ratings in the public API's objects: what each person shows, what a game did, and how it went day by day."""

from typing import Any

import pytest

from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl
from services.gateway.public_api import public_json, public_people, public_ratings
from services.gateway.public_api.pgn import Wanted, pgn
from services.gateway.rest.export import game_json
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import rule_set_to_pb, time_control_to_pb
from tests.stack.sent import sent

DAY_MS = 86_400_000
NOON_MS = 1_768_478_400_000  # 2026-01-15 12:00 UTC
KNOWN = events_pb2.Player(id="anna", name="Anna", rating=1712)
NEW = events_pb2.Player(id="bert", name="Bert", rating=1500, provisional=True)
GUEST = events_pb2.Player(id="guest-2", name="Guest-2", guest=True)


def perf(**more: Any) -> pb.Perf:
    """Anna's blitz rating."""
    usual: dict[str, Any] = {
        "variant": "standard",
        "speed": "blitz",
        "rating": 1711.6,
        "deviation": 61.4,
        "volatility": 0.06,
    }
    return pb.Perf(**(usual | {"games": 40, "progress": -7} | more))


def point(rating: float, at_ms: int, variant: str = "standard", speed: str = "blitz") -> pb.RatingPoint:
    """A rating after a game."""
    return pb.RatingPoint(variant=variant, speed=speed, at_ms=at_ms, rating=rating, deviation=60, game_id="abcdefgh")


def snapshot(*differences: int, unrated: bool = False, white: events_pb2.Player = KNOWN) -> pb.Snapshot:
    """A rated game that White has won; `differences` are White's and Black's, none while it goes on."""
    state = events_pb2.GameState(game_id="abcdefgh", status=events_pb2.GAME_STATUS_STARTED, unrated=unrated)
    if differences:
        state.status = events_pb2.GAME_STATUS_ENDED
        state.outcome.winner, state.outcome.reason = common_pb2.COLOR_WHITE, common_pb2.END_REASON_RESIGNATION
        state.white_rating_diff, state.black_rating_diff = differences
    info = events_pb2.GameInfo(id="abcdefgh", variant="standard", source="friend", rated=True, white=white, black=NEW)
    info.rule_set.CopyFrom(rule_set_to_pb(CLAIMED))
    info.time_control.CopyFrom(time_control_to_pb(ClockControl(300_000, 0)))
    return pb.Snapshot(info=info, state=state)


def listed(game: pb.Snapshot, player_id: str) -> dict[str, Any]:
    told: dict[str, Any] = sent(
        public_json.game_info(events_pb2.GameSummary(info=game.info, state=game.state), player_id, NOON_MS)
    )
    return told


def test_a_game_that_goes_on_shows_the_ratings_that_it_began_with() -> None:
    game = snapshot()
    full = sent(public_json.game_full(game.info, game.state, "", 0, 0))
    assert full["white"] == {"id": "anna", "name": "Anna", "title": None, "rating": 1712, "provisional": False}
    assert full["black"] == {"id": "bert", "name": "Bert", "title": None, "rating": 1500, "provisional": True}
    mine = listed(game, "anna")
    assert (mine["rating"], mine["opponent"]["rating"]) == (1712, 1500)
    assert "ratingDiff" not in mine
    assert "ratingDiff" not in mine["opponent"]
    assert "RatingDiff" not in pgn(game, (), "x", Wanted())


def test_a_game_that_is_over_tells_what_it_did_to_the_ratings() -> None:
    game = snapshot(3, -41)
    full = sent(public_json.game_full(game.info, game.state, "", 0, 0))
    assert (full["white"]["ratingDiff"], full["black"]["ratingDiff"]) == (3, -41)
    for player, own, other in (("anna", 3, -41), ("bert", -41, 3)):
        mine = listed(game, player)
        assert (mine["ratingDiff"], mine["opponent"]["ratingDiff"]) == (own, other)
    players = sent(game_json(game, (), Wanted()))["players"]
    assert players["white"] == {
        "user": {"id": "anna", "name": "Anna"},
        "rating": 1712,
        "provisional": False,
        "ratingDiff": 3,
    }
    assert players["black"]["ratingDiff"] == -41
    tags = pgn(game, (), "x", Wanted()).splitlines()
    assert {'[WhiteElo "1712"]', '[BlackElo "1500"]', '[WhiteRatingDiff "+3"]', '[BlackRatingDiff "-41"]'} <= set(tags)


def test_a_rated_draw_that_changed_nothing_says_so() -> None:
    assert listed(snapshot(0, 0), "anna")["ratingDiff"] == 0
    assert '[WhiteRatingDiff "+0"]' in pgn(snapshot(0, 0), (), "x", Wanted())


def test_whoever_has_no_rating_shows_none() -> None:
    game = snapshot(white=GUEST)
    assert sent(public_json.side(GUEST)) == {"id": "guest-2", "name": "Guest-2", "title": None}
    assert "rating" not in listed(game, "guest-2")
    assert "rating" not in listed(game, "bert")["opponent"]
    assert sent(game_json(game, (), Wanted()))["players"]["white"] == {"user": {"id": "guest-2", "name": "Guest-2"}}
    assert '[WhiteElo "?"]' in pgn(game, (), "x", Wanted())


def test_a_game_that_counts_no_more_is_not_rated() -> None:
    counting, other = snapshot(), snapshot(unrated=True)
    assert [listed(game, "anna")["rated"] for game in (counting, other)] == [True, False]
    assert [sent(game_json(game, (), Wanted()))["rated"] for game in (counting, other)] == [True, False]
    fulls = [sent(public_json.game_full(game.info, game.state, "", 0, 0))["rated"] for game in (counting, other)]
    assert fulls == [True, False]
    events = [pgn(game, (), "x", Wanted()).splitlines()[0] for game in (counting, other)]
    assert events == ['[Event "Rated blitz game"]', '[Event "Casual blitz game"]']


def test_a_user_shows_every_key_of_the_public_api() -> None:
    ratings = [perf(), perf(variant="atomic", speed="rapid", games=2, provisional=True)]
    account = pb.Account(player=KNOWN, games=50, perfs=ratings)
    shown = sent(public_people.user(account, "", online=True))
    assert list(shown["perfs"]) == [
        *("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"),
        *("chess960", "threeCheck", "kingOfTheHill", "crazyhouse", "atomic"),
        *("antichess", "horde", "racingKings", "shatranj", "chaturanga"),
    ]
    assert shown["perfs"]["blitz"] == {"games": 40, "rating": 1712, "rd": 61, "prog": -7, "prov": False}
    assert shown["perfs"]["rapid"] == {"games": 0, "rating": 1500, "rd": 350, "prog": 0, "prov": True}
    assert (shown["perfs"]["atomic"]["games"], shown["perfs"]["atomic"]["prov"]) == (2, True)
    assert shown["count"]["rated"] == 42


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_variant_shows_the_rating_of_the_speed_that_was_played_most(order: tuple[int, int]) -> None:
    ratings = [
        perf(variant="atomic", speed="blitz", games=3, rating=1600),
        perf(variant="atomic", speed="rapid", games=9, rating=1400),
    ]
    assert sent(public_ratings.perfs([ratings[place] for place in order]))["atomic"]["rating"] == 1400


def test_a_history_has_a_point_a_day_with_months_from_zero() -> None:
    points = [
        point(1523.5, NOON_MS),
        point(1480.2, NOON_MS + 17 * DAY_MS),  # the first of February
        point(1555.0, NOON_MS, "atomic", "blitz"),
        point(1444.4, NOON_MS + 3_600_000, "atomic", "rapid"),
        point(1700.0, NOON_MS, "standard", "rapid"),
    ]
    history = {entry["name"]: entry["points"] for entry in sent(public_ratings.history(points))}
    assert history["Blitz"] == [[2026, 0, 15, 1524], [2026, 1, 1, 1480]]
    assert history["Rapid"] == [[2026, 0, 15, 1700]]
    assert history["Atomic"] == [[2026, 0, 15, 1444]]
    assert history["Correspondence"] == []
    assert len(history) == 16


def test_the_own_answer_rounds_nothing() -> None:
    assert sent(public_ratings.own_ratings([perf()])) == [
        {
            "variant": "standard",
            "speed": "blitz",
            "rating": 1711.6,
            "deviation": 61.4,
            "volatility": 0.06,
            "games": 40,
            "provisional": False,
            "progress": -7,
        }
    ]
    assert sent(public_ratings.own_points([point(1523.5, NOON_MS)])) == [
        {
            "variant": "standard",
            "speed": "blitz",
            "rating": 1523.5,
            "deviation": 60.0,
            "game": "abcdefgh",
            "at": NOON_MS,
        }
    ]
