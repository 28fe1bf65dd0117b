"""Whether a move costs more late in a long game: the same stack plays games at ply 10 and games at ply 300 by turns."""

import asyncio
from dataclasses import dataclass

from bench.generator import Generator
from bench.moves import Measured, measure, merged
from bench.stack import BenchStack

EARLY, LATE = 10, 300
ORDER = ("early", "late", "late", "early", "early", "late")
"""Taken by turns, so that whatever changes on the machine meanwhile meets both."""
STRETCH_S = 4.0
WARM_S = 1.0
PLIES_AFTER = 300
"""More than are played while it is measured."""
LEGAL = 27.0
"""Both ages get lines with about so many legal moves where they are measured: mobility costs more than age does."""
PLAYED_UP_WITHIN_S = 240.0


@dataclass(frozen=True, slots=True)
class Side:
    """Games of one age: what was measured, between which plies, and what its lines are like there."""

    measured: Measured
    first_ply: int
    last_ply: int
    legal: float
    """Legal moves of a position, in the mean."""
    repeatable: float
    """Positions since the last irreversible move, in the mean: so many keys a position carries."""


@dataclass(frozen=True, slots=True)
class Plies:
    """Both ages."""

    early: Side
    late: Side

    @property
    def ratio(self) -> float:
        """Processor time of a late move over that of an early one."""
        return self.late.measured.cpu_us / self.early.measured.cpu_us


async def measure_plies(stack: BenchStack, load: Generator, games: int) -> Plies:
    """Make both sets of games, play them up to their plies, and measure them by turns."""
    starts = {"early": EARLY, "late": LATE}
    for name, ply in starts.items():
        await load.ask(
            "prepare",
            name=name,
            kind="quiet",
            games=games,
            plies=ply + PLIES_AFTER,
            each=1,
            seed=100 + ply,
            alike=(ply, LEGAL),
        )
        await load.ask("play", name=name, until_ply=ply)
        await load.ask("still", name=name, within_s=PLAYED_UP_WITHIN_S)
    stretches: dict[str, list[Measured]] = {name: [] for name in starts}
    stands: dict[str, dict[str, int]] = {}
    for name in ORDER:
        await load.ask("play", name=name)
        await asyncio.sleep(WARM_S)
        stretches[name].append(await measure(stack, load, STRETCH_S))
        stands[name] = await load.ask("pause", name=name)
    sides = {}
    for name, ply in starts.items():
        last = stands[name]["most"]
        lines = await load.ask("mobility", name=name, first=ply, last=last)
        sides[name] = Side(merged(stretches[name]), ply, last, lines["legal"], lines["repeatable"])
    return Plies(sides["early"], sides["late"])
