"""Flagfall's own API under /api/flagfall/: players and tokens, games by version, health for people."""

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.text import say
from services.gateway.answers.answer import encoded
from services.gateway.answers.own import Accepted, Health, Snapshot
from services.gateway.answers.people import Credential, PersonalToken
from services.gateway.errors import forbidden, lacks_scope, malformed
from services.gateway.game_calls.tokens import Signed
from services.gateway.protocol import shapes
from services.gateway.protocol.frames import is_id
from services.gateway.protocol.server_frames import GameInfo, GameState, PlayedMove
from services.gateway.public_api import public_json
from services.gateway.rest.answered import accepted, answered
from services.gateway.rest.auth import check_own_page, delete_cookie, maybe_signed, set_cookie, signed, token_of
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import parts
from services.gateway.rest.requests import Fields, address_of, checked_id, read_fields
from services.pb.flagfall.v1 import common_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_from_pb

router = APIRouter(prefix="/api/flagfall", tags=["Flagfall"], default_response_class=Response)

PLAY = ("board:play", "bot:play")
_NAME_AND_PASSWORD = takes("username", "password", required=("username", "password"))

_CREATED = answers(json(Credential), status=201, token=Token.UNUSED)

PLY_MAX = 100_000


def credential_answer(request: Request, status: int, credential: pb.Credential) -> Response:
    """A player with a token, as a response. It also sets the browser's cookie."""
    player = credential.player
    body = Credential(id=player.id, username=player.name, guest=player.guest, token=credential.token)
    response = answered(body, status)
    set_cookie(response, request, credential.token)
    return response


@router.post("/accounts", status_code=201, summary="Sign up", openapi_extra=_NAME_AND_PASSWORD | _CREATED)
async def sign_up(request: Request) -> Response:
    """Fields `username` (2-30 of A-Z, a-z, 0-9, _ and -) and `password` (8-200 characters). Answers {id, username,
    token}; the first token has all scopes. 409 if the name is taken."""
    made = parts(request)
    check_own_page(request)
    fields = await read_fields(request)
    fields.only(["username", "password"])
    username, password = fields.text("username", chars_max=200), fields.text("password", chars_max=1_000)
    made.limits.spend("accounts", address_of(request), made.settings.sign_ups_per_hour, 3_600)
    return credential_answer(request, 201, await made.game.create_account(username, password))


@router.post(
    "/login", summary="Log in", openapi_extra=_NAME_AND_PASSWORD | answers(json(Credential), token=Token.UNUSED)
)
async def log_in(request: Request) -> Response:
    """Fields `username` and `password`. Answers {id, username, token} with a new token; 401 if they are wrong."""
    made = parts(request)
    check_own_page(request)
    fields = await read_fields(request)
    fields.only(["username", "password"])
    username, password = fields.text("username", chars_max=200), fields.text("password", chars_max=1_000)
    made.limits.spend("log_ins", address_of(request), made.settings.log_ins_per_minute, 60)
    return credential_answer(request, 200, await made.game.log_in(username, password))


@router.post(
    "/logout", status_code=204, summary="Log out", openapi_extra=answers(None, status=204, token=Token.WELCOME)
)
async def log_out(request: Request) -> Response:
    """Revokes the token of this request, and removes the cookie."""
    made = parts(request)
    check_own_page(request)
    who = await maybe_signed(request)
    if who is not None:
        await made.game.revoke_token(who.token)
        made.auth.forget(who.token)
    response = Response(status_code=204)
    delete_cookie(response, request)
    return response


@router.post(
    "/guests",
    status_code=201,
    summary="Play without an account",
    openapi_extra=answers(json(Credential), status=201, token=Token.WELCOME),
)
async def play_as_guest(request: Request) -> Response:
    """Answers {id, username, token} of a new guest, or of the same guest if the cookie or token belongs to a guest."""
    made = parts(request)
    check_own_page(request)
    (await read_fields(request)).only([])
    who = await maybe_signed(request)
    if who is not None and who.player.guest:
        return credential_answer(request, 201, pb.Credential(player=who.player, token=who.token))
    made.limits.spend("guests", address_of(request), made.settings.sign_ups_per_hour, 3_600)
    return credential_answer(request, 201, await made.game.create_guest())


@router.post(
    "/tokens",
    status_code=201,
    summary="Make a personal token",
    openapi_extra=takes("scopes", "description", required=("scopes",))
    | answers(json(PersonalToken), status=201, token=Token.NEEDED),
)
async def create_token(request: Request) -> Response:
    """Fields `scopes` (separated by commas; only scopes of the caller's token) and `description`. The token is shown
    once."""
    made = parts(request)
    who = await signed(request)
    fields = await read_fields(request)
    fields.only(["scopes", "description"])
    scopes = [scope.strip() for scope in fields.text("scopes").split(",") if scope.strip()]
    beyond = sorted(set(scopes) - who.scopes)
    if beyond:
        raise forbidden(lacks_scope([beyond[0][:60]]))
    credential = await made.game.create_token(who.player.id, fields.text("description", "", chars_max=100), scopes)
    return answered(PersonalToken(token=credential.token, scopes=list(credential.scopes)), 201)


@router.delete(
    "/tokens/current",
    status_code=204,
    summary="Revoke the token of this request",
    openapi_extra=answers(None, status=204, token=Token.NEEDED),
)
async def revoke_token(request: Request) -> Response:
    """Revokes this token (on other gateways within seconds)."""
    await parts(request).auth.revoke(await signed(request))
    return Response(status_code=204)


@router.get("/games/{game_id}", summary="A whole game", openapi_extra=answers(json(Snapshot), token=Token.WELCOME))
async def game(request: Request, game_id: str) -> Response:
    """Info, state (version, FEN, clocks, legal moves) and moves, with the names of docs/protocol.md."""
    who = await maybe_signed(request) if token_of(request) else None
    snapshot = await parts(request).onlookers.snapshot(checked_id(game_id), who.player.id if who else "")
    side = public_json.colour_of(snapshot.info, who.player.id) if who is not None else common_pb2.COLOR_UNSPECIFIED
    return answered(whole_game(snapshot, side))


def whole_game(snapshot: pb.Snapshot, side: common_pb2.Color) -> Snapshot:
    """A game as an answer to whoever has this side in it, if any."""
    info = shapes.info(snapshot.info, to_a_player=side != common_pb2.COLOR_UNSPECIFIED)
    state = shapes.state(snapshot.state, shapes.is_timed(snapshot.info))
    return Snapshot(
        game=snapshot.info.id,
        v=snapshot.state.version,
        info=shapes.declared(GameInfo, info),
        state=shapes.declared(GameState, state),
        moves=[shapes.declared(PlayedMove, shapes.move(played)) for played in snapshot.moves],
        you=colour_from_pb(side),
    )


@router.post(
    "/games/{game_id}/moves",
    summary="Play a move",
    openapi_extra=takes("move", "ply", "id", required=("move",))
    | answers(json(Accepted), token=Token.NEEDED, scopes=PLAY),
)
async def move(request: Request, game_id: str) -> Response:
    """Fields `move` (UCI or SAN), `ply` (the half-move it is for, from 0), `id` (so that the request can be repeated
    safely; 1-32 of A-Z, a-z, 0-9, _ and -). Answers {version, state}: the accepted move's SAN, the FEN, both clocks and
    the legal moves after it; with `repeated` if this `id` was decided before."""
    made = parts(request)
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["move", "ply", "id"])
    command = _command(who, game_id, fields)
    command.move.text = fields.text("move", chars_max=made.settings.move_chars_max)
    if fields.has("ply"):
        command.move.ply = fields.integer("ply", least=0, most=PLY_MAX)
    return accepted(await made.game.submit(command))


@router.post(
    "/games/{game_id}/claim",
    summary="Claim a draw",
    openapi_extra=takes("move", "id") | answers(json(Accepted), token=Token.NEEDED, scopes=PLAY),
)
async def claim(request: Request, game_id: str) -> Response:
    """Claims a third repetition or fifty moves of each side. Without `move` for the position on the board: by the side
    to move, or by the side that has just moved until the other replies. With `move` (UCI or SAN) for the position after
    this move, by the side to move; the move is not played. With `id` the request can be repeated safely. Answers
    {version, state} of the drawn game. 400 if the claim is not true; then nothing has changed."""
    made = parts(request)
    who = await signed(request, *PLAY)
    fields = await read_fields(request)
    fields.only(["move", "id"])
    command = _command(who, game_id, fields)
    command.claim_draw.move = fields.text("move", "", chars_max=made.settings.move_chars_max)
    return accepted(await made.game.submit(command))


def _command(who: Signed, game_id: str, fields: Fields) -> pb.Command:
    """A command without its action, with the client's command id if there is one."""
    command = pb.Command(game_id=checked_id(game_id), player_id=who.player.id)
    if fields.has("id"):
        command.command_id = f"r{_command_id(fields)}"
    return command


def _command_id(fields: Fields) -> str:
    text = fields.text("id")
    if not is_id(text):
        raise malformed(say("request.field_id", name="id"), "id")
    return text


@router.get("/health", summary="The state of the server", openapi_extra=answers(json(Health), token=Token.UNUSED))
async def health(request: Request) -> Response:
    """For people: whether moves are possible and which service is at fault if not (told within 3 s), whether Redis
    answers and stores (moves are possible without it), and which engine the computer uses."""
    made = parts(request)
    fault = made.fault()
    told = Health(
        ready=made.health.ready,
        moves="nobody can move" if fault else "possible",
        neighbour=fault or msgspec.UNSET,
        redis="away" if not made.hub.hearing else "refuses writes" if made.health.problem("redis") else "answers",
    )
    facts = msgspec.to_builtins(told) | made.health.facts
    return Response(encoded(facts), media_type="application/json")
