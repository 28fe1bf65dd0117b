"""A party over the whole stack: by link, as guests, game after game, and back in the seat after a reload (row 93)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect

from tests.stack.running import RunningFlagfall

WITHIN_S = 20.0
PARTIES = "/api/flagfall/parties"


class Device:
    """A browser: what it keeps is the cookie."""

    def __init__(self, stack: RunningFlagfall, cookie: str | None = None) -> None:
        self.stack = stack
        self.http = httpx.AsyncClient(base_url=stack.address, timeout=WITHIN_S)
        if cookie is not None:
            self.http.cookies.set("flagfall_token", cookie, domain=self.http.base_url.host, path="/")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def guest(self) -> str:
        """Play without an account; the player's id."""
        answer = await self.http.post("/api/flagfall/guests")
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def post(self, path: str, **body: object) -> dict[str, Any]:
        """What a button of the page asks."""
        answer = await self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    async def party(self, party_id: str) -> dict[str, Any]:
        """What the page of a party loads."""
        return dict((await self.http.get(f"{PARTIES}/{party_id}")).json())

    @property
    def cookie(self) -> str:
        """What stays on the device."""
        return str(self.http.cookies["flagfall_token"])

    @asynccontextmanager
    async def socket(self, since: int | None = None) -> AsyncIterator[ClientConnection]:
        """The page's connection once it follows the own affairs, those since a number or those from now on."""
        url = self.stack.address.replace("http", "ws") + "/api/flagfall/ws"
        url += "" if since is None else f"?seq={since}"
        headers = {"Cookie": f"flagfall_token={self.cookie}", "Origin": self.stack.address}
        async with connect(url, additional_headers=headers) as opened:
            await wanted(opened, "welcome")
            if since is None:
                await wanted(opened, "following")
            yield opened


async def wanted(opened: ClientConnection, kind: str, /, **fields: object) -> dict[str, Any]:
    """The next frame of a type with these fields, the others skipped."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            frame: dict[str, Any] = orjson.loads(await opened.recv())
            assert frame["t"] != "nack", frame
            if frame["t"] == kind and all(frame[name] == value for name, value in fields.items()):
                return frame


async def say(opened: ClientConnection, **frame: object) -> None:
    await opened.send(orjson.dumps(frame).decode())


async def follow(opened: ClientConnection, game_id: str) -> dict[str, Any]:
    """Watch a game; the whole of it."""
    await say(opened, t="sub", game=game_id, v=0)
    return await wanted(opened, "full", game=game_id)


async def test_guests_meet_by_link_play_in_turn_and_come_back_to_their_seats(flagfall: RunningFlagfall) -> None:
    async with AsyncExitStack() as stack:
        host, friend, third = devices = [await stack.enter_async_context(Device(flagfall)) for _ in range(3)]
        ids = [await device.guest() for device in devices]
        made = await host.post(PARTIES, turnLimit=60, variant="standard")
        url = f"{PARTIES}/{made['id']}"
        for device in (friend, third):
            await device.post(f"{url}/join", spectator=device is third)
        sockets = [await stack.enter_async_context(device.socket(since=0)) for device in devices]
        started = await host.post(f"{url}/start")
        game_id = started["game"]
        for opened in sockets:
            told = await wanted(opened, "player", kind="party")
            while told["party"]["game"] is None:  # of those who came in
                told = await wanted(opened, "player", kind="party")
            assert (told["party"]["game"], told["party"]["v"]) == (game_id, started["v"])
        games = [await follow(opened, game_id) for opened in sockets]
        assert [game["info"].get("party") for game in games] == [made["id"], made["id"], None]
        seats = [game["you"] for game in games]
        assert sorted(seats[:2]) == ["black", "white"]
        assert seats[2] is None
        white = seats.index("white")
        await say(sockets[white], t="move", game=game_id, id="c1", move="e4", ply=0)
        for opened in sockets:
            event = await wanted(opened, "event", kind="move")
            assert event["state"]["lastMove"]["san"] == "e4"

        # The friend's page is loaded anew: of all it had, only the cookie is left.
        again = await stack.enter_async_context(Device(flagfall, friend.cookie))
        assert await again.guest() == ids[1]
        party = await again.party(made["id"])
        assert party["game"] == game_id
        assert ids[1] in [member["id"] for member in party["members"]]
        back = await stack.enter_async_context(again.socket())
        whole = await follow(back, game_id)
        assert (whole["you"], [move["san"] for move in whole["moves"]]) == (seats[1], ["e4"])
        assert whole["info"]["timeControl"]["type"] == "perMove"

        await say(back, t="resign", game=game_id, id="c2")
        for opened in sockets:
            assert (await wanted(opened, "event", kind="ended"))["state"]["reason"] == "resignation"
        assert (await again.party(made["id"]))["game"] is None
        following = await again.post(f"{url}/start")
        assert following["game"] not in (None, game_id)
        swapped = await follow(back, following["game"])
        assert swapped["you"] == {"white": "black", "black": "white"}[seats[1]]
        await say(back, t="abort", game=following["game"], id="c3")
        await wanted(back, "ack", id="c3")


async def test_the_one_who_goes_on_as_host_sets_it_up_and_the_last_one_out_closes_it(flagfall: RunningFlagfall) -> None:
    async with Device(flagfall) as host, Device(flagfall) as friend:
        ids = [await device.guest() for device in (host, friend)]
        made = await host.post(PARTIES)
        url = f"{PARTIES}/{made['id']}"
        await friend.post(f"{url}/join")
        refused = await friend.http.post(f"{url}/settings", json={"turnLimit": 30})
        assert (refused.status_code, refused.json()["code"]) == (400, "not_allowed")
        async with friend.socket() as opened:
            await host.post(f"{url}/leave")
            told = await wanted(opened, "player", kind="party")
            assert (told["party"]["host"], [member["id"] for member in told["party"]["members"]]) == (ids[1], [ids[1]])
        changed = await friend.post(f"{url}/settings", turnLimit=30, legalMarks=False)
        assert (changed["settings"]["turnLimit"], changed["settings"]["legalMarks"]) == (30, False)
        assert (await friend.post(f"{url}/leave"))["closed"]
        assert (await host.http.post(f"{url}/join")).json()["code"] == "not_allowed"
