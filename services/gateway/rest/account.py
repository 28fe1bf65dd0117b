"""The public API about people: one's own account, games and events; other users, bots, who is online; tokens."""

from contextlib import AbstractAsyncContextManager

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.answer import Ok
from services.gateway.answers.games import NowPlaying
from services.gateway.answers.invitations import PlayerEvent
from services.gateway.answers.people import HeldToken, User, UserStatus
from services.gateway.errors import Refused, malformed
from services.gateway.public_api import public_json, public_people
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed, signed
from services.gateway.rest.described import asks, text_body
from services.gateway.rest.openapi import Token, answers, json, lines
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import address_of, origin_of, read_query, read_text
from services.gateway.streams.line_stream import MEDIA_TYPE, Lines, LineStream, line
from services.gateway.streams.streams import now_ms
from services.pb.flagfall.v1.game_pb2 import Account

router = APIRouter(prefix="/api", default_response_class=Response)

NAME_CHARS_MAX = 64
EVENTS = ("challenge:read", "bot:play", "board:play")
PLAYING_LISTED_MAX = 50


@router.delete(
    "/token",
    tags=["Account"],
    status_code=204,
    summary="Revoke the token of this request",
    openapi_extra=answers(None, status=204, token=Token.NEEDED),
)
async def revoke_token(request: Request) -> Response:
    """Revokes this token (on other gateways within seconds)."""
    await parts(request).auth.revoke(await signed(request))
    return Response(status_code=204)


@router.get("/account", tags=["Account"], summary="Who I am", openapi_extra=answers(json(User), token=Token.NEEDED))
async def account(request: Request) -> Response:
    """The account or guest that owns the token."""
    made = parts(request)
    who = await signed(request)
    return answered(_user(request, await account_of(made, who.player.id), True))


@router.get(
    "/account/playing",
    tags=["Account"],
    summary="My running games",
    openapi_extra=asks("nb") | answers(json(NowPlaying), token=Token.NEEDED),
)
async def playing(request: Request) -> Response:
    """`nowPlaying`: at most `nb` running games, those where it is my turn first; `nbMyTurn` counts all my turns."""
    made = parts(request)
    who = await signed(request)
    most = read_query(request).integer("nb", PLAYING_LISTED_MAX, least=1, most=1_000)
    summaries = await made.game.list_games(who.player.id, ongoing=True)
    at_ms = now_ms()
    games = [public_json.game_info(summary, who.player.id, at_ms) for summary in summaries]
    games.sort(key=lambda game: not game.is_my_turn)
    shown = games[: min(most, PLAYING_LISTED_MAX)]
    return answered(NowPlaying(now_playing=shown, nb_my_turn=sum(game.is_my_turn for game in games)))


@router.get(
    "/stream/event",
    tags=["Account"],
    summary="Stream my events",
    openapi_extra=answers(lines(PlayerEvent), token=Token.NEEDED, scopes=EVENTS),
)
async def events(request: Request) -> Response:
    """Lines of JSON: first `gameStart` for each running game and `challenge` for each open challenge; then `challenge`,
    `challengeCanceled`, `challengeDeclined`, `gameStart`, `gameFinish` as they happen; an empty line every 6 s. Opening
    the stream again ends the older one."""
    made = parts(request)
    who = await signed(request, *EVENTS)
    origin = origin_of(request)

    def opened() -> AbstractAsyncContextManager[Lines]:
        return made.streams.of_player(who.player.id, origin)

    return LineStream(opened, made.settings.line_unread_ms, until=lambda: made.auth.lost(who.token))


@router.get("/user/{username}", tags=["Users"], summary="A user", openapi_extra=answers(json(User), token=Token.UNUSED))
async def user(request: Request, username: str) -> Response:
    """The public data of an account."""
    made = parts(request)
    found = await account_of(made, username)
    return answered(_user(request, found, bool(await made.presence.among([found]))))


@router.get(
    "/users/status",
    tags=["Users"],
    summary="Who is online",
    openapi_extra=asks("ids", required=("ids",)) | answers(json(list[UserStatus]), token=Token.WELCOME),
)
async def users_status(request: Request) -> Response:
    """For each of `ids` (separated by commas): id, name, title, and `online` and `playing` if true."""
    made = parts(request)
    if request.headers.get("authorization"):
        await maybe_signed(request)  # the caller counts as online
    ids = [entry.strip().lower()[:NAME_CHARS_MAX] for entry in read_query(request).text("ids").split(",")]
    if len(ids) > made.settings.users_listed_max:
        raise malformed(say("request.ids_max", most=made.settings.users_listed_max), "ids")
    found = await made.game.get_players(ids)
    there = await made.presence.among(found)
    return answered([public_people.user_status(entry, entry.player.id in there) for entry in found])


@router.get(
    "/bot/online",
    tags=["Bot"],
    summary="Bots that are online",
    openapi_extra=asks("nb") | answers(lines(User), token=Token.UNUSED),
)
async def bots_online(request: Request) -> Response:
    """A line of JSON for each bot that is online, at most `nb` (512)."""
    made = parts(request)
    most = made.settings.bots_listed_max
    most = read_query(request).integer("nb", most, least=1, most=most)
    found = await made.game.bots(made.settings.bots_listed_max)
    there = await made.presence.among(found)
    online = [entry for entry in found if entry.player.id in there][:most]
    return Response(b"".join(line(_user(request, entry, True)) for entry in online), media_type=MEDIA_TYPE)


@router.post(
    "/bot/account/upgrade",
    tags=["Bot"],
    summary="Become a bot",
    openapi_extra=answers(json(Ok), token=Token.NEEDED, scopes=("bot:play",)),
)
async def upgrade(request: Request) -> Response:
    """Permanent, and only for an account without any game. The token needs `bot:play`."""
    made = parts(request)
    who = await signed(request, "bot:play")
    await made.game.upgrade_to_bot(who.player.id)
    made.auth.forget(who.token)
    return answered(Ok())


@router.post(
    "/token/test",
    tags=["Account"],
    summary="Test tokens",
    openapi_extra=text_body("TOKEN,TOKEN") | answers(json(dict[str, HeldToken | None]), token=Token.UNUSED),
)
async def test_tokens(request: Request) -> Response:
    """The body is a list of tokens, separated by commas. For each: {userId, scopes, expires}, or null."""
    made = parts(request)
    tokens = [token.strip() for token in (await read_text(request)).split(",")]
    if len(tokens) > made.settings.tokens_tested_max:
        raise malformed(say("request.tokens_max", most=made.settings.tokens_tested_max), "body")
    made.limits.spend("token_tests", address_of(request), made.settings.token_tests_per_minute, 60)
    held = await made.auth.resolve_all([token for token in tokens if token])
    body = {
        token: HeldToken(user_id=who.player.id, scopes=",".join(sorted(who.scopes)), expires=None) if who else None
        for token, who in held.items()
    }
    return answered(body)


async def account_of(made: Parts, name: str) -> Account:
    """The account with this name, in upper or lower case. Raises Refused when there is none."""
    found = await made.game.get_players([name[:NAME_CHARS_MAX].lower()])
    if not found:
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("people.no_player")))
    return found[0]


def _user(request: Request, found: Account, online: bool) -> User:
    return public_people.user(found, f"{origin_of(request)}/api/user/{found.player.name}", online)
