"""Time on a whole stack, with nobody connected: flags, first moves that never come, correspondence limits."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import asyncpg
import httpx

from tests.conftest import MakeFlagfall
from tests.stack.running import RunningFlagfall


class Person:
    """An account with its token."""

    def __init__(self, client: httpx.Client, name: str) -> None:
        answer = client.post("/api/flagfall/accounts", json={"username": name, "password": "correct horse"})
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json()["id"]
        self._client = client
        self._headers = {"Authorization": f"Bearer {answer.json()['token']}"}

    def post(self, path: str, **fields: Any) -> httpx.Response:
        return self._client.post(path, data=fields, headers=self._headers)

    def move(self, game_id: str, uci: str) -> None:
        answer = self.post(f"/api/board/game/{game_id}/move/{uci}")
        assert answer.json() == {"ok": True}, answer.text


def start(client: httpx.Client, prefix: str, **terms: Any) -> tuple[Person, Person, str]:
    """Two people and a game between them that has just begun."""
    white, black = Person(client, f"{prefix}-white"), Person(client, f"{prefix}-black")
    made = white.post(f"/api/challenge/{black.id}", color="white", rated="false", **terms)
    assert made.status_code == 200, made.text
    game_id: str = made.json()["id"]
    accepted = black.post(f"/api/challenge/{game_id}/accept")
    assert accepted.status_code == 200, accepted.text
    return white, black, game_id


def state_of(client: httpx.Client, game_id: str) -> dict[str, Any]:
    state: dict[str, Any] = client.get(f"/api/flagfall/games/{game_id}").json()["state"]
    return state


def until(condition: Callable[[], bool], within_s: float) -> None:
    deadline_s = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline_s, "it did not come to pass"
        time.sleep(0.05)


def ended_ms(flagfall: RunningFlagfall, game_id: str) -> int:
    async def ask() -> int:
        connection = await asyncpg.connect(flagfall.database_url.replace("+asyncpg", ""))
        try:
            return int(await connection.fetchval("SELECT ended_ms FROM game WHERE id = $1", game_id))
        finally:
            await connection.close()

    return asyncio.run(ask())


def test_a_flag_falls_by_itself_and_never_early(flagfall: RunningFlagfall) -> None:
    with httpx.Client(base_url=flagfall.address, timeout=10) as client:
        white, black, game_id = start(client, "flag", **{"clock.limit": 15, "clock.increment": 0})
        white.move(game_id, "e2e4")
        black.move(game_id, "e7e5")
        running = state_of(client, game_id)
        deadline_ms = running["deadline"]
        until(lambda: state_of(client, game_id)["status"] == "ended", 25)
        over = state_of(client, game_id)
        assert (over["winner"], over["reason"], over["clock"]["white"]) == ("black", "flag", 0)
        # 100 ms of grace for a move that another replica received in time; how late is the benchmark's matter.
        assert 100 <= ended_ms(flagfall, game_id) - deadline_ms <= 2_000
        late = white.post(f"/api/board/game/{game_id}/move/g1f3")
        assert (late.status_code, late.json()["code"]) == (400, "game_over")


def test_a_live_game_whose_first_move_never_comes_is_aborted(make_flagfall: MakeFlagfall) -> None:
    flagfall = make_flagfall({"FLAGFALL_FIRST_MOVE_MS": "1500"})
    with httpx.Client(base_url=flagfall.address, timeout=10) as client:
        _, _, never = start(client, "never", **{"clock.limit": 300, "clock.increment": 0})
        white, _, half = start(client, "half", **{"clock.limit": 300, "clock.increment": 0})
        white.move(half, "e2e4")
        for game_id in (never, half):
            until(lambda game_id=game_id: state_of(client, game_id)["status"] == "aborted", 15)  # type: ignore[misc]
            assert state_of(client, game_id)["reason"] == "noFirstMove"


def test_a_correspondence_game_lives_through_its_days_in_seconds(make_flagfall: MakeFlagfall) -> None:
    flagfall = make_flagfall({"FLAGFALL_DAY_MS": "400", "FLAGFALL_SWEEP_PERIOD_S": "1"})
    with httpx.Client(base_url=flagfall.address, timeout=10) as client:
        white, black, game_id = start(client, "letters", days=14)
        white.move(game_id, "e2e4")
        black.move(game_id, "e7e5")
        deadline_ms = state_of(client, game_id)["deadline"]
        until(lambda: state_of(client, game_id)["status"] == "ended", 30)
        over = state_of(client, game_id)
        assert (over["winner"], over["reason"]) == ("black", "expiry")
        assert ended_ms(flagfall, game_id) >= deadline_ms
