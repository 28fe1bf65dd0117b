"""Flags that pause the game: what the opponent may decide, what follows, and who is never paused (rows 84 to 86)."""

from dataclasses import replace

import pytest

from services.domain.clock import Deadline, DeadlineKind, Outages
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import FRIENDLY, PARTY, AbsentPlayer, Resignation, RuleSet
from services.domain.time_control import ClockControl, PerMove, TimeControl, Unlimited
from services.game.play.change import Change, ChangeKind, Decision
from services.game.play.command import Action
from services.game.play.commands.flags import ClaimWin, Flag, GoOn
from services.game.play.commands.moving import Move, Resign
from services.game.play.commands.takebacks import Undo
from services.game.play.game import Both, Game, Pause
from services.game.wire.messages import state_message
from services.pb.flagfall.v1 import events_pb2
from tests.unit.game.deciding import (
    BLACK,
    COMPUTER,
    DAY,
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
    forfeited,
    game,
    its_flag_due,
)
from tests.unit.game.game_states import UP_MS

FELL_MS = UP_MS + LIMITS.flag_grace_ms
TURN = PerMove(30 * SECOND)


def paused(rule_set: RuleSet = FRIENDLY, *, rated: bool = False, computer: bool = False, winner: bool = True) -> Game:
    """White's flag has fallen; `winner` False: Black has too little to win."""
    running = game(2, rule_set=rule_set, black=COMPUTER if computer else BLACK)
    running = replace(running, terms=replace(running.terms, rated=rated))
    change = ask(running, "", Flag(running.version), FELL_MS, forfeited(B if winner else None))
    assert isinstance(change, Change)
    assert change.kind is ChangeKind.PAUSED
    return change.game


def test_a_flag_pauses_the_game_and_both_clocks() -> None:
    stopped = paused()
    assert stopped.extra.pause == Pause(W, FELL_MS, Outcome(B, EndReason.FLAG))
    assert (stopped.outcome, stopped.clock.white_ms, stopped.clock.black_ms) == (None, 0, 60 * SECOND)
    assert stopped.deadline(LIMITS) == Deadline(FELL_MS + 2 * MINUTE, DeadlineKind.DECISION)
    assert stopped.look_ms == FELL_MS + 2 * MINUTE
    state = state_message(stopped, LIMITS, Outages(), FELL_MS + MINUTE)
    assert (state.running, state.white_ms, state.black_ms, state.legal) == (False, 0, 60 * SECOND, "")
    assert (state.status, state.deadline_kind) == (
        events_pb2.GAME_STATUS_STARTED,
        events_pb2.DEADLINE_KIND_DECISION,
    )
    assert state.deadline_ms == FELL_MS + 2 * MINUTE


@pytest.mark.parametrize("winner", [True, False])
def test_the_side_with_time_left_takes_what_the_rule_set_gives(winner: bool) -> None:
    taken = after(paused(winner=winner), B, ClaimWin(), FELL_MS + SECOND)
    assert taken.outcome == Outcome(B if winner else None, EndReason.FLAG)
    assert (taken.ended_ms, taken.clock.white_ms, taken.clock.black_ms) == (FELL_MS + SECOND, 0, 60 * SECOND)


@pytest.mark.parametrize("winner", [True, False])
def test_after_two_minutes_the_result_is_taken(winner: bool) -> None:
    stopped, due_ms = paused(winner=winner), FELL_MS + 2 * MINUTE
    assert code(attempt(stopped, "", Flag(0), due_ms + 99)) is RefusalCode.NOT_DUE
    over = after(stopped, None, Flag(0), due_ms + 100)
    assert over.outcome == Outcome(B if winner else None, EndReason.FLAG)
    late: list[Action] = [ClaimWin(), GoOn(), Resign()]
    for action in late:
        assert isinstance(attempt(stopped, "bert", action, due_ms - 1), Change)
        assert code(attempt(stopped, "bert", action, due_ms)) is RefusalCode.TIME_IS_UP


def test_an_outage_gives_the_time_to_decide_back() -> None:
    stopped = paused()
    flag, due_ms = Flag(stopped.version), FELL_MS + 2 * MINUTE + 100
    outages = Outages(((FELL_MS + SECOND, FELL_MS + 31 * SECOND),))
    assert code(ask(stopped, "", flag, due_ms, outages=outages)) is RefusalCode.NOT_DUE
    assert isinstance(ask(stopped, "", flag, due_ms + 30 * SECOND, outages=outages), Change)


def test_both_may_go_on_without_a_clock_and_then_it_counts_no_more() -> None:
    stopped = paused(rated=True)
    assert stopped.rated
    assert code(attempt(stopped, "anna", GoOn(), FELL_MS + SECOND)) is RefusalCode.NOT_ALLOWED
    offered = after(stopped, B, GoOn(), FELL_MS + SECOND)
    assert offered.rated, "an offer alone changes nothing"
    assert offered.deadline(LIMITS) == stopped.deadline(LIMITS), "nor does it win time"
    on = after(offered, W, GoOn(), FELL_MS + 2 * SECOND)
    assert (on.rated, on.extra.pause, on.clock.control) == (False, None, Unlimited())
    assert (on.deadline(LIMITS), on.look_ms, on.turn) == (None, 0, W)
    moved = after(on, W, Move("e2e4"), FELL_MS + DAY)
    assert (moved.outcome, moved.extra.without_clock, moved.deadline(LIMITS)) == (None, True, None)
    assert code(attempt(moved, "anna", ClaimWin(), FELL_MS + 15 * DAY - 1)) is RefusalCode.NOT_ALLOWED
    claimed = after(moved, W, ClaimWin(), FELL_MS + 15 * DAY)
    assert claimed.outcome == Outcome(W, EndReason.EXPIRY)


def test_a_computer_agrees_at_once() -> None:
    on = after(paused(computer=True), W, GoOn(), FELL_MS + SECOND)
    assert (on.extra.pause, on.clock.control, on.computer_turn_level) == (None, Unlimited(), 0)
    assert after(on, W, Move("e2e4"), FELL_MS + DAY).computer_turn_level == 3


def test_no_engine_is_asked_in_a_pause() -> None:
    its_flag = after(its_flag_due(FRIENDLY), None, Flag(0), FELL_MS + MINUTE)
    assert its_flag.extra.pause is not None
    assert its_flag.extra.pause.flagged is B
    assert its_flag.computer_turn_level == 0
    assert after(its_flag, W, ClaimWin(), FELL_MS + MINUTE).outcome == Outcome(W, EndReason.FLAG)


@pytest.mark.parametrize("side", Colour)
def test_either_may_resign_and_loses_even_where_the_flag_is_a_draw(side: Colour) -> None:
    over = after(paused(winner=False), side, Resign(), FELL_MS + SECOND)
    assert over.outcome == Outcome(side.other, EndReason.RESIGNATION)


def test_a_resignation_that_the_rule_set_draws_is_a_draw_in_a_pause_too() -> None:
    stopped = paused(replace(FRIENDLY, resignation=Resignation.DRAW_IF_CANNOT_WIN), winner=False)
    verdict = forfeited(None, EndReason.RESIGNATION)
    over = changed(ask(stopped, "anna", Resign(), FELL_MS + SECOND, verdict))
    assert over.outcome == Outcome(None, EndReason.RESIGNATION)


def test_a_turn_of_its_own_time_pauses_too() -> None:
    stopped = after(game(2, TURN, FRIENDLY), None, Flag(0), 32 * SECOND + 100)
    assert stopped.extra.pause is not None
    state = state_message(stopped, LIMITS, Outages(), 40 * SECOND)
    assert (state.white_ms, state.black_ms, state.running) == (0, 30 * SECOND, False)
    on = after(after(stopped, B, GoOn(), 40 * SECOND), W, GoOn(), 41 * SECOND)
    assert on.deadline(LIMITS) is None


def test_an_undo_against_the_computer_ends_the_pause() -> None:
    back = after(paused(computer=True), W, Undo(), FELL_MS + SECOND)
    assert (back.extra.pause, back.ply, back.outcome) == (None, 0, None)
    assert not isinstance(back.clock.control, Unlimited)
    assert back.deadline(LIMITS) is None, "White has not moved: its clock does not run"


@pytest.mark.parametrize("control", [ClockControl(MINUTE, 0), TURN, ClockControl(15 * SECOND, 0)])
@pytest.mark.parametrize("moves", [0, 1])
def test_before_both_have_moved_a_flag_neither_pauses_nor_loses(control: TimeControl, moves: int) -> None:
    begun = game(moves, control, FRIENDLY)
    first_ms = 15 * SECOND if moves and control == ClockControl(15 * SECOND, 0) else 30 * SECOND
    due_ms = moves * SECOND + first_ms
    assert begun.deadline(LIMITS) == Deadline(due_ms, DeadlineKind.FIRST_MOVE)
    assert code(attempt(begun, "", Flag(0), due_ms + 99)) is RefusalCode.NOT_DUE
    over = after(begun, None, Flag(0), due_ms + 100)
    assert over.outcome == Outcome(None, EndReason.NO_FIRST_MOVE)


class TestATurnThatPassesWhereAComputerSitsIn:
    """By the rule set `party`, unrated: seed 004."""

    UP = 33 * SECOND + 100
    GAME = game(3, TURN, PARTY)  # Black is to move

    def flag(self, white_ms: int | None, black_ms: int | None, game: Game = GAME) -> Decision:
        return attempt(game, "", Flag(0), self.UP, Both(white_ms, black_ms))

    @pytest.mark.parametrize("away_ms", [None, 0, 4_999])
    def test_whoever_is_there_loses(self, away_ms: int | None) -> None:
        change = self.flag(None, away_ms)
        assert isinstance(change, Change)
        assert change.game.outcome == Outcome(W, EndReason.FLAG)

    def test_the_computer_plays_for_whoever_is_away(self) -> None:
        change = self.flag(None, 5_000)
        assert isinstance(change, Change)
        assert (change.kind, change.by, change.game.extra.held) == (ChangeKind.SEAT_TAKEN, B, Both(0, 5))
        assert change.game.computer_turn_level == 5
        assert change.game.deadline(LIMITS) == Deadline(self.UP + 30 * SECOND, DeadlineKind.FLAG)

    def test_with_both_away_the_turn_begins_anew(self) -> None:
        change = self.flag(5_000, 5_000)
        assert isinstance(change, Change)
        assert (change.kind, change.game.extra.held) == (ChangeKind.TIME_GIVEN, Both(0, 0))
        assert change.game.deadline(LIMITS) == Deadline(self.UP + 30 * SECOND, DeadlineKind.FLAG)

    def test_two_seats_are_never_held(self) -> None:
        held = replace(self.GAME, extra=replace(self.GAME.extra, held=Both(5, 0)))
        change = self.flag(None, 5_000, held)
        assert isinstance(change, Change)
        assert (change.kind, change.game.extra.held) == (ChangeKind.TIME_GIVEN, Both(5, 0))

    def test_in_a_rated_game_the_clock_runs(self) -> None:
        rated = replace(self.GAME, terms=replace(self.GAME.terms, rated=True))
        change = self.flag(None, 5_000, rated)
        assert isinstance(change, Change)
        assert change.game.outcome == Outcome(W, EndReason.FLAG)

    def test_elsewhere_nobody_asks_who_is_there(self) -> None:
        other = game(3, TURN, replace(PARTY, absent_player=AbsentPlayer.CLOCK_RUNS))
        change = self.flag(None, 5_000, other)
        assert isinstance(change, Change)
        assert change.game.outcome == Outcome(W, EndReason.FLAG)
