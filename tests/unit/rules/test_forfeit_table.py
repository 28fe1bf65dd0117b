"""Five answers to "can the opponent still win", two resignation rules, every variant: one table."""

from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.rule_set import FIDE, PRESETS, Resignation, WinOnTime
from services.domain.variant import Variant
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Position, judge
from services.rules.limits import LIMITS

TESTS = dict(zip("abcde", WinOnTime, strict=True))
"""In the order of product section 2."""

MEN = {"K": "2K5", "KN": "2K2N2", "KB": "2K2B2", "KNN": "2KNN3", "KQ": "2K2Q2", "KR": "2K2R2"}
KINGLESS = {"K": "8", "KN": "5N2", "KB": "5B2", "KNN": "3NN3", "KQ": "5Q2", "KR": "5R2"}
"""White's men on its first rank, in Horde without the king, against king and rook.

In the old games B is the elephant and Q the counsellor."""

TABLE = """
                 K       KN      KB      KNN     KQ      KR
standard         -       abd     bd      abde    abcde   abcde
chess960         -       abd     bd      abde    abcde   abcde
threeCheck       -       abcde   abcde   abcde   abcde   abcde
kingOfTheHill    abcde   abcde   abcde   abcde   abcde   abcde
crazyhouse       abcde   abcde   abcde   abcde   abcde   abcde
atomic           -       abcde   abcde   abcde   abcde   abcde
antichess        abcde   abcde   abcde   abcde   abcde   abcde
horde            -       bd      bd      bde     abde    bde
racingKings      abcde   abcde   abcde   abcde   abcde   abcde
shatranj         -       abcde   abcde   abcde   abcde   abcde
chaturanga       -       abd     abd     abcde   abd     abcde
"""
"""The tests by which White is given the win when Black, with king and rook, forfeits.

A bishop never mates a king that has only a rook with it; a knight may, since the rook can stand in its king's way. A
king walks to the hill; in Crazyhouse it takes the rook and drops it; in Shatranj a man that takes the rook bares the
king. In Atomic a king takes nothing. In Antichess few men are no weakness, and in Racing Kings a king needs none. In
Horde White has no king beside these men: only a queen may mate a king with its rook in the way.
"""

LINES = [line.split() for line in TABLE.strip().splitlines()]
CELLS = [(variant, men, letters) for variant, *row in LINES[1:] for men, letters in zip(LINES[0], row, strict=True)]


def forfeit(variant: str, men: str, needed: WinOnTime, resignation: Resignation, kind: ForfeitKind) -> Outcome:
    """How the game ends when Black forfeits."""
    pocket = "[]" if variant == Variant.CRAZYHOUSE else ""
    ranks = "r6k/8/8" if variant == Variant.RACING_KINGS else "8/8/r6k"  # out of check
    white = KINGLESS[men] if variant == Variant.HORDE else MEN[men]
    fen = f"8/8/8/8/{ranks}/{white}{pocket} b - - 0 60"
    rule_set = replace(FIDE, win_on_time=needed, resignation=resignation)
    verdict = judge(Forfeit(Position(variant, fen), Colour.BLACK, kind), rule_set, LIMITS)
    assert isinstance(verdict, Forfeited), verdict
    return verdict.outcome


def test_the_table_has_every_variant_and_every_test() -> None:
    assert [line[0] for line in LINES[1:]] == [str(variant) for variant in Variant]
    assert list(TESTS) == list("abcde")
    assert {preset.win_on_time for preset in PRESETS.values()} == set(WinOnTime)


@pytest.mark.parametrize(("variant", "men", "letters"), CELLS)
def test_a_flag_and_a_resignation_against_few_men(variant: str, men: str, letters: str) -> None:
    for letter, needed in TESTS.items():
        winner = Colour.WHITE if letter in letters else None
        for resignation in Resignation:
            flag = forfeit(variant, men, needed, resignation, ForfeitKind.FLAG)
            assert flag == Outcome(winner, EndReason.FLAG), (letter, "how one resigns has no say in a flag")
        drawn = forfeit(variant, men, needed, Resignation.DRAW_IF_CANNOT_WIN, ForfeitKind.RESIGNATION)
        assert drawn == Outcome(winner, EndReason.RESIGNATION), letter
        lost = forfeit(variant, men, needed, Resignation.LOSS, ForfeitKind.RESIGNATION)
        assert lost == Outcome(Colour.WHITE, EndReason.RESIGNATION), letter
