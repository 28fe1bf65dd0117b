"""Glicko-2 ratings as values: functions get the time as an argument, and nothing is rounded.

The method is Mark Glickman's "Example of the Glicko-2 system"; comments give its step numbers. As on public chess
servers, three things are added: a rating changes after every game, idle time counts in fractions of a period, and all
values have bounds.

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
"""The lower bound: even after many games, a game still changes the rating by a few points."""
DEVIATION_MAX = 350.0
"""The upper bound, and the deviation of a new player: no rating is less certain."""
DEVIATION_PROVISIONAL = 110.0
"""From this deviation on a rating is provisional (`prov` in the public API)."""
VOLATILITY_MAX = 0.1
TAU = 0.5
"""How fast the volatility changes: the value of the published example, which advises 0.3 to 1.2."""
PERIOD_MS = 112 * 3_600_000
"""A rating period. With the usual volatility of 0.06, a deviation of 60 grows to 110 in a year without games."""

_CENTRE = 1_500.0
_SCALE = 173.7178
"""Rating points in one unit of the internal scale (step 2)."""
_HALVINGS = 60
"""Enough for the precision of a float: the interval at the start is narrower than 2 to the 6th."""


class RatingKey(NamedTuple):
    """The variant and speed of a rating."""

    variant: Variant
    speed: Speed


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's strength in one variant at one speed."""

    value: float
    deviation: float
    """Half the width of the interval that contains the true strength in two of three cases."""
    volatility: float
    """How irregular the results are. A period without games adds its square to the deviation's (internal scale)."""
    games: int
    """The number of rated games."""
    at_ms: int
    """The moment (UTC ms) of the deviation: the last game, or a later moment if `grows` was applied."""

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to be compared. It holds at `at_ms` only: see `grows`."""
        return self.deviation >= DEVIATION_PROVISIONAL


START = Rating(_CENTRE, DEVIATION_MAX, 0.06, games=0, at_ms=0)
"""The rating before the first game. Its deviation cannot grow, so `at_ms` does not matter."""


class Result(NamedTuple):
    """One game, seen from one side."""

    opponent: Rating
    """The opponent's rating before the game."""
    score: float
    """1 for a win, 0.5 for a draw, 0 for a loss."""


def perf_key(variant: str, speed: Speed) -> str:
    """The key of a rating in the public API: the speed in standard chess, otherwise the variant.

    So all speeds of one variant share one key. The caller chooses which rating to show.
    """
    return speed if variant == Variant.STANDARD else variant


def grows(rating: Rating, now_ms: int) -> Rating:
    """The rating at `now_ms`: its deviation grows with the time since `at_ms` (step 6 without games).

    An earlier `now_ms` changes nothing. Two calls give the same as one call over the whole time.
    """
    if now_ms <= rating.at_ms:
        return rating
    grown = _SCALE * _grown_phi(rating.deviation / _SCALE, rating.volatility, (now_ms - rating.at_ms) / PERIOD_MS)
    return replace(rating, deviation=min(grown, DEVIATION_MAX), at_ms=now_ms)


def both_after(white: Rating, black: Rating, winner: Colour | None, now_ms: int) -> tuple[Rating, Rating]:
    """White's and Black's rating after a game that ended at `now_ms`. No winner means a draw: half a point each."""
    score = 0.5 if winner is None else float(winner is Colour.WHITE)
    return after_game(white, black, score, now_ms), after_game(black, white, 1 - score, now_ms)


def after_game(own: Rating, other: Rating, score: float, now_ms: int) -> Rating:
    """The rating `own` after a game that ended at `now_ms`, within the bounds. `other` is the opponent's before it.

    The game is its own period of zero length: first both deviations grow by the time since each player's last game,
    and nothing more is added. If each game counted as a whole period, a day of fifty games would add the uncertainty
    of more than half a year without games. A win never lowers the value and a loss never raises it.
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
    """The rating after a period of games, as published, without bounds. `periods` is its length for the deviation.

    Raises ZeroDivisionError or OverflowError if values are thousands of points beyond the bounds.
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
    """The expected score of a game, between 0 and 1, with the opponent's deviation unchanged (step 3: E)."""
    return 1 / (1 + math.exp(-_weight(other) * (own.value - other.value) / _SCALE))


def _weight(opponent: Rating) -> float:
    """The weight of a game: lower if the opponent's rating is less certain (step 3: g)."""
    phi = opponent.deviation / _SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _grown_phi(phi: float, volatility: float, periods: float) -> float:
    """The deviation, in the internal scale, after some periods without games (step 6)."""
    return math.sqrt(phi * phi + periods * volatility * volatility)


def _volatility(before: float, phi: float, v: float, delta: float) -> float:
    """The volatility after a period (step 5). It uses bisection: the published search has no bound."""
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
