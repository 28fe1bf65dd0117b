"""A whole gateway for tests: its real process, HTTP server, hub and Valkey, before a game service that is faked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx

from deploy.laptop.ports import PortBlock
from services.gateway.main.process import serve
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import events_pb2
from services.runtime.lifecycle import Stop
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.gateway.fake_game import FakeGame, register

WITHIN_S = 15.0


@dataclass(slots=True)
class Gateway:
    """A running gateway."""

    address: str
    game: FakeGame
    client: httpx.AsyncClient
    stop: Stop
    ended: "asyncio.Future[None]"

    def as_(self, token: str) -> dict[str, str]:
        """The header of somebody."""
        return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def running(redis_url: str, **changes: Any) -> AsyncIterator[Gateway]:
    """A gateway that answers, with anna's token `anna` and bob's token `bob`."""
    game = FakeGame()
    game.tokens = {name: events_pb2.Player(id=name, name=name.title()) for name in ("anna", "bob", "carl")}
    stop = Stop()
    rpc = Settings(drain_ms=0)
    with PortBlock() as ports:
        port = ports.take()
        async with serving(rpc, partial(register, game)) as running_game:
            settings = GatewaySettings.model_validate(
                {
                    "port": port,
                    "game_target": f"127.0.0.1:{running_game.port}",
                    "redis_url": redis_url,
                    "drain_ms": 500,
                    "socket_drain_ms": 0,
                    **changes,
                }
            )
            ended = asyncio.ensure_future(serve(settings, stop))
            address = f"http://127.0.0.1:{port}"
            try:
                async with httpx.AsyncClient(base_url=address, timeout=WITHIN_S) as client:
                    await _answers(client, ended)
                    yield Gateway(address, game, client, stop, ended)
            finally:
                stop.set()
                game.down = False
                await ended


async def _answers(client: httpx.AsyncClient, ended: "asyncio.Future[None]") -> None:
    async with asyncio.timeout(WITHIN_S):
        while not ended.done():
            try:
                await client.get("/api/flagfall/health")
                return
            except httpx.TransportError:
                await asyncio.sleep(0.01)
    await ended
