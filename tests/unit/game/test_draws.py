"""Draws by agreement and by claim: when each is possible, and what a false one changes."""

from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED, EVERYDAY, FIDE, RuleSet
from services.domain.time_control import Unlimited
from services.game.play.change import Change, ChangeKind
from services.game.play.command import Action
from services.game.play.commands.draws import ClaimDraw, OfferDraw
from services.game.play.commands.moving import Move
from services.game.play.game import COMPUTER_ID, Game, Seat
from services.game.play.question import Played
from services.words.catalogue import sentence
from tests.stack.said import said
from tests.unit.game.deciding import ask, both_moved, changed, code, new_game, played


def with_claims(game: Game, *claims: Claim) -> Game:
    return replace(game, standing=replace(game.standing, claims=frozenset(claims)))


class TestAgreementAfterBothHaveMoved:
    """FIDE 5.2.3."""

    @pytest.mark.parametrize("player", ["anna", "bert"])
    def test_an_offer_before_is_refused(self, player: str) -> None:
        game = new_game(rule_set=FIDE)
        one = changed(ask(game, "anna", Move("e2e4"), 100, played(Colour.BLACK)))
        for early in (game, one):
            assert code(ask(early, player, OfferDraw(), 200)) is RefusalCode.NOT_ALLOWED
        offered = changed(ask(both_moved(new_game(rule_set=FIDE)), player, OfferDraw(), 3_000))
        assert offered.draw_offer is offered.terms.side_of(player)

    def test_an_offer_with_the_first_move_is_none_and_the_move_is_made(self) -> None:
        one = changed(ask(new_game(rule_set=FIDE), "anna", Move("e2e4", offer_draw=True), 100, played(Colour.BLACK)))
        assert (one.version, one.draw_offer) == (2, None)
        two = changed(ask(one, "bert", Move("e7e5", offer_draw=True), 200, played(Colour.WHITE)))
        assert (two.outcome, two.draw_offer) == (None, Colour.BLACK)

    def test_elsewhere_a_draw_may_be_agreed_at_any_time(self) -> None:
        offered = changed(ask(new_game(), "bert", OfferDraw(), 100))
        assert changed(ask(offered, "anna", OfferDraw(), 200)).outcome == Outcome(None, EndReason.AGREEMENT)


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({Claim.THREEFOLD}, EndReason.REPETITION),
        ({Claim.FIFTY}, EndReason.MOVE_COUNT),
        ({Claim.THREEFOLD, Claim.FIFTY}, EndReason.REPETITION),
    ],
)
@pytest.mark.parametrize("player", ["anna", "bert"])
@pytest.mark.parametrize("action", [OfferDraw(), ClaimDraw()])
def test_a_due_draw_is_claimed_by_either_until_the_reply(
    claims: set[Claim], reason: EndReason, player: str, action: Action
) -> None:
    # Rows 50-52: the player to move, and the one who has just repeated the position.
    due = with_claims(both_moved(), *claims)
    change = ask(due, player, action, 3_000)
    assert changed(change).outcome == Outcome(None, reason)
    assert isinstance(change, Change)
    assert (change.kind, change.game.ply) == (ChangeKind.ENDED, 2)


class TestClaims:
    """FIDE 9.2 and 9.3, case G05."""

    @pytest.mark.parametrize("player", ["anna", "bert"])
    @pytest.mark.parametrize("rule_set", [CLAIMED, EVERYDAY])
    def test_a_false_claim_changes_nothing(self, player: str, rule_set: RuleSet) -> None:
        game = changed(ask(both_moved(new_game(rule_set=rule_set)), "anna", OfferDraw(), 3_000))
        refusal = ask(game, player, ClaimDraw(), 3_100)
        assert code(refusal) is RefusalCode.NOT_ALLOWED
        assert isinstance(refusal, Refusal)
        by_itself = "by itself" in sentence(refusal.text)
        assert by_itself is (rule_set is EVERYDAY), "where nothing can be claimed, that is the reason"
        assert changed(ask(game, "bert", OfferDraw(), 3_200)).outcome == Outcome(None, EndReason.AGREEMENT)

    def test_before_the_first_move_the_side_that_has_not_moved_has_completed_nothing(self) -> None:
        # A position may be set up with fifty moves behind it.
        game = with_claims(new_game(), Claim.FIFTY)
        assert code(ask(game, "bert", ClaimDraw(), 100)) is RefusalCode.NOT_ALLOWED
        assert changed(ask(game, "bert", OfferDraw(), 100)).draw_offer is Colour.BLACK, "which is an offer only"
        assert changed(ask(game, "anna", ClaimDraw(), 100)).outcome == Outcome(None, EndReason.MOVE_COUNT)

    @pytest.mark.parametrize(
        ("verdict", "reason"),
        [
            (played(Colour.BLACK, claims=frozenset([Claim.THREEFOLD])), EndReason.REPETITION),
            (played(Colour.BLACK, claims=frozenset([Claim.FIFTY])), EndReason.MOVE_COUNT),
            (played(Colour.BLACK, Outcome(None, EndReason.REPETITION)), EndReason.REPETITION),
            (played(Colour.BLACK, Outcome(None, EndReason.MOVE_COUNT)), EndReason.MOVE_COUNT),
        ],
        ids=["third", "fiftieth", "fifth", "seventy-fifth"],
    )
    def test_an_intended_move_that_makes_the_draw_ends_the_game_and_is_not_played(
        self, verdict: Played, reason: EndReason
    ) -> None:
        game = both_moved()
        change = ask(game, "anna", ClaimDraw("Nf3"), 3_000, verdict)
        over = changed(change)
        assert over.outcome == Outcome(None, reason)
        assert (over.ply, over.last_uci, over.standing) == (game.ply, game.last_uci, game.standing)
        assert isinstance(change, Change)
        assert change.kind is ChangeKind.ENDED

    @pytest.mark.parametrize(
        ("verdict", "told"),
        [
            (played(Colour.BLACK), "cannot claim a draw with e4"),
            (played(Colour.BLACK, Outcome(Colour.WHITE, EndReason.CHECKMATE)), "Play it"),
            (played(Colour.BLACK, Outcome(Colour.WHITE, EndReason.THIRD_CHECK)), "Play it"),
            (played(Colour.BLACK, Outcome(None, EndReason.STALEMATE)), "Play it"),
            (Refusal(RefusalCode.ILLEGAL_MOVE, said("not legal")), "not legal"),
        ],
        ids=["no draw", "mate", "another win", "stalemate", "illegal"],
    )
    def test_an_intended_move_that_does_not_is_refused(self, verdict: Played | Refusal, told: str) -> None:
        due = with_claims(both_moved(), Claim.THREEFOLD)
        refusal = ask(due, "anna", ClaimDraw("Nf3"), 3_000, verdict)
        assert isinstance(refusal, Refusal)
        assert told in sentence(refusal.text)

    def test_only_the_side_to_move_can_intend_a_move(self) -> None:
        assert code(ask(both_moved(), "bert", ClaimDraw("Nf6"), 3_000)) is RefusalCode.NOT_YOUR_TURN

    def test_a_claim_after_the_time_is_up_is_too_late(self) -> None:
        due = with_claims(both_moved(), Claim.THREEFOLD)
        assert code(ask(due, "anna", ClaimDraw(), 2_000 + 61_000)) is RefusalCode.TIME_IS_UP

    def test_a_claim_stands_against_the_computer_too(self) -> None:
        game = with_claims(new_game(Unlimited(), Seat(COMPUTER_ID, "Computer", computer_level=3)), Claim.THREEFOLD)
        assert changed(ask(game, "anna", ClaimDraw(), 1)).outcome == Outcome(None, EndReason.REPETITION)
