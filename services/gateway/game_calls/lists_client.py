"""Lists of games, and games for those who only watch, as the gateway asks the game service for them.

A refusal, or a call that failed, is raised as Refused.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from typing import TypeVar

import grpc

from services.channels import GameStubs
from services.gateway.game_calls.calls import batched, called, good
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2 as pb

T = TypeVar("T")


class ListsClient:
    """Calls of the game service about more than one game, and about games as of a while ago."""

    def __init__(self, channel: grpc.aio.Channel, settings: GatewaySettings) -> None:
        self._stubs = GameStubs(channel)
        self._timeout_s = settings.command_timeout_ms / 1000
        self._late_ms = settings.spectator_delay_ms
        self._late = batched("fetch_late", self._fetch_late, settings)

    async def fetch(self, item: pb.FetchItem) -> pb.Fetched:
        """What somebody who only watches misses. Raises AioRpcError or Overloaded, as the hub expects of it."""
        return await self._late.call(item)

    async def late(self, item: pb.FetchItem) -> pb.Fetched:
        """The same; Refused when it fails."""
        return await called(self._late.call(item))

    async def games(self, game_ids: Sequence[str]) -> Sequence[pb.Fetched]:
        """Whole games in their order, each a snapshot or a refusal. One call, apart from everybody's own fetches."""
        return await self._fetched([pb.FetchItem(game_id=game_id) for game_id in game_ids])

    async def prompt(self, item: pb.FetchItem) -> pb.Fetched:
        """What is newer than a version of one game, at once."""
        return (await self._fetched([item]))[0]

    async def personal_data(self, request: pb.ListPersonalDataRequest) -> pb.ListPersonalDataResponse:
        """A page of what is kept of somebody beside games."""
        return await called(self._stubs.personal_data.ListPersonalData(request, timeout=self._timeout_s))

    async def search(self, request: pb.SearchGamesRequest) -> pb.GameSummaries:
        """A page of games that fit."""
        return good(await called(self._stubs.search.SearchGames(request, timeout=self._timeout_s))).games

    async def pages(self, request: pb.SearchGamesRequest) -> AsyncIterator[pb.GameSummaries]:
        """All pages of games that fit, each asked for when it is wanted."""
        asked = pb.SearchGamesRequest()
        asked.CopyFrom(request)
        while True:
            page = await self.search(asked)
            yield page
            if not page.more or not page.games:
                return
            asked.after_game_id = page.games[-1].info.id

    async def _fetched(self, items: Sequence[pb.FetchItem]) -> Sequence[pb.Fetched]:
        return (await called(self._stubs.games.Fetch(pb.FetchRequest(items=items), timeout=self._timeout_s))).results

    async def _fetch_late(self, items: Sequence[pb.FetchItem]) -> Sequence[pb.Fetched]:
        request = pb.FetchLateRequest(items=items, late_ms=self._late_ms)
        return (await self._stubs.games.FetchLate(request, timeout=self._timeout_s)).results


async def in_turn(calls: Sequence[Awaitable[T]]) -> list[T]:
    """The answers of calls that are under way together."""
    return list(await asyncio.gather(*calls))
