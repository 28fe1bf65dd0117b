"""The levels of the computer: who they are, and that each may spend more than the one below."""

from itertools import pairwise

import pytest

from services.workers.levels import LEVELS, Level, level_of

NODES_MAX = 100_000
"""A move of the strongest level costs no more positions than this."""


def test_levels_are_the_ten_of_the_product() -> None:
    assert {number: level.name for number, level in LEVELS.items()} == {
        1: "Newcomer",
        2: "Novice",
        3: "Learner",
        4: "Amateur",
        5: "Regular",
        6: "Club player",
        7: "Strong club player",
        8: "Candidate",
        9: "Expert",
        10: "Master",
    }
    assert [level.number for level in LEVELS.values()] == list(LEVELS)


@pytest.mark.parametrize(
    ("weaker", "stronger"), list(pairwise(LEVELS.values())), ids=lambda level: level.name.lower().replace(" ", "-")
)
def test_each_level_may_spend_more_and_leaves_less_to_chance(weaker: Level, stronger: Level) -> None:
    assert weaker.nodes < stronger.nodes
    assert weaker.skill <= stronger.skill
    assert weaker.random_share >= stronger.random_share


def test_what_a_move_costs_is_bounded() -> None:
    for level in LEVELS.values():
        assert 0 < level.nodes <= NODES_MAX
        assert -20 <= level.skill <= 20  # what the engine's option takes
        assert 0 <= level.random_share < 1


def test_a_newcomer_often_plays_anything_and_a_master_never() -> None:
    assert level_of(1).random_share >= 0.5
    assert level_of(10).random_share == 0


@pytest.mark.parametrize("number", [0, 11, -1])
def test_there_is_no_other_level(number: int) -> None:
    with pytest.raises(ValueError, match="level"):
        level_of(number)
