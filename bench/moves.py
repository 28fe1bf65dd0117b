"""One stretch of play, measured from outside: moves, latencies, processor time, batch sizes."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.figures import batch_totals, mean_sizes, percentile, us_per_move
from bench.generator import Generator
from bench.processor_time import sample, spent_between
from bench.stack import BenchStack

GENERATOR = "generator"
BATCHING = ("gateway", "game", "clock")


@dataclass(frozen=True, slots=True)
class Measured:
    """What one stretch showed. Times to acknowledge and to deliver are the load generator's, on the same machine."""

    moves: int
    seconds: float
    ack_ms: tuple[float, ...]
    deliver_ms: tuple[float, ...]
    us_by_process: Mapping[str, float]
    generator_us: float
    batch_sizes: Mapping[str, float]
    refused: int
    lost: int

    @property
    def cpu_us(self) -> float:
        """Processor time of all server processes for a committed move."""
        return sum(self.us_by_process.values())

    def keys(self) -> dict[str, Any]:
        """The figures by the names of the last line."""
        return {
            "moves_per_second": round(self.moves / self.seconds, 1),
            "cpu_us_per_move": round(self.cpu_us, 1),
            "ack_p50_ms": round(percentile(self.ack_ms, 0.5), 2),
            "ack_p99_ms": round(percentile(self.ack_ms, 0.99), 2),
            "deliver_p50_ms": round(percentile(self.deliver_ms, 0.5), 2),
            "deliver_p99_ms": round(percentile(self.deliver_ms, 0.99), 2),
            "cpu_us_by_process": {name: round(value, 1) for name, value in self.us_by_process.items()},
            "generator_us_per_move": round(self.generator_us, 1),
            "batch_sizes": {name: round(value, 1) for name, value in self.batch_sizes.items()},
            "refused": self.refused,
        }


async def measure(stack: BenchStack, load: Generator, seconds: float, profile: str | None = None) -> Measured:
    """Measure for a while what plays already. `profile`: PART=FILE, by py-spy, which costs that part something."""
    roots = {**stack.pids(), GENERATOR: load.process.pid}
    spy = None
    if profile:
        part, _, file = profile.partition("=")
        spy = await asyncio.create_subprocess_exec(
            *("py-spy", "record", "-d", f"{seconds:.0f}", "-f", "raw", "-r", "200", "-o", file, "-p", str(roots[part]))
        )
    batches = await _batches(stack)
    await load.ask("report")
    before = sample(roots)
    await asyncio.sleep(seconds)
    after = sample(roots)
    told = await load.ask("report")
    sizes = mean_sizes(batches, await _batches(stack))
    if spy is not None:
        await spy.wait()
    spent = us_per_move(spent_between(before, after), told["committed"])
    generator_us = spent.pop(GENERATOR)
    return Measured(
        moves=told["committed"],
        seconds=told["seconds"],
        ack_ms=tuple(told["ack_ms"]),
        deliver_ms=tuple(told["deliver_ms"]),
        us_by_process=spent,
        generator_us=generator_us,
        batch_sizes=sizes,
        refused=told["refused"],
        lost=told["lost"],
    )


async def _batches(stack: BenchStack) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for part in BATCHING:
        totals = batch_totals(await asyncio.to_thread(stack.metrics, part))
        found |= {f"{part}.{hop}": total for hop, total in totals.items()}
    return found


def show(measured: Measured) -> None:
    """Print it for people."""
    keys = measured.keys()
    print(f"{keys['moves_per_second']:g} moves/s, {keys['cpu_us_per_move']:g} us of processor time a move")
    print(f"ack p50 {keys['ack_p50_ms']} p99 {keys['ack_p99_ms']} ms;", end=" ")
    print(f"deliver p50 {keys['deliver_p50_ms']} p99 {keys['deliver_p99_ms']} ms")
    for name, value in sorted(measured.us_by_process.items(), key=lambda item: -item[1]):
        print(f"  {name:<11} {value:>7.1f} us")
    print(f"  ({GENERATOR} {measured.generator_us:.1f} us, not counted)")
    print("batches: " + ", ".join(f"{hop} {size:.1f}" for hop, size in measured.batch_sizes.items()))
    if measured.refused or measured.lost:
        print(f"{measured.refused} refused, {measured.lost} connections lost")
