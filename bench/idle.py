"""The cost of a server without players."""

import asyncio
from collections.abc import Mapping

from bench.processor_time import sample, spent_between
from bench.stack import BenchStack


async def measure(stack: BenchStack, seconds: float) -> Mapping[str, float]:
    """Microseconds of processor time that each server process spends in a second."""
    roots = stack.pids()
    before = sample(roots)
    await asyncio.sleep(seconds)
    spent_s = spent_between(before, sample(roots))
    return {name: value * 1e6 / seconds for name, value in spent_s.items()}
