"""The bench's side of the protocol with the load generator."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from deploy.laptop.node import ROOT

ANSWER_BYTES_MAX = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Generator:
    """A running `python -m bench.load`."""

    process: asyncio.subprocess.Process

    async def ask(self, do: str, **words: Any) -> dict[str, Any]:
        """Send an order and wait for the answer. Raises RuntimeError if the process has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": do, **words}).encode() + b"\n")
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the load generator ended at `{do}`")
        answer: dict[str, Any] = json.loads(line)
        return answer


@asynccontextmanager
async def generator(url: str) -> AsyncIterator[Generator]:
    """Start one, and end it afterwards."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.load", url),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=ANSWER_BYTES_MAX,
        cwd=ROOT,
    )
    try:
        yield Generator(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            await process.wait()
