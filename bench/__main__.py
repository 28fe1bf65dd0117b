"""`make bench`: what a move costs, how long it takes, and where the time goes. See docs/bench.md.

python -m bench [--games 200] [--seconds 15] [--only moves,...] [--profile PART=FILE]
"""

import argparse
import asyncio
import json

from bench.generator import generator
from bench.moves import Measured, measure, show
from bench.stack import running


async def moves(games: int, seconds: float, profile: str | None) -> Measured:
    """One stack, `games` games at once."""
    async with running() as stack, generator(stack.address) as load:
        said = await load.ask("prepare", name="open", kind="open", games=games, plies=200, each=2, seed=1)
        print(f"{said['games']} games, {said['lines']} lines, {said['mean_legal']} legal moves in the mean", flush=True)
        await load.ask("play", name="open")
        await asyncio.sleep(3)
        return await measure(stack, load, seconds, profile)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", default="moves")
    parser.add_argument("--profile", help="PART=FILE: py-spy's raw stacks of one part while it is measured")
    chosen = parser.parse_args()
    measured = asyncio.run(moves(chosen.games, chosen.seconds, chosen.profile))
    show(measured)
    print(json.dumps({**measured.keys(), "games": chosen.games}))


if __name__ == "__main__":
    main()
