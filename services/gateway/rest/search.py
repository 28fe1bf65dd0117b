"""Flagfall's own lists: a search of games, a player's page, and a game's chat."""

from collections.abc import Mapping

from fastapi import APIRouter
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.variant import Variant
from services.gateway.answers.listed import Schema
from services.gateway.answers.own import Chat, GamesFound, PlayerPage, SaidLine, ShownRating, Tally
from services.gateway.errors import Refused
from services.gateway.protocol import affairs, shapes
from services.gateway.protocol.frames import Room
from services.gateway.protocol.server_frames import GameSummary, Speaker
from services.gateway.public_api import public_json
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import maybe_signed
from services.gateway.rest.described import asks
from services.gateway.rest.game_filter import MOMENT_MAX, NAME_CHARS_MAX
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import parts
from services.gateway.rest.requests import address_of, checked_id, read_query
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb

router = APIRouter(prefix="/api/flagfall", tags=["Flagfall"], default_response_class=Response)

GAMES_LISTED_MAX = 50
_RESULTS = {
    "": pb.GAME_RESULT_UNSPECIFIED,
    "won": pb.GAME_RESULT_WON,
    "lost": pb.GAME_RESULT_LOST,
    "drawn": pb.GAME_RESULT_DRAWN,
}
_COLOURS = {"": common_pb2.COLOR_UNSPECIFIED, "white": common_pb2.COLOR_WHITE, "black": common_pb2.COLOR_BLACK}
_ROOMS: Mapping[Room, events_pb2.ChatRoom] = {
    "player": events_pb2.CHAT_ROOM_PLAYER,
    "spectator": events_pb2.CHAT_ROOM_SPECTATOR,
}
_ASKED = ("player", "opponent", "color", "variant", "result", "rated", "from", "until", "ended", "sort", "after", "nb")
_ANY: dict[str, Schema] = {
    "player": {"type": "string", "example": "anna"},
    "color": {"type": "string", "enum": ["white", "black"]},
    "variant": {"type": "string", "enum": list(Variant)},
    "rated": {"type": "boolean"},
}


@router.get(
    "/games",
    summary="Search games",
    openapi_extra=asks(*_ASKED, other=_ANY) | answers(json(GamesFound), token=Token.WELCOME),
)
async def games(request: Request) -> Response:
    """Games of `player`, against `opponent`, with the player's `color`, by `variant`, `result` (`won`, `lost`, `drawn`,
    for the player or else for White), `rated`, made `from` (ms, included) `until` (not included), only `ended` ones;
    newest first, or `sort=dateAsc`. At most `nb` (50). Send `next` as `after` to get the next page; null on the last
    page."""
    made = parts(request)
    fields = read_query(request)
    asked = pb.SearchGamesRequest(
        player_id=fields.text("player", "", chars_max=NAME_CHARS_MAX).lower(),
        opponent_id=fields.text("opponent", "", chars_max=NAME_CHARS_MAX).lower(),
        variant=fields.text("variant", ""),
        result=_RESULTS[fields.choice("result", _RESULTS, "")],
        from_ms=fields.integer("from", 0, least=0, most=MOMENT_MAX),
        until_ms=fields.integer("until", 0, least=0, most=MOMENT_MAX),
        after_game_id=fields.text("after", ""),
        limit=fields.integer("nb", GAMES_LISTED_MAX, least=1, most=GAMES_LISTED_MAX),
        ended=fields.boolean("ended"),
        color=_COLOURS[fields.choice("color", _COLOURS, "")],
        oldest_first=fields.choice("sort", ("dateDesc", "dateAsc"), "dateDesc") == "dateAsc",
    )
    if fields.has("rated"):
        asked.rated = fields.boolean("rated")
    made.limits.spend("searches", address_of(request), made.settings.searches_per_minute, 60)
    who = await maybe_signed(request)
    found = await made.lists.search(asked)
    shown = await made.onlookers.summaries(found.games, who.player.id if who else "")
    after = shown[-1].info.id if shown and found.more else None
    games = [shapes.declared(GameSummary, affairs.summary(game)) for game in shown]
    return answered(GamesFound(games=games, next=after))


@router.get(
    "/players/{player_id}",
    summary="A player's page",
    openapi_extra=answers(json(PlayerPage), token=Token.UNUSED),
)
async def player(request: Request, player_id: str) -> Response:
    """Name, whether online, the record by result (aborted games do not count), and the ratings by variant and speed."""
    made = parts(request)
    accounts = await made.game.get_players([player_id[:NAME_CHARS_MAX].lower()])
    if not accounts:
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("people.no_player"), "player_id"))
    account = accounts[0]
    there = await made.presence.among(accounts)
    return answered(player_page(account, account.player.id in there))


def player_page(account: pb.Account, online: bool) -> PlayerPage:
    """A player's public data, in Flagfall's own words."""
    player = account.player
    return PlayerPage(
        id=player.id,
        name=player.name,
        guest=player.guest,
        title=player.title or UNSET,
        level=player.computer_level or UNSET,
        online=online,
        created_at=account.created_ms,
        seen_at=account.seen_ms,
        record=Tally(
            games=account.games,
            won=account.wins,
            lost=account.losses,
            drawn=account.draws,
            playing=account.playing,
        ),
        ratings=[
            ShownRating(
                variant=perf.variant,
                speed=perf.speed,
                rating=round(perf.rating),
                deviation=round(perf.deviation),
                games=perf.games,
                provisional=perf.provisional,
                progress=perf.progress,
            )
            for perf in account.perfs
        ],
        vacation_until=account.vacation_until_ms or None,
    )


@router.get(
    "/games/{game_id}/chat",
    summary="The chat of a game",
    openapi_extra=asks("room") | answers(json(Chat), token=Token.WELCOME),
)
async def chat(request: Request, game_id: str) -> Response:
    """The stored lines of a `room`, oldest first. Only the players may read the players' room; they may read the
    spectators' room once the game is over. Without `room`: the caller's room."""
    made = parts(request)
    fields = read_query(request)
    who = await maybe_signed(request)
    game = await made.onlookers.snapshot(checked_id(game_id), who.player.id if who else "")
    plays = bool(public_json.colour_of(game.info, who.player.id if who else ""))
    asked = fields.choice("room", _ROOMS, "player" if plays else "spectator")
    name: Room = "player" if asked == "player" else "spectator"
    running = game.state.status == events_pb2.GAME_STATUS_STARTED
    if plays != (name == "player") and (running or not plays):
        raise Refused(Refusal(RefusalCode.NOT_A_PLAYER, say("chat.not_for_you"), "room"))
    lines = await made.game.list_chat(game_id, _ROOMS[name])
    shown = [
        SaidLine(by=Speaker(id=entry.player_id, name=entry.player_name), text=entry.text, at=entry.at_ms)
        for entry in lines
    ]
    return answered(Chat(room=name, lines=shown))
