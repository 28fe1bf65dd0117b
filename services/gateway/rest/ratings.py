"""A player's rating history, in the public API's form and in full."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.time_control import Speed
from services.domain.variant import Variant
from services.gateway.answers.people import RatingDays, Ratings
from services.gateway.public_api import public_ratings
from services.gateway.rest.account import account_of
from services.gateway.rest.answered import answered
from services.gateway.rest.described import asks
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import read_query
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api", tags=["Users"], default_response_class=Response)

POINTS_LISTED_MAX = 1_000
MOMENT_MS_MAX = 2**53
"""The largest integer that all JSON parsers keep exactly."""

_VARIANT = {"name": "variant", "in": "query", "required": False, "schema": {"type": "string", "enum": list(Variant)}}
_QUERY = {"parameters": [_VARIANT, *asks("speed", "before", "nb")["parameters"]]}


@router.get(
    "/user/{username}/rating-history",
    summary="A player's rating history, one point a day",
    openapi_extra=answers(json(list[RatingDays]), token=Token.UNUSED),
)
async def rating_history(request: Request, username: str) -> Response:
    """For each speed of standard chess and each variant {name, points}. A point is [year, month, day, rating]: the last
    rating of a day (UTC), months counted from 0."""
    made = parts(request)
    account = await account_of(made, username)
    asked = pb.GetRatingHistoryRequest(player_id=account.player.id, daily=True)
    return answered(public_ratings.history(await _points(made, asked)))


@router.get(
    "/flagfall/players/{username}/ratings",
    summary="A player's ratings in full precision",
    openapi_extra=_QUERY | answers(json(Ratings), token=Token.UNUSED),
)
async def ratings(request: Request, username: str) -> Response:
    """`ratings`: all ratings, with the deviations of now. `history`: the rating after each game, oldest first: the
    newest `nb` (100, at most 1000) `before` a time (ms), filtered by `variant` and `speed`."""
    made = parts(request)
    fields = read_query(request)
    asked = pb.GetRatingHistoryRequest(
        variant=fields.choice("variant", ["", *Variant], ""),
        speed=fields.choice("speed", ["", *Speed], ""),
        before_ms=fields.integer("before", 0, least=0, most=MOMENT_MS_MAX),
        limit=fields.integer("nb", 100, least=1, most=POINTS_LISTED_MAX),
    )
    account = await account_of(made, username)
    asked.player_id = account.player.id
    return answered(
        Ratings(
            id=account.player.id,
            ratings=public_ratings.own_ratings(account.perfs),
            history=public_ratings.own_points(await _points(made, asked)),
        )
    )


async def _points(made: Parts, asked: pb.GetRatingHistoryRequest) -> list[pb.RatingPoint]:
    answer = await made.game.answer_to(
        lambda stubs, timeout_s: stubs.ratings.GetRatingHistory(asked, timeout=timeout_s)
    )
    return list(answer.history.points)
