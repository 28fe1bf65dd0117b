"""`RatingsService`: the history of ratings. Parses requests and passes them on."""

from typing import Any

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import Speed
from services.domain.variant import Variant
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_PLAYER
from services.game.ratings.ratings import Perf, Ratings
from services.game.ratings.sql_ratings import Point
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import RatingsServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]

ALWAYS_MS = 2**62
"""A time after all others."""


class RatingsServicer(RatingsServiceServicer):
    """The history of a player's ratings. The current ratings come from `people.servicer.PlayersServicer`."""

    def __init__(self, ratings: Ratings, settings: GameSettings) -> None:
        self._ratings = ratings
        self._settings = settings

    async def GetRatingHistory(
        self, request: pb.GetRatingHistoryRequest, context: Context
    ) -> pb.GetRatingHistoryResponse:
        """A player's points, oldest first; empty for an unknown player."""
        refusal = _refuse(request)
        if refusal is not None:
            return pb.GetRatingHistoryResponse(refusal=refusal_to_pb(refusal))
        most = self._settings.rating_points_max
        points = await self._ratings.history(
            request.player_id,
            request.variant,
            request.speed,
            request.before_ms or ALWAYS_MS,
            min(request.limit or most, most),
            daily=request.daily,
        )
        return pb.GetRatingHistoryResponse(history=pb.RatingHistory(points=[point_message(point) for point in points]))


def _refuse(request: pb.GetRatingHistoryRequest) -> Refusal | None:
    if not is_player_id(request.player_id):
        return NO_PLAYER
    if request.variant and request.variant not in list(Variant):
        return Refusal(RefusalCode.UNSUPPORTED_VARIANT, say("request.variant"), "variant")
    if request.speed and request.speed not in list(Speed):
        return Refusal(RefusalCode.MALFORMED, say("ratings.speed", speeds=", ".join(Speed)), "speed")
    if request.limit < 0 or request.before_ms < 0:
        return Refusal(RefusalCode.MALFORMED, say("request.negative"), "limit")
    return None


def point_message(point: Point) -> pb.RatingPoint:
    """A point of the history as a message."""
    return pb.RatingPoint(
        variant=point.owned.key.variant,
        speed=point.owned.key.speed,
        at_ms=point.at_ms,
        rating=point.value,
        deviation=point.deviation,
        game_id=point.game_id,
    )


def perf_message(perf: Perf) -> pb.Perf:
    """A current rating as a message."""
    rating = perf.rating
    return pb.Perf(
        variant=perf.key.variant,
        speed=perf.key.speed,
        rating=rating.value,
        deviation=rating.deviation,
        volatility=rating.volatility,
        games=rating.games,
        provisional=rating.provisional,
        progress=perf.progress,
    )
