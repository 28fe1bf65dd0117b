"""Ratings as values: the published example, the bounds, and what players would call fair."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.rating import (
    DEVIATION_MAX,
    DEVIATION_MIN,
    PERIOD_MS,
    START,
    VALUE_MAX,
    VALUE_MIN,
    VOLATILITY_MAX,
    Rating,
    RatingKey,
    Result,
    after_game,
    after_period,
    both_after,
    expected_score,
    grows,
    perf_key,
)
from services.domain.time_control import Speed
from services.domain.variant import Variant

DAY_MS = 86_400_000
YEAR_MS = 365 * DAY_MS
FIRST_MS = 1_700_000_000_000
EXAMPLE = Rating(1_500, 200, 0.06, games=0, at_ms=0)
EXAMPLE_RESULTS = [
    Result(Rating(1_400, 30, 0.06, games=0, at_ms=0), 1),
    Result(Rating(1_550, 100, 0.06, games=0, at_ms=0), 0),
    Result(Rating(1_700, 300, 0.06, games=0, at_ms=0), 0),
]

ratings = st.builds(
    Rating,
    value=st.floats(VALUE_MIN, VALUE_MAX),
    deviation=st.floats(DEVIATION_MIN, DEVIATION_MAX),
    volatility=st.floats(0.01, VOLATILITY_MAX),
    games=st.integers(0, 10_000),
    at_ms=st.integers(FIRST_MS, FIRST_MS + 3 * YEAR_MS),
)
moments = st.integers(FIRST_MS, FIRST_MS + 6 * YEAR_MS)
winners = st.sampled_from([Colour.WHITE, Colour.BLACK, None])


def known(value: float, deviation: float = 60.0) -> Rating:
    return Rating(value, deviation, 0.06, games=100, at_ms=FIRST_MS)


def within_bounds(rating: Rating) -> bool:
    return (
        VALUE_MIN <= rating.value <= VALUE_MAX
        and DEVIATION_MIN <= rating.deviation <= DEVIATION_MAX
        and 0 < rating.volatility <= VOLATILITY_MAX
    )


def test_the_published_example() -> None:
    after = after_period(EXAMPLE, EXAMPLE_RESULTS)
    # Glickman prints 1464.06, 151.52 and 0.05999, worked out by hand from figures rounded on the way.
    assert after.value == pytest.approx(1_464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert after.games == 3


def test_the_published_example_without_rounding() -> None:
    # From two other implementations, which agree to these digits.
    after = after_period(EXAMPLE, EXAMPLE_RESULTS)
    assert after.value == pytest.approx(1_464.0506705, abs=1e-7)
    assert after.deviation == pytest.approx(151.5165241, abs=1e-6)
    assert after.volatility == pytest.approx(0.0599959845, abs=1e-10)


def test_a_period_without_games_only_adds_doubt() -> None:
    after = after_period(EXAMPLE, [])
    assert after == replace(EXAMPLE, deviation=after.deviation)
    assert after.deviation == pytest.approx(math.hypot(200, 0.06 * 173.7178))


def test_a_series_of_upsets_raises_the_volatility() -> None:
    # The published example hardly moves it, and searches below. Here a strong player loses twenty games to a weak one.
    after = after_period(known(2_000, 50), [Result(known(1_200, 50), 0)] * 20)
    assert after.volatility > 0.1
    zero = volatility_equation(known(2_000, 50), known(1_200, 50), 20, after.volatility)
    assert zero == pytest.approx(0, abs=1e-9)


def volatility_equation(own: Rating, other: Rating, defeats: int, volatility: float) -> float:
    """Step 5's f, written a second time, for so many defeats against one opponent and TAU 0.5."""
    phi2, g2 = (own.deviation / 173.7178) ** 2, 1 / (1 + 3 * (other.deviation / 173.7178 / math.pi) ** 2)
    e = 1 / (1 + 10 ** (-math.sqrt(g2) * (own.value - other.value) / 173.7178 / math.log(10)))
    v = 1 / (defeats * g2 * e * (1 - e))
    delta2 = (v * defeats * math.sqrt(g2) * -e) ** 2
    s2 = volatility**2
    return s2 * (delta2 - phi2 - v - s2) / (2 * (phi2 + v + s2) ** 2) - math.log(s2 / own.volatility**2) / 0.25


def test_everybody_starts_at_1500_and_provisional() -> None:
    assert (START.value, START.deviation, START.volatility, START.games) == (1_500, 350, 0.06, 0)
    assert START.provisional


def test_a_deviation_of_110_is_provisional() -> None:
    assert known(1_500, 110.0).provisional
    assert not known(1_500, 109.9).provisional


def test_a_dozen_games_end_being_provisional() -> None:
    own, games = START, 0
    while own.provisional:
        own = after_game(own, known(1_500), 0.5, FIRST_MS)
        games += 1
    assert 8 <= games <= 16


def test_a_year_without_games_makes_a_known_rating_provisional() -> None:
    assert grows(known(1_500, 60), FIRST_MS + YEAR_MS).deviation == pytest.approx(110, abs=0.1)
    assert not grows(known(1_500, 60), FIRST_MS + 360 * DAY_MS).provisional
    assert grows(known(1_500, 60), FIRST_MS + 370 * DAY_MS).provisional


def test_a_period_of_idling_is_the_published_one() -> None:
    grown = grows(EXAMPLE, PERIOD_MS)
    assert grown.deviation == pytest.approx(after_period(EXAMPLE, []).deviation)


@given(ratings, moments)
def test_idling_adds_doubt_and_nothing_else(rating: Rating, now_ms: int) -> None:
    grown = grows(rating, now_ms)
    assert grown == replace(rating, deviation=grown.deviation, at_ms=max(rating.at_ms, now_ms))
    assert rating.deviation <= grown.deviation <= DEVIATION_MAX
    if now_ms <= rating.at_ms:
        assert grown == rating


@given(ratings, moments, moments)
def test_growing_twice_is_growing_once(rating: Rating, one_ms: int, other_ms: int) -> None:
    between_ms, now_ms = sorted((one_ms, other_ms))
    assert grows(grows(rating, between_ms), now_ms).deviation == pytest.approx(grows(rating, now_ms).deviation)


@given(ratings, ratings, winners, moments)
@settings(max_examples=300)
def test_whatever_happens_a_rating_stays_in_its_bounds(
    white: Rating, black: Rating, winner: Colour | None, now_ms: int
) -> None:
    after = both_after(white, black, winner, now_ms)
    for before, rating in zip((white, black), after, strict=True):
        assert within_bounds(rating)
        assert rating.games == before.games + 1
        assert rating.at_ms == max(before.at_ms, now_ms)


@given(ratings, ratings, moments)
@settings(max_examples=300)
def test_a_win_never_lowers_and_a_defeat_never_raises(own: Rating, other: Rating, now_ms: int) -> None:
    lost, drawn, won = (after_game(own, other, score, now_ms).value for score in (0, 0.5, 1))
    assert lost <= own.value <= won
    assert lost <= drawn <= won


@given(ratings, ratings, moments)
def test_a_draw_draws_both_together(own: Rating, other: Rating, now_ms: int) -> None:
    low, high = sorted((own, other), key=lambda rating: rating.value)
    assert after_game(low, high, 0.5, now_ms).value >= low.value
    assert after_game(high, low, 0.5, now_ms).value <= high.value


@given(ratings, st.floats(DEVIATION_MIN, DEVIATION_MAX), moments)
def test_a_draw_between_equals_changes_no_value(own: Rating, deviation: float, now_ms: int) -> None:
    assert after_game(own, replace(own, deviation=deviation), 0.5, now_ms).value == own.value


@given(ratings, ratings, winners, moments)
def test_colours_do_not_matter(one: Rating, other: Rating, winner: Colour | None, now_ms: int) -> None:
    swapped = None if winner is None else winner.other
    assert both_after(one, other, winner, now_ms) == both_after(other, one, swapped, now_ms)[::-1]


@given(st.floats(600, 3_800), st.floats(DEVIATION_MIN, DEVIATION_MAX), moments)
def test_between_equals_one_gains_what_the_other_loses(value: float, deviation: float, now_ms: int) -> None:
    own = known(value, deviation)
    white, black = both_after(own, own, Colour.WHITE, now_ms)
    assert white.value - value == pytest.approx(value - black.value)
    assert white.deviation == black.deviation


def test_a_win_is_worth_more_against_the_stronger() -> None:
    gains = [after_game(known(1_500), known(value), 1, FIRST_MS).value for value in range(800, 2_400, 100)]
    assert gains == sorted(gains)
    assert gains[0] < 1_501 < 1_510 < gains[-1]


def test_a_win_moves_the_lesser_known_further() -> None:
    gains = [after_game(known(1_500, dev), known(1_500), 1, FIRST_MS).value for dev in (45, 60, 110, 200, 350)]
    assert gains == sorted(gains)


def test_a_win_says_less_against_the_lesser_known() -> None:
    gains = [after_game(known(1_500), known(1_500, dev), 1, FIRST_MS).value for dev in (350, 200, 110, 60, 45)]
    assert gains == sorted(gains)


def test_one_who_comes_back_moves_further() -> None:
    later_ms = FIRST_MS + YEAR_MS
    other = replace(known(1_500), at_ms=later_ms)
    back = after_game(known(1_500, 60), other, 1, later_ms)
    assert back == after_game(grows(known(1_500, 60), later_ms), other, 1, later_ms)
    assert back.value > after_game(replace(known(1_500, 60), at_ms=later_ms), other, 1, later_ms).value + 5


def test_the_winner_gains_and_the_loser_loses() -> None:
    one, other = known(1_500), known(1_600)
    white, black = both_after(one, other, Colour.WHITE, FIRST_MS)
    assert (white, black) == (after_game(one, other, 1, FIRST_MS), after_game(other, one, 0, FIRST_MS))
    white, black = both_after(one, other, None, FIRST_MS)
    assert (white, black) == (after_game(one, other, 0.5, FIRST_MS), after_game(other, one, 0.5, FIRST_MS))
    white, black = both_after(one, other, Colour.BLACK, FIRST_MS)
    assert white.value < 1_500
    assert black.value > 1_600


def test_the_opponent_too_is_lesser_known_after_idling() -> None:
    later_ms = FIRST_MS + YEAR_MS
    own = replace(known(1_500), at_ms=later_ms)
    idled = after_game(own, known(1_500), 1, later_ms)
    assert idled == after_game(own, grows(known(1_500), later_ms), 1, later_ms)
    assert idled.value < after_game(own, replace(known(1_500), at_ms=later_ms), 1, later_ms).value


def test_fifty_games_on_a_day_add_no_doubt() -> None:
    own = known(1_500, 80)
    for game in range(50):
        now_ms = FIRST_MS + game * 600_000
        after = after_game(own, replace(known(1_500), at_ms=now_ms), game % 2, now_ms)
        assert after.deviation <= own.deviation
        own = after
    assert own.deviation == DEVIATION_MIN


def test_values_approach_what_the_results_say() -> None:
    # Three wins of four are expected of one who is about 190 points stronger.
    own = START
    for game in range(400):
        own = after_game(own, known(1_500, DEVIATION_MIN), 0 if game % 4 == 3 else 1, FIRST_MS + game * DAY_MS // 10)
    assert expected_score(own, known(1_500, DEVIATION_MIN)) == pytest.approx(0.75, abs=0.03)


def test_bounds_hold_against_a_thousand_wins_and_defeats() -> None:
    winner, loser = known(3_900, 200), known(450, 200)
    for game in range(1_000):
        now_ms = FIRST_MS + game * DAY_MS
        winner = after_game(winner, known(4_000), 1, now_ms)
        loser = after_game(loser, known(400), 0, now_ms)
        assert within_bounds(winner)
        assert within_bounds(loser)
    assert (winner.value, loser.value) == (VALUE_MAX, VALUE_MIN)


def test_a_clock_that_is_behind_changes_a_rating_as_of_its_last_game() -> None:
    own, other = known(1_500), known(1_600)
    assert after_game(own, other, 1, FIRST_MS - DAY_MS) == after_game(own, other, 1, FIRST_MS)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        (RatingKey(Variant.STANDARD, Speed.BLITZ), "blitz"),
        (RatingKey(Variant.STANDARD, Speed.CORRESPONDENCE), "correspondence"),
        (RatingKey(Variant.ATOMIC, Speed.BLITZ), "atomic"),
        (RatingKey(Variant.ATOMIC, Speed.RAPID), "atomic"),
    ],
)
def test_the_public_key_is_the_speed_in_standard_chess_and_the_variant_elsewhere(key: RatingKey, shown: str) -> None:
    assert perf_key(key.variant, key.speed) == shown
