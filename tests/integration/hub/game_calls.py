"""What a gateway calls of a game service, for tests of the hub: over a real channel, in real batches."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import grpc

from services.channels import GameStubs
from services.pb.flagfall.v1 import game_pb2
from services.runtime.batching import Batcher
from tests.integration.gateway.fake_game import FakeGame, channel_to


class GameCalls:
    """What a gateway calls, over a real channel, in real batches."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stubs = GameStubs(channel)
        self._fetches: Batcher[game_pb2.FetchItem, game_pb2.Fetched] = Batcher(
            "test_fetch", self._send_fetches, size_max=64, waiting_max=10_000, under_way_max=4
        )
        self._events: Batcher[game_pb2.ListPlayerEventsRequest, game_pb2.ListPlayerEventsResponse] = Batcher(
            "test_events", self._send_events, size_max=64, waiting_max=10_000, under_way_max=4
        )
        self._commands: Batcher[game_pb2.Command, game_pb2.Reply] = Batcher(
            "test_submit",
            self._send_commands,
            size_max=64,
            waiting_max=10_000,
            under_way_max=4,
            key=lambda command: command.game_id,
        )

    async def _send_fetches(self, items: Sequence[game_pb2.FetchItem]) -> Sequence[game_pb2.Fetched]:
        answer = await self._stubs.games.Fetch(game_pb2.FetchRequest(items=items), timeout=5)
        return list(answer.results)

    async def _send_events(
        self, asked: Sequence[game_pb2.ListPlayerEventsRequest]
    ) -> Sequence[game_pb2.ListPlayerEventsResponse]:
        answer = await self._stubs.players.ListEventsOfPlayers(
            game_pb2.ListEventsOfPlayersRequest(players=asked), timeout=5
        )
        return list(answer.results)

    async def _send_commands(self, commands: Sequence[game_pb2.Command]) -> Sequence[game_pb2.Reply]:
        answer = await self._stubs.games.Submit(game_pb2.SubmitRequest(commands=commands), timeout=5)
        return list(answer.replies)

    async def fetch(self, item: game_pb2.FetchItem) -> game_pb2.Fetched:
        """One game."""
        return await self._fetches.call(item)

    async def submit(self, command: game_pb2.Command) -> game_pb2.Reply:
        """One command."""
        return await self._commands.call(command)

    async def list_player_events(self, player_id: str, since_seq: int) -> game_pb2.ListPlayerEventsResponse:
        """One player."""
        request = game_pb2.ListPlayerEventsRequest(player_id=player_id, since_seq=since_seq)
        answer: game_pb2.ListPlayerEventsResponse = await self._stubs.players.ListPlayerEvents(request, timeout=5)
        return answer

    async def new_player_events(self, player_id: str, since_seq: int) -> game_pb2.ListPlayerEventsResponse:
        """One player, in a batch."""
        request = game_pb2.ListPlayerEventsRequest(player_id=player_id, since_seq=since_seq)
        return await self._events.call(request)

    async def post_chat(self, request: game_pb2.PostChatRequest) -> game_pb2.PostChatResponse:
        """One line."""
        answer: game_pb2.PostChatResponse = await self._stubs.chat.PostChat(request, timeout=5)
        return answer

    async def resolve(self, token: str) -> game_pb2.TokenHolder | None:
        """Who holds a token."""
        answer = await self._stubs.players.ResolveTokens(game_pb2.ResolveTokensRequest(tokens=[token]), timeout=5)
        holder: game_pb2.TokenHolder = answer.holders[0]
        return holder if holder.HasField("player") else None


@asynccontextmanager
async def serving(game: FakeGame) -> AsyncIterator[GameCalls]:
    """Calls to the fake."""
    async with channel_to(game) as channel:
        yield GameCalls(channel)
