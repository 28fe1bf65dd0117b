"""Taking back: times, deadlines, counters and ends are as they were after that ply (case G11, rows 109 and 110)."""

from dataclasses import replace

import pytest

from services.domain.clock import Deadline, DeadlineKind
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.time_control import ClockControl, Correspondence, PerMove, Unlimited
from services.game.play.change import Change, ChangeKind
from services.game.play.commands.flags import Flag
from services.game.play.commands.hints import SetLevel
from services.game.play.commands.moving import Abort, Move, Resign
from services.game.play.commands.takebacks import OfferTakeback, Undo
from services.game.play.game import COMPUTER_ID, Both, Game
from services.game.play.moment import Facts, Past
from services.game.play.question import Start
from tests.stack.said import said
from tests.unit.game.deciding import (
    COMPUTER,
    DAY,
    LAWS,
    LIMITS,
    MINUTE,
    SECOND,
    B,
    W,
    after,
    ask,
    attempt,
    changed,
    code,
    game,
    past_asked,
    question,
    standing,
)

ILLEGAL = Refusal(RefusalCode.BAD_POSITION, said("no"))


def taken_back(game: Game, asker: Colour, now_ms: int) -> Game:
    """Asked for and accepted a second later."""
    return after(after(game, asker, OfferTakeback(), now_ms), asker.other, OfferTakeback(), now_ms + SECOND)


@pytest.mark.parametrize(("moves", "asker", "ply"), [(1, W, 0), (2, B, 1), (2, W, 0), (5, W, 4), (5, B, 3), (6, B, 5)])
def test_the_own_last_move_is_gone_and_it_is_the_askers_turn(moves: int, asker: Colour, ply: int) -> None:
    back = taken_back(game(moves), asker, 10 * SECOND)
    assert (back.ply, back.turn, back.extra.takebacks, back.version) == (ply, asker, 1, moves + 3)
    assert (back.last_uci, back.last_san) == (("e2e4", "e4") if ply else ("", ""))


@pytest.mark.parametrize("asker", Colour)
def test_who_has_not_moved_has_nothing_to_take_back(asker: Colour) -> None:
    for moves in (0, 1) if asker is B else (0,):
        assert (
            code(attempt(game(moves), {W: "anna", B: "bert"}[asker], OfferTakeback(), 5 * SECOND))
            is RefusalCode.NOT_ALLOWED
        )


def test_the_times_are_those_of_that_ply_and_never_swapped() -> None:
    # White plays with 60 s left; Black thinks; White asks, and Black accepts while it has 6 s left.
    asked = game(3)
    back = taken_back(asked, W, 3 * SECOND + 54 * SECOND)
    assert (back.clock.white_ms, back.clock.black_ms) == (50_002, 40_002), "what the past says, on the right side"
    assert back.clock.turn_started_ms == 58 * SECOND, "the turn begins now"
    assert back.deadline(LIMITS) == Deadline(58 * SECOND + 50_002, DeadlineKind.FLAG)
    over = after(back, None, Flag(0), 58 * SECOND + 50_002 + 100)
    assert over.outcome == Outcome(B, EndReason.FLAG), "the side to move runs and can flag"


@pytest.mark.parametrize("moves", [1, 2])
def test_a_live_game_taken_back_to_its_beginning_waits_for_a_first_move_anew(moves: int) -> None:
    back = taken_back(game(moves), W if moves == 1 else B, 10 * SECOND)
    assert back.ply == moves - 1
    assert back.deadline(LIMITS) == Deadline(41 * SECOND, DeadlineKind.FIRST_MOVE)
    assert after(back, None, Flag(0), 41_100).outcome == Outcome(None, EndReason.NO_FIRST_MOVE)
    assert isinstance(attempt(back, "anna", Abort(), 12 * SECOND), Change)


def test_a_letter_taken_back_on_day_13_has_its_whole_limit_again() -> None:
    letters = game(3, Correspondence(14), LAWS)
    back = taken_back(letters, W, 13 * DAY)
    assert back.deadline(LIMITS) == Deadline(27 * DAY + SECOND, DeadlineKind.EXPIRY)
    assert (back.clock.white_ms, back.clock.black_ms) == (0, 0)
    assert isinstance(attempt(back, "anna", Move("e2e4"), 26 * DAY), Change)


def test_a_turn_of_its_own_time_is_whole_again() -> None:
    back = taken_back(game(3, PerMove(30 * SECOND)), W, 30 * SECOND)
    assert back.deadline(LIMITS) == Deadline(61 * SECOND, DeadlineKind.FLAG)


def test_a_rated_game_counts_no_more_and_a_wish_alone_changes_nothing() -> None:
    running = game(2)
    rated = replace(running, terms=replace(running.terms, rated=True))
    asked = after(rated, W, OfferTakeback(), 5 * SECOND)
    assert asked.rated
    back = after(asked, B, OfferTakeback(), 6 * SECOND)
    assert (back.rated, back.terms.rated, back.extra.unrated) == (False, True, True)


def test_after_a_takeback_either_may_ask_again() -> None:
    back = taken_back(game(4), W, 10 * SECOND)
    assert (back.extra.takeback_offered, back.extra.draw_offered) == (Both(0, 0), Both(0, 0))
    assert taken_back(back, B, 20 * SECOND).extra.takebacks == 2


def test_a_move_meant_for_the_ply_before_a_takeback_is_stale() -> None:
    back = taken_back(game(3), W, 10 * SECOND)
    again = after(back, W, Move("e2e4"), 12 * SECOND)
    for takebacks, right in ((0, False), (1, True), (None, True)):
        decision = attempt(again, "bert", Move("e2e4", ply=3, takebacks=takebacks), 13 * SECOND)
        assert isinstance(decision, Change) is right
        if isinstance(decision, Refusal):
            assert (decision.code, decision.at) == (RefusalCode.STALE_VERSION, "takebacks")


class TestUndo:
    ALONE = game(4, black=COMPUTER)

    def test_the_own_move_goes_with_the_answer(self) -> None:
        back = after(self.ALONE, W, Undo(), 10 * SECOND)
        assert (back.ply, back.turn, back.extra.helped, back.extra.takebacks) == (2, W, True, 1)
        assert (back.clock.white_ms, back.clock.black_ms) == (50_002, 40_002)
        assert back.computer_turn_level == 0

    def test_while_it_thinks_the_own_move_goes_alone_and_its_answer_is_nobodys(self) -> None:
        thinking = game(3, black=COMPUTER)
        back = after(thinking, W, Undo(), 10 * SECOND)
        assert (back.ply, back.turn) == (2, W)
        for game_now in (back, after(back, W, Move("e2e4"), 12 * SECOND)):
            assert (
                code(attempt(game_now, COMPUTER_ID, Move("e2e4", ply=3, takebacks=0), 13 * SECOND))
                is RefusalCode.STALE_VERSION
            )

    @pytest.mark.parametrize("late_ms", [0, DAY - 1])
    def test_within_a_day_the_end_is_gone_too(self, late_ms: int) -> None:
        over = after(self.ALONE, W, Resign(), 10 * SECOND)
        change = attempt(over, "anna", Undo(), 10 * SECOND + late_ms)
        assert isinstance(change, Change)
        back = change.game
        assert (change.kind, change.reopens) == (ChangeKind.TAKEN_BACK, True)
        assert (back.outcome, back.ended_ms, back.ply, back.version) == (None, None, 2, over.version + 1)
        assert back.clock.turn_started_ms == 10 * SECOND + late_ms
        assert back.deadline(LIMITS) == Deadline(back.clock.turn_started_ms + 50_002, DeadlineKind.FLAG)

    def test_a_day_later_it_stays(self) -> None:
        over = after(self.ALONE, W, Resign(), 10 * SECOND)
        assert code(attempt(over, "anna", Undo(), 10 * SECOND + DAY)) is RefusalCode.GAME_OVER

    def test_an_aborted_game_stays_aborted(self) -> None:
        aborted = after(game(1, black=COMPUTER), W, Abort(), 5 * SECOND)
        assert code(attempt(aborted, "anna", Undo(), 6 * SECOND)) is RefusalCode.GAME_OVER

    @pytest.mark.parametrize("moves", [4, 3])
    def test_a_fallen_flag_is_undone_whoever_was_to_move(self, moves: int) -> None:
        late = game(moves, ClockControl(MINUTE, 0), black=COMPUTER)
        if late.turn is B:
            late = replace(late, clock=replace(late.clock, black_ms=0))  # all used up by its thinking
        over = after(late, None, Flag(0), 2 * MINUTE)
        assert over.outcome == Outcome(over.turn.other, EndReason.FLAG)
        back = after(over, W, Undo(), 3 * MINUTE)
        assert (back.ply, back.turn, back.clock.turn_started_ms) == (2, W, 3 * MINUTE)
        assert (back.clock.white_ms, back.clock.black_ms) == (50_002, 40_002)

    def test_untimed_it_has_no_times(self) -> None:
        back = after(game(4, Unlimited(), black=COMPUTER), W, Undo(), DAY)
        assert (back.clock.white_ms, back.clock.black_ms, back.deadline(LIMITS)) == (0, 0, None)

    def test_after_all_is_undone_the_clock_waits_for_the_first_move_but_the_level_holds(self) -> None:
        back = after(game(2, black=COMPUTER), W, Undo(), 10 * SECOND)
        assert (back.ply, back.clock.running, back.deadline(LIMITS)) == (0, False, None)
        assert isinstance(attempt(back, "anna", SetLevel(1), 11 * SECOND), Refusal)


def test_the_position_is_played_again_from_the_beginning() -> None:
    alone = TestUndo.ALONE
    assert past_asked(alone, "anna", Undo(), 10 * SECOND) == 2
    past = Past(2, ("e2e4", "e7e5"), 1, 2, "e7e5", "e5")
    asked = question(alone, "anna", Undo(), 10 * SECOND, facts=Facts(past))
    assert asked == Start(alone.terms.variant, alone.terms.rule_set, alone.terms.initial_fen, moves=past.moves)
    back = changed(ask(alone, "anna", Undo(), 10 * SECOND, replace(standing(W), fen="then"), facts=Facts(past)))
    assert (back.standing.fen, back.last_uci, back.last_san) == ("then", "e7e5", "e5")


def test_what_cannot_be_read_or_played_again_changes_nothing() -> None:
    alone = TestUndo.ALONE
    assert code(ask(alone, "anna", Undo(), 10 * SECOND)) is RefusalCode.UNAVAILABLE
    past = Past(2, ("e2e4", "e2e4"), 1, 2, "e2e4", "e4")
    assert ask(alone, "anna", Undo(), 10 * SECOND, ILLEGAL, facts=Facts(past)) == ILLEGAL
