"""A player's progress against the computer: beaten levels and badges."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.answers.own import Badge, LevelBeaten, Progress
from services.gateway.rest.answered import answered
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import parts
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall/players/{username}", tags=["Flagfall"], default_response_class=Response)


@router.get("/progress", summary="Levels beaten, and badges", openapi_extra=answers(json(Progress), token=Token.UNUSED))
async def progress(request: Request, username: str) -> Response:
    """The levels of the computer that a player has beaten in each variant, how often, and how often without hints and
    undone moves; and all badges, earned or not."""
    asked = pb.GetProgressRequest(player_id=username.lower())
    answer = await parts(request).game.answer_to(
        lambda stubs, limit_s: stubs.computer.GetProgress(asked, timeout=limit_s)
    )
    return answered(shown(answer.progress))


def shown(message: pb.Progress) -> Progress:
    """Progress as an answer."""
    beaten = [
        LevelBeaten(
            variant=row.variant,
            level=row.level,
            wins=row.wins,
            wins_without_help=row.wins_without_help,
            first=row.first_ms,
        )
        for row in message.beaten
    ]
    badges = [
        Badge(key=badge.key, name=badge.name, description=badge.description, earned=badge.earned_ms or None)
        for badge in message.badges
    ]
    return Progress(beaten=beaten, badges=badges)
