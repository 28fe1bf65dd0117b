"""A game that is to begin, as one value."""

from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.rule_set import CLAIMED
from services.domain.time_control import ClockControl
from services.domain.variant import Variant
from services.game.commit.creation import NewGame
from services.game.play.game import Seat, Standing

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
NEW = NewGame(
    id="abcdefgh",
    standing=Standing(FEN, b"\0" * 8, Colour.WHITE, False, "e2e4", frozenset(), None),
    white=Seat("ann", "Ann"),
    black=Seat("bob", "Bob"),
    variant=Variant.STANDARD,
    rule_set=CLAIMED,
    control=ClockControl(60_000, 0),
    rated=False,
    source="friend",
    created_ms=1,
)


def test_the_array_of_chess_is_not_told() -> None:
    assert NEW.told_fen == ""


def test_a_position_that_was_asked_for_is_told_as_the_rules_write_it() -> None:
    assert replace(NEW, initial_fen="4k3/8/8/8/8/8/4P3/4K3 w").told_fen == FEN


@pytest.mark.parametrize("variant", [Variant.CHESS960, Variant.SHATRANJ, Variant.CHATURANGA])
def test_an_array_of_another_kind_is_always_told(variant: Variant) -> None:
    assert replace(NEW, variant=variant).told_fen == FEN
