"""What nobody should send: each gets a clear error, and two people beside it play on as if nothing had happened."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx
import pytest

from services.pb.flagfall.v1 import game_pb2, rules_pb2
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceStub
from services.runtime.rpc import open_channel
from tests.stack.running import RunningFlagfall

CONNECTIONS = 16
ANSWERED_WITHIN_S = 2.0
KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]
"""Nobody gets tired of it: the game is of the rule set `claimed`, and ends by itself with the fifth occurrence."""
MOVES = 12


class Table:
    """Two people at a game of their own, who watch how long each of their moves takes."""

    def __init__(self, client: httpx.AsyncClient, game_id: str, tokens: tuple[str, str]) -> None:
        self._client = client
        self._game_id = game_id
        self._tokens = tokens
        self.played = 0
        self.slowest_s = 0.0

    async def play(self) -> None:
        """Play the next move."""
        uci, token = KNIGHTS[self.played % 4], self._tokens[self.played % 2]
        began = time.monotonic()
        answer = await self._client.post(
            f"/api/board/game/{self._game_id}/move/{uci}", headers={"Authorization": f"Bearer {token}"}
        )
        self.slowest_s = max(self.slowest_s, time.monotonic() - began)
        assert answer.status_code == 200, answer.text
        self.played += 1


@asynccontextmanager
async def table(flagfall: RunningFlagfall) -> AsyncIterator[Table]:
    """Two guests at a new game."""
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=10) as client:
        tokens = []
        for _ in range(2):
            made = await client.post("/api/flagfall/guests")
            tokens.append(made.json()["token"])
            client.cookies.clear()
        white, black = ({"Authorization": f"Bearer {token}"} for token in tokens)
        terms = {"clock.limit": 600, "clock.increment": 5, "color": "white"}
        link = (await client.post("/api/challenge/open", json=terms, headers=white)).json()
        accepted = await client.post(f"/api/challenge/{link['id']}/accept", headers=black)
        assert accepted.status_code == 200, accepted.text
        yield Table(client, link["id"], (tokens[0], tokens[1]))


async def beside(flagfall: RunningFlagfall, trouble: Callable[[], Awaitable[None]]) -> None:
    """Let the two play while the trouble lasts, and at least a few moves."""
    gateway = flagfall.pid("gateway")
    async with table(flagfall) as people:
        making = asyncio.ensure_future(trouble())
        while not making.done() or people.played < 4:
            if people.played < MOVES:
                await people.play()
            await asyncio.sleep(0.05)
        await making
        await people.play()
    assert people.slowest_s < ANSWERED_WITHIN_S
    assert flagfall.pid("gateway") == gateway


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, bytes]:
    """Send raw bytes; the status and the body of the answer."""
    writer.write(request)
    async with asyncio.timeout(30):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
        )
        return int(head[9:12]), await reader.readexactly(length)


async def connect(flagfall: RunningFlagfall) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", flagfall.port)


@pytest.mark.thorough
async def test_ten_thousand_bad_tokens(flagfall: RunningFlagfall) -> None:
    statuses: Counter[int] = Counter()

    async def guess(first: int) -> None:
        reader, writer = await connect(flagfall)
        for number in range(first, 10_000, CONNECTIONS):
            head = f"GET /api/account HTTP/1.1\r\nHost: flagfall\r\nAuthorization: Bearer ff_bad{number:036d}\r\n\r\n"
            status, _ = await ask(reader, writer, head.encode())
            statuses[status] += 1
        writer.close()

    async def trouble() -> None:
        await asyncio.gather(*(guess(first) for first in range(CONNECTIONS)))

    await beside(flagfall, trouble)
    assert statuses == {401: 10_000}


async def test_moves_heads_and_bodies_of_a_megabyte(flagfall: RunningFlagfall) -> None:
    megabyte = b"x" * 1_000_000
    requests = {
        b"POST /api/board/game/abcdefgh/move/" + megabyte + b" HTTP/1.1\r\nHost: flagfall\r\n\r\n": 431,
        b"GET /api/account HTTP/1.1\r\nHost: flagfall\r\nX-Long: " + megabyte + b"\r\n\r\n": 431,
        b"POST /api/flagfall/login HTTP/1.1\r\nHost: flagfall\r\nContent-Length: 1000000\r\n\r\n" + megabyte: 413,
        b"POST /api/token/test HTTP/1.1\r\nHost: flagfall\r\nContent-Length: 1000000\r\n\r\n" + megabyte: 413,
    }

    async def trouble() -> None:
        for _ in range(5):
            for request, expected in requests.items():
                reader, writer = await connect(flagfall)
                status, body = await ask(reader, writer, request)
                assert (status, b'"error"' in body) == (expected, True)
                writer.close()

    await beside(flagfall, trouble)


async def test_what_is_no_http_and_heads_that_never_end(flagfall: RunningFlagfall) -> None:
    async def trouble() -> None:
        held = [await connect(flagfall) for _ in range(200)]
        for _, writer in held:
            writer.write(b"GET /api/account HTTP/1.1\r\nHost: flag")  # and nothing more
        for garbage in (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"HELO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
            reader, writer = await connect(flagfall)
            status, body = await ask(reader, writer, garbage)
            assert (status, b'"error"' in body) == (400, True)
            writer.close()
        for _, writer in held:
            writer.close()

    await beside(flagfall, trouble)


async def test_each_wrong_field_is_named(flagfall: RunningFlagfall) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"json": {"level": 11}}, "level"),
        ({"json": {"level": "three"}}, "level"),
        ({"json": {"level": [3]}}, "level"),
        ({"data": {"level": "3", "clock.limit": "61", "clock.increment": "0"}}, "clock.limit"),
        ({"data": {"level": "3", "days": "4"}}, "days"),
        ({"json": {"level": 3, "color": "green"}}, "color"),
        ({"json": {"level": 3, "ruleSet": "uscf"}}, "ruleSet"),
        ({"json": {"level": 3, "variant": "checkers"}}, "variant"),
        ({"json": {"level": 3, "fen": "x" * 10_000}}, "fen"),
        ({"content": b'{"level": 3'}, "body, character 11"),
        ({"content": b"[3]"}, "body"),
        ({"content": b"\xff\xfe"}, "body, byte 0"),
    ]
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=10) as client:
        token = (await client.post("/api/flagfall/guests")).json()["token"]
        client.cookies.clear()
        for request, at in wrong:
            answer = await client.post("/api/challenge/ai", headers={"Authorization": f"Bearer {token}"}, **request)
            body = answer.json()
            assert (answer.status_code, body["code"], body["at"]) == (400, "malformed", at), request
            assert body["error"]
        playing = await client.get("/api/account/playing", headers={"Authorization": f"Bearer {token}"})
        assert playing.json() == {"nowPlaying": [], "nbMyTurn": 0}


async def test_an_unknown_field_is_refused_by_name(flagfall: RunningFlagfall) -> None:
    async with httpx.AsyncClient(base_url=flagfall.address, timeout=10) as client:
        for path, body in (
            ("/api/flagfall/accounts", {"username": "nora", "password": "long enough", "admin": True}),
            ("/api/flagfall/login", {"username": "nora", "password": "long enough", "admin": True}),
            ("/api/flagfall/guests", {"admin": True}),
        ):
            answer = await client.post(path, json=body)
            assert (answer.status_code, answer.json()["at"]) == (400, "admin")
        assert (await client.get("/api/user/nora")).status_code == 404


async def test_whoever_does_not_know_the_services_secret_is_refused_by_them(flagfall: RunningFlagfall) -> None:
    async with (
        open_channel(flagfall.environment["FLAGFALL_GAME_TARGET"]) as game,
        open_channel(flagfall.environment["FLAGFALL_RULES_TARGET"]) as rules,
    ):
        answers = await asyncio.gather(
            GameServiceStub(game).CreateGuest(game_pb2.CreateGuestRequest(), timeout=5),
            RulesServiceStub(rules).Judge(rules_pb2.JudgeRequest(), timeout=5),
            return_exceptions=True,
        )
    codes = [answer.code() if isinstance(answer, grpc.aio.AioRpcError) else answer for answer in answers]
    assert codes == [grpc.StatusCode.UNAUTHENTICATED] * 2
