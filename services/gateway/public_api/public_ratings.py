"""Ratings as objects, in the public API's form and in Flagfall's own. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime

from services.domain.rating import START, perf_key
from services.domain.time_control import Speed
from services.domain.variant import Variant
from services.gateway.answers.people import Rating, RatingDays, RatingOf, RatingPoint
from services.gateway.public_api.public_json import perf_name
from services.pb.flagfall.v1 import game_pb2 as pb

PERFS = (*Speed, *(variant for variant in Variant if variant is not Variant.STANDARD))
"""The public API's rating keys: the speeds of standard chess, and each variant."""


def perfs(ratings: Iterable[pb.Perf]) -> dict[str, RatingOf]:
    """An account's ratings by the public API's keys.

    A variant has one rating for each speed, but only one key: it shows the speed that was played most.
    """
    found: dict[str, pb.Perf] = {}
    for rating in ratings:
        key = _key(rating)
        if key not in found or rating.games > found[key].games:
            found[key] = rating
    return {key.value: _perf(found.get(key)) for key in PERFS}


def _perf(rating: pb.Perf | None) -> RatingOf:
    if rating is None:
        return RatingOf(games=0, rating=round(START.value), rd=round(START.deviation), prog=0, prov=True)
    return RatingOf(
        games=rating.games,
        rating=round(rating.rating),
        rd=round(rating.deviation),
        prog=rating.progress,
        prov=rating.provisional,
    )


def _key(rating: pb.Perf | pb.RatingPoint) -> str:
    return perf_key(rating.variant, Speed(rating.speed))


def history(points: Iterable[pb.RatingPoint]) -> list[RatingDays]:
    """The points of each key, at most one a day: year, month from 0, day, rating (UTC).

    `points` has the last point of each day for each variant and speed, oldest first. If a variant was played at several
    speeds on a day, the last point is used.
    """
    days: dict[str, dict[tuple[int, int, int], int]] = {key.value: {} for key in PERFS}
    for point in points:
        at = datetime.fromtimestamp(point.at_ms / 1000, UTC)
        days[_key(point)][at.year, at.month - 1, at.day] = round(point.rating)
    return [
        RatingDays(name=perf_name(key), points=[[*day, rating] for day, rating in found.items()])
        for key, found in days.items()
    ]


def own_ratings(ratings: Iterable[pb.Perf]) -> list[Rating]:
    """All ratings with full precision."""
    return [
        Rating(
            variant=rating.variant,
            speed=rating.speed,
            rating=rating.rating,
            deviation=rating.deviation,
            volatility=rating.volatility,
            games=rating.games,
            provisional=rating.provisional,
            progress=rating.progress,
        )
        for rating in ratings
    ]


def own_points(points: Iterable[pb.RatingPoint]) -> list[RatingPoint]:
    """A rating history with full precision."""
    return [
        RatingPoint(
            variant=point.variant,
            speed=point.speed,
            rating=point.rating,
            deviation=point.deviation,
            game=point.game_id,
            at=point.at_ms,
        )
        for point in points
    ]
