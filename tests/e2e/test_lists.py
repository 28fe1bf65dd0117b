"""Lists of games on a whole stack, by an unmodified berserk and by Flagfall's own ways."""

import asyncio
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import chess.pgn
import httpx
import pytest
from berserk.exceptions import ResponseError

from services.channels import open_game_channel
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.settings import Settings
from tests.e2e.test_berserk import Person, begin, people
from tests.stack.running import RunningFlagfall

HOUR_MS = 3_600_000


@pytest.fixture(scope="module")
def evening(flagfall: RunningFlagfall) -> Iterator[tuple[Person, Person, Person, list[str]]]:
    """Three people; games of the first two: won by White, lost by White, aborted, and one that goes on with 5 moves."""
    with people(flagfall, "li-ann", "li-bob", "li-cid") as (ann, bob, cid):
        won, lost = (begin(ann, bob, clock_limit=300, clock_increment=2) for _ in range(2))
        play(won, ann, bob, "e2e4", "e7e5")
        bob.client.board.resign_game(won)
        ann.client.board.resign_game(lost)
        aborted = begin(ann, bob, clock_limit=300, clock_increment=0)
        ann.client.board.abort_game(aborted)
        ongoing = begin(bob, ann, days=3)
        play(ongoing, bob, ann, "d2d4", "d7d5", "c2c4", "e7e6", "b1c3")
        yield ann, bob, cid, [won, lost, aborted, ongoing]


def play(game_id: str, white: Person, black: Person, *moves: str) -> None:
    """These moves, by turns."""
    for number, move in enumerate(moves):
        (white, black)[number % 2].client.board.make_move(game_id, move)


def ids(games: Any) -> list[str]:
    """The ids of exported games."""
    return [game["id"] for game in games]


def test_all_games_of_a_player(evening: tuple[Person, Person, Person, list[str]]) -> None:
    _, _, cid, (won, lost, aborted, ongoing) = evening
    export = cid.client.games.export_by_player
    assert ids(export("Li-Ann")) == [lost, won]
    assert ids(export("li-ann", ongoing=True)) == [ongoing, lost, won]
    assert ids(export("li-ann", ongoing=True, finished=False)) == [ongoing]
    assert ids(export("li-ann", max=1)) == [lost]
    assert ids(export("li-ann", sort="dateAsc")) == [won, lost]
    assert ids(export("li-ann", color="black", ongoing=True)) == [ongoing]
    assert ids(export("li-ann", vs="li-bob", perf_type="blitz", rated=False)) == [lost, won]
    assert ids(export("li-ann", vs="li-cid")) == ids(export("li-ann", rated=True)) == []
    first = next(iter(export("li-ann", max=1, pgn_in_json=True, clocks=True, sort="dateAsc")))
    assert (first["moves"], first["winner"], len(first["clocks"])) == ("e4 e5", "white", 2)
    assert '[Result "1-0"]' in first["pgn"]
    with pytest.raises(ResponseError) as caught:
        list(export("li-nobody"))
    assert caught.value.status_code == 404
    pgn = "\n".join(export("li-ann", as_pgn=True, clocks=False))
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    assert game.headers["GameId"] == lost
    assert aborted not in pgn


def test_games_by_ids_and_the_current_one(evening: tuple[Person, Person, Person, list[str]]) -> None:
    _, bob, cid, (won, lost, _, ongoing) = evening
    assert ids(cid.client.games.export_multi(lost, "nothing1", won)) == [lost, won]
    assert "GameId" in "\n".join(cid.client.games.export_multi(won, as_pgn=True))
    for person, moves in ((cid, "d4 d5"), (bob, "d4 d5 c4 e6 Nc3")):
        (current,) = person.client.games.export_ongoing_by_player("li-bob")
        assert (current["id"], current["status"], current["moves"]) == (ongoing, "started", moves)
    assert f'[GameId "{ongoing}"]' in "\n".join(cid.client.games.export_ongoing_by_player("li-ann", as_pgn=True))


def test_streams_for_watchers(evening: tuple[Person, Person, Person, list[str]]) -> None:
    ann, bob, cid, (won, _, _, ongoing) = evening
    told = list(cid.client.games.stream_game_moves(won))
    assert [line.get("lm") for line in told] == [None, None, "e2e4", "e7e5", None]
    assert (told[0]["lastMove"], told[-1]["status"]["name"], told[-1]["winner"]) == ("e7e5", "resign", "white")
    with closing(cid.client.games.stream_game_moves(ongoing)) as moves, ThreadPoolExecutor(1) as pool:
        assert [next(moves).get("lm") for _ in range(7)][1:] == [None, "d2d4", "d7d5", "c2c4", "e7e6", "b1c3"]
        playing = pool.submit(ann.client.board.make_move, ongoing, "g8f6")
        assert next(moves)["lm"] == "g8f6"
        playing.result()
    with closing(cid.client.games.get_among_players("li-ann", "li-bob", with_current_games=True)) as games:
        assert next(games)["id"] == ongoing
        begun = begin(ann, bob, clock_limit=60, clock_increment=0)
        ann.client.board.resign_game(begun)
        assert [(game["id"], game["statusName"]) for game in (next(games), next(games))] == [
            (begun, "started"),
            (begun, "resign"),
        ]


def test_games_are_looked_for_and_a_player_has_a_page(
    flagfall: RunningFlagfall, evening: tuple[Person, Person, Person, list[str]]
) -> None:
    _, _, _, (won, lost, aborted, ongoing) = evening
    with httpx.Client(base_url=f"{flagfall.address}/api/flagfall") as client:

        def found(query: str) -> list[str]:
            answer = client.get(f"/games?{query}").raise_for_status().json()
            return [id for id in ids(answer["games"]) if id in (won, lost, aborted, ongoing)]

        assert found("player=li-ann") == [ongoing, aborted, lost, won]
        assert found("player=li-ann&result=won") == found("player=li-bob&result=lost&color=black") == [won]
        assert won in found("result=won&ended=true")
        page = client.get("/games?player=li-ann&nb=2").json()
        assert page["next"] == ids(page["games"])[-1]
        assert (won in found(f"player=li-ann&after={page['next']}")) == (won not in ids(page["games"]))
        record = client.get("/players/Li-Ann").raise_for_status().json()["record"]
        assert record["won"] == 1
        assert record["lost"] >= 1
        answer = client.get("/games?opponent=li-bob")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_the_game_service_tells_watchers_late_only_while_a_game_goes_on(
    flagfall: RunningFlagfall, evening: tuple[Person, Person, Person, list[str]]
) -> None:
    _, _, _, (won, _, _, ongoing) = evening
    target = flagfall.environment["FLAGFALL_GAME_TARGET"]
    settings = Settings.model_validate({"service_secret": flagfall.environment["FLAGFALL_SERVICE_SECRET"]})

    async def ask(late_ms: int) -> list[int]:
        async with open_game_channel(target, settings) as channel:
            items = [pb.FetchItem(game_id=ongoing), pb.FetchItem(game_id=won)]
            stub = GameServiceStub(channel)
            answer = await stub.FetchLate(pb.FetchLateRequest(items=items, late_ms=late_ms), timeout=5)
        return [len(fetched.snapshot.moves) for fetched in answer.results]

    assert asyncio.run(ask(HOUR_MS)) == [0, 2]
    assert asyncio.run(ask(0))[0] >= 5
