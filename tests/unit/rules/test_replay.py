"""A game that is played again from its beginning stands where it stood: `Start` with moves."""

import random

import pytest

from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FIDE
from services.domain.variant import Variant
from services.rules.judge import Play, Played, Position, Start, judge
from services.rules.limits import LIMITS, InputLimits
from services.rules.standing import Standing

PLIES = 80


@pytest.mark.parametrize("variant", list(Variant))
def test_every_half_move_of_a_game_is_found_again(variant: Variant) -> None:
    # Position, pockets, checks, counters, castling rights, history and claims: a Standing holds all of them.
    chance = random.Random(f"replay {variant}")
    standing = judge(Start(variant), FIDE, LIMITS)
    assert isinstance(standing, Standing)
    start, stands = standing.fen, [standing]
    moves: list[str] = []
    while standing.outcome is None and len(moves) < PLIES:
        played = judge(
            Play(Position(variant, standing.fen, standing.keys), chance.choice(standing.legal)), FIDE, LIMITS
        )
        assert isinstance(played, Played)
        standing = played.standing
        moves.append(played.uci)
        stands.append(standing)
    assert len(moves) > 10
    for ply in (*range(0, len(moves), 7), len(moves)):
        assert judge(Start(variant, start, moves=tuple(moves[:ply])), FIDE, LIMITS) == stands[ply], ply


def test_a_repetition_is_still_there_after_it_was_played_again() -> None:
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    standing = judge(Start("standard", moves=there_and_back * 2), FIDE, LIMITS)
    assert isinstance(standing, Standing)
    assert len(standing.keys) == 9 * 8
    assert {claim.value for claim in standing.claims} == {"threefold"}


def test_a_move_that_was_never_possible_and_too_many_moves_are_refused() -> None:
    refusal = judge(Start("standard", moves=("e2e4", "e7e6", "e4e6")), FIDE, LIMITS)
    assert isinstance(refusal, Refusal)
    assert refusal.code is RefusalCode.ILLEGAL_MOVE
    refusal = judge(Start("standard", moves=("e2e4", "e7e5", "d2d4")), FIDE, InputLimits(replayed_max=2))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.at) == (RefusalCode.LIMIT_REACHED, "moves")
