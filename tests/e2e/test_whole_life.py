"""The rest of a game's life on a whole stack: somebody leaves, a flag pauses, a move is undone, a hint is given."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest

from tests.conftest import MakeFlagfall
from tests.e2e.test_websocket import WITHIN_S, person, say, socket, wanted
from tests.stack.running import RunningFlagfall

SETTINGS = {
    "FLAGFALL_GONE_MS": "1000",
    "FLAGFALL_ABSENCE_MS": "3000",
    "FLAGFALL_SEAT_MS": "2000",
    "FLAGFALL_GAME_PRESENCE_PERIOD_MS": "200",
    "FLAGFALL_DECISION_MS": "1500",
}


@pytest.fixture(scope="module")
def stack(make_flagfall_for_session: MakeFlagfall) -> RunningFlagfall:
    return make_flagfall_for_session(SETTINGS)


@pytest.fixture
async def client(stack: RunningFlagfall) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=stack.address, timeout=WITHIN_S) as client:
        yield client


async def begun(client: httpx.AsyncClient, white: tuple[str, str], black: tuple[str, str], **terms: str) -> str:
    """A game between them; its id."""
    form = {"color": "white", **terms}
    headers = [{"Authorization": f"Bearer {who[1]}"} for who in (white, black)]
    made = await client.post(f"/api/challenge/{black[0]}", data=form, headers=headers[0])
    assert made.status_code == 200, made.text
    game_id = str(made.json()["id"])
    accepted = await client.post(f"/api/challenge/{game_id}/accept", headers=headers[1])
    assert accepted.status_code == 200, accepted.text
    return game_id


@asynccontextmanager
async def watching(stack: RunningFlagfall, who: tuple[str, str], game_id: str) -> AsyncIterator[Any]:
    """A player's socket at the board."""
    async with socket(stack, who[1]) as opened:
        await say(opened, t="sub", game=game_id, v=0)
        await wanted(opened, "full")
        yield opened


async def moved(opened: Any, game_id: str, ply: int, move: str) -> None:
    await say(opened, t="move", game=game_id, id=f"m{ply}", move=move, ply=ply)
    await wanted(opened, "ack", id=f"m{ply}")


async def test_who_leaves_is_shown_can_be_claimed_from_and_is_told_of_at_the_end(
    stack: RunningFlagfall, client: httpx.AsyncClient
) -> None:
    white, black = await person(client), await person(client)
    terms = {"clock.limit": "300", "clock.increment": "0", "ruleSet": "fide", "ruleSet.absentPlayer": "opponentClaims"}
    game_id = await begun(client, white, black, **terms)
    async with watching(stack, white, game_id) as first:
        async with watching(stack, black, game_id) as second:
            await moved(first, game_id, 0, "e4")
            await moved(second, game_id, 1, "e5")
        left = await wanted(first, "presence", gone=True)
        assert (left["side"], left["game"]) == ("black", game_id)
        assert 0 < left["claimIn"] <= 2_000
        async with watching(stack, black, game_id):
            back = await wanted(first, "presence", gone=False)
            assert back["side"] == "black"
        await wanted(first, "presence", gone=True)
        reply: dict[str, Any] = {}
        for number in range(60):  # too early is refused, and says how long it takes
            await say(first, t="win", game=game_id, id=f"w{number}")
            reply = await answer_to(first, f"w{number}")
            if reply["t"] == "ack":
                break
            assert reply["code"] == "not_allowed"
            assert re.search(r"You can claim in \d+ seconds?\.$", reply["message"])
            await asyncio.sleep(0.1)
        assert (reply["state"]["reason"], reply["state"]["winner"]) == ("absence", "white")
        summary = await wanted(first, "absences")
        assert summary["white"] == {"times": 0, "ms": 0}
        assert summary["black"]["times"] == 2
        assert summary["black"]["ms"] >= 4_000
    exported = await client.get(f"/game/export/{game_id}", headers={"Accept": "application/json"})
    assert (exported.json()["status"], exported.json()["winner"]) == ("timeout", "white")
    pgn = (await client.get(f"/game/export/{game_id}")).text
    assert '[Termination "Abandoned"]' in pgn


async def answer_to(opened: Any, id: str) -> dict[str, Any]:
    """The ack or nack of a command."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            frame: dict[str, Any] = orjson.loads(await opened.recv())
            if frame["t"] in ("ack", "nack") and frame["id"] == id:
                return frame


async def test_a_computer_plays_for_whoever_is_away_until_the_return(
    stack: RunningFlagfall, client: httpx.AsyncClient
) -> None:
    white, black = await person(client), await person(client)
    terms = {"ruleSet": "party", "perMove": "60"}
    game_id = await begun(client, white, black, **terms)
    async with watching(stack, white, game_id) as first:
        async with watching(stack, black, game_id) as second:
            await moved(first, game_id, 0, "e4")
            await moved(second, game_id, 1, "e5")
            await moved(first, game_id, 2, "Nf3")
        taken = await wanted(first, "event", kind="seatTaken")
        assert taken["state"]["seats"]["black"] >= 1
        reply = await wanted(first, "event", kind="move", by="black")
        assert reply["byComputer"] is True
        assert reply["state"]["ply"] == 4
        async with watching(stack, black, game_id) as second:
            returned = await wanted(first, "event", kind="seatReturned")
            assert returned["by"] == "black"
            await moved(first, game_id, 4, "h3")
            await moved(second, game_id, 5, "h6")
            event = await wanted(first, "event", kind="move", by="black")
            assert "byComputer" not in event or event["byComputer"] is False
    game = (await client.get(f"/api/flagfall/games/{game_id}")).json()
    assert [bool(move.get("byComputer")) for move in game["moves"]] == [False, False, False, True, False, False]


async def test_a_flag_pauses_and_the_other_side_decides(stack: RunningFlagfall, client: httpx.AsyncClient) -> None:
    # Three games at once, since a flag takes its fifteen seconds.
    pairs = [(await person(client), await person(client)) for _ in range(3)]
    terms = {"ruleSet": "friendly", "clock.limit": "15", "clock.increment": "0", "rated": "true"}
    ids = [await begun(client, white, black, **terms) for white, black in pairs]
    for (white, black), game_id in zip(pairs, ids, strict=True):
        for who, move in ((white, "e2e4"), (black, "e7e5")):
            path = f"/api/board/game/{game_id}/move/{move}"
            answer = await client.post(path, headers={"Authorization": f"Bearer {who[1]}"})
            assert answer.status_code == 200, answer.text

    async def takes(white: tuple[str, str], black: tuple[str, str], game_id: str) -> None:
        async with watching(stack, black, game_id) as opened:
            paused = await wanted(opened, "event", kind="paused")
            assert (paused["state"]["status"], paused["state"]["paused"]["flagged"]) == ("started", "white")
            await say(opened, t="win", game=game_id, id="take")
            state = (await wanted(opened, "ack", id="take"))["state"]
            assert (state["reason"], state["winner"]) == ("flag", "black")

    async def goes_on(white: tuple[str, str], black: tuple[str, str], game_id: str) -> None:
        async with watching(stack, white, game_id) as first, watching(stack, black, game_id) as second:
            await wanted(first, "event", kind="paused")
            await say(second, t="goon", game=game_id, id="offer")
            await wanted(first, "event", kind="goingOnOffered")
            await say(first, t="goon", game=game_id, id="agree")
            state = (await wanted(first, "ack", id="agree"))["state"]
            assert (state["withoutClock"], state["unrated"], state["clock"]) == (True, True, None)
            await moved(first, game_id, 2, "Nf3")

    async def nobody_decides(white: tuple[str, str], black: tuple[str, str], game_id: str) -> None:
        async with watching(stack, white, game_id) as opened:
            await wanted(opened, "event", kind="paused")
            ended = await wanted(opened, "event", kind="ended")
            assert (ended["state"]["reason"], ended["state"]["winner"]) == ("flag", "black")

    async with asyncio.timeout(60):
        await asyncio.gather(takes(*pairs[0], ids[0]), goes_on(*pairs[1], ids[1]), nobody_decides(*pairs[2], ids[2]))


async def test_help_against_the_computer_over_a_socket(stack: RunningFlagfall, client: httpx.AsyncClient) -> None:
    white = await person(client)
    headers = {"Authorization": f"Bearer {white[1]}"}
    made = await client.post("/api/challenge/ai", data={"level": "1", "color": "white"}, headers=headers)
    assert made.status_code == 201, made.text
    game_id = made.json()["id"]
    async with watching(stack, white, game_id) as opened:
        await say(opened, t="level", game=game_id, id="l", level=2)
        changed = await wanted(opened, "event", kind="levelChanged")
        assert changed["v"] == 2
        await say(opened, t="hint", game=game_id, id="h")
        hint = await wanted(opened, "hint")
        assert (hint["ply"], len(hint["uci"])) == (0, 4)
        await moved(opened, game_id, 0, hint["uci"])
        await wanted(opened, "event", kind="move", by="black")
        await say(opened, t="undo", game=game_id, id="u")
        state = (await wanted(opened, "ack", id="u"))["state"]
        assert (state["ply"], state["takebacks"], state["helped"]) == (0, 1, True)
        # The same move again is another turn: the computer answers it again.
        await say(opened, t="move", game=game_id, id="again", move=hint["uci"], ply=0)
        answer = await wanted(opened, "event", kind="move", by="black")
        assert answer["state"]["ply"] == 2
        await say(opened, t="resign", game=game_id, id="r")
        await wanted(opened, "event", kind="ended")
        await say(opened, t="undo", game=game_id, id="u2")
        reopened = (await wanted(opened, "ack", id="u2"))["state"]
        assert (reopened["status"], reopened["ply"]) == ("started", 0)
