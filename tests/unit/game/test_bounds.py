"""The last moment before and the first at which waiting gives a right: the times of the product, to the millisecond."""

from dataclasses import replace

import pytest

from services.domain.clock import Deadline, DeadlineKind
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FIDE, FRIENDLY, PARTY, RuleSet
from services.domain.time_control import Correspondence, PerMove, Unlimited
from services.game.play.commands.flags import Abandon, ClaimWin, Flag
from services.game.play.commands.moving import Move
from services.game.play.commands.seats import TakeSeat
from services.game.play.game import COMPUTER_ID, Both, Game
from services.game.settings import GameSettings
from tests.unit.game.deciding import DAY, LIMITS, MINUTE, SECOND, B, W, after, attempt, code, game
from tests.unit.game.game_states import CLAIM_ABSENT

THREE_DAYS = Correspondence(3)
BEGAN_MS = 2 * SECOND
"""When White's turn began in a game in which both have moved."""
UP_MS = BEGAN_MS + 3 * DAY
BLACK_WINS = Outcome(B, EndReason.EXPIRY)


def test_the_settings_are_the_times_of_the_product() -> None:
    settings = GameSettings()
    assert settings.limits() == replace(LIMITS, reminder_ms=DAY)
    assert (LIMITS.first_move_ms, LIMITS.decision_ms, LIMITS.claim_days) == (30_000, 120_000, 7)
    assert (LIMITS.idle_days, LIMITS.undo_ms, LIMITS.absence_ms) == (14, 86_400_000, 60_000)
    assert (LIMITS.seat_ms, LIMITS.abandoned_ms) == (20_000, 600_000)
    assert (settings.challenge_days, settings.challenge_live_ms) == (14, 20_000)


class TestALimitOfDays:
    def test_closed_at_once_it_is_the_servers(self) -> None:
        days = game(2, THREE_DAYS, FIDE)
        assert days.deadline(LIMITS) == Deadline(UP_MS, DeadlineKind.EXPIRY)
        assert after(days, W, Move("e2e4"), UP_MS - 1).ply == 3
        assert code(attempt(days, "anna", Move("e2e4"), UP_MS)) is RefusalCode.TIME_IS_UP
        assert code(attempt(days, "bert", ClaimWin(), UP_MS)) is RefusalCode.TIME_IS_UP
        assert code(attempt(days, "", Flag(0), UP_MS + 99)) is RefusalCode.NOT_DUE
        assert after(days, None, Flag(0), UP_MS + 100).outcome == BLACK_WINS

    def test_claimed_it_is_the_opponents_for_seven_days_and_then_the_servers(self) -> None:
        days = game(2, THREE_DAYS, FRIENDLY)
        closes_ms = UP_MS + 7 * DAY
        assert code(attempt(days, "bert", ClaimWin(), UP_MS - 1)) is RefusalCode.NOT_ALLOWED
        assert after(days, W, Move("e2e4"), UP_MS - 1).ply == 3
        for now_ms in (UP_MS, closes_ms - 1):
            assert code(attempt(days, "anna", Move("e2e4"), now_ms)) is RefusalCode.TIME_IS_UP
            assert code(attempt(days, "anna", ClaimWin(), now_ms)) is RefusalCode.NOT_ALLOWED
            assert after(days, B, ClaimWin(), now_ms).outcome == BLACK_WINS
        assert code(attempt(days, "", Flag(0), closes_ms + 99)) is RefusalCode.NOT_DUE
        assert after(days, None, Flag(0), closes_ms + 100).outcome == BLACK_WINS


@pytest.mark.parametrize("rule_set", [FIDE, FRIENDLY])
def test_an_untimed_game_is_claimed_after_fourteen_idle_days(rule_set: RuleSet) -> None:
    untimed = game(2, Unlimited(), rule_set)
    due_ms = BEGAN_MS + 14 * DAY
    assert code(attempt(untimed, "bert", ClaimWin(), due_ms - 1)) is RefusalCode.NOT_ALLOWED
    assert code(attempt(untimed, "anna", ClaimWin(), due_ms)) is RefusalCode.NOT_ALLOWED
    assert after(untimed, B, ClaimWin(), due_ms).outcome == BLACK_WINS
    assert after(untimed, W, Move("e2e4"), due_ms + 300 * DAY).ply == 3, "until then it may be moved"
    assert code(attempt(untimed, "", Flag(0), due_ms + 300 * DAY)) is RefusalCode.NOT_DUE


def test_an_absent_opponent_is_claimed_from_after_sixty_seconds() -> None:
    live = game(2, rule_set=CLAIM_ABSENT)
    now_ms = BEGAN_MS + SECOND
    early = attempt(live, "anna", ClaimWin(), now_ms, Both(None, 59_999))
    assert code(early) is RefusalCode.NOT_ALLOWED
    assert after(live, W, ClaimWin(), now_ms, Both(None, 60_000)).outcome == Outcome(W, EndReason.ABSENCE)
    assert after(live, W, ClaimWin(draw=True), now_ms, Both(None, 60_000)).outcome == Outcome(None, EndReason.ABSENCE)
    assert code(attempt(live, "anna", ClaimWin(), now_ms)) is RefusalCode.NOT_ALLOWED, "nothing is known"
    elsewhere = game(2, rule_set=FIDE)
    assert code(attempt(elsewhere, "anna", ClaimWin(), now_ms, Both(None, 10 * MINUTE))) is RefusalCode.NOT_ALLOWED


class TestASeatOfAParty:
    TURN = PerMove(30 * SECOND)
    PARTY_GAME = game(3, TURN, PARTY)  # Black is to move
    NOW_MS = 4 * SECOND

    def held(self) -> Game:
        """The computer plays for Black."""
        return after(self.PARTY_GAME, W, TakeSeat(B), self.NOW_MS, Both(None, 20_000))

    def test_is_taken_after_twenty_seconds(self) -> None:
        early = attempt(self.PARTY_GAME, "anna", TakeSeat(B), self.NOW_MS, Both(None, 19_999))
        assert code(early) is RefusalCode.NOT_ALLOWED
        assert self.held().extra.held == Both(0, LIMITS.seat_level)
        rated = replace(self.PARTY_GAME, terms=replace(self.PARTY_GAME.terms, rated=True))
        assert code(attempt(rated, "anna", TakeSeat(B), self.NOW_MS, Both(None, MINUTE))) is RefusalCode.NOT_ALLOWED

    def test_with_both_gone_no_engine_moves(self) -> None:
        for white_away_ms, moves in ((None, True), (19_999, True), (20_000, False)):
            away_ms: Both[int | None] = Both(white_away_ms, MINUTE)
            decision = attempt(self.held(), COMPUTER_ID, Move("e2e4"), 5 * SECOND, away_ms)
            assert isinstance(decision, Refusal) is not moves, white_away_ms

    @pytest.mark.parametrize("control", [TURN, Unlimited()])
    def test_with_both_gone_it_is_aborted_after_ten_minutes(self, control: PerMove | Unlimited) -> None:
        party = game(3, control, PARTY)
        now_ms = 20 * MINUTE
        for white_ms, black_ms in ((599_999, 700_000), (700_000, 599_999), (None, 700_000), (700_000, None)):
            assert code(attempt(party, "", Abandon(0), now_ms, Both(white_ms, black_ms))) is RefusalCode.NOT_DUE
        over = after(party, None, Abandon(0), now_ms, Both(600_000, 600_000))
        assert over.outcome == Outcome(None, EndReason.ABANDONED)

    @pytest.mark.parametrize("seat_held", [False, True])
    def test_turns_that_pass_do_not_keep_it_going(self, seat_held: bool) -> None:
        party = self.held() if seat_held else self.PARTY_GAME
        for up_ms in range(MINUTE, 9 * MINUTE, MINUTE):
            party = after(party, None, Flag(0), up_ms, Both(up_ms, up_ms))
            assert party.outcome is None
            assert party.clock.turn_started_ms == up_ms, "the turn begins anew"
        assert after(party, None, Flag(0), 10 * MINUTE, Both(599_999, 600_000)).outcome is None
        over = after(party, None, Flag(0), 10 * MINUTE, Both(600_000, 600_000))
        assert over.outcome == Outcome(None, EndReason.ABANDONED)
