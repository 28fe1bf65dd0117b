"""One stretch of play, measured from outside: moves, latencies, processor time, batch sizes."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.figures import batch_totals, mean_sizes, us_per_move
from bench.generator import Generator
from bench.processor_time import machine_busy_s, sample, spent_between
from bench.stack import BenchStack

GENERATOR = "generator"
BATCHING = ("gateway", "game", "clock")


@dataclass(frozen=True, slots=True)
class Measured:
    """What a stretch showed. Times to acknowledge and to deliver are the load generator's, on the same machine."""

    moves: int
    seconds: float
    ack_ms: tuple[float, ...]
    deliver_ms: tuple[float, ...]
    us_by_process: Mapping[str, float]
    generator_us: float
    batch_sizes: Mapping[str, float]
    unavailable: int
    others_cores: float
    """Processors that were busy with work outside this run."""

    @property
    def per_second(self) -> float:
        """Committed moves a second."""
        return self.moves / self.seconds

    @property
    def cpu_us(self) -> float:
        """Processor time of all server processes for a committed move."""
        return sum(self.us_by_process.values())


async def measure(stack: BenchStack, load: Generator, seconds: float, profile: str | None = None) -> Measured:
    """Measure running play for some seconds. Raises RuntimeError if a move was refused or a connection was lost.

    `profile`: PART=FILE, by py-spy, which slows that part down.
    """
    roots = {**stack.pids(), GENERATOR: load.process.pid}
    spy = None
    if profile:
        part, _, file = profile.partition("=")
        spy = await asyncio.create_subprocess_exec(
            *("py-spy", "record", "-d", f"{seconds:.0f}", "-f", "raw", "-r", "200", "-o", file, "-p", str(roots[part]))
        )
    batches = await _batches(stack)
    await load.ask("report")
    before, busy_before_s = sample(roots), machine_busy_s()
    await asyncio.sleep(seconds)
    after, busy_after_s = sample(roots), machine_busy_s()
    told = await load.ask("report")
    sizes = mean_sizes(batches, await _batches(stack))
    if spy is not None:
        await spy.wait()
    if told["refused"] or told["lost"] or told["out_of_games"]:
        wrong = {name: told[name] for name in ("refused", "lost", "out_of_games")}
        raise RuntimeError(f"the load did not go on as planned: {wrong}"[:1000])
    spent_s = spent_between(before, after)
    us = us_per_move(spent_s, told["committed"])
    return Measured(
        moves=told["committed"],
        seconds=told["seconds"],
        ack_ms=tuple(told["ack_ms"]),
        deliver_ms=tuple(told["deliver_ms"]),
        us_by_process={name: value for name, value in us.items() if name != GENERATOR},
        generator_us=us[GENERATOR],
        batch_sizes=sizes,
        unavailable=told["unavailable"],
        others_cores=max(0.0, busy_after_s - busy_before_s - sum(spent_s.values())) / seconds,
    )


async def _batches(stack: BenchStack) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for part in BATCHING:
        totals = batch_totals(await asyncio.to_thread(stack.metrics, part))
        found |= {f"{part}.{hop}": total for hop, total in totals.items()}
    return found


def merged(stretches: Sequence[Measured]) -> Measured:
    """Several stretches of one kind as one, each move with the same weight."""
    moves = sum(stretch.moves for stretch in stretches)

    def mean(values: Sequence[float]) -> float:
        return sum(value * stretch.moves for value, stretch in zip(values, stretches, strict=True)) / moves

    return Measured(
        moves=moves,
        seconds=sum(stretch.seconds for stretch in stretches),
        ack_ms=tuple(value for stretch in stretches for value in stretch.ack_ms),
        deliver_ms=tuple(value for stretch in stretches for value in stretch.deliver_ms),
        us_by_process={
            name: mean([stretch.us_by_process[name] for stretch in stretches]) for name in stretches[0].us_by_process
        },
        generator_us=mean([stretch.generator_us for stretch in stretches]),
        batch_sizes=stretches[0].batch_sizes,
        unavailable=sum(stretch.unavailable for stretch in stretches),
        others_cores=mean([stretch.others_cores for stretch in stretches]),
    )
