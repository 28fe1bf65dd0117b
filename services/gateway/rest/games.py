"""The public API about many games: all games of a player, games by id, the current game; and spectators' streams.

A list is read page by page while it is sent, so memory does not grow with the list.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager

from fastapi import APIRouter
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.games import AmongGame, PlayedGame, WatchedGame, WatchedPosition
from services.gateway.answers.listed import Schema
from services.gateway.errors import Refused, malformed
from services.gateway.public_api.pgn import Wanted, pgn
from services.gateway.rest.auth import maybe_signed
from services.gateway.rest.described import asks, text_body
from services.gateway.rest.export import PGN_TYPE, game_json, shown_moves
from services.gateway.rest.game_filter import NAME_CHARS_MAX, GameFilter, game_filter
from services.gateway.rest.openapi import Token, answers, json, lines, text
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import Fields, address_of, checked_id, origin_of, read_query, read_text
from services.gateway.streams.line_stream import MEDIA_TYPE, Lines, LineStream, line
from services.pb.flagfall.v1.events_pb2 import GAME_STATUS_STARTED
from services.pb.flagfall.v1.game_pb2 import SearchGamesRequest, Snapshot

router = APIRouter(prefix="/api", tags=["Games"], default_response_class=Response)

_FLAGS = ("moves", "tags", "clocks", "pgnInJson")
_FILTER = ("max", "vs", "rated", "perfType", "color", "since", "until", "ongoing", "finished", "sort", "analysed")
_ANY: dict[str, Schema] = {
    "color": {"type": "string", "enum": ["white", "black"]},
    "rated": {"type": "boolean"},
    "clocks": {"type": "boolean", "default": False},
}


class PgnStream(LineStream):
    """A response with games in PGN, one after another."""

    media_type = PGN_TYPE


class _Written:
    """The format of each game, and its viewer."""

    def __init__(self, request: Request, fields: Fields, viewer_id: str, *, clocks: bool, as_json: bool) -> None:
        self.wanted = Wanted(
            tags=fields.boolean("tags", True),
            moves=fields.boolean("moves", True),
            clocks=fields.boolean("clocks", clocks),
        )
        self.with_pgn = fields.boolean("pgnInJson", False)
        self.viewer_id = viewer_id
        self.as_json = as_json
        self._origin = origin_of(request)

    def game(self, game: Snapshot) -> bytes:
        """One game: a line of JSON, or a PGN that ends with an empty line."""
        moves = shown_moves(game, self.viewer_id)
        site = f"{self._origin}/{game.info.id}"
        if not self.as_json:
            return pgn(game, moves, site, self.wanted).encode()
        body = game_json(game, moves, self.wanted)
        if self.with_pgn:
            body = replace(body, pgn=pgn(game, moves, site, self.wanted))
        return line(body)


@router.get(
    "/games/user/{username}",
    summary="All games of a player",
    openapi_extra=asks(*_FILTER, *_FLAGS, other=_ANY)
    | answers(text(PGN_TYPE) | lines(PlayedGame), token=Token.WELCOME),
)
async def of_user(request: Request, username: str) -> Response:
    """PGN, or lines of JSON for `Accept: application/x-ndjson`; newest first, or `sort=dateAsc`. With `ongoing` also
    running games, whose last three half-moves only their players get; `finished` is true by default. `since` and
    `until` are ms and refer to the time when a game was made. Aborted games are left out. `clocks` is false by default;
    the public API's other flags have no effect."""
    made = parts(request)
    fields = read_query(request)
    wish = game_filter(username[:NAME_CHARS_MAX].lower(), fields)
    viewer_id = await _viewer(request)
    written = _Written(request, fields, viewer_id, clocks=False, as_json=_json_wanted(request))
    _spend(request, made, viewer_id)
    if not await made.game.get_players([wish.player_id]):
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("people.no_player")))
    return _stream(made, written, _of_user(made, wish, viewer_id))


@router.post(
    "/games/export/_ids",
    summary="Games by their ids",
    openapi_extra=asks(*_FLAGS, other=_ANY)
    | text_body("abcdefgh,ijklmnop")
    | answers(text(PGN_TYPE) | lines(PlayedGame), token=Token.WELCOME),
)
async def by_ids(request: Request) -> Response:
    """The body is a list of ids, separated by commas, 300 at the most; unknown ids are left out. Everything else is as
    for all games of a player."""
    made = parts(request)
    fields = read_query(request)
    ids = list(dict.fromkeys(id.strip() for id in (await read_text(request)).split(",") if id.strip()))
    if len(ids) > made.settings.games_by_ids_max:
        raise malformed(say("request.ids_max", most=made.settings.games_by_ids_max), "body")
    viewer_id = await _viewer(request)
    written = _Written(request, fields, viewer_id, clocks=False, as_json=_json_wanted(request))
    _spend(request, made, viewer_id)
    return _stream(made, written, _snapshots(made, [id for id in ids if len(id) == 8], viewer_id))


@router.get(
    "/user/{username}/current-game",
    summary="The current game of a player, or the last one",
    openapi_extra=asks(*_FLAGS) | answers(text(PGN_TYPE) | json(PlayedGame), token=Token.WELCOME),
)
async def current(request: Request, username: str) -> Response:
    """PGN, or JSON for `Accept: application/json`; without the last three half-moves while it goes on, unless the
    caller plays in it. 404 for a player without games."""
    made = parts(request)
    fields = read_query(request)
    player_id = username[:NAME_CHARS_MAX].lower()
    viewer_id = await _viewer(request)
    written = _Written(request, fields, viewer_id, clocks=True, as_json=_json_wanted(request))
    game = await made.onlookers.snapshot(await _current(made, player_id), viewer_id)
    return Response(written.game(game), media_type="application/json" if written.as_json else PGN_TYPE)


@router.get(
    "/stream/game/{game_id}",
    summary="Stream the moves of a game",
    openapi_extra=answers(lines(WatchedGame, WatchedPosition), token=Token.WELCOME),
)
async def moves_of_game(request: Request, game_id: str) -> Response:
    """Lines of JSON: the game; each position so far, {fen, lm, wc, bc} (the last move in UCI, seconds left); then a
    position after each move; at the end the game again with its winner. An empty line every 6 s."""
    made = parts(request)
    viewer_id = await _viewer(request)
    wanted, address = checked_id(game_id), address_of(request)

    def opened() -> AbstractAsyncContextManager[Lines]:
        return made.watched.of_game(wanted, viewer_id, address)

    return LineStream(opened, made.settings.line_unread_ms)


@router.post(
    "/stream/games-by-users",
    summary="Stream the games between some players",
    openapi_extra=asks("withCurrentGames") | text_body("anna,bob") | answers(lines(AmongGame), token=Token.WELCOME),
)
async def among_users(request: Request) -> Response:
    """The body is a list of names, separated by commas, 300 at the most. A line of JSON whenever a game between two of
    them begins or ends; with `withCurrentGames` the running games come first. An empty line every 6 s."""
    made = parts(request)
    fields = read_query(request)
    names = [name.strip().lower()[:NAME_CHARS_MAX] for name in (await read_text(request)).split(",")]
    ids = list(dict.fromkeys(name for name in names if name))
    if len(ids) > made.settings.users_followed_max:
        raise malformed(say("request.names_max", most=made.settings.users_followed_max), "body")
    current, address, viewer_id = fields.boolean("withCurrentGames"), address_of(request), await _viewer(request)

    def opened() -> AbstractAsyncContextManager[Lines]:
        return made.watched.among(ids, viewer_id, address, current=current)

    return LineStream(opened, made.settings.line_unread_ms)


def _json_wanted(request: Request) -> bool:
    accept = request.headers.get("accept", "")
    return MEDIA_TYPE in accept or "application/json" in accept


async def _viewer(request: Request) -> str:
    who = await maybe_signed(request)
    return who.player.id if who else ""


def _spend(request: Request, made: Parts, viewer_id: str) -> None:
    made.limits.spend("exports", viewer_id or address_of(request), made.settings.exports_per_minute, 60)


def _stream(made: Parts, written: _Written, games: AsyncGenerator[Snapshot]) -> Response:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Lines]:
        async with aclosing(_entries(games, written)) as entries:
            yield entries

    kind = LineStream if written.as_json else PgnStream
    return kind(opened, made.settings.line_unread_ms)


async def _entries(games: AsyncGenerator[Snapshot], written: _Written) -> AsyncGenerator[bytes]:
    async with aclosing(games):
        async for game in games:
            yield written.game(game)


async def _of_user(made: Parts, wish: GameFilter, viewer_id: str) -> AsyncGenerator[Snapshot]:
    """The games that match, each whole as this viewer may see it."""
    left = wish.max
    async for ids in _pages(made, wish):
        chosen = ids if left is None else ids[:left]
        async for game in _snapshots(made, chosen, viewer_id):
            yield game
        if left is not None:
            left -= len(chosen)
            if left <= 0:
                return


async def _pages(made: Parts, wish: GameFilter) -> AsyncGenerator[list[str]]:
    if wish.nothing:
        return
    if not wish.finished:  # running games are few, and have a list of their own
        games = [game for game in await made.game.list_games(wish.player_id, ongoing=True) if wish.fits(game)]
        games.sort(key=lambda game: (game.info.created_ms, game.info.id), reverse=not wish.oldest_first)
        yield [game.info.id for game in games]
        return
    page = made.settings.export_page_games
    async for found in made.lists.pages(wish.request(page)):
        yield [game.info.id for game in found.games if wish.fits(game)]


async def _snapshots(made: Parts, ids: Sequence[str], viewer_id: str) -> AsyncGenerator[Snapshot]:
    page = made.settings.export_page_games
    for first in range(0, len(ids), page):
        for game in await made.onlookers.snapshots(ids[first : first + page], viewer_id):
            yield game


async def _current(made: Parts, player_id: str) -> str:
    """The id of the newest running game, or else of the last finished one. Raises Refused without any."""
    ongoing = await made.game.list_games(player_id, ongoing=True)
    if ongoing:
        return max(ongoing, key=lambda game: (game.info.created_ms, game.info.id)).info.id
    wish = GameFilter(player_id)
    async for found in made.lists.pages(SearchGamesRequest(player_id=player_id, ended=True, limit=5)):
        for game in found.games:
            if game.state.status != GAME_STATUS_STARTED and wish.fits(game):
                return game.info.id
    raise Refused(Refusal(RefusalCode.NOT_FOUND, say("people.no_player_of_games")))
