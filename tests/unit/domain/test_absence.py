"""What a player's absence from the board leads to."""

import pytest

from services.domain.absence import computer_takes_seats, has_lasted, have_both_lasted, is_claimed, is_watched, left_ms
from services.domain.rule_set import AbsentPlayer
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.game.settings import GameSettings
from services.gateway.settings import GatewaySettings
from services.runtime.absence_settings import AbsenceSettings

CLOCK, TURNS, DAYS, UNTIMED = ClockControl(60_000, 0), PerMove(30_000), Correspondence(3), Unlimited()
RUNS, CLAIMS, PLAYS = AbsentPlayer.CLOCK_RUNS, AbsentPlayer.OPPONENT_CLAIMS, AbsentPlayer.COMPUTER_PLAYS


@pytest.mark.parametrize(
    ("absent", "control", "watched", "taken"),
    [
        (RUNS, CLOCK, True, False),
        (CLAIMS, TURNS, True, False),
        (PLAYS, CLOCK, True, True),
        (PLAYS, TURNS, True, True),
        (CLAIMS, UNTIMED, False, False),
        (PLAYS, UNTIMED, True, True),
        (PLAYS, DAYS, False, False),  # nobody has to be there for days
    ],
)
def test_who_is_watched_and_where_a_computer_takes_seats(
    absent: AbsentPlayer, control: TimeControl, watched: bool, taken: bool
) -> None:
    assert (is_watched(absent, control), computer_takes_seats(absent, control)) == (watched, taken)


def test_an_absence_is_claimed_by_one_kind_of_rule_only() -> None:
    assert [is_claimed(absent) for absent in (RUNS, CLAIMS, PLAYS)] == [False, True, False]


@pytest.mark.parametrize(("away_ms", "lasted"), [(None, False), (0, False), (99, False), (100, True), (101, True)])
def test_an_absence_has_lasted_from_its_limit_on(away_ms: int | None, lasted: bool) -> None:
    assert has_lasted(away_ms, 100) is lasted


def test_what_is_unknown_never_counts_as_away_not_even_without_a_limit() -> None:
    assert not has_lasted(None, 0)
    assert not have_both_lasted(None, 1_000, 0)
    assert not have_both_lasted(1_000, None, 0)


@pytest.mark.parametrize(("white_ms", "both"), [(99, False), (100, True)])
def test_both_are_gone_when_the_one_who_left_last_is(white_ms: int, both: bool) -> None:
    assert have_both_lasted(white_ms, 500, 100) is have_both_lasted(500, white_ms, 100) is both


def test_what_is_left_until_a_claim_is_never_below_zero() -> None:
    assert (left_ms(40_000, 60_000), left_ms(60_000, 60_000), left_ms(70_000, 60_000)) == (20_000, 0, 0)


def test_the_gateway_and_the_game_service_read_the_same_limits() -> None:
    for name in AbsenceSettings.__annotations__:
        for kind in (GameSettings, GatewaySettings):
            assert name in kind.model_fields
            assert name not in kind.__annotations__, f"{kind.__name__} states {name} again"
