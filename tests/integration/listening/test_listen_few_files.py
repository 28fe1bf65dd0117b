"""Case S19: a gateway on a system that allows few open files goes on, and refuses the socket too many."""

from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from services.gateway.main.connections import OTHER_FILES, OTHER_REQUESTS
from tests.integration.gateway.gateway_subprocess import gateway_process, loud_game
from tests.integration.sockets.running_sockets import wanted

OPEN_FILES = 400
SOCKETS = OPEN_FILES - OTHER_FILES - OTHER_REQUESTS


async def test_a_socket_too_many_is_refused_and_everything_else_goes_on(redis_url: str, tmp_path: Path) -> None:
    log = tmp_path / "gateway.log"
    async with (
        loud_game(redis_url) as game,
        gateway_process(game.target, redis_url, log, OPEN_FILES, log_level="INFO") as gateway,
        httpx.AsyncClient(trust_env=False) as client,
        AsyncExitStack() as stack,
    ):
        for _ in range(SOCKETS):
            opened = await stack.enter_async_context(connect(gateway.url(), proxy=None))
            await wanted(opened, "welcome")
        for _ in range(30):
            with pytest.raises(InvalidStatus) as refused:
                await connect(gateway.url(), proxy=None)
            assert refused.value.response.status_code == 503
            assert refused.value.response.headers["Retry-After"]
        health = await client.get(f"http://127.0.0.1:{gateway.port}/api/flagfall/health")
        assert health.status_code == 200
        ready = await client.get(f"http://127.0.0.1:{gateway.admin_port}/readyz")
        assert ready.status_code == 200
        metrics = (await client.get(f"http://127.0.0.1:{gateway.admin_port}/metrics")).text
        assert "flagfall_ws_refused_total 30.0" in metrics
        assert f"flagfall_ws_connections {SOCKETS}.0" in metrics
        await opened.close()
        again = await stack.enter_async_context(connect(gateway.url(), proxy=None))
        await wanted(again, "welcome")
    said = log.read_text()
    assert f"open files: {OPEN_FILES}, the system allows {OPEN_FILES} (nofile)" in said
    assert (
        f"{OPEN_FILES} open files leave room for {OPEN_FILES - OTHER_FILES} connections, {SOCKETS} of them sockets"
        in said
    )
    assert "Traceback" not in said
