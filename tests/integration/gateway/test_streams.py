"""Streams of lines over real HTTP and a real Valkey: what comes first, what keeps them alive, and when they end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from msgspec.structs import replace

from services.gateway.public_api import public_json
from services.pb.flagfall.v1 import common_pb2, events_pb2
from tests.integration.gateway.fake_game import START_MS, game_info, publish, publish_chat, publish_player
from tests.integration.gateway.gateway_process import Gateway, running

GAME = "game0001"
WITHIN_S = 15.0
EVENTS = "/api/stream/event"
BOARD = f"/api/board/game/stream/{GAME}"
BOT = f"/api/bot/game/stream/{GAME}"


class Lines:
    """The lines of one open stream."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def raw(self) -> str:
        """The next line, maybe empty. StopAsyncIteration when the stream has ended."""
        async with asyncio.timeout(WITHIN_S):
            return await anext(self._lines)

    async def next(self) -> dict[str, Any]:
        """The next object."""
        while not (text := await self.raw()):
            pass
        found: dict[str, Any] = orjson.loads(text)
        return found

    async def rest(self) -> list[dict[str, Any]]:
        """All objects until the stream ends."""
        found = []
        try:
            while True:
                found.append(await self.next())
        except StopAsyncIteration:
            return found


@asynccontextmanager
async def opened(gateway: Gateway, path: str, player: str = "anna") -> AsyncIterator[Lines]:
    """An open stream."""
    async with gateway.client.stream("GET", path, headers=gateway.as_(player)) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "application/x-ndjson"
        yield Lines(response)


async def play(gateway: Gateway, uci: str, player: str = "anna") -> None:
    """Play a move over HTTP."""
    answer = await gateway.client.post(f"/api/board/game/{GAME}/move/{uci}", headers=gateway.as_(player))
    assert answer.status_code == 200, answer.text


@pytest.fixture
async def gateway(redis_url: str) -> AsyncIterator[Gateway]:
    async with running(redis_url, line_keep_alive_ms=300) as gateway:
        gateway.game.new_game(GAME)
        yield gateway


async def test_the_first_line_is_the_whole_game_and_silence_is_filled_with_empty_ones(gateway: Gateway) -> None:
    gateway.game.play(GAME, 2)
    async with opened(gateway, BOARD) as lines:
        first = orjson.loads(await lines.raw())
        assert first["type"] == "gameFull"
        assert first["state"]["moves"] == "m1 m2"
        assert [await lines.raw(), await lines.raw()] == ["", ""]
        await play(gateway, "e2e4")
        assert (await lines.next())["moves"] == "m1 m2 m3"


async def test_a_change_that_another_server_committed_arrives_too(gateway: Gateway, redis_url: str) -> None:
    async with opened(gateway, BOARD) as lines:
        await lines.next()
        await publish(redis_url, gateway.game.play(GAME))
        assert (await lines.next())["moves"] == "m1"


async def test_the_last_line_has_the_final_status_and_the_stream_ends(gateway: Gateway) -> None:
    async with opened(gateway, BOARD) as anna, opened(gateway, BOT, "bob") as bob:
        await play(gateway, "e2e4")
        answer = await gateway.client.post(f"/api/bot/game/{GAME}/resign", headers=gateway.as_("bob"))
        assert answer.json() == {"ok": True}
        for lines in (anna, bob):
            last = (await lines.rest())[-1]
            assert (last["type"], last["status"], last["winner"]) == ("gameState", "resign", "white")
    assert (
        await gateway.client.post(f"/api/board/game/{GAME}/move/e7e5", headers=gateway.as_("bob"))
    ).status_code == 400


async def test_a_game_that_is_over_is_told_whole_and_the_stream_ends(gateway: Gateway) -> None:
    gateway.game.play(GAME, 3)
    gateway.game.end(GAME)
    async with opened(gateway, BOARD) as lines:
        (only,) = await lines.rest()
    assert (only["type"], only["state"]["status"], only["state"]["moves"]) == ("gameFull", "outoftime", "m1 m2 m3")


async def test_opening_it_again_ends_the_older_one_of_the_same_player_alone(gateway: Gateway) -> None:
    async with opened(gateway, BOARD) as older, opened(gateway, BOARD, "bob") as other:
        await older.next()
        await other.next()
        async with opened(gateway, BOARD) as newer:
            assert (await newer.next())["type"] == "gameFull"
            assert await older.rest() == []
            await play(gateway, "e2e4")
            assert (await newer.next())["moves"] == "m1"
            assert (await other.next())["moves"] == "m1"


async def test_a_slow_reader_never_sees_an_old_state_last(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    # Lines so long that a few of them fill the buffers between the server and a client that does not read.
    plain = public_json.game_state
    monkeypatch.setattr(public_json, "game_state", lambda *given: replace(plain(*given), rematch="x" * 2_000_000))
    gateway.game.tokens["bob"] = events_pb2.Player(id="bob", name="Bob")
    async with opened(gateway, BOARD) as lines:
        await lines.next()
        for ply in range(40):
            await play(gateway, "e2e4", "bob" if ply % 2 else "anna")
        gateway.game.tokens.clear()  # nothing else may move it on
        plies: list[int] = []
        while not plies or plies[-1] < 40:
            plies.append(len((await lines.next())["moves"].split()))
    assert plies == sorted(set(plies))
    assert len(plies) < 40


async def test_boards_hear_the_players_and_bots_both_rooms(gateway: Gateway, redis_url: str) -> None:
    def said(text: str, room: events_pb2.ChatRoom) -> events_pb2.ChatLine:
        return events_pb2.ChatLine(
            game_id=GAME, room=room, player_id="bob", player_name="Bob", text=text, at_ms=START_MS
        )

    async with opened(gateway, BOARD) as board, opened(gateway, BOT, "bob") as bot:
        await board.next()
        await bot.next()
        await publish_chat(redis_url, said("to those who watch", events_pb2.CHAT_ROOM_SPECTATOR))
        await publish_chat(redis_url, said("to you", events_pb2.CHAT_ROOM_PLAYER))
        assert await board.next() == {"type": "chatLine", "room": "player", "username": "Bob", "text": "to you"}
        assert [(await bot.next())["room"], (await bot.next())["room"]] == ["spectator", "player"]


@pytest.mark.parametrize(
    ("path", "player", "status"),
    [
        (BOARD, "carl", 404),  # not his game
        ("/api/board/game/stream/nosuch00", "anna", 404),
        ("/api/board/game/stream/not-an-id", "anna", 404),
        (BOARD, "nobody", 401),
        (EVENTS, "nobody", 401),
    ],
)
async def test_what_cannot_be_opened_is_an_ordinary_error(
    gateway: Gateway, path: str, player: str, status: int
) -> None:
    answer = await gateway.client.get(path, headers={**gateway.as_(player), "Accept": "application/x-ndjson"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    assert set(answer.json()) >= {"error", "code"}


async def test_without_the_game_service_a_stream_is_503(redis_url: str) -> None:
    async with running(redis_url, hub_load_ms=300) as gateway:
        gateway.game.new_game(GAME)
        await gateway.client.get("/api/account/playing", headers=gateway.as_("anna"))
        gateway.game.down = True
        answer = await gateway.client.get(BOARD, headers=gateway.as_("anna"))
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_more_streams_than_allowed_are_refused(redis_url: str) -> None:
    async with running(redis_url, streams_max=1) as gateway:
        gateway.game.new_game(GAME)
        async with opened(gateway, BOARD):
            answer = await gateway.client.get(BOARD, headers=gateway.as_("bob"))
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        # The server notices a moment later that the first reader has gone.
        async with asyncio.timeout(WITHIN_S):
            while (await _status(gateway, BOARD, "bob")) != 200:
                await asyncio.sleep(0.01)


async def _status(gateway: Gateway, path: str, player: str) -> int:
    async with gateway.client.stream("GET", path, headers=gateway.as_(player)) as response:
        return response.status_code


async def test_a_stream_that_fails_is_broken_off_and_logged(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    async with opened(gateway, BOARD) as lines:
        await lines.next()
        monkeypatch.setattr(public_json, "game_state", broken)
        await play(gateway, "e2e4")
        with pytest.raises(httpx.RemoteProtocolError):
            await lines.rest()
    assert "broken on purpose" in caplog.text


async def test_streams_end_when_the_server_goes(gateway: Gateway) -> None:
    async with opened(gateway, BOARD) as game, opened(gateway, EVENTS) as events:
        await game.next()
        await events.next()
        gateway.stop.set()
        assert await game.rest() == []
        assert await events.rest() == []
    async with asyncio.timeout(WITHIN_S):
        await gateway.ended


async def test_events_begin_with_games_that_go_on_and_open_challenges(gateway: Gateway, redis_url: str) -> None:
    gateway.game.new_game("game0002")
    gateway.game.end("game0002")
    gateway.game.challenges = [gateway.game.tell("anna").challenge]
    async with opened(gateway, EVENTS) as lines:
        first, second = await lines.next(), await lines.next()
        assert (first["type"], first["game"]["gameId"], first["game"]["color"]) == ("gameStart", GAME, "white")
        assert (second["type"], second["challenge"]["id"], second["compat"]) == (
            "challenge",
            "c0",
            {"bot": True, "board": True},
        )
        assert await lines.raw() == ""
        await publish_player(redis_url, gateway.game.tell("anna"))
        assert (await lines.next())["challenge"]["id"] == "c1"


@pytest.mark.parametrize("content", ["game_start", "game_finish", "challenge_canceled", "challenge_declined"])
async def test_each_event_has_its_type(gateway: Gateway, redis_url: str, content: str) -> None:
    async with opened(gateway, EVENTS) as lines:
        await lines.next()
        event = gateway.game.tell("anna")
        challenge = events_pb2.Challenge()
        challenge.CopyFrom(event.challenge)
        event.ClearField("challenge")
        if content.startswith("game"):
            state = events_pb2.GameState(
                game_id="game0003",
                status=events_pb2.GAME_STATUS_ABORTED,
                outcome=common_pb2.Outcome(reason=common_pb2.END_REASON_ABORT),
            )
            getattr(event, content).CopyFrom(events_pb2.GameSummary(info=game_info("game0003"), state=state))
        else:
            getattr(event, content).CopyFrom(challenge)
        await publish_player(redis_url, event)
        line = await lines.next()
    types = {"game_start": "gameStart", "game_finish": "gameFinish"}
    assert line["type"] == types.get(content, content.replace("_c", "C").replace("_d", "D"))
    if content.startswith("game"):
        assert line["game"]["id"] == "game0003"
        assert line["game"]["status"]["name"] == "aborted"


async def test_a_second_event_stream_ends_the_first(gateway: Gateway) -> None:
    async with opened(gateway, EVENTS) as older:
        await older.next()
        async with opened(gateway, EVENTS) as newer:
            assert await older.rest() == []
            assert (await newer.next())["type"] == "gameStart"
