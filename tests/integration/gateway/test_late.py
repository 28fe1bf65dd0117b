"""Watching that is delayed, over a whole gateway: no way in shows others a move that its players alone may know.

The delay is an hour, so that what is seen cannot have grown old enough; the game's end lifts it everywhere at once.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect

from services.pb.flagfall.v1 import events_pb2
from services.runtime.spectator_delay import postponed
from tests.integration.gateway.fake_game import publish, publish_player
from tests.integration.gateway.gateway_process import Gateway, running
from tests.integration.gateway.test_streams import Lines

GAME = "game0001"
HOUR_MS = 3_600_000
WITHIN_S = 15.0
SECRET = "m1"
"""The first move, which no third party may see yet; M1 in SAN, and `after 1` is its position."""


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    settings = {"spectator_delay_ms": HOUR_MS, "hub_late_poll_ms": 600_000, "hub_silence_ms": 600_000}
    async with running(redis_url, line_keep_alive_ms=300, **settings) as gateway:
        gateway.game.new_game(GAME)
        gateway.game.play(GAME, 5)
        yield gateway


def tells(text: str) -> bool:
    """Whether an answer tells of a move."""
    return any(f"{word}{ply}" in text for word in ("m", "M", "after ") for ply in range(1, 8))


async def get(gateway: Gateway, path: str, who: str = "", accept: str = "*/*") -> str:
    headers = {"Accept": accept} | (gateway.as_(who) if who else {})
    answer = await gateway.client.get(path, headers=headers)
    assert answer.status_code == 200, (path, answer.text)
    return answer.text


async def frame(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next frame of a kind."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            found: dict[str, Any] = orjson.loads(await socket.recv())
            if found["t"] == kind:
                return found


async def watching(gateway: Gateway, stack: AsyncExitStack, who: str = "", v: int = 0) -> ClientConnection:
    """A socket that has subscribed to the game."""
    address = gateway.address.replace("http", "ws") + "/api/flagfall/ws"
    headers = gateway.as_(who) if who else {}
    socket = await stack.enter_async_context(connect(address, additional_headers=headers))
    await frame(socket, "welcome")
    await socket.send(orjson.dumps({"t": "sub", "game": GAME, "v": v}).decode())
    return socket


PATHS = [
    f"/api/flagfall/games/{GAME}",
    "/api/flagfall/games?player=anna",
    f"/game/export/{GAME}",
    "/api/user/anna/current-game",
    "/api/games/user/anna?ongoing=true",
    "/api/games/user/bob?ongoing=true&finished=false&pgnInJson=true",
]


async def test_no_answer_tells_others_of_a_move_until_the_end(gateway: Gateway) -> None:
    ways = list(itertools.product(PATHS, ("*/*", "application/json", "application/x-ndjson")))
    for path, accept in ways:
        for viewer in ("", "carl"):
            said = await get(gateway, path, viewer, accept)
            assert GAME in said
            assert not tells(said), said
        assert tells(await get(gateway, path, "bob", accept)), path
    gateway.game.end(GAME)
    for path, accept in ways:
        assert tells(await get(gateway, path.replace("&finished=false", ""), "", accept)), path
    assert gateway.game.late_ms == {HOUR_MS}


async def test_games_by_their_ids_are_late_too(gateway: Gateway) -> None:
    for viewer, told in (("", False), ("carl", False), ("anna", True)):
        headers = gateway.as_(viewer) if viewer else {}
        answer = await gateway.client.post("/api/games/export/_ids", content=f"{GAME},nothing1", headers=headers)
        assert (answer.status_code, tells(answer.text)) == (200, told)


async def test_a_socket_hears_of_moves_as_a_player_and_of_nothing_as_anybody_else(
    gateway: Gateway, redis_url: str
) -> None:
    async with AsyncExitStack() as stack:
        bob, carl, nobody = [await watching(gateway, stack, who) for who in ("bob", "carl", "")]
        assert (await frame(bob, "full"))["v"] == 6
        for other in (carl, nobody):
            full = await frame(other, "full")
            assert (full["v"], full["moves"]) == (1, [])
        await publish(redis_url, gateway.game.play(GAME))
        assert (await frame(bob, "event"))["v"] == 7
        await carl.send(orjson.dumps({"t": "sub", "game": GAME, "v": 7}).decode())
        assert (await frame(carl, "full"))["v"] == 1  # asking for what is newer gives nothing newer
        late = await watching(gateway, stack, "", 3)
        assert (await frame(late, "full"))["v"] == 1
        await publish(redis_url, gateway.game.end(GAME))
        for other in (carl, nobody, late):
            versions: list[int] = []
            while 8 not in versions:  # one by one, or whole, as much as was held back here
                async with asyncio.timeout(WITHIN_S):
                    found = orjson.loads(await other.recv())
                versions += [found["v"]] if "v" in found else []
            assert versions == sorted(versions)


async def test_whoever_signs_in_as_a_player_sees_all_from_the_next_sub_on(gateway: Gateway) -> None:
    async with AsyncExitStack() as stack:
        socket = await watching(gateway, stack)
        assert (await frame(socket, "full"))["v"] == 1
        await socket.send(orjson.dumps({"t": "auth", "token": "anna"}).decode())
        await frame(socket, "welcome")
        await socket.send(orjson.dumps({"t": "sub", "game": GAME, "v": 0}).decode())
        assert (await frame(socket, "full"))["v"] == 6


async def test_streams_for_watchers_are_late_and_end_with_the_game(gateway: Gateway, redis_url: str) -> None:
    async with (
        asyncio.timeout(WITHIN_S),
        gateway.client.stream("GET", f"/api/stream/game/{GAME}") as response,
        gateway.client.stream("POST", "/api/stream/games-by-users?withCurrentGames=true", content="anna,bob") as among,
    ):
        lines, games = Lines(response), Lines(among)
        first, start = await lines.next(), await lines.next()
        assert (first["id"], first["turns"], list(start)) == (GAME, 0, ["fen"])
        assert (await games.next())["statusName"] == "started"
        moved = gateway.game.play(GAME)
        await publish(redis_url, moved)
        assert await lines.raw() == ""  # the next word is that there is none
        end = gateway.game.end(GAME)
        await publish(redis_url, end)
        rest = await lines.rest()
        assert (rest[-1]["status"]["name"], rest[-1]["winner"]) == ("outoftime", "white")
        summary = events_pb2.GameSummary(info=gateway.game.games[GAME][0].info, state=end.state)
        for player in ("anna", "bob"):
            event = events_pb2.PlayerEvent(player_id=player, seq=1, game_finish=summary)
            gateway.game.players[player] = [event]
            await publish_player(redis_url, event)
        assert (await games.next())["winner"] == "white"


@pytest.mark.parametrize("heard", [True, False])
async def test_a_move_that_is_old_enough_is_shown_and_none_before(redis_url: str, heard: bool) -> None:
    delay_ms = 400
    async with AsyncExitStack() as stack:
        gateway = await stack.enter_async_context(
            running(redis_url, spectator_delay_ms=delay_ms, hub_late_poll_ms=20, hub_silence_ms=600_000)
        )
        gateway.game.new_game(GAME)
        if not heard:  # it was played before anybody here listened
            moved = gateway.game.play(GAME)
        nobody = await watching(gateway, stack)
        assert (await frame(nobody, "full"))["v"] == 1
        loop = asyncio.get_running_loop()
        played_s = loop.time()
        if heard:
            moved = gateway.game.play(GAME)
            await publish(redis_url, moved)
        else:
            gateway.game.late[GAME] = 2
        told = await frame(nobody, "event")
        assert (told["v"], told["state"]["lastMove"]["uci"]) == (2, "m1")
        if heard:
            assert loop.time() - played_s >= delay_ms / 1000
            assert told["state"]["at"] == moved.state.at_ms + delay_ms


async def test_without_a_delay_everybody_sees_everything(redis_url: str) -> None:
    async with running(redis_url) as gateway, AsyncExitStack() as stack:
        gateway.game.new_game(GAME)
        gateway.game.play(GAME, 5)
        assert (await frame(await watching(gateway, stack), "full"))["v"] == 6
        assert tells(await get(gateway, f"/api/flagfall/games/{GAME}"))
        assert gateway.game.calls["FetchLate"] == 0


def test_clocks_of_a_postponed_event_run_as_they_did() -> None:
    event = events_pb2.GameEvent(
        state=events_pb2.GameState(at_ms=1_000, deadline_ms=5_000, white_ms=4_000, legal="e2e4")
    )
    later = postponed(event, 700).state
    assert (later.at_ms, later.deadline_ms, later.white_ms, later.legal) == (1_700, 5_700, 4_000, "")
    assert event.state.at_ms == 1_000
    assert postponed(events_pb2.GameEvent(), 700).state.deadline_ms == 0
