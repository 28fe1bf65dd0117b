"""`make bench`: what a move costs, how long it takes, and where the time goes. See docs/bench.md.

    python -m bench [--games 200] [--seconds 15] [--only moves,unbatched] [--profile PART=FILE]

Starts stacks of its own and throws them away. The last line is one JSON object.
"""

import argparse
import asyncio
import json
import os
import platform
from dataclasses import dataclass, field
from typing import Any

from bench import flags, floor, idle
from bench.figures import percentile
from bench.generator import Generator, generator
from bench.moves import Measured, measure, show
from bench.plies import Plies, measure_plies
from bench.stack import BenchStack, running

SECTIONS = ("moves", "gentle", "idle", "floor", "plies", "unbatched", "flags")
WARM_S = 3.0
SETTLED_S = 3.0
IDLE_S = 6.0
GENTLE_PER_S = 100.0
PLIES_MAX = 200
MOVES_PER_S_MAX = 3_000
"""More than a machine makes: so many games are prepared that nobody runs out of them."""
CLOCKS, FALLING = 10_000, 1_000
UNBATCHED = {"FLAGFALL_BATCH_SIZE_MAX": "1", "FLAGFALL_BATCHES_UNDER_WAY_MAX": "8"}
"""Each item by itself on every hop. As many may be under way as there are connections to the database, so that single
items do not wait for a slot that whole batches were meant to have."""


@dataclass(slots=True)
class Run:
    """What was asked for, and what was found so far."""

    games: int
    seconds: float
    only: frozenset[str]
    profile: str | None
    keys: dict[str, Any] = field(default_factory=dict)

    def wants(self, *sections: str) -> bool:
        """Whether one of these is to be measured."""
        return not self.only.isdisjoint(sections)

    @property
    def games_each(self) -> int:
        """Games that a table needs for a stretch at the highest rate, its warming up included."""
        return 2 + int(MOVES_PER_S_MAX * (self.seconds + WARM_S) / self.games / PLIES_MAX)


async def run(wanted: Run) -> None:
    """Everything, one stack after the other."""
    if wanted.wants("moves", "gentle", "idle", "floor", "plies"):
        async with running() as stack, generator(stack.address) as load:
            await _batched(wanted, stack, load)
    if wanted.wants("unbatched"):
        async with running(UNBATCHED) as stack, generator(stack.address) as load:
            single = await _saturated(wanted, stack, load)
            show("the same with batches of one", single)
            wanted.keys["cpu_us_per_move_unbatched"] = round(single.cpu_us, 1)
            wanted.keys["moves_per_second_unbatched"] = round(single.per_second, 1)
    if wanted.wants("flags"):
        async with running(flags.SETTINGS, flags.POSTGRES_SETTINGS) as stack:
            fallen = await flags.measure(stack, CLOCKS, FALLING)
        wanted.keys |= fallen.keys()
        print(f"\n{FALLING} of {CLOCKS} running clocks fell within {fallen.deadlines_spread_ms} ms")
        print("  " + ", ".join(f"{name} {value}" for name, value in fallen.keys().items()), flush=True)


async def _saturated(wanted: Run, stack: BenchStack, load: Generator) -> Measured:
    """All games at once, without think time."""
    lines = await load.ask(
        "prepare", name="open", kind="open", games=wanted.games, plies=PLIES_MAX, each=wanted.games_each, seed=1
    )
    wanted.keys["legal_moves"] = lines["legal"]
    await load.ask("play", name="open")
    await asyncio.sleep(WARM_S)
    return await measure(stack, load, wanted.seconds, wanted.profile)


async def _batched(wanted: Run, stack: BenchStack, load: Generator) -> None:
    keys = wanted.keys
    if wanted.wants("idle"):
        await asyncio.sleep(SETTLED_S)
        _show_idle("nobody is connected", "idle_us_per_second", await idle.measure(stack, IDLE_S), keys)
    played = await _saturated(wanted, stack, load)
    show(f"{wanted.games} games at once, each move as soon as the opponent's has arrived", played)
    keys |= {
        "moves_per_second": round(played.per_second, 1),
        "cpu_us_per_move": round(played.cpu_us, 1),
        "ack_p50_ms": round(percentile(played.ack_ms, 0.5), 2),
        "ack_p99_ms": round(percentile(played.ack_ms, 0.99), 2),
        "deliver_p50_ms": round(percentile(played.deliver_ms, 0.5), 2),
        "deliver_p99_ms": round(percentile(played.deliver_ms, 0.99), 2),
        "cpu_us_by_process": {name: round(value, 1) for name, value in played.us_by_process.items()},
        "generator_us_per_move": round(played.generator_us, 1),
        "batch_sizes": {hop: round(size, 1) for hop, size in played.batch_sizes.items()},
        "others_cores": round(played.others_cores, 2),
    }
    await load.ask("pause", name="open")
    if wanted.wants("gentle"):
        await load.ask("play", name="open", think_s=wanted.games / GENTLE_PER_S)
        await asyncio.sleep(WARM_S)
        gentle = await measure(stack, load, 8.0)
        await load.ask("pause", name="open")
        show("the same games with think time", gentle)
        keys |= {
            "gentle_moves_per_second": round(gentle.per_second, 1),
            "gentle_cpu_us_per_move": round(gentle.cpu_us, 1),
            "gentle_ack_p50_ms": round(percentile(gentle.ack_ms, 0.5), 2),
            "gentle_ack_p99_ms": round(percentile(gentle.ack_ms, 0.99), 2),
            "gentle_deliver_p99_ms": round(percentile(gentle.deliver_ms, 0.99), 2),
        }
    if wanted.wants("idle"):
        await asyncio.sleep(SETTLED_S)
        quiet = await idle.measure(stack, IDLE_S)
        _show_idle(
            f"{2 * wanted.games} players connected, who ping and do not move", "quiet_us_per_second", quiet, keys
        )
    await load.ask("leave", name="open")
    if wanted.wants("plies"):
        _take_plies(await measure_plies(stack, load, max(1, wanted.games // 2)), keys)
    if wanted.wants("floor"):
        batch = max(1, round(played.batch_sizes["game.commit"]))
        least = await floor.measure(stack, batch)
        keys["floor_us"] = round(least.total_us, 1)
        keys["floor_us_by_part"] = {
            "rules": round(least.rules_us, 1),
            "frames": round(least.frames_us, 1),
            "save": round(least.save_us, 1),
        }
        print(f"\nfloor: {least.total_us:.0f} us a move: rules {least.rules_us:.0f}, one frame in and two out", end=" ")
        print(f"{least.frames_us:.0f}, a share of a committed batch of {least.batch} {least.save_us:.0f}", flush=True)


def _take_plies(plies: Plies, keys: dict[str, Any]) -> None:
    keys |= {
        "ply300_over_ply10": round(plies.ratio, 3),
        "cpu_us_per_move_ply10": round(plies.early.measured.cpu_us, 1),
        "cpu_us_per_move_ply300": round(plies.late.measured.cpu_us, 1),
    }
    for side in (plies.early, plies.late):
        title = f"from ply {side.first_ply} on (to {side.last_ply}): {side.legal} legal moves, {side.repeatable} keys"
        show(title, side.measured)
    print(f"\nply 300 costs {plies.ratio:.2f} times what ply 10 costs", flush=True)


def _show_idle(title: str, key: str, by_process: Any, keys: dict[str, Any]) -> None:
    total = sum(by_process.values())
    keys[key] = round(total)
    parts = sorted(by_process.items(), key=lambda item: -item[1])
    print(f"\n{title}: {total:.0f} us of processor time a second ({total / 10_000:.1f} % of one processor)")
    print("  " + ", ".join(f"{name} {value:.0f}" for name, value in parts), flush=True)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", default=",".join(SECTIONS), help="of: " + ", ".join(SECTIONS))
    parser.add_argument("--profile", help="PART=FILE: py-spy's raw stacks of one part while moves are measured")
    chosen = parser.parse_args()
    only = frozenset(chosen.only.split(","))
    if unknown := only - set(SECTIONS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    wanted = Run(chosen.games, chosen.seconds, only, chosen.profile)
    load_1, _, _ = os.getloadavg()
    machine = {"cores": os.cpu_count(), "load_before": round(load_1, 2), "machine": platform.machine()}
    print(f"{machine['cores']} processors, load {load_1:.2f} before the start, {chosen.games} games", flush=True)
    asyncio.run(run(wanted))
    print(json.dumps({**wanted.keys, "games": chosen.games, "seconds": chosen.seconds, **machine}))


if __name__ == "__main__":
    main()
