"""Who wins when a flag has fallen or a side resigns, under each of the five tests."""

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE, FRIENDLY, PARTY, RuleSet
from services.rules.dead.possible_mate import CanMate
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Position, judge
from services.rules.limits import LIMITS

TESTS = {"a": FIDE, "b": CLAIMED, "c": EVERYDAY, "d": AUTOMATIC, "e": FRIENDLY}
"""The tests of product section 2, by presets that use them."""


def ended(
    fen: str, loser: Colour, rule_set: RuleSet, kind: ForfeitKind = ForfeitKind.FLAG, variant: str = "standard"
) -> Forfeited:
    verdict = judge(Forfeit(Position(variant, fen), loser, kind), rule_set, LIMITS)
    assert isinstance(verdict, Forfeited), verdict
    return verdict


@pytest.mark.parametrize(
    ("men", "wins"),
    [
        # White's men against a black queen; Black's flag falls. The letters are the tests that give White the win.
        ("8/8/8/8/8/8/q6k/2K5", ""),
        # neither a bishop nor a knight can ever mate a king that has only a queen with it
        ("8/8/8/8/8/8/q6k/2K2B2", "bd"),
        ("8/8/8/8/8/8/q6k/2K2N2", "bd"),
        ("8/8/8/8/8/8/q6k/2KNN3", "abde"),
        ("8/8/8/8/8/4B3/q6k/2K2B2", "abcde"),
        ("8/8/8/8/8/8/q6k/2KNB3", "abcde"),
        ("8/8/8/8/8/8/q6k/2KNNN2", "abcde"),
        ("8/8/8/8/4P3/8/q6k/2K5", "abcde"),
        ("8/8/8/8/8/8/q6k/2K4R", "abcde"),
        # two bishops on one colour force no mate, with a third on the other colour they do
        ("8/8/8/8/8/4B3/q6k/2B1K3", "bde"),
        ("8/8/8/8/8/4BB2/q6k/2B1K3", "abcde"),
        # dead boards, over before a flag can fall on them; test d asks for nothing but a man
        ("8/8/8/8/8/8/7k/2K2B2", "d"),
        ("8/8/8/8/8/8/7k/2K2N2", "d"),
        ("8/8/8/4k3/5b2/3K4/8/2B5", "d"),
        # not dead: helpmates exist, force does not
        ("1n6/8/8/2k1K3/8/8/8/5B2", "abd"),
        ("7k/7p/8/8/8/8/8/KN6", "abd"),
    ],
)
def test_a_fallen_flag(men: str, wins: str) -> None:
    for test, rule_set in TESTS.items():
        outcome = ended(f"{men} b - - 0 60", Colour.BLACK, rule_set).outcome
        assert outcome == Outcome(Colour.WHITE if test in wins else None, EndReason.FLAG), test


def test_party_uses_test_b() -> None:
    assert PARTY.win_on_time is CLAIMED.win_on_time


def test_a_flag_may_fall_while_the_other_side_moves() -> None:
    end = ended("8/8/8/8/8/8/q6k/2K5 b - - 0 60", Colour.WHITE, CLAIMED)
    assert end.outcome == Outcome(Colour.BLACK, EndReason.FLAG)


# A lone king, and a king with a bishop against a queen, which test a finds too little as well.
@pytest.mark.parametrize(
    ("men", "drawn"), [("8/8/8/8/8/8/q6k/2K5", {"fide", "automatic"}), ("8/8/8/8/8/8/q6k/2K2B2", {"fide"})]
)
def test_resigning_against_a_side_that_cannot_win(men: str, drawn: set[str]) -> None:
    for rule_set in (FIDE, CLAIMED, EVERYDAY, AUTOMATIC, FRIENDLY, PARTY):
        outcome = ended(f"{men} b - - 0 60", Colour.BLACK, rule_set, ForfeitKind.RESIGNATION).outcome
        winner = None if rule_set.name in drawn else Colour.WHITE
        assert outcome == Outcome(winner, EndReason.RESIGNATION), rule_set.name


def test_dead_by_structure_is_seen_by_the_exact_test_alone() -> None:
    # The only legal move takes the rook and leaves bare kings; Black's flag falls before it is played.
    fen = "6Rk/8/7K/8/8/8/8/8 b - - 0 1"
    assert ended(fen, Colour.BLACK, FIDE) == Forfeited(Outcome(None, EndReason.FLAG), CanMate.NO)
    assert ended(fen, Colour.BLACK, CLAIMED).outcome == Outcome(Colour.WHITE, EndReason.FLAG)


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "r4rk1/pp2ppbp/2np1np1/q7/2PNP3/2N1BP2/PP1Q2PP/R3KB1R w KQ - 0 11",
        "2kr4/ppp3bp/2n5/4qp2/Q7/2pP1B2/P1P2PPP/R1B2RK1 b - - 3 19",
    ],
)
@pytest.mark.parametrize("loser", Colour)
def test_nobody_waits_for_a_search_in_an_ordinary_position(fen: str, loser: Colour) -> None:
    end = ended(fen, loser, FIDE, ForfeitKind.RESIGNATION)
    assert (end.outcome.winner, end.undetermined) == (loser.other, False)


def test_what_only_a_search_can_tell_is_said_to_be_undetermined() -> None:
    # A bishop mates here after the other side has walked into it: legal, and twelve moves away.
    fen = "2b1k3/8/8/8/8/8/P4Q2/3K4 w - - 0 1"
    end = ended(fen, Colour.WHITE, FIDE)
    assert end == Forfeited(Outcome(Colour.BLACK, EndReason.FLAG), CanMate.UNKNOWN, undetermined=True)
    assert not ended(fen, Colour.WHITE, CLAIMED).undetermined


def test_what_a_search_has_told_decides_and_what_it_has_not_stays_undetermined() -> None:
    asked = Forfeit(
        Position("standard", "2b1k3/8/8/8/8/8/P4Q2/3K4 w - - 0 1"), Colour.WHITE, ForfeitKind.FLAG, thorough=True
    )
    for told, winner in ((CanMate.NO, None), (CanMate.YES, Colour.BLACK), (CanMate.UNKNOWN, Colour.BLACK)):
        verdict = judge(asked, FIDE, LIMITS, searched=told)
        assert verdict == Forfeited(Outcome(winner, EndReason.FLAG), told, undetermined=told is CanMate.UNKNOWN)


@pytest.mark.parametrize(
    ("variant", "fen", "loser", "wins"),
    [
        # a king walks to the hill by itself
        ("kingOfTheHill", "8/8/8/8/8/4K3/8/k7 w - - 0 1", Colour.BLACK, "abcde"),
        # whatever is in a pocket, on whichever side, may come to mate
        ("crazyhouse", "8/8/4k3/8/8/3K4/8/8[P] w - - 0 1", Colour.BLACK, "abcde"),
        ("crazyhouse", "8/8/4k3/8/8/3K4/8/8[P] w - - 0 1", Colour.WHITE, "abcde"),
        # a king cannot capture in Atomic
        ("atomic", "8/8/4k3/8/8/3K4/8/4Q3 w - - 0 1", Colour.WHITE, ""),
        # one knight gives three checks
        ("threeCheck", "8/8/4k3/8/8/3K4/8/4N3 w - - 0 1", Colour.BLACK, "abcde"),
        ("threeCheck", "8/8/4k3/8/8/3K4/8/4N3 w - - 0 1", Colour.WHITE, ""),
    ],
)
def test_variants_have_their_own_tests(variant: str, fen: str, loser: Colour, wins: str) -> None:
    for test, rule_set in TESTS.items():
        outcome = ended(fen, loser, rule_set, variant=variant).outcome
        assert outcome == Outcome(loser.other if test in wins else None, EndReason.FLAG), test


def test_a_flag_in_a_position_that_is_none_is_refused() -> None:
    position = Position("standard", "no position")
    verdict = judge(Forfeit(position, Colour.WHITE, ForfeitKind.FLAG), CLAIMED, LIMITS)
    assert isinstance(verdict, Refusal)
    assert verdict.code is RefusalCode.BAD_POSITION
