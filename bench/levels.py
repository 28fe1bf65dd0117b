"""How each level of the computer scores against the one below, in Standard.

    python -m bench.levels [--games 100] [--pairs 2-1,3-2] [--plies 400] [--seed 1] [--minutes 60]

Both levels move by the workers' own `Mover` and `EnginePool`, each with an engine process of its own; the rules say
when a game is over, under the rule set `automatic` (a third repetition and fifty moves are draws without a claim). Each
opening is a few random moves, the same for a seed, and is played twice with colours swapped. A game that is not over
after `--plies` half-moves counts as drawn. The engine draws its own chances for a skill below 20, so two runs differ.

The engine is that of FLAGFALL_ENGINE_COMMAND, else the installed one; `--engine own` is the small search. The last line
is one JSON object; `by` says what found the moves: anything but `chance` and `engine` means that the engine failed.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from prometheus_client import REGISTRY

from bench.level_games import OPENING_PLIES, Opening, Player, openings, play_game
from bench.level_scores import Score, percent, result_for
from bench.processor_time import sample
from deploy.laptop.node import engine_command
from services.domain.colour import Colour
from services.workers.engine_pool import OWN_ENGINE, EnginePool, find_command
from services.workers.levels import LEVELS, Level, level_of
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings

ENGINE_MS_MAX = 60_000
"""For its start and for a move. A worker ends a search after 2 s; here nodes alone do, whatever else is running."""
FOUND_BY = ("chance", "engine", "small_search", "last_resort")
TOLD_EVERY = 10
Figures = dict[str, object]


@dataclass(slots=True)
class Match:
    """The result of a pair of levels."""

    upper: Player
    lower: Player
    score: Score = field(default_factory=Score)
    plies: int = 0
    capped: int = 0
    """Games that were drawn since they took too long."""
    cpu_s: float = 0.0
    by: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The pair's name, as in `--pairs`."""
        return f"{self.upper.level.number}-{self.lower.level.number}"

    def figures(self) -> Figures:
        """Figures for the last line."""
        score, moves = self.score, max(1, self.upper.moves + self.lower.moves)
        return {
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "score_percent": percent(score.share),
            "interval_95_percent": [percent(end) for end in score.interval],
            "capped": self.capped,
            "plies_a_game": round(self.plies / score.games),
            "mean_ms_a_move": {str(side.level.number): round(side.mean_ms, 1) for side in (self.lower, self.upper)},
            "longest_ms": round(1000 * max(self.upper.longest_s, self.lower.longest_s)),
            "cpu_ms_a_move": round(1000 * self.cpu_s / moves, 1),
            "by": self.by,
        }

    def told(self) -> str:
        """A line of text for people."""
        score, (low, high) = self.score, self.score.interval
        return (
            f"+{score.wins} ={score.draws} -{score.losses}, {percent(score.share)} % "
            f"({percent(low)} to {percent(high)}), {self.capped} too long, "
            f"{self.upper.mean_ms:.0f} and {self.lower.mean_ms:.0f} ms a move"
        )


async def play_match(match: Match, games: int, plies_max: int, seed: int, until_s: float) -> None:
    """Play `games`, each opening with both colours; after the first none is begun past `until_s` (steady clock)."""
    begins = openings(random.Random(seed))
    opening: Opening = ()
    found, cpu_s = _found_by(), _cpu_s()
    for number in range(games):
        if match.score.games and time.monotonic() > until_s:
            break
        side = Colour.BLACK if number % 2 else Colour.WHITE
        if side is Colour.WHITE:
            opening = next(begins)
        white, black = (match.upper, match.lower) if side is Colour.WHITE else (match.lower, match.upper)
        played = await play_game(white, black, opening, plies_max)
        match.score = match.score.plus(result_for(side, played.outcome))
        match.plies += len(played.moves)
        match.capped += played.outcome is None
        if (number + 1) % TOLD_EVERY == 0:
            print(f"{match.name:>5} after {number + 1} games: {match.told()}", flush=True)
    match.cpu_s = _cpu_s() - cpu_s
    match.by = {by: count - found[by] for by, count in _found_by().items() if count > found[by]}


@asynccontextmanager
async def seated(level: Level, command: tuple[str, ...], seed: int) -> AsyncIterator[Player]:
    """A player with its own engines, which end with it: the search of one level must not help the other. RuntimeError
    if the engine cannot be started: its replacement must not be measured.
    """
    settings = WorkersSettings(engine_move_ms=ENGINE_MS_MAX, engine_start_ms=ENGINE_MS_MAX)
    engines, own = EnginePool(command, settings), EnginePool(OWN_ENGINE, settings)
    await engines.warm()
    if engines.name is None:
        raise RuntimeError(f"the engine cannot be started: {engines.problem}")
    try:
        yield Player(level, Mover(engines, own, settings.search_nodes_max, random.Random(seed)))
    finally:
        await engines.close()
        await own.close()


def engine_of(given: str) -> tuple[str, ...] | None:
    """The words that start the engine: `own`, that of the settings, the installed one, or one on the PATH."""
    if given == "own":
        return OWN_ENGINE
    words = given or WorkersSettings().engine_command
    return find_command(words) if words else engine_command(Path(sys.prefix)) or find_command("")


def pairs_of(text: str) -> list[tuple[Level, Level]]:
    """`3-2,2-1` as levels, the upper first; ValueError for what is no pair of levels."""
    pairs = []
    for pair in text.split(","):
        upper, _, lower = pair.partition("-")
        levels = level_of(int(upper)), level_of(int(lower))
        if levels[0].number <= levels[1].number:
            raise ValueError(f"{pair}: the upper level stands first")
        pairs.append(levels)
    return pairs


async def measure(
    pairs: Sequence[tuple[Level, Level]],
    command: tuple[str, ...],
    games: int,
    plies_max: int,
    seed: int,
    until_s: float,
) -> dict[str, Figures]:
    """Each pair's figures, printed as they are found. A pair that gets no time is left out."""
    figures = {}
    for stronger, weaker in pairs:
        if time.monotonic() > until_s:
            print(f"no time is left for level {stronger.number} against {weaker.number}", flush=True)
            continue
        async with seated(stronger, command, seed) as upper, seated(weaker, command, seed + 1) as lower:
            match = Match(upper, lower)
            await play_match(match, games, plies_max, seed, until_s)
        figures[match.name] = match.figures()
        print(f"{match.name:>5} {stronger.name} against {weaker.name}: {match.told()}; {match.by}", flush=True)
    return figures


def _found_by() -> dict[str, int]:
    name = "flagfall_computer_moves_total"
    return {by: int(REGISTRY.get_sample_value(name, {"by": by}) or 0) for by in FOUND_BY}


def _cpu_s() -> float:
    """Processor seconds of this process and its engines so far."""
    return sample({"all": os.getpid()})["all"]


def main() -> None:
    """Play the pairs that were asked for."""
    neighbours = ",".join(f"{number}-{number - 1}" for number in list(LEVELS)[1:])
    parser = argparse.ArgumentParser(prog="python -m bench.levels", description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of each pair")
    parser.add_argument("--pairs", default=neighbours, help="UPPER-LOWER, separated by commas")
    parser.add_argument("--plies", type=int, default=400, help="half-moves after which a game is drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="after which no game is begun")
    parser.add_argument("--engine", default="", help="words that start an engine, or `own`")
    chosen = parser.parse_args()
    if min(chosen.games, chosen.plies - OPENING_PLIES) < 1:
        parser.error(f"a match has a game at least, and a game more than {OPENING_PLIES} half-moves")
    try:
        pairs = pairs_of(chosen.pairs)
    except ValueError as error:
        parser.error(f"--pairs: {error}")
    command = engine_of(chosen.engine)
    if command is None:
        parser.error("no engine: `make install` brings one, FLAGFALL_ENGINE_COMMAND names one, or take --engine own")
    until_s = time.monotonic() + 60 * chosen.minutes
    figures = asyncio.run(measure(pairs, command, chosen.games, chosen.plies, chosen.seed, until_s))
    print(json.dumps({"pairs": figures, "seed": chosen.seed, "plies_max": chosen.plies, "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
