"""Lists of games over a whole gateway: what is asked of the game service for each, and how they are written."""

import io
from collections.abc import AsyncIterator

import chess.pgn
import orjson
import pytest

from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from tests.integration.gateway.fake_game import START_MS
from tests.integration.gateway.gateway_process import Gateway, running
from tests.integration.gateway.test_streams import Lines

GAMES = [f"game{number:04}" for number in range(7)]
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    async with running(redis_url, export_page_games=3) as gateway:
        for game_id in GAMES:
            gateway.game.new_game(game_id)
            gateway.game.play(game_id, 4)
            if game_id != GAMES[-1]:
                gateway.game.end(game_id)
        yield gateway


async def listed(gateway: Gateway, query: str = "", who: str = "") -> list[str]:
    """The ids of a list of anna's games, as lines of JSON."""
    headers = NDJSON | (gateway.as_(who) if who else {})
    answer = await gateway.client.get(f"/api/games/user/Anna{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [orjson.loads(line)["id"] for line in answer.text.splitlines()]


async def test_all_games_come_a_page_at_a_time(gateway: Gateway) -> None:
    assert await listed(gateway) == GAMES[-2::-1]
    asked = [(search.after_game_id, search.limit) for search in gateway.game.searches]
    assert asked == [("", 3), (GAMES[3], 3)]
    assert all(search.player_id == "anna" and search.ended for search in gateway.game.searches)


async def test_no_more_is_read_than_is_wanted(gateway: Gateway) -> None:
    assert await listed(gateway, "?max=2") == [GAMES[5], GAMES[4]]
    assert (len(gateway.game.searches), gateway.game.calls["Fetch"]) == (1, 1)
    assert len(gateway.game.fetched) == 2


async def test_what_goes_on_is_there_when_it_is_asked_for(gateway: Gateway) -> None:
    assert await listed(gateway, "?ongoing=True") == GAMES[::-1]
    assert not gateway.game.searches[-1].ended
    searches = len(gateway.game.searches)
    assert await listed(gateway, "?ongoing=true&finished=false") == [GAMES[-1]]
    assert await listed(gateway, "?finished=false") == []
    assert len(gateway.game.searches) == searches  # those are few: nothing is searched


async def test_the_last_half_moves_of_a_game_that_goes_on_are_its_players_alone(gateway: Gateway) -> None:
    path = "/api/games/user/anna?ongoing=true&finished=false"
    for who, moves in (("", "M1"), ("carl", "M1"), ("bob", "M1 M2 M3 M4")):
        headers = NDJSON | (gateway.as_(who) if who else {})
        assert orjson.loads((await gateway.client.get(path, headers=headers)).text)["moves"] == moves


FILTERS: dict[str, dict[str, object]] = {
    "vs=Bob": {"opponent_id": "bob"},
    "rated=False": {"rated": False},
    "color=black": {"color": common_pb2.COLOR_BLACK},
    "since=5&until=9": {"from_ms": 5, "until_ms": 10},
    "sort=dateAsc": {"oldest_first": True},
    "perfType=chess960": {"variant": "chess960"},
    "perfType=antichess": {"variant": "antichess"},
    "perfType=blitz,rapid": {"variant": "standard"},
    "perfType=blitz,atomic": {"variant": ""},
}


async def test_filters_are_the_game_services_work(gateway: Gateway) -> None:
    for query, expected in FILTERS.items():
        gateway.game.searches.clear()
        await listed(gateway, f"?{query}")
        search = gateway.game.searches[0]
        assert {name: getattr(search, name) for name in expected} == expected
        assert search.HasField("rated") == ("rated" in expected)


FITTING = ("perfType=blitz", "analysed=false", "color=white", f"since={START_MS}")
NOT_FITTING = ("perfType=rapid", "perfType=antichess", "analysed=true", "rated=true", "color=black", "vs=carl")


async def test_what_does_not_fit_is_left_out(gateway: Gateway) -> None:
    for query in FITTING:
        assert await listed(gateway, f"?{query}") == GAMES[-2::-1], query
    for query in (*NOT_FITTING, f"since={START_MS + 1}"):
        assert await listed(gateway, f"?{query}") == [], query


async def test_an_aborted_game_is_in_no_list(gateway: Gateway) -> None:
    gateway.game.games[GAMES[2]][-1].state.status = events_pb2.GAME_STATUS_ABORTED
    assert await listed(gateway) == [id for id in GAMES[-2::-1] if id != GAMES[2]]


async def test_a_filter_that_cannot_be_read_is_named(gateway: Gateway) -> None:
    for query in ("perfType=bliz", "color=green", "max=0", "since=soon", "sort=best", "rated=maybe", "until=-1"):
        answer = await gateway.client.get(f"/api/games/user/anna?{query}")
        assert (answer.status_code, answer.json()["at"]) == (400, query.partition("=")[0])


async def test_pgn_is_the_ordinary_form_and_can_be_read_as_one_file(gateway: Gateway) -> None:
    answer = await gateway.client.get("/api/games/user/anna")
    assert answer.headers["content-type"] == "application/x-chess-pgn"
    file, found = io.StringIO(answer.text), []
    while (headers := chess.pgn.read_headers(file)) is not None:
        found.append(headers["GameId"])
    assert found == GAMES[-2::-1]
    assert "%clk" not in answer.text
    assert "%clk" in (await gateway.client.get("/api/games/user/anna?clocks=true&max=1")).text
    assert "[Event" not in (await gateway.client.get("/api/games/user/anna?tags=False&max=1")).text


async def test_somebody_unknown_has_no_list(gateway: Gateway) -> None:
    for path in ("/api/games/user/nobody", "/api/flagfall/players/nobody"):
        answer = await gateway.client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_games_by_their_ids_come_in_that_order_without_those_that_are_not_there(gateway: Gateway) -> None:
    ids = [GAMES[4], "nothing1", GAMES[0], "x", GAMES[4], GAMES[2], GAMES[1]]
    answer = await gateway.client.post("/api/games/export/_ids?moves=false", content=",".join(ids), headers=NDJSON)
    games = [orjson.loads(line) for line in answer.text.splitlines()]
    assert [game["id"] for game in games] == [GAMES[4], GAMES[0], GAMES[2], GAMES[1]]
    assert all("moves" not in game for game in games)
    many = await gateway.client.post("/api/games/export/_ids", content=",".join(f"game{n:04}" for n in range(301)))
    assert (many.status_code, many.json()["at"]) == (400, "body")


async def test_the_current_game_is_the_one_that_goes_on_or_else_the_last(gateway: Gateway) -> None:
    asked = {"Accept": "application/json"}
    first = (await gateway.client.get("/api/user/anna/current-game", headers=asked)).json()
    assert (first["id"], first["status"], first["moves"]) == (GAMES[-1], "started", "M1")
    gateway.game.end(GAMES[-1])
    gateway.game.games[GAMES[-1]][-1].state.status = events_pb2.GAME_STATUS_ABORTED
    last = await gateway.client.get("/api/user/anna/current-game")
    assert f'[GameId "{GAMES[5]}"]' in last.text
    gateway.game.games.clear()
    assert (await gateway.client.get("/api/user/anna/current-game")).status_code == 404


async def test_lists_are_limited_for_each_who_asks(redis_url: str) -> None:
    async with running(redis_url, exports_per_minute=2) as gateway:
        answers = [(await gateway.client.get("/api/games/user/anna")).status_code for _ in range(3)]
        assert answers == [200, 200, 429]
        assert (await gateway.client.get("/api/games/user/anna", headers=gateway.as_("bob"))).status_code == 200


async def test_a_stream_of_moves_tells_the_way_so_far_and_leaves_out_what_was_taken_back(gateway: Gateway) -> None:
    game = GAMES[0]
    undone = gateway.game.games[game][3]
    back = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_TAKEN_BACK, state=gateway.game.games[game][1].state)
    events = [*gateway.game.games[game][:4], back, undone]
    gateway.game.games[game] = []
    for version, event in enumerate([*events, gateway.game.games[GAMES[1]][-1]], start=1):
        copy = events_pb2.GameEvent()
        copy.CopyFrom(event)
        copy.state.version, copy.state.game_id = version, game
        gateway.game.games[game].append(copy)
    async with gateway.client.stream("GET", f"/api/stream/game/{game}") as response:
        lines = await Lines(response).rest()
    assert [line.get("lm") for line in lines] == [None, None, "m1", "m3", None]
    assert (lines[0]["id"], lines[-1]["status"]["name"], lines[-1]["winner"]) == (game, "outoftime", "white")


async def test_streams_for_watchers_are_so_many_for_an_address(redis_url: str) -> None:
    async with running(redis_url, watch_streams_per_address=1) as gateway:
        gateway.game.new_game(GAMES[0])
        path = f"/api/stream/game/{GAMES[0]}"
        async with gateway.client.stream("GET", path) as response:
            assert (await Lines(response).next())["id"] == GAMES[0]
            assert (await gateway.client.get(path)).status_code == 429
        assert (await gateway.client.get("/api/stream/game/nothing1")).status_code in (404, 429)


async def test_what_is_looked_for_is_asked_of_the_game_service(gateway: Gateway) -> None:
    query = "player=Anna&opponent=bob&color=white&variant=atomic&result=won&rated=true&from=1&until=9&ended=true&nb=2"
    answer = (await gateway.client.get(f"/api/flagfall/games?{query}&sort=dateAsc&after={GAMES[6]}")).json()
    assert gateway.game.searches[-1] == game_pb2.SearchGamesRequest(
        player_id="anna",
        opponent_id="bob",
        color=common_pb2.COLOR_WHITE,
        variant="atomic",
        result=game_pb2.GAME_RESULT_WON,
        rated=True,
        from_ms=1,
        until_ms=9,
        ended=True,
        limit=2,
        oldest_first=True,
        after_game_id=GAMES[6],
    )
    assert ([game["id"] for game in answer["games"]], answer["next"]) == ([GAMES[5], GAMES[4]], GAMES[4])
    assert (await gateway.client.get("/api/flagfall/games?ended=true")).json()["next"] is None


async def test_a_players_page_has_the_record(gateway: Gateway) -> None:
    page = (await gateway.client.get("/api/flagfall/players/Anna")).json()
    assert (page["id"], page["name"], page["ratings"], page["vacationUntil"]) == ("anna", "Anna", [], None)
    assert page["record"] == {"games": 5, "won": 3, "lost": 1, "drawn": 1, "playing": 0}


async def test_each_reads_the_chat_that_is_for_them(gateway: Gateway) -> None:
    over, running_game = GAMES[0], GAMES[-1]
    for game in (over, running_game):
        for room, text in ((events_pb2.CHAT_ROOM_PLAYER, "among us"), (events_pb2.CHAT_ROOM_SPECTATOR, "they play")):
            gateway.game.chat.append(
                events_pb2.ChatLine(game_id=game, room=room, player_id="bob", player_name="Bob", text=text, at_ms=7)
            )

    async def read(game: str, who: str, room: str = "") -> tuple[int, str]:
        headers = gateway.as_(who) if who else {}
        path = f"/api/flagfall/games/{game}/chat" + (f"?room={room}" if room else "")
        answer = await gateway.client.get(path, headers=headers)
        return answer.status_code, answer.json()["lines"][0]["text"] if answer.status_code == 200 else ""

    for game in (over, running_game):
        assert await read(game, "anna") == (200, "among us")
        assert await read(game, "") == await read(game, "carl", "spectator") == (200, "they play")
        assert (await read(game, "", "player"))[0] == (await read(game, "carl", "player"))[0] == 404
    assert (await read(running_game, "anna", "spectator"))[0] == 404
    assert await read(over, "anna", "spectator") == (200, "they play")
