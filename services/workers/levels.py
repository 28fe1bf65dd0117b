"""The ten levels of the computer. Tune them only here.

They are tuned with Fairy-Stockfish by `python -m bench.levels`, to score 60 to 85 % against the level below. More nodes
or skill at the top make the steps too large. Below 300 nodes the engine does not look at every move and cannot win
even a won game. A level plays a random legal move with probability `random_share`; otherwise it uses an engine with
`skill` that searches `nodes` positions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How well the computer plays. `skill` is the engine's option: -20 to 20 (0 to 20 in a plain Stockfish)."""

    number: int
    name: str
    random_share: float
    skill: int
    nodes: int


LEVELS: dict[int, Level] = {
    level.number: level
    for level in (
        Level(1, "Newcomer", 0.60, -20, 40),
        Level(2, "Novice", 0.25, -8, 300),
        Level(3, "Learner", 0.10, -7, 400),
        Level(4, "Amateur", 0.04, -5, 450),
        Level(5, "Regular", 0.03, -4, 500),
        Level(6, "Club player", 0.03, -3, 550),
        Level(7, "Strong club player", 0.03, -1, 600),
        Level(8, "Candidate", 0.03, 1, 650),
        Level(9, "Expert", 0.02, 3, 700),
        Level(10, "Master", 0.0, 6, 1_000),
    )
}


def level_of(number: int) -> Level:
    """The level with this number. Raises ValueError for an unknown number."""
    if number not in LEVELS:
        raise ValueError(f"level: {number} is not 1 to {max(LEVELS)}")
    return LEVELS[number]


def hint_level(nodes: int) -> Level:
    """The level that finds hints: full strength, with `nodes`. It is not a level of an opponent."""
    return Level(0, "Hint", 0.0, 20, nodes)
