"""The public API as its clients have it: a real gateway over HTTP before a real game service with the real rules."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import orjson

from deploy.laptop.ports import PortBlock
from services.game.main.servicers import register
from services.game.play.game import Seat
from services.gateway.main.process import serve as serve_gateway
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.lifecycle import Stop, cancelled
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import SHARDS, World, channel_to

WITHIN_S = 30.0


@asynccontextmanager
async def gateway_before(world: World, **changes: object) -> AsyncIterator[str]:
    """A whole gateway before the first replica, with changed settings; its host and port."""
    add = partial(register, world.first.servicer.servicers)
    with PortBlock() as ports:
        async with serving(Settings(drain_ms=0), add) as server:
            settings = GatewaySettings.model_validate(
                {
                    "port": ports.take(),
                    "game_target": f"127.0.0.1:{server.port}",
                    "redis_url": world.redis_url,
                    "event_shards": SHARDS,
                    "drain_ms": 200,
                    "call_timeout_ms": 30_000,
                    "command_timeout_ms": 40_000,
                    "socket_drain_ms": 0,
                    **changes,
                }
            )
            stop = Stop()
            task = asyncio.create_task(serve_gateway(settings, stop))
            try:
                yield f"127.0.0.1:{settings.port}"
            finally:
                stop.set()
                await task


@dataclass
class Lines:
    """What one stream has told so far."""

    told: list[dict[str, Any]] = field(default_factory=list)
    closed: bool = False

    @property
    def states(self) -> list[dict[str, Any]]:
        """The states of a game's stream, oldest first."""
        return [line.get("state", line) for line in self.told if line["type"] in ("gameFull", "gameState")]


@dataclass
class ApiPlayer:
    """A guest with a token."""

    seat: Seat
    client: httpx.AsyncClient

    async def post(self, path: str, status: int = 200) -> dict[str, Any]:
        """The answer's object."""
        answer = await self.client.post(path)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
        found: dict[str, Any] = answer.json()
        return found

    @asynccontextmanager
    async def listening(self, path: str) -> AsyncIterator[Lines]:
        """A stream that is read until it ends, as soon as its first line has come."""
        lines, opened = Lines(), asyncio.Event()

        async def read() -> None:
            async with self.client.stream("GET", path) as stream:
                assert stream.status_code == 200
                async for text in stream.aiter_lines():
                    if text:
                        lines.told.append(orjson.loads(text))
                    opened.set()
            lines.closed = True

        task = asyncio.create_task(read())
        try:
            async with asyncio.timeout(WITHIN_S):
                await opened.wait()
            yield lines
        finally:
            await cancelled(task)

    def game(self, game_id: str) -> AbstractAsyncContextManager[Lines]:
        """This player's stream of a game."""
        return self.listening(f"/api/board/game/stream/{game_id}")


@dataclass
class WholeApi:
    """The game service, and the gateway's door."""

    world: World
    door: str
    stack: AsyncExitStack

    async def guest(self) -> ApiPlayer:
        """Somebody new."""
        service = GameServiceStub(channel_to(self.world.first.servicer))
        credential = (await service.CreateGuest(pb.CreateGuestRequest())).credential
        client = httpx.AsyncClient(
            base_url=f"http://{self.door}",
            headers={"Authorization": f"Bearer {credential.token}"},
            timeout=WITHIN_S,
            trust_env=False,
        )
        await self.stack.enter_async_context(client)
        return ApiPlayer(Seat(credential.player.id, credential.player.name, guest=True), client)


@asynccontextmanager
async def whole_api(world: World, **changes: object) -> AsyncIterator[WholeApi]:
    """See the module; `changes` are settings of the gateway."""
    async with gateway_before(world, **changes) as door, AsyncExitStack() as stack:
        yield WholeApi(world, door, stack)


async def closed(*streams: Lines) -> None:
    """Wait for the server to end streams."""

    async def all_closed() -> bool:
        return all(stream.closed for stream in streams)

    await eventually(all_closed, "the streams have ended")
