"""Glicko-2 ratings as values: time is handed in, nothing is rounded.

The method is Mark Glickman's "Example of the Glicko-2 system"; its step numbers are given where they are done. What
is added, as public chess servers do: a rating changes after every game, idle time counts in fractions of a period,
and everything has bounds.

A rating belongs to a `RatingKey`: variant and speed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from services.domain.colour import Colour
from services.domain.time_control import Speed
from services.domain.variant import Variant

VALUE_MIN = 400.0
VALUE_MAX = 4_000.0
DEVIATION_MIN = 45.0
"""However much somebody plays, a game still moves the rating by a few points."""
DEVIATION_MAX = 350.0
"""That of a beginner; nobody is less known than one who has never played."""
DEVIATION_PROVISIONAL = 110.0
"""From here on a rating is shown as provisional, as the public API's `prov` means it."""
VOLATILITY_MAX = 0.1
TAU = 0.5
"""How readily the volatility changes: that of the published example, within the 0.3 to 1.2 it advises."""
PERIOD_MS = 112 * 3_600_000
"""A rating period: with the usual volatility of 0.06 a deviation of 60 grows to 110 within a year of not playing."""

_CENTRE = 1_500.0
_SCALE = 173.7178
"""Points of a rating in one unit of the inner scale (step 2)."""
_HALVINGS = 60
"""Enough for every digit of a float: the interval at the beginning is less than 2 to the 6th wide."""


class RatingKey(NamedTuple):
    """What a rating is of."""

    variant: Variant
    speed: Speed


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength in one variant at one speed, as far as it is known."""

    value: float
    deviation: float
    """Half the width of the interval that holds the true strength in two cases of three."""
    volatility: float
    """How erratic the results are; a period without games adds its square to that of the deviation (inner scale)."""
    games: int
    """How many rated games it comes from."""
    at_ms: int
    """The moment for which the deviation holds: that of the last game, unless it was grown since."""

    @property
    def provisional(self) -> bool:
        """Whether too little is known for the value to be compared. Only as of `at_ms`: see `grows`."""
        return self.deviation >= DEVIATION_PROVISIONAL


START = Rating(_CENTRE, DEVIATION_MAX, 0.06, games=0, at_ms=0)
"""Everybody's rating before the first game. Its deviation cannot grow, so the moment does not matter."""


class Result(NamedTuple):
    """A game from one side."""

    opponent: Rating
    """As it was before the game."""
    score: float
    """1, 0.5 or 0."""


def perf_key(variant: str, speed: Speed) -> str:
    """The public API's key of a rating: the speed in standard chess, the variant elsewhere.

    So a variant's ratings at several speeds share one key there. Which of them is shown is the caller's to choose.
    """
    return speed if variant == Variant.STANDARD else variant


def grows(rating: Rating, now_ms: int) -> Rating:
    """The rating at `now_ms`: the longer nobody played, the less is known (step 6 without games). Time never runs back.

    Growing twice comes to the same as growing once.
    """
    if now_ms <= rating.at_ms:
        return rating
    grown = _SCALE * _grown_phi(rating.deviation / _SCALE, rating.volatility, (now_ms - rating.at_ms) / PERIOD_MS)
    return replace(rating, deviation=min(grown, DEVIATION_MAX), at_ms=now_ms)


def both_after(white: Rating, black: Rating, winner: Colour | None, now_ms: int) -> tuple[Rating, Rating]:
    """White's and Black's rating after a game that ended at `now_ms`; no winner: a draw that counts half a point."""
    score = 0.5 if winner is None else float(winner is Colour.WHITE)
    return after_game(white, black, score, now_ms), after_game(black, white, 1 - score, now_ms)


def after_game(own: Rating, other: Rating, score: float, now_ms: int) -> Rating:
    """One's rating after a game against `other` (as before the game) that ended at `now_ms`, within the bounds.

    The game is a period of its own that takes no time: both deviations have grown by the time since each one's last
    game, and nothing more is added. With a whole period for each game, a day of fifty games would add the
    doubt of more than half a year of idling. A win never lowers the value and a defeat never raises it.
    """
    own = grows(own, now_ms)
    after = after_period(own, [Result(grows(other, now_ms), score)], periods=0.0)
    return Rating(
        value=min(max(after.value, VALUE_MIN), VALUE_MAX),
        deviation=min(max(after.deviation, DEVIATION_MIN), DEVIATION_MAX),
        volatility=min(after.volatility, VOLATILITY_MAX),
        games=after.games,
        at_ms=after.at_ms,
    )


def after_period(own: Rating, results: Sequence[Result], periods: float = 1.0) -> Rating:
    """The rating after a period of games, as published, without bounds; `periods` is how much idling it adds.

    Values thousands of points beyond the bounds are too far apart for a float: ZeroDivisionError or OverflowError.
    """
    phi = own.deviation / _SCALE
    if not results:
        return replace(own, deviation=_SCALE * _grown_phi(phi, own.volatility, periods))
    information = surplus = 0.0
    for opponent, score in results:
        weight, expected = _weight(opponent), expected_score(own, opponent)
        information += weight * weight * expected * (1 - expected)
        surplus += weight * (score - expected)
    volatility = _volatility(own.volatility, phi, 1 / information, surplus / information)  # v and delta, steps 3 and 4
    before = _grown_phi(phi, volatility, periods)  # step 6
    variance = 1 / (1 / (before * before) + information)  # step 7
    return Rating(
        value=own.value + _SCALE * variance * surplus,
        deviation=_SCALE * math.sqrt(variance),
        volatility=volatility,
        games=own.games + len(results),
        at_ms=own.at_ms,
    )


def expected_score(own: Rating, other: Rating) -> float:
    """What a game is expected to bring, between 0 and 1, with the other's deviation as it stands (step 3: E)."""
    return 1 / (1 + math.exp(-_weight(other) * (own.value - other.value) / _SCALE))


def _weight(opponent: Rating) -> float:
    """How much a game against somebody says: the less, the less known the opponent is (step 3: g)."""
    phi = opponent.deviation / _SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _grown_phi(phi: float, volatility: float, periods: float) -> float:
    """The deviation in the inner scale after idling for some periods (step 6)."""
    return math.sqrt(phi * phi + periods * volatility * volatility)


def _volatility(before: float, phi: float, v: float, delta: float) -> float:
    """The volatility after a period (step 5). Instead of the published search, which has no bound, halving."""
    a = 2 * math.log(before)
    known = phi * phi + v
    excess = delta * delta - known

    def f(x: float) -> float:
        square = math.exp(x)
        return square * (excess - square) / (2 * (known + square) ** 2) - (x - a) / (TAU * TAU)

    # The first term of f has the sign of `excess - square` and lies above -1/2. So f is not negative at `low` (at
    # a - TAU its second term is 1/TAU, more than 1/2) and not positive at `high`.
    low, high = (a, math.log(excess)) if excess > before * before else (a - TAU, a)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return math.exp((low + high) / 4)
