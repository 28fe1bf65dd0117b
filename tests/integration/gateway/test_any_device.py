"""Games of an account are played from any of its devices (rows 99, 100, 103), and new ones at any time (row 112)."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.integration.gateway.whole_api import WITHIN_S, WholeApi, whole_api
from tests.integration.races.race_replicas import PATIENT, racing

Json = dict[str, Any]


@pytest.fixture
async def api(database_url: str, redis_url: str) -> AsyncIterator[WholeApi]:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world, whole_api(world) as api:
        yield api


async def _device(api: WholeApi, path: str, name: str) -> httpx.AsyncClient:
    """A client of its own, signed up or in."""
    client = httpx.AsyncClient(base_url=f"http://{api.door}", timeout=WITHIN_S, trust_env=False)
    await api.stack.enter_async_context(client)
    token = (await _post(client, path, username=name, password="correct horse"))["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    client.cookies.clear()
    return client


async def _post(client: httpx.AsyncClient, path: str, **fields: Any) -> Json:
    answer = await client.post(path, json=fields or None)
    assert answer.is_success, answer.text
    found: Json = answer.json()
    return found


async def _turns(client: httpx.AsyncClient) -> dict[str, bool]:
    """My games: whether it is my turn, by game."""
    listed = (await client.get("/api/account/playing")).json()["nowPlaying"]
    return {game["gameId"]: game["isMyTurn"] for game in listed}


async def test_a_game_of_days_goes_on_from_another_device(api: WholeApi) -> None:
    home = await _device(api, "/api/flagfall/accounts", "ann")
    away = await _device(api, "/api/flagfall/login", "ann")
    bob = await _device(api, "/api/flagfall/accounts", "bob")
    assert home.headers["Authorization"] != away.headers["Authorization"]
    game_id = (await _post(home, "/api/challenge/bob", days=3, color="white"))["id"]
    await _post(bob, f"/api/challenge/{game_id}/accept")
    assert [await _turns(client) for client in (home, away, bob)] == [
        {game_id: True},
        {game_id: True},
        {game_id: False},
    ]
    path = f"/api/board/game/{game_id}"
    await _post(away, f"{path}/move/e2e4")
    await _post(bob, f"{path}/move/e7e5")
    await _post(home, f"{path}/move/g1f3")
    assert [await _turns(client) for client in (home, away, bob)] == [
        {game_id: False},
        {game_id: False},
        {game_id: True},
    ]
    # Draws are offered, and games resigned, over days as at the board; the offer is the account's, not the device's.
    await _post(home, f"{path}/draw/yes")
    await _post(bob, f"{path}/draw/no")
    await _post(bob, f"{path}/draw/yes")
    await _post(away, f"{path}/resign")
    assert [await _turns(client) for client in (home, away, bob)] == [{}, {}, {}]
    over = (await home.get(f"/game/export/{game_id}", headers={"Accept": "application/json"})).json()
    assert (over["status"], over["winner"], over["moves"]) == ("resign", "black", "e4 e5 Nf3")


async def test_a_new_game_with_the_computer_may_begin_at_any_time(api: WholeApi) -> None:
    guest = await api.guest()
    games = []
    for level in ("1", "10", "1"):
        answer = await guest.client.post("/api/challenge/ai", json={"level": level, "color": "white"})
        assert answer.status_code == 201, answer.text
        games.append(answer.json()["id"])
        assert set(await _turns(guest.client)) == set(games), "and the others go on"
    await guest.post(f"/api/board/game/{games[0]}/move/e2e4")
    assert await _turns(guest.client) == {games[0]: False, games[1]: True, games[2]: True}
