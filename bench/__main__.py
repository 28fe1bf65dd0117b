"""`make bench`: the cost of a move, its latency, and where the time is spent. See docs/bench.md.

    python -m bench [--games 200] [--seconds 15] [--only moves,unbatched] [--profile PART=FILE]

Starts its own stacks and deletes them. The last line is one JSON object.
"""

import argparse
import asyncio
import json
import os
import platform
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from bench import flags, floor, footprint, idle, report
from bench.generator import Generator, generator
from bench.moves import Measured, measure
from bench.plies import measure_plies
from bench.stack import BenchStack, running

SECTIONS = ("moves", "gentle", "idle", "floor", "plies", "unbatched", "flags", "footprint", "uncached")
WARM_S = 3.0
SETTLED_S = 3.0
IDLE_S = 6.0
GENTLE_PER_S = 100.0
GENTLE_S = 8.0
PLIES_MAX = 200
MOVES_PER_S_MAX = 3_000
TABLE_MOVES_PER_S_MAX = 300
"""Upper bounds of a machine's rate and a game's rate, so that enough games are prepared."""
CLOCKS, FALLING = 10_000, 1_000
UNBATCHED = {"FLAGFALL_BATCH_SIZE_MAX": "1", "FLAGFALL_BATCHES_UNDER_WAY_MAX": "8"}
"""Each item by itself on every hop. As many may be under way as there are connections to the database, so that single
items do not wait for a slot that whole batches were meant to have."""

UNCACHED = {"FLAGFALL_GAMES_CACHED_MAX": "0", "FLAGFALL_POSITIONS_KEPT_MAX": "0"}
"""As if every move of a game reached another replica than the previous one."""


@dataclass(slots=True)
class Run:
    """The options, and the results so far."""

    games: int
    seconds: float
    only: frozenset[str]
    profile: str | None
    keys: report.Keys = field(default_factory=dict)

    def wants(self, *sections: str) -> bool:
        """Whether one of these was requested."""
        return not self.only.isdisjoint(sections)

    @property
    def games_each(self) -> int:
        """The number of games that a table needs for a stretch at the highest rate, with warm-up."""
        per_s = min(MOVES_PER_S_MAX / self.games, TABLE_MOVES_PER_S_MAX)
        return 2 + int(per_s * (self.seconds + WARM_S) / PLIES_MAX)


async def run(wanted: Run) -> None:
    """Measure everything, one stack after the other."""
    if wanted.wants("moves", "gentle", "idle", "floor", "plies"):
        async with running() as stack, generator(stack.address) as load:
            await _batched(wanted, stack, load)
    if wanted.wants("unbatched"):
        async with running(UNBATCHED) as stack, generator(stack.address) as load:
            single = await _saturated(wanted, stack, load)
        report.show_moves("the same with batches of one", single)
        wanted.keys |= report.unbatched_keys(single)
    if wanted.wants("uncached"):
        async with running(UNCACHED) as stack, generator(stack.address) as load:
            forgotten = await _saturated(wanted, stack, load)
        report.show_moves("the same with nothing remembered between two moves", forgotten)
        wanted.keys |= report.uncached_keys(forgotten)
    if wanted.wants("footprint"):
        async with running() as stack, generator(stack.address) as load:
            weighed = await footprint.measure(stack, load)
        report.show_footprint(weighed)
        wanted.keys |= weighed.keys()
    if wanted.wants("flags"):
        async with running(flags.SETTINGS, flags.POSTGRES_SETTINGS) as stack:
            fallen = await flags.measure(stack, CLOCKS, FALLING)
        report.show_flags(fallen)
        wanted.keys |= report.flags_keys(fallen)


async def _prepare(wanted: Run, load: Generator) -> None:
    """Make the games, and connect their players."""
    lines = await load.ask(
        "prepare", name="open", kind="open", games=wanted.games, plies=PLIES_MAX, each=wanted.games_each, seed=1
    )
    wanted.keys["legal_moves"] = lines["legal"]


async def _saturated(wanted: Run, stack: BenchStack, load: Generator) -> Measured:
    """Measure all games at once, without think time."""
    await _prepare(wanted, load)
    await load.ask("play", name="open")
    await asyncio.sleep(WARM_S)
    return await measure(stack, load, wanted.seconds, wanted.profile)


async def _batched(wanted: Run, stack: BenchStack, load: Generator) -> None:
    """Measure one stack, from no players to long games."""
    if wanted.wants("idle"):
        await asyncio.sleep(SETTLED_S)
        idle_us = await idle.measure(stack, IDLE_S)
        report.show_idle("nobody is connected", idle_us)
        wanted.keys["idle_us_per_second"] = round(sum(idle_us.values()))
        wanted.keys["idle_us_by_process"] = report.rounded(idle_us)
    batch = 1
    if wanted.wants("moves", "floor"):
        played = await _saturated(wanted, stack, load)
        batch = max(1, round(played.batch_sizes["game.commit"]))
        report.show_moves(f"{wanted.games} games at once, each move as soon as the opponent's has arrived", played)
        wanted.keys |= report.moves_keys(played)
        await load.ask("pause", name="open")
    elif wanted.wants("gentle", "idle"):
        await _prepare(wanted, load)
    if wanted.wants("gentle"):
        await load.ask("play", name="open", think_s=wanted.games / GENTLE_PER_S)
        await asyncio.sleep(WARM_S)
        gentle = await measure(stack, load, GENTLE_S)
        await load.ask("pause", name="open")
        report.show_moves("the same games with think time", gentle)
        wanted.keys |= report.gentle_keys(gentle)
    if wanted.wants("idle"):
        await asyncio.sleep(SETTLED_S)
        quiet_us = await idle.measure(stack, IDLE_S)
        report.show_idle(f"{2 * wanted.games} players connected, who ping and do not move", quiet_us)
        wanted.keys["quiet_us_per_second"] = round(sum(quiet_us.values()))
        wanted.keys["quiet_players"] = 2 * wanted.games
        wanted.keys["quiet_us_by_process"] = report.rounded(quiet_us)
    if wanted.wants("moves", "floor", "gentle", "idle"):
        await load.ask("leave", name="open")
    if wanted.wants("plies"):
        plies = await measure_plies(stack, load, max(1, wanted.games // 2))
        report.show_plies(plies)
        wanted.keys |= report.plies_keys(plies)
    if wanted.wants("floor"):
        least = await floor.measure(stack, batch)
        report.show_floor(least)
        wanted.keys |= report.floor_keys(least)


def main() -> None:
    """Measure the requested parts."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", default=",".join(SECTIONS), help="of: " + ", ".join(SECTIONS))
    parser.add_argument("--json", type=Path, help="a file that is updated with the last line")
    parser.add_argument("--profile", help="PART=FILE: py-spy's raw stacks of one part while moves are measured")
    chosen = parser.parse_args()
    only = frozenset(chosen.only.split(","))
    if unknown := only - set(SECTIONS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    if chosen.profile and shutil.which("py-spy") is None:
        parser.error("--profile needs py-spy on the PATH, which is not among the packages of this project")
    wanted = Run(chosen.games, chosen.seconds, only, chosen.profile)
    load_1, _, _ = os.getloadavg()
    machine = {"cores": os.cpu_count(), "load_before": round(load_1, 2), "machine": platform.machine()}
    print(f"{machine['cores']} processors, load {load_1:.2f} before the start, {chosen.games} games", flush=True)
    asyncio.run(run(wanted))
    figures = {**wanted.keys, "games": chosen.games, "seconds": chosen.seconds, **machine}
    if chosen.json:
        known = json.loads(chosen.json.read_text()) if chosen.json.exists() else {}
        chosen.json.write_text(json.dumps({**known, **figures}, indent=2) + "\n")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
