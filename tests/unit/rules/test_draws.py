"""How a game ends on the board, in what order of ends, and what may be claimed."""

import pytest

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.rule_set import AUTOMATIC, CLAIMED, RuleSet
from services.rules.judge import Play, Played, Position, Start, inspect, judge
from services.rules.limits import LIMITS
from services.rules.standing import Standing

KNIGHTS_OUT_AND_BACK = ["g1f3", "g8f6", "f3g1", "f6g8"]
DRAW = {reason: Outcome(None, reason) for reason in EndReason}
WHITE_MATES = Outcome(Colour.WHITE, EndReason.CHECKMATE)


def after(moves: list[str], rule_set: RuleSet = CLAIMED, fen: str = "") -> Standing:
    """The standing after moves, each of them legal in a game that goes on."""
    standing = inspect(Start("standard", fen), rule_set, LIMITS)
    for move in moves:
        assert standing.outcome is None, f"over before {move}"
        played = judge(Play(Position("standard", standing.fen, standing.keys), move), rule_set, LIMITS)
        assert isinstance(played, Played), played
        standing = played.standing
    return standing


def test_repetition_claimed_at_three_and_automatic_at_five() -> None:
    before = after(KNIGHTS_OUT_AND_BACK * 2)
    assert before.outcome is None
    assert before.claims == {Claim.THREEFOLD}
    assert after((KNIGHTS_OUT_AND_BACK * 2)[:-1]).claims == frozenset()
    assert after((KNIGHTS_OUT_AND_BACK * 4)[:-1]).outcome is None
    fifth = after(KNIGHTS_OUT_AND_BACK * 4)
    assert (fifth.outcome, fifth.claims, fifth.legal) == (DRAW[EndReason.REPETITION], frozenset(), ())


def test_repetition_automatic_at_three() -> None:
    before = after((KNIGHTS_OUT_AND_BACK * 2)[:-1], AUTOMATIC)
    assert (before.outcome, before.claims) == (None, frozenset())
    assert after(KNIGHTS_OUT_AND_BACK * 2, AUTOMATIC).outcome == DRAW[EndReason.REPETITION]


def test_a_claim_lapses_when_the_position_changes() -> None:
    assert after([*KNIGHTS_OUT_AND_BACK * 2, "e2e4"]).claims == frozenset()


def test_castling_rights_make_another_position() -> None:
    # The king goes out and back twice: the men stand as before, the right is gone, so these are the first two times.
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    walk = ["e1e2", "e8e7", "e2e1", "e7e8"]
    assert after(walk * 2, fen=fen).claims == frozenset()
    assert after(walk * 3, fen=fen).claims == {Claim.THREEFOLD}


def test_an_impossible_en_passant_makes_no_other_position() -> None:
    # the pawn on g5 is pinned, so that h6 was never a capture
    pinned = "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1"
    moves = ["h5", "Rh6", "Rh7", "Re6", "Rg7", "Rh6", "Rh7", "Re6", "Rg7"]
    assert after(moves, fen=pinned).claims == {Claim.THREEFOLD}
    nobody_beside = ["e4", "e5", "Be2", "Be7", "Bf1", "Bf8", "Bd3", "Bd6", "Bf1", "Bf8"]
    assert after(nobody_beside).claims == {Claim.THREEFOLD}


def test_a_possible_en_passant_makes_another_position() -> None:
    moves = ["e4", "a6", "e5", "d5", *KNIGHTS_OUT_AND_BACK]
    assert after([*moves, *KNIGHTS_OUT_AND_BACK]).claims == frozenset()
    assert after([*moves, *KNIGHTS_OUT_AND_BACK * 2]).claims == {Claim.THREEFOLD}


@pytest.mark.parametrize(
    ("half_moves", "move", "rule_set", "outcome", "claims"),
    [
        (98, "g5g6", CLAIMED, None, frozenset()),
        (99, "g5g6", CLAIMED, None, {Claim.FIFTY}),
        (99, "g5g6", AUTOMATIC, DRAW[EndReason.MOVE_COUNT], frozenset()),
        (98, "g5g6", AUTOMATIC, None, frozenset()),
        (148, "g5g6", CLAIMED, None, {Claim.FIFTY}),
        (149, "g5g6", CLAIMED, DRAW[EndReason.MOVE_COUNT], frozenset()),
        # checkmate by the completing move wins
        (99, "g5h5", CLAIMED, WHITE_MATES, frozenset()),
        (99, "g5h5", AUTOMATIC, WHITE_MATES, frozenset()),
        (149, "g5h5", CLAIMED, WHITE_MATES, frozenset()),
    ],
)
def test_move_counts(
    half_moves: int, move: str, rule_set: RuleSet, outcome: Outcome | None, claims: frozenset[Claim]
) -> None:
    standing = after([move], rule_set, f"7k/5K2/8/6R1/8/8/8/8 w - - {half_moves} 120")
    assert (standing.outcome, standing.claims) == (outcome, claims)


def test_stalemate_by_the_completing_move_is_stalemate() -> None:
    fen = "k7/8/8/1Q6/8/8/8/K7 w - - 149 120"
    assert after(["b5b6"], CLAIMED, fen).outcome == DRAW[EndReason.STALEMATE]


def test_a_pawn_move_starts_the_count_again() -> None:
    standing = after(["Kb3", "a6"], fen="8/p4r2/4k3/8/K7/P7/8/8 w - - 148 100")
    assert (standing.outcome, standing.fen) == (None, "8/5r2/p3k3/8/8/PK6/8/8 w - - 0 101")


def test_checkmate_wins_over_the_last_repetition() -> None:
    # The fifth occurrence cannot be mate unless the first was; the key count must not get that far.
    keys = after(KNIGHTS_OUT_AND_BACK).keys
    mate = judge(
        Play(Position("standard", "7k/5K2/8/6R1/8/8/8/8 w - - 99 120", keys[-8:] * 20), "g5h5"), AUTOMATIC, LIMITS
    )
    assert isinstance(mate, Played)
    assert (mate.san, mate.standing.outcome) == ("Rh5#", WHITE_MATES)


@pytest.mark.parametrize(
    ("fen", "dead"),
    [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", True),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", True),
        ("6bk/8/8/8/8/8/8/K7 w - - 0 1", True),
        # bishops, any number, all on one colour
        ("5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39", True),
        ("8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 33", True),
        ("B3k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", True),
        # a mate is possible with help
        ("8/8/1B6/8/1KB5/8/2k5/8 w - - 0 1", False),
        ("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50", False),
        ("1n6/8/8/2k1K3/8/8/8/5B2 w - - 0 50", False),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", False),
        ("7k/7p/8/8/8/8/8/KN6 w - - 0 1", False),
        # dead by structure is not seen: the presets judge by material
        ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", False),
        ("6Rk/8/7K/8/8/8/8/8 b - - 0 1", False),
    ],
)
@pytest.mark.parametrize("rule_set", [CLAIMED, AUTOMATIC], ids=["claimed", "automatic"])
def test_dead_positions_by_material(fen: str, dead: bool, rule_set: RuleSet) -> None:
    assert after([], rule_set, fen).outcome == (DRAW[EndReason.DEAD_POSITION] if dead else None)


def test_a_capture_into_bare_kings_ends_the_game() -> None:
    standing = after(["h8g8"], fen="6Rk/8/7K/8/8/8/8/8 b - - 0 1")
    assert (standing.outcome, standing.legal) == (DRAW[EndReason.DEAD_POSITION], ())


def test_fools_mate() -> None:
    standing = after(["f3", "e5", "g4", "Qh4"])
    assert standing.outcome == Outcome(Colour.BLACK, EndReason.CHECKMATE)
    assert standing.check


def test_check_is_told() -> None:
    standing = after(["e4", "f6", "Qh5"])
    assert (standing.check, standing.outcome, standing.legal) == (True, None, ("g7g6",))
    assert not after(["e4"]).check


def test_a_lone_knight_can_mate_a_pawn() -> None:
    assert after(["Ng3#"], fen="8/8/8/5N2/8/8/5K1p/7k w - - 0 1").outcome == WHITE_MATES


@pytest.mark.parametrize(("rule_set", "drawn"), [(AUTOMATIC, True), (CLAIMED, False)])
def test_perpetual_check_is_a_repetition(rule_set: RuleSet, drawn: bool) -> None:
    # Row 59: nothing is special about checks; the position after the first one is there for the third time.
    fen = "7k/8/8/8/4Q3/1r6/1p6/7K w - - 0 1"
    endless = ["h8g7", "a8g2", "g7h8", "g2a8"]
    standing = after(["e4a8", *endless * 2], rule_set, fen)
    assert standing.check
    assert standing.outcome == (DRAW[EndReason.REPETITION] if drawn else None)
    assert standing.claims == (frozenset() if drawn else {Claim.THREEFOLD})
