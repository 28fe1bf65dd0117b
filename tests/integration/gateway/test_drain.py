"""Case S07: a gateway that is stopped ends its streams in order, and writes nothing at ERROR."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.integration.gateway.gateway_subprocess import GatewayProcess, gateway_process, loud_game

ANNA = {"Authorization": "Bearer anna"}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "gateway.log"


async def opened(client: httpx.AsyncClient, path: str, open_now: asyncio.Semaphore) -> bool:
    """Read a stream to its end; whether it ended in order."""
    async with client.stream("GET", path) as answer:
        assert answer.status_code == 200
        open_now.release()
        async for _ in answer.aiter_raw():
            pass
    return True


async def knocking(client: httpx.AsyncClient) -> None:
    """A client that opens its stream again as soon as it has ended, on the same connection if it can."""
    while True:
        with suppress(httpx.TransportError):
            async with client.stream("GET", "/api/stream/event") as answer:
                async for _ in answer.aiter_raw():
                    pass


def client_of(gateway: GatewayProcess, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{gateway.port}",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
        timeout=30,
    )


async def stopped(gateway: GatewayProcess) -> None:
    gateway.process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(30):
        assert await gateway.process.wait() == 0


def quiet(log: Path) -> bool:
    text = log.read_text()
    assert "ERROR" not in text, text
    assert "Traceback" not in text, text
    return True


async def test_streams_end_in_order_and_who_knocks_again_delays_nobody(redis_url: str, log: Path) -> None:
    async with (
        loud_game(redis_url) as game,
        gateway_process(game.target, redis_url, log, drain_ms=3_000) as gateway,
        client_of(gateway, "anna") as anna,
        client_of(gateway, "bob") as bob,
    ):
        open_now = asyncio.Semaphore(0)
        reading = asyncio.ensure_future(opened(anna, "/api/stream/event", open_now))
        again = asyncio.ensure_future(knocking(bob))
        await open_now.acquire()
        await gateway.until('http_streams{kind="events"}', 2)
        await stopped(gateway)
        assert await reading
        again.cancel()
        await asyncio.gather(again, return_exceptions=True)
    assert quiet(log)


async def test_an_answer_that_takes_nearly_as_long_as_the_drain_is_cut_off(redis_url: str, log: Path) -> None:
    async with (
        loud_game(redis_url) as game,
        gateway_process(game.target, redis_url, log, drain_ms=3_000) as gateway,
        client_of(gateway, "anna") as anna,
    ):
        game.fetch_gate.clear()
        waiting = asyncio.ensure_future(anna.get("/game/export/game0001"))
        async with asyncio.timeout(20):
            while not game.calls["Fetch"]:
                await asyncio.sleep(0.02)
        await stopped(gateway)
        with pytest.raises(httpx.TransportError):
            await waiting
        game.fetch_gate.set()
    assert quiet(log)
