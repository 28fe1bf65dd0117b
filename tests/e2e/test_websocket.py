"""Sockets over the whole stack: two people play to mate, and nothing is lost when parts die under them."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect

from tests.conftest import MakeFlagfall
from tests.stack.declared_frames import declared
from tests.stack.running import RunningFlagfall

WITHIN_S = 20.0
SCHOLARS_MATE = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
QUIET = ["Nf3", "Nf6", "Ng1", "Ng8"]


@asynccontextmanager
async def socket(stack: RunningFlagfall, token: str, query: str = "") -> AsyncIterator[ClientConnection]:
    """A signed-in connection that hears of its player's own events."""
    url = stack.address.replace("http", "ws") + "/api/flagfall/ws" + query
    async with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as opened:
        assert (await wanted(opened, "welcome"))["player"] is not None
        await wanted(opened, "following")
        yield opened


async def wanted(opened: ClientConnection, kind: str, /, **fields: object) -> dict[str, Any]:
    """The next frame of a type with these fields, the others skipped."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            frame = declared(await opened.recv())
            assert frame["t"] != "nack", frame
            if frame["t"] == kind and all(frame[name] == value for name, value in fields.items()):
                return frame


async def say(opened: ClientConnection, **frame: object) -> None:
    """Send a frame."""
    await opened.send(orjson.dumps(frame).decode())


async def person(client: httpx.AsyncClient) -> tuple[str, str]:
    """Name and token of a new account."""
    name = f"p{uuid.uuid4().hex[:12]}"
    answer = await client.post("/api/flagfall/accounts", json={"username": name, "password": "long enough 1"})
    assert answer.status_code == 201, answer.text
    return name, answer.json()["token"]


async def new_game(client: httpx.AsyncClient, white: tuple[str, str], black: tuple[str, str]) -> str:
    """A game of five minutes between them; its id."""
    form = {"clock.limit": "300", "clock.increment": "2", "color": "white"}
    made = await client.post(f"/api/challenge/{black[0]}", data=form, headers=_bearer(white))
    assert made.status_code == 200, made.text
    game_id = made.json()["id"]
    accepted = await client.post(f"/api/challenge/{game_id}/accept", headers=_bearer(black))
    assert accepted.status_code == 200, accepted.text
    return str(game_id)


def _bearer(who: tuple[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {who[1]}"}


async def test_two_people_meet_and_play_to_mate(flagfall: RunningFlagfall) -> None:
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=WITHIN_S) as client:
        white, black = await person(client), await person(client)
        async with socket(flagfall, white[1]) as first, socket(flagfall, black[1]) as second:
            game_id = await new_game(client, white, black)
            assert (await wanted(second, "player", kind="challenge"))["challenge"]["id"] == game_id
            for opened, side in ((first, "white"), (second, "black")):
                assert (await wanted(opened, "player", kind="gameStart"))["game"]["id"] == game_id
                await say(opened, t="sub", game=game_id, v=0)
                full = await wanted(opened, "full")
                assert (full["you"], full["state"]["status"], len(full["state"]["legal"])) == (side, "started", 20)
            version = full["v"]
            for ply, move in enumerate(SCHOLARS_MATE):
                await say((first, second)[ply % 2], t="move", game=game_id, id=f"c{ply}", move=move, ply=ply)
                version += 1
                for opened in (first, second):
                    event = await wanted(opened, "event", v=version)
                    assert event["state"]["lastMove"]["san"] == move
            assert (event["state"]["status"], event["state"]["winner"], event["state"]["reason"]) == (
                "ended",
                "white",
                "checkmate",
            )
            assert event["state"]["legal"] == []
            for opened in (first, second):
                assert (await wanted(opened, "player", kind="gameFinish"))["game"]["id"] == game_id


async def test_game_goes_on_where_it_was_after_the_gateway_was_killed(make_flagfall: MakeFlagfall) -> None:
    stack = make_flagfall()
    async with httpx.AsyncClient(base_url=stack.address, timeout=WITHIN_S) as client:
        white, black = await person(client), await person(client)
        game_id = await new_game(client, white, black)
    async with socket(stack, white[1]) as first, socket(stack, black[1]) as second:
        for opened in (first, second):
            await say(opened, t="sub", game=game_id, v=0)
            version = (await wanted(opened, "full"))["v"]
        await say(first, t="move", game=game_id, id="c0", move="e4", ply=0)
        version = (await wanted(second, "event"))["v"]
        before = stack.pid("gateway")
        stack.kill("gateway")
    await asyncio.to_thread(stack.wait_ready, "gateway", before)
    async with socket(stack, white[1]) as first, socket(stack, black[1]) as second:
        await say(first, t="move", game=game_id, id="c0", move="e4", ply=0)  # as if its answer had been lost
        ack = await wanted(first, "ack")
        assert (ack["v"], ack["repeated"]) == (version, True)
        await say(second, t="sub", game=game_id, v=version - 1)
        missed = await wanted(second, "events")
        assert [event["v"] for event in missed["events"]] == [version]
        assert len(missed["events"][0]["state"]["legal"]) == 20
        await say(second, t="move", game=game_id, id="c1", move="e5", ply=1)
        assert (await wanted(second, "event"))["v"] == version + 1


async def test_game_goes_on_while_redis_is_away_and_when_it_is_back(make_flagfall: MakeFlagfall) -> None:
    stack = make_flagfall()
    async with httpx.AsyncClient(base_url=stack.address, timeout=WITHIN_S) as client:
        white, black = await person(client), await person(client)
        game_id = await new_game(client, white, black)
    async with socket(stack, white[1]) as first, socket(stack, black[1]) as second:
        for opened in (first, second):
            await say(opened, t="sub", game=game_id, v=0)
            version = (await wanted(opened, "full"))["v"]
        for ply in range(12):
            if ply == 2:
                await asyncio.to_thread(stack.down, "valkey")
            if ply == 8:
                await asyncio.to_thread(stack.up, "valkey")
            await say((first, second)[ply % 2], t="move", game=game_id, id=f"c{ply}", move=QUIET[ply % 4], ply=ply)
            version += 1
            for opened in (first, second):
                assert (await wanted(opened, "event"))["v"] == version
