"""The ten levels of the computer: the one place to tune them.

Tuned with Fairy-Stockfish by `python -m bench.levels`, for 60 to 85 % against the level below. More nodes or skill at
the top make steps that are too high; below 300 nodes not every move is looked at, and even a won game is not won. A
level plays any legal move with `random_share`; otherwise it asks an engine of `skill` for `nodes` positions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How well the computer plays. `skill` is the engine's option, -20 to 20 (a plain Stockfish begins at 0)."""

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
    """A level by its number; ValueError for another number."""
    if number not in LEVELS:
        raise ValueError(f"level: {number} is not 1 to {max(LEVELS)}")
    return LEVELS[number]


def hint_level(nodes: int) -> Level:
    """How a hint is found: at full strength, and no level of an opponent."""
    return Level(0, "Hint", 0.0, 20, nodes)
