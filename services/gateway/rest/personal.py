"""A player's own data as a file, and the end of an account."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import TypeVar

from fastapi import APIRouter
from msgspec import Struct
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.answers.games import PlayedGame
from services.gateway.answers.own import (
    KeptAccount,
    KeptChat,
    KeptGame,
    KeptLines,
    KeptProgress,
    KeptRatings,
    KeptToken,
    KeptVacation,
    PersonalData,
)
from services.gateway.answers.people import Credential
from services.gateway.errors import forbidden, lacks_scope
from services.gateway.protocol.frames import Room
from services.gateway.public_api import public_ratings
from services.gateway.public_api.pgn import Wanted
from services.gateway.rest.account import account_of
from services.gateway.rest.auth import check_own_page, delete_cookie, signed
from services.gateway.rest.described import takes
from services.gateway.rest.export import game_json
from services.gateway.rest.openapi import Token, answers, json, lines
from services.gateway.rest.own import credential_answer
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.progress import shown as progress_shown
from services.gateway.rest.ratings import POINTS_LISTED_MAX
from services.gateway.rest.requests import read_fields
from services.gateway.rest.search import player_page
from services.gateway.streams.line_stream import Lines, LineStream, line
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall/account", tags=["Flagfall"], default_response_class=Response)

READ = "preference:read"
_ROOMS: Mapping[int, Room] = {events_pb2.CHAT_ROOM_PLAYER: "player", events_pb2.CHAT_ROOM_SPECTATOR: "spectator"}
Kept = TypeVar("Kept", bound=Struct)
_GAME = Wanted(tags=True, moves=True, clocks=True)


@router.get(
    "/data",
    summary="My stored data",
    openapi_extra=answers(lines(PersonalData), token=Token.NEEDED, scopes=(READ,)),
)
async def data(request: Request) -> Response:
    """All stored data of the caller, as lines of JSON, each with its `kind`: `account`, `token` (without its secret,
    which is not stored), `vacation`, `conditionalMoves`, `ratings`, `progress`, `chat` (a line sent), and `game`
    (oldest last), every game with its moves and clocks. The token needs `preference:read`, or is a guest's."""
    made = parts(request)
    who = await signed(request)
    if not who.player.guest and READ not in who.scopes:
        raise forbidden(lacks_scope([READ]))
    made.limits.spend("exports", who.player.id, made.settings.exports_per_minute, 60)
    account = await account_of(made, who.player.id)

    @asynccontextmanager
    async def opened() -> AsyncIterator[Lines]:
        async with aclosing(_lines(made, account)) as entries:
            yield entries

    return LineStream(opened, made.settings.line_unread_ms)


@router.post(
    "/password",
    summary="Change my password",
    openapi_extra=takes("oldPassword", "newPassword", required=("oldPassword", "newPassword"))
    | answers(json(Credential), token=Token.NEEDED),
)
async def change_password(request: Request) -> Response:
    """Fields `oldPassword` and `newPassword` (8-200 characters). Revokes all tokens of the account (on other gateways
    within seconds; open connections end within a minute). Answers {id, username, token} with a new token."""
    made = parts(request)
    who = await signed(request)
    fields = await read_fields(request)
    fields.only(["oldPassword", "newPassword"])
    asked = pb.SetPasswordRequest(
        player_id=who.player.id,
        old_password=fields.text("oldPassword", chars_max=1_000),
        new_password=fields.text("newPassword", chars_max=1_000),
    )
    made.limits.spend("log_ins", who.player.id, made.settings.log_ins_per_minute, 60)
    limit_s = made.settings.password_timeout_ms / 1000
    answer = await made.game.answer_to(lambda stubs, _: stubs.players.SetPassword(asked, timeout=limit_s))
    made.auth.forget_player(who.player.id)
    return credential_answer(request, 200, answer.credential)


@router.post(
    "/close",
    status_code=204,
    summary="Close my account permanently",
    openapi_extra=takes("password") | answers(None, status=204, token=Token.NEEDED),
)
async def close(request: Request) -> Response:
    """Field `password`, the account's (a guest has none). Refused while games go on. At once nobody can use or find the
    account, and all its tokens are revoked (on other gateways within seconds; open connections end within a minute).
    Within minutes ratings, progress, chat and invitations are deleted, and its games show a random name. Nobody can
    take the name again."""
    made = parts(request)
    check_own_page(request)
    who = await signed(request)
    fields = await read_fields(request)
    fields.only(["password"])
    password = fields.text("password", "", chars_max=1_000)
    made.limits.spend("log_ins", who.player.id, made.settings.log_ins_per_minute, 60)
    asked = pb.CloseAccountRequest(player_id=who.player.id, password=password)
    limit_s = made.settings.password_timeout_ms / 1000
    await made.game.answer_to(lambda stubs, _: stubs.personal_data.CloseAccount(asked, timeout=limit_s))
    made.auth.forget_player(who.player.id)
    response = Response(status_code=204)
    delete_cookie(response, request)
    return response


async def _lines(made: Parts, account: pb.Account) -> AsyncGenerator[bytes]:
    async for entry in _kept(made, account):
        yield line(entry)


async def _kept(made: Parts, account: pb.Account) -> AsyncGenerator[PersonalData]:
    player_id = account.player.id
    yield _of_kind(KeptAccount, player_page(account, True))
    page = await _page(made, player_id, 0)
    for held in page.tokens:
        yield KeptToken(
            description=held.description,
            scopes=list(held.scopes),
            sign_in=held.sign_in,
            created_at=held.created_ms,
        )
    for span in page.vacations:
        yield KeptVacation(start=span.start_ms, until=span.end_ms)
    for waiting in page.conditional_moves:
        yield KeptLines(game=waiting.game_id, ply=waiting.ply, lines=waiting.lines)
    async for points in _rating_points(made, player_id):
        yield KeptRatings(history=public_ratings.own_points(points))
    asked = pb.GetProgressRequest(player_id=player_id)
    progress = (await made.game.answer_to(lambda stubs, s: stubs.computer.GetProgress(asked, timeout=s))).progress
    yield _of_kind(KeptProgress, progress_shown(progress))
    while True:
        for said in page.chat:
            yield KeptChat(game=said.game_id, room=_ROOMS[said.room], text=said.text, at=said.at_ms)
        if not page.next_chat_id:
            break
        page = await _page(made, player_id, page.next_chat_id)
    async for game in _games(made, player_id):
        yield _of_kind(KeptGame, game)


async def _page(made: Parts, player_id: str, after_chat_id: int) -> pb.ListPersonalDataResponse:
    asked = pb.ListPersonalDataRequest(player_id=player_id, after_chat_id=after_chat_id)
    return await made.lists.personal_data(asked)


async def _rating_points(made: Parts, player_id: str) -> AsyncGenerator[list[pb.RatingPoint]]:
    """All rating points of a player in pages: the newest page first, each page oldest first."""
    asked = pb.GetRatingHistoryRequest(player_id=player_id, limit=POINTS_LISTED_MAX)
    while True:
        answer = await made.game.answer_to(
            lambda stubs, limit_s: stubs.ratings.GetRatingHistory(asked, timeout=limit_s)
        )
        points = list(answer.history.points)
        if points:
            yield points
        if len(points) < POINTS_LISTED_MAX:
            return
        asked.before_ms = points[0].at_ms


async def _games(made: Parts, player_id: str) -> AsyncGenerator[PlayedGame]:
    most = made.settings.export_page_games
    async for found in made.lists.pages(pb.SearchGamesRequest(player_id=player_id, limit=most)):
        ids = [summary.info.id for summary in found.games]
        for game in await made.onlookers.snapshots(ids, player_id):
            yield game_json(game, game.moves, _GAME)


def _of_kind(kind: type[Kept], shown: Struct) -> Kept:
    """What is shown elsewhere, as a line that says its kind."""
    return kind(**asdict(shown))
