"""The new life of a game over real HTTP: what each request becomes, and what streams of games tell of it."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from services.pb.flagfall.v1 import common_pb2, events_pb2
from tests.integration.gateway.fake_game import publish, publish_hint, publish_player
from tests.integration.gateway.gateway_process import Gateway, running
from tests.integration.gateway.test_streams import opened

GAME, COMPUTER_GAME = "game0001", "game0ai1"
APIS = ("board", "bot")
OWN: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("undo", {}, "undo"),
    ("go-on", {}, "go_on"),
    ("seat", {}, "return_seat"),
    ("level", {"level": 7}, "set_level"),
)


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    """anna against bob, and against the computer; the second game has four half-moves."""
    async with running(redis_url) as gateway:
        gateway.game.against_computer.add(COMPUTER_GAME)
        gateway.game.new_game(GAME)
        gateway.game.new_game(COMPUTER_GAME)
        gateway.game.play(COMPUTER_GAME, 4)
        yield gateway


async def post(gateway: Gateway, path: str, player: str = "anna", **body: Any) -> httpx.Response:
    return await gateway.client.post(path, headers=gateway.as_(player), **body)


def actions(gateway: Gateway) -> list[str | None]:
    return [command.WhichOneof("action") for command in gateway.game.commands]


async def test_a_takeback_is_asked_for_between_people(gateway: Gateway) -> None:
    for api in APIS:
        gateway.game.commands.clear()
        url = f"/api/{api}/game/{GAME}/takeback"
        for word in ("yes", "true", "no", "false"):
            assert (await post(gateway, f"{url}/{word}")).json() == {"ok": True}
        assert actions(gateway) == ["offer_takeback", "offer_takeback", "close_takeback", "close_takeback"]
        assert {command.player_id for command in gateway.game.commands} == {"anna"}
        odd = await post(gateway, f"{url}/maybe")
        assert (odd.status_code, odd.json()["code"], odd.json()["at"]) == (400, "malformed", "takeback")
        other = await post(gateway, f"{url}/yes", "carl")
        assert (other.status_code, other.json()["code"]) == (404, "not_a_player")
        unknown = await post(gateway, f"/api/{api}/game/nogame00/takeback/yes")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


async def test_the_computer_agrees_to_a_takeback_at_once(gateway: Gateway) -> None:
    for api, left in zip(APIS, (2, 0), strict=True):
        assert (await post(gateway, f"/api/{api}/game/{COMPUTER_GAME}/takeback/yes")).json() == {"ok": True}
        assert gateway.game.games[COMPUTER_GAME][-1].state.ply == left
    assert actions(gateway) == ["undo", "undo"]


async def test_a_command_that_takes_two_calls_is_answered_in_the_time_of_one(gateway: Gateway) -> None:
    """Clients give up after two seconds. The first call takes nearly all of them, the second has no answer."""
    gateway.game.fetch_gate.clear()
    gateway.game.submit_gate.clear()
    asyncio.get_running_loop().call_later(1.2, gateway.game.fetch_gate.set)
    started_s = time.monotonic()
    answer = await post(gateway, f"/api/board/game/{GAME}/takeback/yes")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert 1 <= gateway.game.calls["Fetch"] <= 2, "the second is for the sign of life, and holds nobody up"
    assert time.monotonic() - started_s < 2.6
    gateway.game.submit_gate.set()


async def test_a_victory_is_claimed_with_or_without_a_slash(gateway: Gateway) -> None:
    for api in APIS:
        gateway.game.new_game(name := f"{api:0<8}")
        url = f"/api/{api}/game/{name}/claim-victory"
        early = await post(gateway, url)
        assert (early.status_code, early.json()["code"]) == (400, "not_allowed")
        gateway.game.away.add(name)
        assert (await post(gateway, f"{url}/")).json() == {"ok": True}
        assert gateway.game.games[name][-1].state.outcome.winner == common_pb2.COLOR_WHITE
    assert [command.claim_win.draw for command in gateway.game.commands] == [False] * 4


async def test_a_draw_is_claimed_of_whoever_has_left_where_none_is_due(gateway: Gateway) -> None:
    for api in APIS:
        gateway.game.commands.clear()
        gateway.game.new_game(name := f"{api:0<8}")
        url = f"/api/{api}/game/{name}/claim-draw"
        early = await post(gateway, url)
        assert (early.status_code, early.json()["code"]) == (400, "not_allowed")
        gateway.game.away.add(name)
        named = await post(gateway, url, json={"move": "e4"})  # that is a claim by the rules, and nothing else
        assert (named.status_code, actions(gateway)) == (400, ["claim_draw", "claim_win", "claim_draw"])
        assert (await post(gateway, url)).json() == {"ok": True}
        outcome = gateway.game.games[name][-1].state.outcome
        assert (outcome.winner, outcome.reason) == (common_pb2.COLOR_UNSPECIFIED, common_pb2.END_REASON_ABSENCE)
        over = await post(gateway, url)
        assert (over.status_code, over.json()["code"]) == (400, "game_over")


async def test_time_is_given_in_whole_seconds_of_a_range(gateway: Gateway) -> None:
    for seconds in ("4", "61", "0", "-5", "7.5", "5s", "99999999", "\u0665", "x"):
        answer = await post(gateway, f"/api/round/{GAME}/add-time/{seconds}")
        assert (answer.status_code, answer.json()["code"], answer.json()["at"]) == (400, "malformed", "seconds")
        assert answer.headers["access-control-allow-origin"] == "*"
    assert gateway.game.commands == []
    for seconds in ("5", "60"):
        answer = await post(gateway, f"/api/round/{GAME}/add-time/{seconds}")
        assert (answer.json(), answer.headers["access-control-allow-origin"]) == ({"ok": True}, "*")
    assert [command.give_time.ms for command in gateway.game.commands] == [5_000, 60_000]


async def test_giving_time_and_hints_take_a_scope(gateway: Gateway) -> None:
    gateway.game.scopes = ("challenge:write",)
    assert (await post(gateway, f"/api/round/{GAME}/add-time/15")).status_code == 200
    assert (await post(gateway, f"/api/flagfall/games/{COMPUTER_GAME}/hint")).status_code == 403
    gateway.game.scopes = ("challenge:read",)
    assert (await post(gateway, f"/api/round/{GAME}/add-time/15", "bob")).status_code == 403


async def test_own_commands_answer_with_the_state_and_take_an_id(gateway: Gateway) -> None:
    for word, body, action in OWN:
        for kind in ("json", "data"):
            gateway.game.commands.clear()
            gateway.game.new_game(name := f"own0{kind}")
            url = f"/api/flagfall/games/{name}/{word}"
            once: dict[str, Any] = {kind: {**body, "id": f"{word}-{kind}"}}
            answer = await post(gateway, url, **once)
            assert (answer.status_code, answer.json()["version"]) == (200, 2), answer.text
            again = await post(gateway, url, **once)
            assert (again.json()["version"], again.json()["repeated"]) == (2, True)
            assert actions(gateway) == [action, action]
        unknown = await post(gateway, url, json={**body, "now": 1})
        assert (unknown.status_code, unknown.json()["at"]) == (400, "now")
        bad = await post(gateway, url, json={**body, "id": "no id"})
        assert (bad.status_code, bad.json()["at"]) == (400, "id")
    assert gateway.game.commands[-1].WhichOneof("action") == OWN[-1][2]


async def test_a_level_is_one_to_ten(gateway: Gateway) -> None:
    bodies: list[dict[str, Any]] = [{}, {"level": 0}, {"level": 11}, {"level": "high"}]
    for body in bodies:
        answer = await post(gateway, f"/api/flagfall/games/{COMPUTER_GAME}/level", json=body)
        assert (answer.status_code, answer.json()["at"]) == (400, "level")
    assert (await post(gateway, f"/api/flagfall/games/{COMPUTER_GAME}/level", json={"level": "10"})).status_code == 200
    assert gateway.game.commands[-1].set_level.level == 10


async def test_a_stream_tells_a_takeback_by_fewer_moves(gateway: Gateway) -> None:
    async with opened(gateway, f"/api/board/game/stream/{COMPUTER_GAME}") as lines:
        assert (await lines.next())["state"]["moves"] == "m1 m2 m3 m4"
        await post(gateway, f"/api/flagfall/games/{COMPUTER_GAME}/undo")
        assert (await lines.next())["moves"] == "m1 m2"
        await post(gateway, f"/api/board/game/{COMPUTER_GAME}/move/e2e4")
        assert (await lines.next())["moves"] == "m1 m2 m3"


async def test_a_stream_tells_who_asks_for_a_takeback_and_time_that_was_given(gateway: Gateway, redis_url: str) -> None:
    async with opened(gateway, f"/api/board/game/stream/{GAME}", "bob") as lines:
        before = (await lines.next())["state"]
        await post(gateway, f"/api/board/game/{GAME}/takeback/yes")
        await publish(redis_url, gateway.game.games[GAME][-1])
        asked = await lines.next()
        assert (asked["wtakeback"], asked["moves"], "btakeback" in asked) == (True, before["moves"], False)
        await post(gateway, f"/api/round/{GAME}/add-time/15")
        assert (await lines.next())["btime"] == before["btime"] + 15_000


async def test_the_stream_of_an_end_is_over_and_that_of_its_undoing_begins_anew(gateway: Gateway) -> None:
    path = f"/api/board/game/stream/{COMPUTER_GAME}"
    async with opened(gateway, path) as lines:
        await lines.next()
        await post(gateway, f"/api/board/game/{COMPUTER_GAME}/resign")
        assert [line["status"] for line in await lines.rest()] == ["resign"]
    await post(gateway, f"/api/board/game/{COMPUTER_GAME}/takeback/yes")
    async with opened(gateway, path) as lines:
        state = (await lines.next())["state"]
        assert (state["status"], state["moves"]) == ("started", "m1 m2")


async def test_a_hint_is_a_line_for_whoever_asked(gateway: Gateway, redis_url: str) -> None:
    for api in APIS:
        async with opened(gateway, f"/api/{api}/game/stream/{GAME}", "bob") as bobs:
            async with opened(gateway, f"/api/{api}/game/stream/{GAME}") as annas:
                await annas.next()
                await bobs.next()
                hint = events_pb2.Hint(game_id=GAME, ply=0, uci="g1f3", san="Nf3", player_id="anna")
                await publish_hint(redis_url, hint)
                assert await annas.next() == {"type": "hint", "ply": 0, "uci": "g1f3", "san": "Nf3"}
            await post(gateway, f"/api/round/{GAME}/add-time/15")
            assert (await bobs.next())["type"] == "gameState"


async def test_events_tell_that_a_game_which_was_over_goes_on(gateway: Gateway, redis_url: str) -> None:
    """Begun before the stream was opened, over, and begun again by an undo."""
    state = gateway.game.games[COMPUTER_GAME][-1].state
    async with opened(gateway, "/api/stream/event") as lines:
        first = [await lines.next() for _ in gateway.game.games]
        assert {(line["type"], line["game"]["id"]) for line in first} == {
            ("gameStart", GAME),
            ("gameStart", COMPUTER_GAME),
        }
        for seq, content in enumerate(("game_start", "game_finish", "game_start"), 1):
            event = events_pb2.PlayerEvent(player_id="anna", seq=seq)
            summary = events_pb2.GameSummary(info=gateway.game.info(COMPUTER_GAME), state=state)
            getattr(event, content).CopyFrom(summary)
            await publish_player(redis_url, event)
        assert [(await lines.next())["type"] for _ in range(2)] == ["gameFinish", "gameStart"]


async def test_a_hint_is_asked_for(gateway: Gateway) -> None:
    answer = await post(gateway, f"/api/flagfall/games/{COMPUTER_GAME}/hint", json={"id": "h1"})
    assert (answer.status_code, answer.json()["state"]["helped"]) == (200, True)
    asked = gateway.game.hints_asked[-1]
    assert (asked.game_id, asked.player_id, asked.command_id) == (COMPUTER_GAME, "anna", "rh1")
    refused = await post(gateway, f"/api/flagfall/games/{GAME}/hint")
    assert (refused.status_code, refused.json()["code"]) == (400, "not_allowed")
