"""The client of the game service for lists of games and for delayed games. Refusals and failed calls raise Refused."""

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
    """Calls of the game service about many games, and about games as spectators see them later."""

    def __init__(self, channel: grpc.aio.Channel, settings: GatewaySettings) -> None:
        self._stubs = GameStubs(channel)
        self._timeout_s = settings.command_timeout_ms / 1000
        self._late_ms = settings.spectator_delay_ms
        self._late = batched("fetch_late", self._fetch_late, settings)

    async def fetch(self, item: pb.FetchItem) -> pb.Fetched:
        """What is newer than the item's version, for spectators. Raises AioRpcError or Overloaded, for the hub."""
        return await self._late.call(item)

    async def late(self, item: pb.FetchItem) -> pb.Fetched:
        """The same, but raises Refused when it fails."""
        return await called(self._late.call(item))

    async def games(self, game_ids: Sequence[str]) -> Sequence[pb.Fetched]:
        """Whole games in the order of the ids, each a snapshot or a refusal. One call, outside the fetch queue."""
        return await self._fetched([pb.FetchItem(game_id=game_id) for game_id in game_ids])

    async def prompt(self, item: pb.FetchItem) -> pb.Fetched:
        """What is newer than a version of one game, without the spectators' delay. Raises Refused."""
        return (await self._fetched([item]))[0]

    async def personal_data(self, request: pb.ListPersonalDataRequest) -> pb.ListPersonalDataResponse:
        """One page of a player's personal data other than games. Raises Refused."""
        return await called(self._stubs.personal_data.ListPersonalData(request, timeout=self._timeout_s))

    async def search(self, request: pb.SearchGamesRequest) -> pb.GameSummaries:
        """One page of the games that match. Raises Refused."""
        return good(await called(self._stubs.search.SearchGames(request, timeout=self._timeout_s))).games

    async def pages(self, request: pb.SearchGamesRequest) -> AsyncIterator[pb.GameSummaries]:
        """All pages of the games that match, each fetched when the caller needs it. Raises Refused."""
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
    """Run calls at the same time; returns their answers in order."""
    return list(await asyncio.gather(*calls))
