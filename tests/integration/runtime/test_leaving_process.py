"""A process that was sent SIGTERM is not ready at once, and takes new connections until its time to leave is over."""

import asyncio
import os
import signal
import socket
import sys
import urllib.error
import urllib.request

from services.runtime.rpc import check_serving, open_channel

LEAVE_MS = 700


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _status(port: int, path: str) -> int:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except OSError:
        return 0


async def _until(port: int, path: str, status: int) -> None:
    async with asyncio.timeout(20):
        while await asyncio.to_thread(_status, port, path) != status:
            await asyncio.sleep(0.02)


async def test_it_serves_on_while_others_hear_that_it_goes() -> None:
    admin, grpc_port = _free_port(), _free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.rules", "serve"),
        env={
            **os.environ,
            "FLAGFALL_ADMIN_PORT": str(admin),
            "FLAGFALL_GRPC_PORT": str(grpc_port),
            "FLAGFALL_LEAVE_MS": str(LEAVE_MS),
            "FLAGFALL_LOG_LEVEL": "WARNING",
        },
    )
    try:
        await _until(admin, "/readyz", 200)
        process.send_signal(signal.SIGTERM)
        told = asyncio.get_running_loop().time()
        await _until(admin, "/readyz", 503)
        assert await asyncio.to_thread(_status, admin, "/healthz") == 200
        async with open_channel(f"127.0.0.1:{grpc_port}") as channel:
            await check_serving(channel)  # a new connection, after it said that it goes
        assert process.returncode is None
        assert await asyncio.wait_for(process.wait(), 20) == 0
        assert asyncio.get_running_loop().time() - told >= LEAVE_MS / 1000
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
