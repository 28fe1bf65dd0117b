"""One's own data, the end of an account, and what is not kept for ever: over HTTP, before a real game service."""

import asyncio
import io
from collections.abc import AsyncIterator
from functools import partial
from typing import Any
from unittest.mock import ANY

import httpx
import orjson
import pytest

from services.domain.refusal import Refusal
from services.domain.time_control import Correspondence
from services.game.main import operator
from services.game.main.servicers import register
from services.game.personal.closing import forget_due
from services.game.play.game import Seat
from services.game.settings import GameSettings
from services.game.store.database import DatabaseAway
from services.game.upkeep.retention import DAY_MS, Retention
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.gateway.whole_api import WITHIN_S, WholeApi, whole_api
from tests.integration.races.race_replicas import PATIENT, racing, uci

NAME, PASSWORD = "Zelda-Findme", "correct horse"
ID = NAME.lower()
MOVES = (uci("e2e4"), uci("e7e5"))


@pytest.fixture
async def api(database_url: str, redis_url: str) -> AsyncIterator[WholeApi]:
    settings = {**PATIENT, "password_memory_kib": 8, "password_rounds": 1, "chat_exported_max": 2}
    async with (
        racing(database_url, redis_url, count=1, **settings) as world,
        whole_api(world, socket_token_ms=200, token_cache_ms=100) as api,
    ):
        yield api


async def person(api: WholeApi, name: str) -> httpx.AsyncClient:
    """An account's client, with the token of the sign-up."""
    client = httpx.AsyncClient(base_url=f"http://{api.door}", timeout=WITHIN_S, trust_env=False)
    await api.stack.enter_async_context(client)
    made = await client.post("/api/flagfall/accounts", json={"username": name, "password": PASSWORD})
    assert made.status_code == 201, made.text
    client.cookies.clear()
    client.headers["Authorization"] = f"Bearer {made.json()['token']}"
    return client


async def whole_life(api: WholeApi) -> tuple[httpx.AsyncClient, httpx.AsyncClient, str]:
    """Zelda with something in every table that can hold something of her; bob; and their game, which is over."""
    zelda, bob = await person(api, NAME), await person(api, "bob")
    seats = {"white": Seat(ID, NAME), "black": Seat("bob", "bob")}
    game_id = await api.world.game(*MOVES, **seats, rated=True)  # type: ignore[arg-type]
    for number in range(5):
        said = await zelda.post(f"/api/board/game/{game_id}/chat", data={"room": "player", "text": f"line {number}"})
        assert said.status_code == 200, said.text
    assert (await bob.post(f"/api/board/game/{game_id}/resign")).status_code == 200
    token = await zelda.post("/api/flagfall/tokens", json={"scopes": "bot:play", "description": "my bot"})
    assert token.status_code == 201, token.text
    assert (await zelda.post("/api/challenge/bob")).status_code == 200
    assert (await bob.post(f"/api/challenge/{ID}")).status_code == 200
    assert (await zelda.post("/api/flagfall/parties", json={})).status_code == 201
    seek = {"rated": "false", "days": "3", "color": "white"}
    assert (await zelda.post("/api/board/seek", data=seek)).status_code == 200
    return zelda, bob, game_id


async def told(client: httpx.AsyncClient) -> dict[str, list[dict[str, Any]]]:
    """The lines of one's own data, by kind."""
    answer = await client.get("/api/flagfall/account/data")
    assert answer.status_code == 200, answer.text
    found: dict[str, list[dict[str, Any]]] = {}
    for text in answer.text.splitlines():
        entry = orjson.loads(text)
        found.setdefault(entry["kind"], []).append(entry)
    return found


async def traces(api: WholeApi, name: str) -> list[str]:
    """Tables of the database that hold a name, in whatever letters, in text or in bytes."""
    tables = await api.world.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    found = []
    for (table,) in tables:
        for (row,) in await api.world.rows(f'SELECT "{table}"::text FROM "{table}"'):
            hexed = [spelt.encode().hex() for spelt in (name, name.lower())]
            if name.lower() in row.lower() or any(spelt in row for spelt in hexed):
                found.append(table)
    return sorted(set(found))


async def swept(api: WholeApi, limit: int = 3) -> None:
    """Sweep until nothing more is to be done."""
    async with asyncio.timeout(WITHIN_S):
        while (await api.world.first.sweep.run(limit)).more:
            pass


async def test_a_person_takes_everything_along(api: WholeApi) -> None:
    zelda, bob, game_id = await whole_life(api)
    data = await told(zelda)
    assert [entry["text"] for entry in data["chat"]] == [f"line {number}" for number in range(5)]
    assert data["account"][0]["name"] == NAME
    assert {entry["description"]: entry["signIn"] for entry in data["token"]} == {"": False, "my bot": False}
    (game,) = data["game"]
    assert (game["id"], game["moves"], len(game["clocks"])) == (game_id, "e4 e5", 2)
    assert [point["game"] for point in data["ratings"][0]["history"]] == [game_id]
    assert len(data["progress"]) == 1
    assert "chat" not in await told(bob)

    bots = await zelda.post("/api/flagfall/tokens", json={"scopes": "bot:play"})
    narrow = {"Authorization": f"Bearer {bots.json()['token']}"}
    refused = await zelda.get("/api/flagfall/account/data", headers=narrow)
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


async def test_a_closed_account_leaves_no_trace_and_its_games_stay(api: WholeApi) -> None:
    zelda, bob, game_id = await whole_life(api)
    assert len(await traces(api, NAME)) >= 8
    wrong = await zelda.post("/api/flagfall/account/close", json={"password": "something else"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_password")
    done = await zelda.post("/api/flagfall/account/close", json={"password": PASSWORD})
    assert done.status_code == 204, done.text

    # At once: nobody can use it, find it or take its name.
    assert (await zelda.get("/api/account")).status_code == 401
    log_in = await bob.post("/api/flagfall/login", json={"username": NAME, "password": PASSWORD})
    assert log_in.status_code == 401
    assert (await bob.get(f"/api/user/{ID}")).status_code == 404
    assert (await bob.get("/api/flagfall/seeks")).json()["seeks"] == []
    assert (await bob.post(f"/api/challenge/{ID}")).status_code == 404
    for _ in ("while something is left", "when nothing is"):
        again = await bob.post("/api/flagfall/accounts", json={"username": ID, "password": PASSWORD})
        assert (again.status_code, again.json()["code"]) == (409, "name_taken")
        await swept(api)

    # Bob is told that both challenges are off, then nothing tells of her any more.
    challenges = (await bob.get("/api/challenge")).json()
    assert (challenges["in"], challenges["out"]) == ([], [])
    await api.world.execute("DELETE FROM player_event")  # bob's own, which last a week
    assert await traces(api, NAME) == []
    assert await api.world.rows("SELECT count(*) FROM closing") == [(0,)]
    shown = (await bob.get(f"/game/export/{game_id}", headers={"Accept": "application/json"})).json()
    gone = shown["players"]["white"]["user"]["name"]
    assert gone.startswith("Deleted-")
    assert shown["moves"] == "e4 e5"
    assert f'[White "{gone}"]' in (await bob.get(f"/game/export/{game_id}")).text
    assert (await told(bob))["game"][0]["id"] == game_id
    assert (await bob.get(f"/api/user/{gone}")).status_code == 404


async def test_open_streams_end_with_their_tokens(api: WholeApi) -> None:
    zelda = await person(api, NAME)
    other = await zelda.post("/api/flagfall/login", json={"username": NAME, "password": PASSWORD})
    opened = asyncio.Event()

    async def listen() -> None:
        mine = {"Authorization": f"Bearer {other.json()['token']}"}
        async with zelda.stream("GET", "/api/stream/event", headers=mine) as stream:
            assert stream.status_code == 200
            opened.set()
            async for _ in stream.aiter_lines():
                pass

    listening = asyncio.ensure_future(listen())
    async with asyncio.timeout(WITHIN_S):
        await opened.wait()
    changed = {"oldPassword": PASSWORD, "newPassword": "new horse"}
    assert (await zelda.post("/api/flagfall/account/password", json=changed)).status_code == 200
    async with asyncio.timeout(WITHIN_S):
        await listening


async def test_an_invitation_that_an_older_replica_makes_later_keeps_nobody(api: WholeApi) -> None:
    """A release that knows nothing of closed accounts may still invite one, and name it in an open link."""
    zelda, bob = await person(api, NAME), await person(api, "bob")
    await person(api, "carl")
    for path, asked in (("carl", {}), ("open", {"users": "bob,carl"})):
        made = await bob.post(f"/api/challenge/{path}", data={"clock.limit": "300", "clock.increment": "3", **asked})
        assert made.status_code == 200, made.text
    assert (await zelda.post("/api/flagfall/account/close", json={"password": PASSWORD})).status_code == 204
    await api.world.execute("UPDATE challenge SET dest_id = :id WHERE dest_id = 'carl'", id=ID)
    await api.world.execute("UPDATE challenge SET user_ids = ARRAY['bob', :id] WHERE open", id=ID)
    await swept(api)
    assert await api.world.rows("SELECT count(*) FROM player WHERE id = :id", id=ID) == [(0,)]
    ((named,),) = await api.world.rows("SELECT user_ids FROM challenge WHERE open")
    assert named[0] == "bob"
    assert named[1].startswith("deleted-")


async def test_a_password_that_was_changed_meanwhile_closes_nothing(
    api: WholeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    zelda = await person(api, NAME)
    servicers = api.world.first.servicer.servicers
    closing, accounts = servicers["PersonalDataService"]._closing, servicers["PlayersService"]._accounts
    left = closing._leave_parties

    async def change_first(player_id: str, now_ms: int) -> None:
        changed = await accounts.set_password(player_id, PASSWORD, "new horse", now_ms)
        assert not isinstance(changed, Refusal)
        await left(player_id, now_ms)

    monkeypatch.setattr(closing, "_leave_parties", change_first)
    closed = await zelda.post("/api/flagfall/account/close", json={"password": PASSWORD})
    assert (closed.status_code, closed.json()["code"]) == (401, "wrong_password")
    assert await api.world.rows("SELECT closed_ms FROM player WHERE id = :id", id=ID) == [(None,)]


async def test_a_sweep_that_cannot_forget_ends_games_all_the_same(
    api: WholeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> int:
        raise DatabaseAway("in the way")

    monkeypatch.setattr("services.game.upkeep.sweep.closing.forget_due", away)
    swept_once = await api.world.first.sweep.run(10)
    assert not swept_once.more


async def test_an_account_with_a_game_going_on_is_not_closed(api: WholeApi) -> None:
    zelda = await person(api, NAME)
    await person(api, "bob")
    control = Correspondence(3)
    await api.world.game(*MOVES, white=Seat("bob", "bob"), black=Seat(ID, NAME), control=control)
    refused = await zelda.post("/api/flagfall/account/close", json={"password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (400, "not_allowed")
    assert (await zelda.get("/api/account")).json()["username"] == NAME


async def test_a_guest_leaves_without_a_password(api: WholeApi) -> None:
    guest = await api.guest()
    assert "game" not in await told(guest.client)
    assert (await guest.client.post("/api/flagfall/account/close")).status_code == 204
    assert (await guest.client.get("/api/account")).status_code == 401
    await swept(api)
    assert await traces(api, guest.seat.player_id) == []


async def test_a_new_password_ends_every_token_but_its_own(api: WholeApi) -> None:
    zelda = await person(api, NAME)
    path = "/api/flagfall/account/password"
    wrong = await zelda.post(path, json={"oldPassword": "something else", "newPassword": "new horse"})
    assert (wrong.status_code, wrong.json()["code"], wrong.json()["at"]) == (401, "wrong_password", "oldPassword")
    short = await zelda.post(path, json={"oldPassword": PASSWORD, "newPassword": "short"})
    assert (short.status_code, short.json()["at"]) == (400, "newPassword")
    assert (await zelda.get("/api/account")).status_code == 200
    done = await zelda.post(path, json={"oldPassword": PASSWORD, "newPassword": "new horse"})
    assert done.status_code == 200, done.text
    zelda.cookies.clear()
    assert (await zelda.get("/api/account")).status_code == 401
    new = {"Authorization": f"Bearer {done.json()['token']}"}
    assert (await zelda.get("/api/account", headers=new)).json()["id"] == ID
    for password, status in ((PASSWORD, 401), ("new horse", 200)):
        answer = await zelda.post("/api/flagfall/login", json={"username": NAME, "password": password})
        assert answer.status_code == status
    guest = await api.guest()
    none = await guest.client.post(path, json={"oldPassword": "", "newPassword": "new horse"})
    assert (none.status_code, none.json()["code"]) == (403, "account_needed")


async def test_whoever_runs_the_server_closes_an_account_and_sets_a_password(
    api: WholeApi, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    zelda, _ = await person(api, NAME), await person(api, "bob")
    add = partial(register, api.world.first.servicer.servicers)
    async with serving(Settings(drain_ms=0), add) as server:
        settings = GameSettings(game_target=f"127.0.0.1:{server.port}")

        async def said(command: str, name: str, line: str = "") -> tuple[int, str]:
            monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))
            code = await asyncio.to_thread(operator.run, command, name, settings)
            told = capsys.readouterr()
            return code, told.out + told.err

        assert await said("password", NAME, "short") == (1, ANY)
        code, told = await said("password", NAME, "a new one")
        assert (code, "logged out" in told) == (0, True)
        logged_in = await zelda.post("/api/flagfall/login", json={"username": ID, "password": "a new one"})
        assert logged_in.status_code == 200
        assert (await said("close", NAME))[0] == 0
        assert (await zelda.get(f"/api/user/{ID}")).status_code == 404
        code, told = await said("close", NAME)
        assert (code, "Nothing was done" in told) == (1, True)
    away = GameSettings(game_target="127.0.0.1:9")
    assert await asyncio.to_thread(operator.run, "close", "bob", away) == 1
    assert "not known" in capsys.readouterr().err


async def test_who_begins_games_while_closing_gets_either(api: WholeApi) -> None:
    """A game that has begun holds the account; one that comes later finds nobody. Never a game of nobody."""
    for number in range(6):
        client = await person(api, f"racer-{number}")
        asked = [client.post("/api/challenge/ai", data={"level": "1", "color": "black"}) for _ in range(3)]
        closing = client.post("/api/flagfall/account/close", json={"password": PASSWORD})
        *games, closed = await asyncio.gather(*asked, closing)
        begun = [answer for answer in games if answer.status_code == 201]
        ((playing,),) = await api.world.rows(
            "SELECT count(*) FROM game WHERE end_reason = 0 AND (white_id = :id OR black_id = :id)",
            id=f"racer-{number}",
        )
        assert playing == len(begun)
        assert (closed.status_code == 204) == (not begun), (closed.text, [answer.text for answer in games])


async def test_many_games_are_renamed_in_bounded_steps_by_any_number_of_sweeps(api: WholeApi) -> None:
    zelda, _, game_id = await whole_life(api)
    await api.world.clones(game_id, 40, white_id=ID)
    await api.world.execute("UPDATE game SET white_id = :id", id=ID)
    assert (await zelda.post("/api/flagfall/account/close", json={"password": PASSWORD})).status_code == 204
    engine = api.world.first.engine
    now_ms = api.world.first.beats.now_ms()
    assert await forget_due(engine, now_ms, 7) == 7
    ((left,),) = await api.world.rows("SELECT count(*) FROM game WHERE white_id = :id", id=ID)
    assert left == 41 - 7
    await asyncio.gather(*(swept(api) for _ in range(3)))
    await swept(api)
    names = await api.world.rows("SELECT DISTINCT white_id, white_name FROM game")
    assert len(names) == 1
    assert names[0][0] == names[0][1].lower()
    assert await api.world.rows("SELECT count(*) FROM player WHERE id = :id", id=ID) == [(0,)]


async def test_old_games_go_with_their_chat_and_ratings_stay(api: WholeApi) -> None:
    _, _, game_id = await whole_life(api)
    young = await api.world.game(*MOVES, white=Seat(ID, NAME), black=Seat("bob", "bob"))
    first = api.world.first
    kept = Retention(first.engine, first.settings.model_copy(update={"games_kept_days": 30}))
    now_ms = first.beats.now_ms()
    assert await kept.remove(now_ms + 29 * DAY_MS, 100) == 0
    assert await Retention(first.engine, first.settings).remove(now_ms + 399 * DAY_MS, 100) == 0
    assert await kept.remove(now_ms + 31 * DAY_MS, 100) == 1
    assert await api.world.rows("SELECT id FROM game") == [(young,)]
    assert await api.world.rows("SELECT count(*) FROM game_event WHERE game_id = :id", id=game_id) == [(0,)]
    assert await api.world.rows("SELECT count(*) FROM chat_line") == [(0,)]
    assert await api.world.rows("SELECT DISTINCT game_id FROM rating_point") == [(game_id,)]


async def test_old_chat_goes_alone(api: WholeApi) -> None:
    _, _, game_id = await whole_life(api)
    first = api.world.first
    await api.world.execute(f"UPDATE chat_line SET at_ms = at_ms - {40 * DAY_MS} WHERE text <> 'line 4'")
    kept = Retention(first.engine, first.settings.model_copy(update={"chat_kept_days": 30}))
    assert await kept.remove(first.beats.now_ms(), 3) == 3
    assert await kept.remove(first.beats.now_ms(), 3) == 1
    assert await kept.remove(first.beats.now_ms(), 3) == 0
    assert await api.world.rows("SELECT game_id, text FROM chat_line") == [(game_id, "line 4")]


async def test_a_guest_who_can_never_come_back_is_forgotten(api: WholeApi) -> None:
    idle, playing, back = [await api.guest() for _ in range(3)]
    await person(api, NAME)
    await api.world.game(*MOVES, white=playing.seat, black=Seat(ID, NAME), control=Correspondence(3))
    await api.world.execute("UPDATE player SET seen_ms = 0 WHERE id <> :id", id=back.seat.player_id)
    first = api.world.first
    kept = Retention(first.engine, first.settings)
    assert await kept.remove(first.beats.now_ms(), 100) == 1
    left = {name for (name,) in await api.world.rows("SELECT id FROM player WHERE guest")}
    assert left == {playing.seat.player_id, back.seat.player_id}
    assert idle.seat.player_id not in left
