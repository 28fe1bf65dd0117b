"""Flagfall's own API for rematches, and for counter-offers to a challenge."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.answers.games import OwnGame
from services.gateway.answers.invitations import AskedRematch, Challenge
from services.gateway.public_api import public_json, public_people
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import signed
from services.gateway.rest.challenge import WRITE
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import NO_CHALLENGE, checked_id, origin_of, read_fields
from services.gateway.rest.terms import GAME_FIELDS, wanted_game
from services.gateway.streams.streams import now_ms
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall", tags=["Challenges"], default_response_class=Response)


def _spend(made: Parts, who: str) -> None:
    made.limits.spend("challenges", who, made.settings.challenges_per_minute, 60)


@router.post(
    "/games/{game_id}/rematch",
    summary="Ask for a rematch, or agree to one",
    openapi_extra=answers(json(AskedRematch), token=Token.NEEDED, scopes=WRITE),
)
async def rematch(request: Request, game_id: str) -> Response:
    """After the end, by either player: makes a challenge with the same terms to the other player, with the colours that
    the rule set gives, and `rematchOf`. The other player accepts or declines it like any challenge, or also asks for a
    rematch, which accepts it. The computer agrees at once. A game has one rematch; asking again returns it."""
    made = parts(request)
    who = await signed(request, *WRITE)
    _spend(made, who.player.id)
    answer = await made.seeks.rematch(checked_id(game_id), who.player.id)
    challenge: Challenge | None = None
    game: OwnGame | None = None
    if answer.HasField("challenge"):
        challenge = public_people.challenge(answer.challenge, who.player.id, origin_of(request))
    if answer.HasField("game"):
        game = public_json.game_info(answer.game, who.player.id, now_ms())
    return answered(AskedRematch(challenge=challenge, game=game))


@router.post(
    "/challenges/{challenge_id}/counter",
    summary="Answer a challenge with other terms",
    openapi_extra=takes("rated", *GAME_FIELDS) | answers(json(Challenge), token=Token.NEEDED, scopes=WRITE),
)
async def counter(request: Request, challenge_id: str) -> Response:
    """For the recipient of a challenge, while it is open: it is declined, and a new one is sent back, in one step. The
    fields are those of a challenge. A missing field has its default, not the value of the declined challenge."""
    made = parts(request)
    who = await signed(request, *WRITE)
    fields = await read_fields(request)
    fields.only(["rated", *GAME_FIELDS])
    wanted = wanted_game(fields)
    _spend(made, who.player.id)
    key = checked_id(challenge_id, NO_CHALLENGE)
    asked = await made.game.get_challenge(key)
    countered = await made.game.create_challenge(
        pb.CreateChallengeRequest(
            challenger_id=who.player.id,
            dest_id=asked.challenger.id,
            variant=wanted.variant,
            rule_set=wanted.rule_set,
            time_control=wanted.time_control,
            rated=fields.boolean("rated"),
            color=wanted.color,
            initial_fen=wanted.initial_fen,
            counter_to=key,
        )
    )
    return answered(public_people.challenge(countered, who.player.id, origin_of(request)))
