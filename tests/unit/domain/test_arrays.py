"""The arrays of the domain are those of the rules, and no other position is an array."""

import itertools
from dataclasses import replace

import pytest

from services.domain.arrays import is_array, is_drawn
from services.domain.chaturanga import ChaturangaRules, Elephant, Kings
from services.domain.rule_set import FIDE, RuleSet
from services.domain.variant import Variant
from services.rules.families.chess960 import NUMBERS
from services.rules.judge import Start, start
from services.rules.limits import InputLimits

LIMITS = InputLimits()
ENDGAME = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def begun(variant: Variant, rule_set: RuleSet = FIDE, number: int | None = None) -> str:
    """The position from which the rules begin a game, as they write it."""
    return start(Start(variant, number=number), rule_set, LIMITS).fen


@pytest.mark.parametrize("variant", Variant)
def test_the_array_of_each_variant_is_that_of_the_rules(variant: Variant) -> None:
    fen = begun(variant)
    assert is_array(variant, FIDE, fen)
    assert is_array(variant, FIDE, "")
    assert not is_array(variant, FIDE, ENDGAME)
    assert not is_array(variant, FIDE, fen.replace(" w ", " b "))
    assert not is_array(variant, FIDE, fen.replace("b", "q", 1))


def test_the_array_of_chaturanga_depends_on_its_options() -> None:
    for kings, elephant, leap in itertools.product(Kings, Elephant, (False, True)):
        options = ChaturangaRules(kings=kings, elephant=elephant, king_leap=leap)
        rule_set = replace(FIDE, chaturanga=options)
        assert is_array(Variant.CHATURANGA, rule_set, begun(Variant.CHATURANGA, rule_set)), options
    crossed = replace(FIDE, chaturanga=ChaturangaRules(kings=Kings.CROSSED))
    assert not is_array(Variant.CHATURANGA, crossed, begun(Variant.CHATURANGA))


def test_each_of_the_960_positions_is_an_array_of_chess960() -> None:
    fens = {begun(Variant.CHESS960, number=number) for number in NUMBERS}
    assert len(fens) == 960
    assert all(is_drawn(fen) for fen in fens)


@pytest.mark.parametrize(
    "fen",
    [
        "rknbbnqr/pppppppp/8/8/8/8/PPPPPPPP/RKNBBNQR w KQ - 0 1",  # Black may not castle
        "rbnbknqr/pppppppp/8/8/8/8/PPPPPPPP/RBNBKNQR w KQkq - 0 1",  # bishops on squares of one colour
        "krnbbnqr/pppppppp/8/8/8/8/PPPPPPPP/KRNBBNQR w KQkq - 0 1",  # the king not between the rooks
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1",  # Black's pieces in another order
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",  # no right to castle
        "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ],
)
def test_a_position_of_ones_own_is_no_array_of_chess960(fen: str) -> None:
    assert not is_drawn(fen)
