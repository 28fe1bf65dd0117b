"""The computer's ten levels, as data. Tuning is a change of these figures alone."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """How strong the computer plays.

    `random_share` is how many of a hundred moves are any legal move at all; `skill` is the engine's own handicap
    (-20 to 20); `nodes` bounds the work of one move.
    """

    number: int
    name: str
    random_share: int
    skill: int
    nodes: int


LEVELS: dict[int, Level] = {
    level.number: level
    for level in (
        Level(1, "Newcomer", 80, -20, 30),
        Level(2, "Novice", 40, -20, 50),
        Level(3, "Learner", 5, -11, 200),
        Level(4, "Amateur", 0, -7, 500),
        Level(5, "Regular", 0, -4, 800),
        Level(6, "Club player", 0, -1, 1_500),
        Level(7, "Strong club player", 0, 3, 3_000),
        Level(8, "Candidate", 0, 7, 8_000),
        Level(9, "Expert", 0, 12, 25_000),
        Level(10, "Master", 0, 20, 100_000),
    )
}
