"""Offers of draws and takebacks (case G04): how long they stand, how often they are made, that crossing ones agree."""

from dataclasses import replace

import pytest

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import CLAIMED
from services.game.play.change import Change, Decision
from services.game.play.command import Action
from services.game.play.commands.draws import CloseDraw, OfferDraw
from services.game.play.commands.moving import Move
from services.game.play.commands.takebacks import CloseTakeback, OfferTakeback
from services.game.play.game import Both, Game
from tests.unit.game.deciding import LAWS, SECOND, B, W, after, attempt, game

NAMES = {W: "anna", B: "bert"}


def by(game: Game, side: Colour, action: Action) -> Decision:
    return attempt(game, NAMES[side], action, game.clock.turn_started_ms + SECOND)


def do(game: Game, *steps: tuple[Colour, Action]) -> Game:
    """Play steps that are all allowed."""
    for side, action in steps:
        game = after(game, side, action, game.clock.turn_started_ms + SECOND)
    return game


def refused(decision: Decision) -> bool:
    if isinstance(decision, Change):
        return False
    assert decision.code is RefusalCode.NOT_ALLOWED, decision
    return True


MOVE, OFFER, NO = Move("e2e4"), OfferDraw(), CloseDraw()
WITH_MOVE = Move("e2e4", offer_draw=True)
RUNNING = game(2)


class TestOneOfferThenAMoveOfEach:
    def test_after_a_decline_the_side_must_wait(self) -> None:
        declined = do(RUNNING, (W, OFFER), (B, NO))
        assert refused(by(declined, W, OFFER))
        own_move = do(declined, (W, MOVE))
        assert refused(by(own_move, W, OFFER))
        both_moved = do(own_move, (B, MOVE))
        assert do(both_moved, (W, OFFER)).draw_offer is W

    def test_out_of_turn_it_is_the_same(self) -> None:
        declined = do(RUNNING, (B, OFFER), (W, NO), (W, MOVE))
        assert refused(by(declined, B, OFFER))
        assert do(declined, (B, MOVE), (B, OFFER)).draw_offer is B

    def test_a_withdrawn_offer_counts(self) -> None:
        assert refused(by(do(RUNNING, (W, OFFER), (W, NO)), W, OFFER))

    def test_the_other_sides_offer_frees_a_side(self) -> None:
        # Case G04: a limit must not lock a side out after the other side has offered.
        answered = do(RUNNING, (W, OFFER), (B, NO), (B, OFFER), (W, NO))
        assert do(answered, (W, OFFER)).draw_offer is W
        assert refused(by(answered, B, OFFER))

    def test_a_decline_does_not_keep_the_other_from_accepting(self) -> None:
        agreed = do(RUNNING, (W, OFFER), (B, NO), (B, OFFER), (W, OFFER))
        assert agreed.outcome == Outcome(None, EndReason.AGREEMENT)

    def test_a_second_offer_while_one_is_open_changes_nothing_but_the_version(self) -> None:
        offered = do(RUNNING, (W, OFFER))
        again = do(offered, (W, OFFER))
        assert again == replace(offered, version=offered.version + 1)

    def test_an_open_offer_repeated_later_frees_nobody(self) -> None:
        kept = do(RUNNING, (W, OFFER), (W, MOVE), (W, OFFER))
        assert kept.draw_offer is W
        assert refused(by(do(kept, (B, NO)), W, OFFER))

    def test_an_offer_with_a_move_that_comes_too_soon_is_none_and_the_move_is_made(self) -> None:
        declined = do(RUNNING, (W, OFFER), (B, NO))
        moved = do(declined, (W, WITH_MOVE))
        assert (moved.ply, moved.draw_offer, moved.extra.draw_offered) == (3, None, declined.extra.draw_offered)

    def test_an_offer_may_come_with_every_move(self) -> None:
        moved = do(RUNNING, (W, WITH_MOVE), (B, MOVE), (W, WITH_MOVE))
        assert moved.draw_offer is W

    def test_an_offer_with_a_move_counts_as_any(self) -> None:
        declined = do(RUNNING, (W, WITH_MOVE), (B, NO))
        assert refused(by(declined, W, OFFER))

    def test_takebacks_are_limited_apart_from_draws(self) -> None:
        asked = do(RUNNING, (W, OfferTakeback()), (B, CloseTakeback()))
        assert refused(by(asked, W, OfferTakeback()))
        assert do(asked, (W, OFFER)).draw_offer is W
        assert do(asked, (W, MOVE), (B, MOVE), (W, OfferTakeback())).extra.takeback_offer is W
        assert do(asked, (B, OfferTakeback()), (W, CloseTakeback()), (W, OfferTakeback())).extra.takeback_offer is W


class TestHowLongAnOfferStands:
    """Case G04."""

    def test_the_own_move_keeps_it_and_the_others_move_ends_it(self) -> None:
        kept = do(RUNNING, (W, OFFER), (W, MOVE))
        assert kept.draw_offer is W
        assert do(kept, (B, OFFER)).outcome == Outcome(None, EndReason.AGREEMENT)
        assert do(kept, (B, MOVE)).draw_offer is None

    @pytest.mark.parametrize("first", Colour)
    def test_crossing_offers_agree(self, first: Colour) -> None:
        agreed = do(RUNNING, (first, OFFER), (first.other, OFFER))
        assert (agreed.outcome, agreed.draw_offer) == (Outcome(None, EndReason.AGREEMENT), None)

    def test_an_open_offer_is_accepted_with_a_move(self) -> None:
        assert do(RUNNING, (B, OFFER), (W, WITH_MOVE)).outcome == Outcome(None, EndReason.AGREEMENT)

    def test_before_both_have_moved_a_move_accepts_nothing_that_may_not_be_agreed(self) -> None:
        offered = do(game(0, rule_set=CLAIMED), (B, OFFER))
        assert do(offered, (W, WITH_MOVE)).outcome == Outcome(None, EndReason.AGREEMENT)
        assert refused(by(game(0), B, OFFER))

    def test_a_wish_to_take_back_ends_with_anybodys_move(self) -> None:
        for mover in (B, W):
            asked = do(RUNNING, (W, MOVE)) if mover is B else RUNNING
            assert do(asked, (W, OfferTakeback()), (mover, MOVE)).extra.takeback_offer is None

    def test_offers_stand_beside_each_other(self) -> None:
        both = do(RUNNING, (W, OFFER), (B, OfferTakeback()))
        assert (both.draw_offer, both.extra.takeback_offer) == (W, B)
        back = do(both, (W, OfferTakeback()))
        assert (back.draw_offer, back.extra.takeback_offer, back.extra.draw_offered) == (None, None, Both(0, 0))


def test_nothing_is_offered_to_a_seat_that_the_computer_holds() -> None:
    held = replace(game(2, rule_set=LAWS), extra=replace(RUNNING.extra, held=Both(0, 5)))
    for side in Colour:
        assert refused(by(held, side, OFFER))
        assert refused(by(held, side, OfferTakeback()))
    moved = do(held, (W, WITH_MOVE))
    assert moved.draw_offer is None
    assert isinstance(by(held, B, MOVE), Refusal)
    back = do(moved, (B, MOVE))
    assert back.extra.held == Both(0, 0), "by moving, the player has the seat again"
