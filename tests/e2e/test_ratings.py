"""A rated game on the whole stack, as berserk and plain HTTP show what it did."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tests.e2e.test_berserk import people, wait_for
from tests.stack.running import RunningFlagfall


def get(flagfall: RunningFlagfall, path: str, **headers: str) -> Any:
    """JSON that is there for everybody."""
    answer = httpx.get(flagfall.address + path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_rated_game_changes_what_everybody_sees(flagfall: RunningFlagfall) -> None:
    with (
        people(flagfall, "rt-anna", "rt-bob") as (anna, bob),
        closing(anna.client.board.stream_incoming_events()) as heard,
    ):
        asked = anna.client.challenges.create("rt-bob", rated=True, clock_limit=300, clock_increment=3, color="white")
        assert (asked["challenger"]["rating"], asked["challenger"]["provisional"]) == (1_500, True)
        bob.client.challenges.accept(asked["id"])
        game_id = asked["id"]
        begun = wait_for(heard, "gameStart")["game"]
        assert (begun["rated"], begun["rating"], begun["opponent"]["rating"]) == (True, 1_500, 1_500)
        anna.client.board.make_move(game_id, "e2e4")
        bob.client.board.make_move(game_id, "e7e5")
        bob.client.board.resign_game(game_id)

        finished = wait_for(heard, "gameFinish")["game"]
        gained, lost = finished["ratingDiff"], finished["opponent"]["ratingDiff"]
        assert gained > 0 > lost
        for player, difference in ((anna, gained), (bob, lost)):
            perfs = get(flagfall, f"/api/user/{player.id}")["perfs"]
            assert (perfs["blitz"]["games"], perfs["blitz"]["rating"]) == (1, 1_500 + difference)
            assert (perfs["blitz"]["prog"], perfs["blitz"]["prov"]) == (difference, True)
            assert perfs["rapid"]["games"] == 0
        history = {entry["name"]: entry["points"] for entry in anna.client.users.get_rating_history("rt-anna")}
        ((year, month, day, rating),) = history["Blitz"]
        assert rating == 1_500 + gained
        # Months count from 0; midnight may have passed.
        assert datetime.now(UTC) - datetime(year, month + 1, day, tzinfo=UTC) < timedelta(days=2)

        full = get(flagfall, "/api/flagfall/players/RT-Bob/ratings?speed=blitz&nb=1")
        assert full["id"] == "rt-bob"
        assert round(full["ratings"][0]["rating"]) == round(full["history"][0]["rating"]) == 1_500 + lost
        assert full["history"][0]["game"] == game_id
        exported = get(flagfall, f"/game/export/{game_id}", accept="application/json")["players"]
        assert (exported["white"]["ratingDiff"], exported["black"]["ratingDiff"]) == (gained, lost)
        pgn = httpx.get(f"{flagfall.address}/game/export/{game_id}").text
        assert f'[WhiteRatingDiff "{gained:+d}"]\n[BlackRatingDiff "{lost:+d}"]' in pgn
        again = anna.client.challenges.create("rt-bob", rated=False, clock_limit=300, clock_increment=3)
        assert again["challenger"]["rating"] == 1_500 + gained


def test_what_is_asked_wrongly_is_named(flagfall: RunningFlagfall) -> None:
    with people(flagfall, "rt-carl"):
        for query, at in (
            ("speed=fast", "speed"),
            ("variant=checkers", "variant"),
            ("nb=0", "nb"),
            ("before=x", "before"),
        ):
            answer = httpx.get(f"{flagfall.address}/api/flagfall/players/rt-carl/ratings?{query}")
            assert (answer.status_code, answer.json()["at"]) == (400, at)
        for path in ("/api/flagfall/players/nobody-x/ratings", "/api/user/nobody-x/rating-history"):
            assert httpx.get(flagfall.address + path).status_code == 404
        assert get(flagfall, "/api/flagfall/players/rt-carl/ratings") == {"id": "rt-carl", "ratings": [], "history": []}
