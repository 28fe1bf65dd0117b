"""A whole gateway for tests: its real process, HTTP server, hub and Valkey, before a game service that is faked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import httpx

from deploy.laptop.ports import PortBlock
from services.gateway.main.process import serve
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server
from services.runtime.lifecycle import Stop
from services.runtime.rpc import serving
from services.runtime.settings import Settings
from tests.integration.gateway.fake_game import FakeGame, game_info

WITHIN_S = 15.0
SCOPES = ("board:play", "bot:play", "challenge:read", "challenge:write")


class FakePeople(FakeGame, GameServiceServicer):
    """The fake games, with people who have tokens. What is not here is UNIMPLEMENTED."""

    def __init__(self) -> None:
        super().__init__()
        self.resolved: list[list[str]] = []
        self.beats = 0
        self.scopes: tuple[str, ...] = SCOPES
        self.challenges: list[events_pb2.Challenge] = []
        self.imported: list[game_pb2.ImportGameRequest] = []
        self.import_refusal: common_pb2.Refusal | None = None
        self.password_gate = asyncio.Event()
        self.password_gate.set()
        self.searches: list[game_pb2.SearchGamesRequest] = []
        self.late: dict[str, int] = {}
        self.late_ms: set[int] = set()
        self.failures = 0
        """So many of the next commands are refused as unavailable after they were decided."""

    async def Submit(self, request: game_pb2.SubmitRequest, context: Any) -> game_pb2.SubmitResponse:
        """Beats are counted, the rest is FakeGame's."""
        beats = [command for command in request.commands if command.HasField("beat")]
        self.beats += len(beats)
        if beats:
            await self._called("Beat", context)
            return game_pb2.SubmitResponse(replies=[game_pb2.Reply(accepted=game_pb2.Accepted())])
        response = await super().Submit(request, context)
        if self.failures:
            self.failures -= 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the answer is lost")
        return response

    async def ResolveTokens(
        self, request: game_pb2.ResolveTokensRequest, context: Any
    ) -> game_pb2.ResolveTokensResponse:
        """Who holds them, with all scopes."""
        await self._called("ResolveTokens", context)
        self.resolved.append(list(request.tokens))
        return game_pb2.ResolveTokensResponse(
            holders=[
                game_pb2.TokenHolder(player=self.tokens[token], scopes=self.scopes)
                if token in self.tokens
                else game_pb2.TokenHolder()
                for token in request.tokens
            ]
        )

    async def CreateAccount(
        self, request: game_pb2.CreateAccountRequest, context: Any
    ) -> game_pb2.CreateAccountResponse:
        """Any name is free, once `password_gate` is open."""
        await self._called("CreateAccount", context)
        await self.password_gate.wait()
        return game_pb2.CreateAccountResponse(credential=_credential(request.username))

    async def LogIn(self, request: game_pb2.LogInRequest, context: Any) -> game_pb2.LogInResponse:
        """Any password is right, once `password_gate` is open."""
        await self._called("LogIn", context)
        await self.password_gate.wait()
        return game_pb2.LogInResponse(credential=_credential(request.username))

    async def CreateGuest(self, request: game_pb2.CreateGuestRequest, context: Any) -> game_pb2.CreateGuestResponse:
        """Always the same one."""
        await self._called("CreateGuest", context)
        return game_pb2.CreateGuestResponse(credential=_credential("guest"))

    async def ListGames(self, request: game_pb2.ListGamesRequest, context: Any) -> game_pb2.ListGamesResponse:
        """All games are anna's and bob's."""
        await self._called("ListGames", context)
        newest = {game_id: events[-1].state for game_id, events in self.games.items()}
        return game_pb2.ListGamesResponse(
            games=[
                events_pb2.GameSummary(info=game_info(game_id), state=state)
                for game_id, state in newest.items()
                if state.status == events_pb2.GAME_STATUS_STARTED
            ]
        )

    async def SearchGames(self, request: game_pb2.SearchGamesRequest, context: Any) -> game_pb2.SearchGamesResponse:
        """All games are anna's and bob's; the newest has the last name. Of what is looked for, only `ended` counts."""
        await self._called("SearchGames", context)
        self.searches.append(request)
        newest = {game_id: events[-1].state for game_id, events in sorted(self.games.items(), reverse=True)}
        found = [
            events_pb2.GameSummary(info=game_info(game_id), state=state)
            for game_id, state in newest.items()
            if (not request.after_game_id or game_id < request.after_game_id)
            and (not request.ended or state.status != events_pb2.GAME_STATUS_STARTED)
        ]
        page = game_pb2.GameSummaries(games=found[: request.limit], more=len(found) > request.limit)
        return game_pb2.SearchGamesResponse(games=page)

    async def FetchLate(self, request: game_pb2.FetchLateRequest, context: Any) -> game_pb2.FetchLateResponse:
        """Games that go on as of their version in `late` (the first, if it has none)."""
        await self._called("FetchLate", context)
        self.late_ms.add(request.late_ms)
        results = []
        for item in request.items:
            events = self.games.get(item.game_id, [])
            if events and events[-1].state.status == events_pb2.GAME_STATUS_STARTED:
                self.games[item.game_id] = events[: self.late.get(item.game_id, 1)]
            found = self._fetch(item)
            if events and found.HasField("up_to_date"):
                found.up_to_date.version = events[-1].state.version
            results.append(found)
            if events:
                self.games[item.game_id] = events
        return game_pb2.FetchLateResponse(results=results)

    async def GetPlayers(self, request: game_pb2.GetPlayersRequest, context: Any) -> game_pb2.GetPlayersResponse:
        """Whoever has a token."""
        await self._called("GetPlayers", context)
        there = [self.tokens[name] for name in request.ids if name in self.tokens]
        return game_pb2.GetPlayersResponse(
            accounts=[game_pb2.Account(player=player, games=5, wins=3, losses=1, draws=1) for player in there]
        )

    async def ListChat(self, request: game_pb2.ListChatRequest, context: Any) -> game_pb2.ListChatResponse:
        """What was said."""
        await self._called("ListChat", context)
        return game_pb2.ListChatResponse(
            lines=[line for line in self.chat if (line.game_id, line.room) == (request.game_id, request.room)]
        )

    async def ImportGame(self, request: game_pb2.ImportGameRequest, context: Any) -> game_pb2.ImportGameResponse:
        """Whatever it is, unless `import_refusal` says no."""
        await self._called("ImportGame", context)
        self.imported.append(request)
        if self.import_refusal is not None:
            return game_pb2.ImportGameResponse(refusal=self.import_refusal)
        return game_pb2.ImportGameResponse(game=events_pb2.GameSummary(info=game_info("import01")))

    async def ListChallenges(
        self, request: game_pb2.ListChallengesRequest, context: Any
    ) -> game_pb2.ListChallengesResponse:
        """Those that a test has put there."""
        await self._called("ListChallenges", context)
        return game_pb2.ListChallengesResponse(incoming=self.challenges)


def _credential(name: str) -> game_pb2.Credential:
    return game_pb2.Credential(player=events_pb2.Player(id=name, name=name), token=f"token-of-{name}", scopes=SCOPES)


@dataclass(slots=True)
class Gateway:
    """A running gateway."""

    address: str
    game: FakePeople
    client: httpx.AsyncClient
    stop: Stop
    ended: "asyncio.Future[None]"

    def as_(self, token: str) -> dict[str, str]:
        """The header of somebody."""
        return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def running(redis_url: str, **changes: Any) -> AsyncIterator[Gateway]:
    """A gateway that answers, with anna's token `anna` and bob's token `bob`."""
    game = FakePeople()  # type: ignore[abstract]  # what it lacks is UNIMPLEMENTED
    game.tokens = {name: events_pb2.Player(id=name, name=name.title()) for name in ("anna", "bob", "carl")}
    stop = Stop()
    rpc = Settings(drain_ms=0)
    with PortBlock() as ports:
        port = ports.take()
        async with serving(rpc, lambda server: add_GameServiceServicer_to_server(game, server)) as running_game:
            settings = GatewaySettings.model_validate(
                {
                    "port": port,
                    "game_target": f"127.0.0.1:{running_game.port}",
                    "redis_url": redis_url,
                    "drain_ms": 500,
                    "socket_drain_ms": 0,
                    **changes,
                }
            )
            ended = asyncio.ensure_future(serve(settings, stop))
            address = f"http://127.0.0.1:{port}"
            try:
                async with httpx.AsyncClient(base_url=address, timeout=WITHIN_S) as client:
                    await _answers(client, ended)
                    yield Gateway(address, game, client, stop, ended)
            finally:
                stop.set()
                game.down = False
                await ended


async def _answers(client: httpx.AsyncClient, ended: "asyncio.Future[None]") -> None:
    async with asyncio.timeout(WITHIN_S):
        while not ended.done():
            try:
                await client.get("/api/flagfall/health")
                return
            except httpx.TransportError:
                await asyncio.sleep(0.01)
    await ended
