"""`SearchService`: lists of games. It parses requests; `search` reads the games."""

from collections.abc import Iterable
from typing import Any

import grpc

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.variant import Variant
from services.game.commit.beats import Beats
from services.game.commit.overdue import Overdue
from services.game.play.game import Game, Limits
from services.game.play.moment import due
from services.game.play.person import is_player_id
from services.game.play.refusals import no_player
from services.game.search.search import Page, Query, Search, by_turn
from services.game.settings import GameSettings
from services.game.wire.fields import is_game_id
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameSummary
from services.pb.flagfall.v1.game_pb2_grpc import SearchServiceServicer
from services.runtime.wire import colour_from_pb, refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class SearchServicer(SearchServiceServicer):
    """Lists of games: the caller's own by turn, and a search of all games."""

    def __init__(self, search: Search, overdue: Overdue, beats: Beats, limits: Limits, settings: GameSettings) -> None:
        self._search = search
        self._overdue = overdue
        self._beats = beats
        self._limits = limits
        self._settings = settings

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """A player's games: the running ones, most urgent first, or all of them, newest first.

        An empty player id finds none, although imported games have empty seats.
        """
        if not is_player_id(request.player_id):
            return pb.ListGamesResponse()
        if not request.ongoing:
            page = await self._page(Query(self._limit(request.limit), request.player_id))
            return pb.ListGamesResponse(games=[] if isinstance(page, Refusal) else self._summaries(page.games))
        games = await self._search.ongoing(request.player_id)
        if await self._overdue.end(games):
            games = await self._search.ongoing(request.player_id)
        limits, outages = self._limits, self._beats.outages
        due_ms = {game.terms.id: due(game, limits, outages) or 0 for game in games}
        ordered = by_turn(games, request.player_id, due_ms)
        # Running games need no limit here: a setting limits how many a player can have.
        return pb.ListGamesResponse(games=self._summaries(ordered[: request.limit if request.limit > 0 else None]))

    async def SearchGames(self, request: pb.SearchGamesRequest, context: Context) -> pb.SearchGamesResponse:
        """One page of the games that match."""
        refusal = _refuse(request)
        if refusal is not None:
            return pb.SearchGamesResponse(refusal=refusal_to_pb(refusal))
        page = await self._page(
            Query(
                self._limit(request.limit),
                request.player_id,
                request.opponent_id,
                colour_from_pb(request.color),
                request.variant,
                request.result,
                request.rated if request.HasField("rated") else None,
                request.from_ms,
                request.until_ms,
                request.after_game_id,
                request.ended,
                request.oldest_first,
            )
        )
        if isinstance(page, Refusal):
            return pb.SearchGamesResponse(refusal=refusal_to_pb(page))
        found = pb.GameSummaries(games=self._summaries(page.games), more=page.more)
        return pb.SearchGamesResponse(games=found)

    async def _page(self, query: Query) -> Page | Refusal:
        page = await self._search.page(query)
        if isinstance(page, Page) and await self._overdue.end(page.games):
            return await self._search.page(query)
        return page

    def _limit(self, asked: int) -> int:
        most = self._settings.list_games_max
        return min(asked, most) if asked > 0 else most

    def _summaries(self, games: Iterable[Game]) -> list[GameSummary]:
        now_ms = self._beats.now_ms()
        return [summary_message(game, self._limits, self._beats.outages, now_ms) for game in games]


def _refuse(request: pb.SearchGamesRequest) -> Refusal | None:
    for field in ("player_id", "opponent_id"):
        if (named := getattr(request, field)) and not is_player_id(named):
            return no_player(field)
    if not request.player_id and (request.opponent_id or request.color):
        return Refusal(RefusalCode.MALFORMED, say("search.needs_player"), "player_id")
    if request.variant and request.variant not in list(Variant):
        return Refusal(RefusalCode.UNSUPPORTED_VARIANT, say("request.variant"), "variant")
    if request.result not in pb.GameResult.values():
        return Refusal(RefusalCode.MALFORMED, say("search.result"), "result")
    if request.after_game_id and not is_game_id(request.after_game_id):
        return Refusal(RefusalCode.NOT_FOUND, say("search.no_after"), "after_game_id")
    if request.limit < 0 or request.from_ms < 0 or request.until_ms < 0:
        return Refusal(RefusalCode.MALFORMED, say("request.negative"), "limit")
    return None
