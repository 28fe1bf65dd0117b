"""The client that replays games: what it sends again, and that its failures are seen. The socket is a stand-in."""

import asyncio
import io
from contextlib import asynccontextmanager
from typing import Any

import orjson
import pytest

from bench import replay, socket_client
from bench.pgn_games import Expected, read_games
from bench.replay import Played, follow
from bench.socket_client import Frame, SocketClient
from tests.unit.bench.test_replay import PGN

STATE = {"status": "started", "ply": 0}
WITHIN_S = 5.0


class Socket:
    """What the server would say; `said` is what it hears."""

    def __init__(self) -> None:
        self.said: list[Frame] = []
        self.frames: asyncio.Queue[str] = asyncio.Queue()

    async def send(self, text: str) -> None:
        frame = orjson.loads(text)
        self.said.append(frame)
        if frame["t"] == "sub":
            self.tell(t="full", game="g", v=1, state=STATE)

    async def recv(self) -> str:
        return await self.frames.get()

    def tell(self, **frame: Any) -> None:
        self.frames.put_nowait(orjson.dumps(frame).decode())

    async def heard(self, kind: str, times: int) -> list[Frame]:
        """All frames of a kind, once there are so many."""
        async with asyncio.timeout(WITHIN_S):
            while len(found := [frame for frame in self.said if frame["t"] == kind]) < times:
                await asyncio.sleep(0)
        return found


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[Socket]:
    """The connections that were made."""
    made: list[Socket] = []

    @asynccontextmanager
    async def connect(*_: object, **__: object) -> Any:
        made.append(Socket())
        yield made[-1]

    monkeypatch.setattr(socket_client, "connect", connect)
    monkeypatch.setattr(socket_client, "AGAIN_S", 0.01)
    return made


class Listener:
    """Waits for the first state, or fails at it."""

    def __init__(self, error: Exception | None = None) -> None:
        self.ready = asyncio.Event()
        self.error = error

    async def __call__(self, client: SocketClient, frame: Frame) -> None:
        if self.error is not None:
            raise self.error
        self.ready.set()


async def test_a_command_that_was_unavailable_is_sent_again_by_its_id_until_it_is_answered(
    sockets: list[Socket],
) -> None:
    listener = Listener()
    async with SocketClient("ws://bench", "token", "g", listener) as client:
        await client.until(listener.ready)
        (socket,) = sockets
        await client.send("move", "m0", move="e2e4", ply=0)
        for times in (1, 2):
            await socket.heard("move", times)
            socket.tell(t="nack", game="g", id="m0", code="unavailable", message="later")
        first, *again = await socket.heard("move", 3)
        assert again == [first, first]
        socket.tell(t="ack", game="g", id="m0", v=2, state=STATE)
        socket.tell(t="nack", game="g", id="m0", code="unavailable", message="late, of the first")
        socket.tell(t="nack", game="g", id="other", code="illegal_move", message="no")
        async with asyncio.timeout(WITHIN_S):
            while not client.refused:
                await asyncio.sleep(0)
        assert len(await socket.heard("move", 3)) == 3
        assert [frame["id"] for frame in client.refused] == ["other"]
        assert client.failure is None


async def test_an_error_in_what_is_heard_ends_the_wait_and_is_kept(sockets: list[Socket]) -> None:
    error = LookupError("unheard of")
    async with SocketClient("ws://bench", "token", "g", Listener(error)) as client:
        with pytest.raises(LookupError, match="unheard of"):
            async with asyncio.timeout(WITHIN_S):
                await client.until(asyncio.Event())
    assert client.failure is error


async def test_a_frame_that_is_none_is_a_failure_too(sockets: list[Socket]) -> None:
    listener = Listener()
    async with SocketClient("ws://bench", "token", "g", listener) as client:
        await client.until(listener.ready)
        sockets[0].frames.put_nowait("{")
        with pytest.raises(ValueError, match="line 1"):
            async with asyncio.timeout(WITHIN_S):
                await client.until(asyncio.Event())
    assert isinstance(client.failure, ValueError)


async def test_a_client_that_failed_is_a_difference_of_its_game_at_once(
    sockets: list[Socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Expected = next(read_games(io.StringIO(PGN)))
    monkeypatch.setattr(replay, "GAME_WITHIN_S", 60.0)

    async def broken(*_: object, **__: object) -> None:
        raise LookupError("no such move")

    monkeypatch.setattr(SocketClient, "send", broken)
    played = Played()
    async with asyncio.timeout(WITHIN_S):
        await follow(played, game, "http://bench", ("white", "black"), "g")
    assert played.differences == [f"{game.name}: the client failed: LookupError('no such move')"]
