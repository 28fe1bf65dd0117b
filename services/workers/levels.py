"""The ten levels of the computer: the one place to tune them.

Figures were measured with Fairy-Stockfish: each level scores more against the one below, except that the first two are
alike. A level plays any legal move with `random_share`; otherwise it asks an engine of `skill` for `nodes` positions.
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
        Level(1, "Newcomer", 0.80, -20, 30),
        Level(2, "Novice", 0.40, -20, 50),
        Level(3, "Learner", 0.05, -11, 200),
        Level(4, "Amateur", 0.0, -7, 500),
        Level(5, "Regular", 0.0, -4, 800),
        Level(6, "Club player", 0.0, -1, 1_500),
        Level(7, "Strong club player", 0.0, 3, 3_000),
        Level(8, "Candidate", 0.0, 7, 8_000),
        Level(9, "Expert", 0.0, 12, 25_000),
        Level(10, "Master", 0.0, 20, 100_000),
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
