"""Seeks as streams of a real gateway before a game service that is faked, and who the game service hears is there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from tests.integration.gateway.fake_game import FakeGame, game_info, publish_player
from tests.integration.gateway.gateway_process import Gateway, running

SEEK = "seek0001"
WITHIN_S = 15.0
TERMS = {"time": "5", "increment": "3", "ratingRange": "1500-1800", "rated": "true"}


class Lobby:
    """What the faked game service knows of seeks, and what it was told."""

    def __init__(self) -> None:
        self.asked: list[game_pb2.CreateSeekRequest] = []
        self.canceled: list[str] = []
        self.seeks: set[str] = set()
        self.players: set[str] = set()
        self.gone: set[str] = set()
        self.paired = False
        self.calls = 0

    async def create(self, _: FakeGame, request: game_pb2.CreateSeekRequest, __: Any) -> game_pb2.CreateSeekResponse:
        self.asked.append(request)
        if self.paired:
            return game_pb2.CreateSeekResponse(game=events_pb2.GameSummary(info=game_info("game0001")))
        return game_pb2.CreateSeekResponse(seek=events_pb2.Seek(id=SEEK))

    async def cancel(self, _: FakeGame, request: game_pb2.CancelSeekRequest, __: Any) -> game_pb2.CancelSeekResponse:
        self.canceled.append(request.id)
        return game_pb2.CancelSeekResponse()

    async def keep(self, _: FakeGame, request: game_pb2.KeepAliveRequest, __: Any) -> game_pb2.KeepAliveResponse:
        self.calls += 1
        self.seeks, self.players = set(request.seek_ids), set(request.player_ids)
        return game_pb2.KeepAliveResponse(gone_seek_ids=[id for id in request.seek_ids if id in self.gone])


@pytest.fixture
def lobby(monkeypatch: pytest.MonkeyPatch) -> Lobby:
    known = Lobby()

    def method(of: Callable[..., Any]) -> Callable[..., Any]:
        async def answer(servicer: FakeGame, request: Any, context: Any) -> Any:
            return await of(servicer, request, context)

        return answer

    monkeypatch.setattr(FakeGame, "CreateSeek", method(known.create), raising=False)
    monkeypatch.setattr(FakeGame, "CancelSeek", method(known.cancel), raising=False)
    monkeypatch.setattr(FakeGame, "KeepAlive", method(known.keep), raising=False)
    return known


@pytest.fixture
async def gateway(redis_url: str, lobby: Lobby) -> AsyncIterator[Gateway]:
    async with running(redis_url, line_keep_alive_ms=300, keep_alive_period_ms=50) as gateway:
        yield gateway


@asynccontextmanager
async def looking(gateway: Gateway, **fields: str) -> AsyncIterator[AsyncIterator[str]]:
    """The lines of an open seek."""
    headers = gateway.as_("anna")
    async with gateway.client.stream("POST", "/api/board/seek", data=TERMS | fields, headers=headers) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "application/x-ndjson"
        yield response.aiter_lines()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not holds():
            await asyncio.sleep(0.005)


async def ends(lines: AsyncIterator[str]) -> None:
    """Read to the end; nothing but empty lines comes."""
    async with asyncio.timeout(WITHIN_S):
        assert not [line async for line in lines if line]


async def test_a_seek_asks_for_what_its_form_says(gateway: Gateway, lobby: Lobby) -> None:
    async with looking(gateway, color="black", variant="atomic") as lines:
        assert await anext(lines) == ""
    (asked,) = lobby.asked
    assert (asked.player_id, asked.variant, asked.rated) == ("anna", "atomic", True)
    assert (asked.color, asked.rating_min, asked.rating_max) == (common_pb2.COLOR_BLACK, 1500, 1800)
    assert (asked.time_control.clock.initial_ms, asked.time_control.clock.increment_ms) == (300_000, 3_000)


async def test_a_seek_is_kept_alive_until_it_is_gone(gateway: Gateway, lobby: Lobby) -> None:
    async with looking(gateway) as lines:
        assert [await anext(lines), await anext(lines)] == ["", ""]
        await until(lambda: lobby.seeks == {SEEK} and lobby.players == {"anna"})
        lobby.gone = {SEEK}
        await ends(lines)
    async with gateway.client.stream("GET", "/api/stream/event", headers=gateway.as_("bob")):
        await until(lambda: lobby.players == {"bob"} and not lobby.seeks)
    assert lobby.canceled == [], "what is gone is not taken back"


async def test_a_stream_ends_as_soon_as_the_game_has_begun(redis_url: str, lobby: Lobby) -> None:
    async with running(redis_url, keep_alive_period_ms=60_000) as gateway, looking(gateway) as lines:
        await anext(lines)
        await until(lambda: lobby.calls == 1)
        start = events_pb2.PlayerEvent(
            player_id="anna", seq=1, game_start=events_pb2.GameSummary(info=game_info("game0001"))
        )
        lobby.gone = {SEEK}
        await publish_player(redis_url, start)
        await ends(lines)
        assert lobby.calls == 2


async def test_who_is_paired_at_once_has_a_short_stream(gateway: Gateway, lobby: Lobby) -> None:
    lobby.paired = True
    async with looking(gateway) as lines:
        await ends(lines)
    assert lobby.canceled == []


async def test_closing_the_connection_takes_the_seek_back(gateway: Gateway, lobby: Lobby) -> None:
    async with looking(gateway) as lines:
        await anext(lines)
    await until(lambda: lobby.canceled == [SEEK])


async def test_those_with_a_stream_or_a_socket_count_as_there(gateway: Gateway, lobby: Lobby) -> None:
    url = gateway.address.replace("http", "ws") + "/api/flagfall/ws"
    events = gateway.client.stream("GET", "/api/stream/event", headers=gateway.as_("anna"))
    async with events as response, connect(url, additional_headers=gateway.as_("bob")):
        assert response.status_code == 200
        await until(lambda: lobby.players == {"anna", "bob"})
    assert lobby.seeks == set()


async def test_one_who_has_gone_is_told_of_no_more(gateway: Gateway, lobby: Lobby) -> None:
    async with gateway.client.stream("GET", "/api/stream/event", headers=gateway.as_("anna")):
        async with gateway.client.stream("GET", "/api/stream/event", headers=gateway.as_("bob")):
            await until(lambda: lobby.players == {"anna", "bob"})
        await until(lambda: lobby.players == {"anna"})


async def test_without_the_right_to_play_nobody_looks(gateway: Gateway, lobby: Lobby) -> None:
    gateway.game.scopes = ("challenge:write",)
    answer: httpx.Response = await gateway.client.post("/api/board/seek", data=TERMS, headers=gateway.as_("carl"))
    assert answer.status_code == 403
    assert (await gateway.client.post("/api/board/seek", data=TERMS)).status_code == 401
    assert lobby.asked == []
