"""Random games in all variants, judged here and by an independent engine at once.

Where the two are known to differ, `DIFFERENCES` says what each holds, who is right and why; docs/rules.md tells it too.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from services.domain.rule_set import CLAIMED
from services.domain.variant import Variant
from services.rules.families.variants import family_of
from services.rules.judge import Play, Played, Position, Start, inspect, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.standing import Standing
from tests.conformance.other_engine import OtherEngine, other_engine

PLIES_MAX = 120
AFTER_EVERY = 3
"""Every so many plies SAN and the FEN after the move are compared too: each question costs the engine a millisecond."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A position in which the two answer differently, and why ours stands."""

    variant: str
    fen: str
    ours: frozenset[str]
    theirs: frozenset[str]
    why: str


DIFFERENCES = (
    Difference(
        "shatranj",
        "8/8/3k4/8/8/8/8/3K4 w - - 0 1",
        frozenset(),
        frozenset({"d1c1", "d1c2", "d1d2", "d1e1", "d1e2"}),
        "King against king is drawn (nobody can win); the engine plays it on for want of a rule.",
    ),
    Difference(
        "atomic",
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        frozenset(),
        frozenset({"d3c2", "d3c3", "d3c4", "d3d2", "d3d4", "d3e2", "d3e3", "d3e4"}),
        "Bare kings are dead: a king cannot capture in Atomic, so nothing ever explodes.",
    ),
)


@pytest.fixture(scope="module")
def engine() -> Iterator[OtherEngine]:
    with other_engine() as started:
        yield started


@pytest.mark.parametrize("variant", list(Variant))
def test_random_games(engine: OtherEngine, variant: Variant) -> None:
    follow(engine, variant, random.Random(f"{variant} 0"))


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", list(Variant))
def test_many_random_games(engine: OtherEngine, variant: Variant) -> None:
    for seed in range(1, 25):
        follow(engine, variant, random.Random(f"{variant} {seed}"))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: f"{difference.variant} {difference.fen}")
def test_a_known_difference(engine: OtherEngine, difference: Difference) -> None:
    standing = inspect(Start(difference.variant, difference.fen), CLAIMED, LIMITS)
    assert set(standing.legal) == difference.ours, difference.why
    assert engine.legal(difference.variant, difference.fen) == difference.theirs


def follow(engine: OtherEngine, variant: Variant, chance: random.Random) -> None:
    """One random game, compared move by move, until it ends or is long enough."""
    number = chance.randrange(960) if variant is Variant.CHESS960 else None
    standing = judge(Start(variant, number=number), CLAIMED, LIMITS)
    assert isinstance(standing, Standing)
    for ply in range(PLIES_MAX):
        theirs = fen_for_engine(standing.fen, variant)
        assert set(standing.legal) == engine.legal(variant, theirs), standing.fen
        uci = chance.choice(standing.legal)
        played = judge(Play(Position(variant, standing.fen, standing.keys), uci), CLAIMED, LIMITS)
        assert isinstance(played, Played), played
        if ply % AFTER_EVERY == 0:
            after = fen_of_engine(engine.after(variant, theirs, uci), variant)
            assert without_idle_en_passant(played.standing.fen) == without_idle_en_passant(after), (theirs, uci)
            san = engine.san(variant, theirs, uci)
            assert played.san.rstrip("+#") == san.rstrip("+#"), (theirs, uci)
        standing = played.standing
        if standing.outcome is not None:
            return


def fen_for_engine(fen: str, variant: Variant) -> str:
    """A FEN as the engine reads it: Three-check's counters are checks left, before the counters of moves."""
    if variant is not Variant.THREE_CHECK:
        return fen
    *fields, half, full, given = fen.split()
    white, black = (3 - int(count) for count in given.removeprefix("+").split("+"))
    return " ".join([*fields, f"{white}+{black}", half, full])


def fen_of_engine(fen: str, variant: Variant) -> str:
    """The engine's FEN in our spelling: in Chess960 it names the rooks by their files."""
    if variant is Variant.CHESS960:
        family = family_of(variant, CLAIMED)
        return write_fen(read_fen(fen, LIMITS, family), family)
    if variant is not Variant.THREE_CHECK:
        return fen
    *fields, left, half, full = fen.split()
    white, black = (3 - int(count) for count in left.split("+"))
    return " ".join([*fields, half, full, f"+{white}+{black}"])


def without_idle_en_passant(fen: str) -> list[str]:
    """A FEN's fields but the en passant square and the half-move clock.

    The engine names the square when a pawn stands beside, we only when the capture is legal (FIDE 9.2.3); in Crazyhouse
    it counts half-moves in its own way.
    """
    board, turn, castling, _, _, full, *rest = fen.split()
    return [board, turn, castling, full, *rest]
