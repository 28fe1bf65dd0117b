"""The lobby, other terms and what holds while somebody is there, over HTTP on the whole stack."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.stack.running import RunningFlagfall

WITHIN_S = 30.0
SEEK = "/api/board/seek"
LOBBY = "/api/flagfall/seeks"


@dataclass(slots=True)
class House:
    """A running stack and those who are in it, by name."""

    http: httpx.AsyncClient
    tokens: dict[str, str]

    async def enter(self, *names: str) -> None:
        """New accounts."""
        for name in names:
            answer = await self.http.post(
                "/api/flagfall/accounts", json={"username": name, "password": "correct horse"}
            )
            assert answer.status_code == 201, answer.text
            self.tokens[name] = answer.json()["token"]
        self.http.cookies.clear()  # who asks is told by the token alone

    async def guest(self) -> str:
        """A new guest; the name."""
        made = (await self.http.post("/api/flagfall/guests")).json()
        self.tokens[made["id"]] = made["token"]
        self.http.cookies.clear()
        return str(made["id"])

    def as_(self, name: str) -> dict[str, str]:
        """The headers of somebody."""
        return {"Authorization": f"Bearer {self.tokens[name]}"} if name else {}

    async def post(self, name: str, path: str, status: int = 200, **fields: Any) -> Any:
        """Post a form; the test fails when the answer is another."""
        answer = await self.http.post(path, data=fields, headers=self.as_(name))
        assert answer.status_code == status, answer.text
        return answer.json()

    async def get(self, name: str, path: str) -> Any:
        """What is there."""
        answer = await self.http.get(path, headers=self.as_(name))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def lobby(self, name: str = "") -> list[str]:
        """The ids of those who wait, as somebody sees them."""
        return [seek["id"] for seek in (await self.get(name, LOBBY))["seeks"]]

    @asynccontextmanager
    async def stream(self, name: str, path: str, method: str = "GET", **fields: Any) -> AsyncIterator[httpx.Response]:
        """An open stream of lines."""
        async with self.http.stream(method, path, data=fields or None, headers=self.as_(name)) as response:
            assert response.headers.get("content-type") == "application/x-ndjson", await response.aread()
            yield response


@asynccontextmanager
async def house(flagfall: RunningFlagfall) -> AsyncIterator[House]:
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=WITHIN_S) as http:
        yield House(http, {})


async def until(holds: Callable[[], Any]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(WITHIN_S):
        while not await holds():
            await asyncio.sleep(0.02)


async def test_closing_the_stream_is_to_stop_looking(flagfall: RunningFlagfall) -> None:
    async with house(flagfall) as there:
        await there.enter("lb-ann", "lb-bob")
        async with there.stream("lb-ann", SEEK, "POST", time="3", increment="2", ruleSet="everyday") as response:
            lines = response.aiter_lines()
            assert await anext(lines) == "", "the stream begins at once"
            (seek,) = (await there.get("lb-ann", LOBBY))["seeks"]
            assert (seek["mine"], seek["ruleSet"], seek["timeControl"]["show"]) == (True, "everyday", "3+2")
            assert (await there.get("lb-bob", LOBBY))["seeks"][0]["mine"] is False
            opened_s = time.monotonic()

        async def empty() -> bool:
            return await there.lobby() == []

        await until(empty)
        assert time.monotonic() - opened_s < 15, "long before it would have lapsed"


async def test_somebody_is_taken_out_of_the_list(flagfall: RunningFlagfall) -> None:
    async with house(flagfall) as there:
        await there.enter("lb-cleo", "lb-dan")
        guest = await there.guest()
        async with there.stream("lb-cleo", SEEK, "POST", perMove="30", color="black") as response:
            lines = response.aiter_lines()
            await anext(lines)
            (seek_id,) = await there.lobby(guest)
            taken = f"{LOBBY}/{seek_id}/accept"
            assert (await there.post("lb-cleo", taken, 400))["code"] == "not_allowed"
            game = await there.post(guest, taken)
            assert (game["source"], game["color"], game["opponent"]["username"]) == ("lobby", "white", "lb-cleo")
            assert (await there.post("lb-dan", taken, 404))["code"] == "not_found"
            assert [line async for line in lines if line] == [], "it ends, and said nothing"
        assert await there.lobby() == []
        playing = await there.get("lb-cleo", "/api/account/playing")
        assert [entry["gameId"] for entry in playing["nowPlaying"]] == [game["gameId"]]


async def test_a_seek_of_days_waits_without_a_connection(flagfall: RunningFlagfall) -> None:
    async with house(flagfall) as there:
        await there.enter("lb-eve", "lb-fay")
        guest = await there.guest()
        waiting = await there.post("lb-eve", SEEK, days="3")
        assert await there.lobby() == [waiting["id"]]
        assert await there.lobby(guest) == [], "a guest cannot play by correspondence"
        assert (await there.post(guest, SEEK, 403, days="3"))["code"] == "account_needed"
        assert (await there.post(guest, f"{LOBBY}/{waiting['id']}/accept", 403))["code"] == "account_needed"
        paired = await there.post("lb-fay", SEEK, days="3")
        assert paired["id"] == paired["game"]
        assert await there.lobby() == []
        again = await there.post("lb-eve", SEEK, days="7")
        answer = await there.http.delete(f"{LOBBY}/{again['id']}", headers=there.as_("lb-fay"))
        assert answer.status_code == 404
        assert (await there.http.delete(f"{LOBBY}/{again['id']}", headers=there.as_("lb-eve"))).json() == {"ok": True}


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({}, "time"),
        ({"time": "5", "increment": "0", "days": "3"}, "days"),
        ({"time": "5", "ratingRange": "1800-1500"}, "ratingRange"),
        ({"time": "5", "fen": "x"}, "fen"),
        ({"clock.limit": "300"}, "clock.limit"),
    ],
)
async def test_a_wrong_seek_is_no_stream(flagfall: RunningFlagfall, fields: dict[str, str], at: str) -> None:
    async with house(flagfall) as there:
        guest = await there.guest()
        refused = await there.post(guest, SEEK, 400, **fields)
        assert (refused["code"], refused["at"]) == ("malformed", at)


async def test_other_terms_go_back_to_the_one_who_asked(flagfall: RunningFlagfall) -> None:
    async with house(flagfall) as there:
        await there.enter("lb-gus", "lb-hal")
        asked = await there.post("lb-gus", "/api/challenge/lb-hal", days="1", rated="true")
        counter = f"/api/flagfall/challenges/{asked['id']}/counter"
        await there.enter("lb-ivy")
        assert (await there.post("lb-ivy", counter, 404))["code"] == "not_found"
        other = await there.post("lb-hal", counter, days="7", color="white")
        assert (other["counterTo"], other["destUser"]["id"], other["rated"]) == (asked["id"], "lb-gus", False)
        declined = await there.get("lb-gus", f"/api/challenge/{asked['id']}/show")
        assert (declined["status"], declined["declineReasonKey"]) == ("declined", "generic")
        assert [entry["id"] for entry in (await there.get("lb-gus", "/api/challenge"))["in"]] == [other["id"]]
        await there.post("lb-gus", f"/api/challenge/{other['id']}/accept")
        playing = await there.get("lb-gus", "/api/account/playing")
        assert [(game["gameId"], game["color"]) for game in playing["nowPlaying"]] == [(other["id"], "black")]


async def test_the_computer_agrees_to_a_rematch_at_once(flagfall: RunningFlagfall) -> None:
    async with house(flagfall) as there:
        guest = await there.guest()
        game = await there.post(guest, "/api/challenge/ai", 201, level="2", color="white", perMove="60")
        rematch = f"/api/flagfall/games/{game['id']}/rematch"
        assert (await there.post(guest, rematch, 400))["code"] == "not_allowed", "while it goes on"
        await there.post(guest, f"/api/board/game/{game['id']}/resign")
        again = await there.post(guest, rematch)
        assert again["challenge"] is None
        assert (again["game"]["color"], again["game"]["opponent"]["ai"]) == ("black", 2)
        assert (await there.post(guest, rematch))["game"]["id"] == again["game"]["id"]


async def test_a_rematch_begins_where_its_game_did_and_chess960_draws_anew(flagfall: RunningFlagfall) -> None:
    position = "8/7k/8/8/8/8/R7/1R5K w - - 0 1"
    async with house(flagfall) as there:
        guest = await there.guest()

        async def again(**terms: str) -> tuple[str, str, str]:
            """The first position of a game and of its rematch, and the variant of the rematch."""
            game = await there.post(guest, "/api/challenge/ai", 201, level="1", color="white", **terms)
            await there.post(guest, f"/api/board/game/{game['id']}/resign")
            made = (await there.post(guest, f"/api/flagfall/games/{game['id']}/rematch"))["game"]
            first, second = [
                (await there.get("", f"/api/flagfall/games/{id}"))["info"] for id in (game["id"], made["id"])
            ]
            assert second["rematchOf"] == game["id"]
            return first["initialFen"], second["initialFen"], second["variant"]

        assert await again(fen=position) == (position, position, "standard")
        first, second, variant = await again(variant="shatranj")
        assert (first, variant) == (second, "shatranj")
        drawn = [await again(variant="chess960") for _ in range(3)]
        assert any(first != second for first, second, _ in drawn), "once in 960 times it would be the same by chance"
        assert {variant for _, _, variant in drawn} == {"chess960"}
