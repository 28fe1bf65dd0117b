"""Flagfall's own API for correspondence games: conditional moves and vacations."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.answers.own import ConditionalMoves, Vacation
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import signed
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import parts
from services.gateway.rest.requests import checked_id, read_fields
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall", tags=["Flagfall"], default_response_class=Response)

PLAY = ("board:play", "bot:play")
DAYS_MAX = 365
_LINES = answers(json(ConditionalMoves), token=Token.NEEDED, scopes=PLAY)


@router.get("/games/{game_id}/conditional-moves", summary="My conditional moves", openapi_extra=_LINES)
async def lines(request: Request, game_id: str) -> Response:
    """The caller's conditional moves; nobody else can read them."""
    who = await signed(request, *PLAY)
    asked = pb.GetConditionalMovesRequest(game_id=checked_id(game_id), player_id=who.player.id)
    answer = await parts(request).game.answer_to(
        lambda stubs, limit_s: stubs.correspondence.GetConditionalMoves(asked, timeout=limit_s)
    )
    return _lines(answer.lines)


@router.post(
    "/games/{game_id}/conditional-moves",
    summary="Set conditional moves",
    openapi_extra=takes("lines", required=("lines",)) | _LINES,
)
async def set_lines(request: Request, game_id: str) -> Response:
    """In a correspondence game, while the opponent is to move. `lines`: lines separated by commas, each a move of the
    opponent, the answer, and so on (UCI or SAN, separated by blanks). They replace the earlier lines; an empty text
    deletes all. An answer is committed together with the move that it answers and costs no time. A move that no line
    predicts, a takeback and the end of the game delete all lines."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["lines"])
    wanted = [pb.ConditionalLine(moves=line.split()) for line in fields.text("lines").split(",") if line.strip()]
    asked = pb.SetConditionalMovesRequest(game_id=checked_id(game_id), player_id=who.player.id, lines=wanted)
    answer = await parts(request).game.answer_to(
        lambda stubs, limit_s: stubs.correspondence.SetConditionalMoves(asked, timeout=limit_s)
    )
    return _lines(answer.lines)


@router.post(
    "/vacation",
    summary="Begin or end a vacation",
    openapi_extra=takes("vacationDays", required=("vacationDays",))
    | answers(json(Vacation), token=Token.NEEDED, scopes=PLAY),
)
async def vacation(request: Request) -> Response:
    """For `vacationDays` whole days from now the time of the caller's correspondence turns stops; 0 ends the vacation.
    A day that has begun is used: the vacation ends with it, and it is the first of a new number of days. Deadlines move
    back with an end that comes sooner. The server limits the days per year; the limit may be 0."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["vacationDays"])
    days = fields.integer("vacationDays", least=0, most=DAYS_MAX)
    asked = pb.SetVacationRequest(player_id=who.player.id, days=days)
    answer = await parts(request).game.answer_to(
        lambda stubs, limit_s: stubs.correspondence.SetVacation(asked, timeout=limit_s)
    )
    return answered(Vacation(until=answer.until_ms or None))


def shown(message: pb.ConditionalLines) -> ConditionalMoves:
    """Conditional moves as an answer."""
    return ConditionalMoves(ply=message.ply, lines=[list(line.moves) for line in message.lines])


def _lines(message: pb.ConditionalLines) -> Response:
    return answered(shown(message))
