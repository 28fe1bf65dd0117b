"""Flagfall's own API for a running game: actions that the public API does not have."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.level import LEVELS
from services.domain.text import say
from services.gateway.answers.own import Accepted
from services.gateway.errors import malformed
from services.gateway.game_calls.tokens import Signed
from services.gateway.protocol.frames import is_id
from services.gateway.rest.answered import accepted
from services.gateway.rest.auth import signed
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import Fields, checked_id, read_fields
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall/games/{game_id}", tags=["Flagfall"], default_response_class=Response)

PLAY = ("board:play", "bot:play")
_ACCEPTED = answers(json(Accepted), token=Token.NEEDED, scopes=PLAY)


@router.post("/undo", summary="Take the last move back against the computer", openapi_extra=takes("id") | _ACCEPTED)
async def undo(request: Request, game_id: str) -> Response:
    """Removes the caller's last move and the computer's answer, and restores the earlier times. Also within a day after
    the end of the game, which is undone too. With `id` the request can be repeated safely. Answers {version, state}."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["id"])
    return await _decided(parts(request), _command(who, game_id, fields, pb.Command(undo=pb.Undo())))


@router.post("/go-on", summary="Go on without a clock", openapi_extra=takes("id") | _ACCEPTED)
async def go_on(request: Request, game_id: str) -> Response:
    """After a flag fall in a game whose rule set lets the opponent decide: offers to go on without a clock, or accepts
    the offer; the computer agrees at once. With `id` the request can be repeated safely. Answers {version, state}."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["id"])
    return await _decided(parts(request), _command(who, game_id, fields, pb.Command(go_on=pb.GoOn())))


@router.post(
    "/level", summary="Change the computer's level", openapi_extra=takes("level", "id", required=("level",)) | _ACCEPTED
)
async def level(request: Request, game_id: str) -> Response:
    """`level` 1-10, before the caller's first move. With `id` the request can be repeated safely. Answers {version,
    state}."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["level", "id"])
    wanted = pb.SetLevel(level=fields.integer("level", least=LEVELS[0], most=LEVELS[-1]))
    return await _decided(parts(request), _command(who, game_id, fields, pb.Command(set_level=wanted)))


@router.post("/hint", summary="Ask what the computer would play", openapi_extra=takes("id") | _ACCEPTED)
async def hint(request: Request, game_id: str) -> Response:
    """On the caller's turn, against the computer. Answers {version, state} of the game, which from now on shows that
    help was taken. The hint itself follows soon, only to the caller: as a frame `hint` of the WebSocket and as a line
    `hint` of the game's stream. With `id` the request can be repeated safely."""
    made = parts(request)
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["id"])
    command = _command(who, game_id, fields, pb.Command())
    asked = pb.AskHintRequest(game_id=command.game_id, player_id=who.player.id, command_id=command.command_id)
    return accepted(await made.game.ask_hint(asked))


@router.post("/seat", summary="Take my seat back", openapi_extra=takes("id") | _ACCEPTED)
async def seat(request: Request, game_id: str) -> Response:
    """Takes the caller's seat back from a computer that played during an absence; a move that it is still computing is
    ignored. Playing a move does the same. With `id` the request can be repeated safely. Answers {version, state}."""
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["id"])
    return await _decided(parts(request), _command(who, game_id, fields, pb.Command(return_seat=pb.ReturnSeat())))


def _command(who: Signed, game_id: str, fields: Fields, command: pb.Command) -> pb.Command:
    """Fill in the game, the player and the client's command id, if there is one."""
    command.game_id, command.player_id = checked_id(game_id), who.player.id
    if fields.has("id"):
        text = fields.text("id")
        if not is_id(text):
            raise malformed(say("request.field_id", name="id"), "id")
        command.command_id = f"r{text}"
    return command


async def _decided(made: Parts, command: pb.Command) -> Response:
    return accepted(await made.game.submit(command))
