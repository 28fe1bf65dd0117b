"""A game service without a database: games are lists of events that a test adds to and publishes as it likes."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from services.domain.rule_set import CLAIMED
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.pb.flagfall.v1.game_pb2_grpc import (
    GameServiceStub,
)
from services.runtime.batching import Batcher
from services.runtime.redis_keys import game_channel, player_channel
from services.runtime.wire import rule_set_to_pb
from tests.integration.gateway.fake_life import COMPUTER, FakeLife

START_MS = 1_760_000_000_000
REPEATS = "Ng8"
"""The move with which a draw may always be claimed."""
RULES = rule_set_to_pb(CLAIMED)
CLOCK = common_pb2.TimeControl(clock=common_pb2.ClockControl(initial_ms=300_000, increment_ms=3_000))


def game_info(game_id: str) -> events_pb2.GameInfo:
    """A game between anna (White) and bob (Black)."""
    return events_pb2.GameInfo(
        id=game_id,
        variant="standard",
        rule_set=RULES,
        time_control=CLOCK,
        white=events_pb2.Player(id="anna", name="Anna"),
        black=events_pb2.Player(id="bob", name="Bob"),
        source="friend",
        created_ms=START_MS,
    )


class FakeGame(FakeLife):
    """Counts what it is asked; `down` makes every call fail. Methods that are not here are UNIMPLEMENTED."""

    def __init__(self) -> None:
        super().__init__()
        self.games: dict[str, list[events_pb2.GameEvent]] = {}
        self.players: dict[str, list[events_pb2.PlayerEvent]] = {}
        self.tokens: dict[str, events_pb2.Player] = {}
        self.calls: Counter[str] = Counter()
        self.fetched: list[game_pb2.FetchItem] = []
        self.commands: list[game_pb2.Command] = []
        self.answers: dict[tuple[str, str, str], game_pb2.Accepted] = {}
        self.chat: list[events_pb2.ChatLine] = []
        self.down = False
        self.fetch_gate = asyncio.Event()
        self.fetch_gate.set()
        self.submit_gate = asyncio.Event()
        self.submit_gate.set()
        self.events_max = 1_000
        self.searching = False
        """It is being searched what resignations are worth; once no more, they are draws."""
        self.searched: Counter[str] = Counter()
        """How often each command id was told so."""
        self.moves_refused: list[str] = []
        """How the next moves are refused, each once."""

    def new_game(self, game_id: str) -> None:
        """A game at version 1."""
        state = events_pb2.GameState(
            game_id=game_id,
            version=1,
            status=events_pb2.GAME_STATUS_STARTED,
            fen="start",
            turn=common_pb2.COLOR_WHITE,
            white_ms=300_000,
            black_ms=300_000,
            at_ms=START_MS,
            legal="e2e4 d2d4",
        )
        created = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_CREATED, state=state, info=self.info(game_id))
        self.games[game_id] = [created]

    def info(self, game_id: str) -> events_pb2.GameInfo:
        """A game's info: Black is bob, or the computer."""
        info = game_info(game_id)
        if game_id in self.against_computer:
            info.black.CopyFrom(COMPUTER)
        return info

    def play(self, game_id: str, count: int = 1) -> events_pb2.GameEvent:
        """Commit so many moves; returns the last event. Nothing is published."""
        for _ in range(count):
            last = self.games[game_id][-1].state
            state = events_pb2.GameState()
            state.CopyFrom(last)
            white = last.turn == common_pb2.COLOR_WHITE
            state.version += 1
            state.ply += 1
            state.turn = common_pb2.COLOR_BLACK if white else common_pb2.COLOR_WHITE
            state.last_uci, state.last_san, state.fen = f"m{state.ply}", f"M{state.ply}", f"after {state.ply}"
            state.at_ms += 1_000
            state.running = True
            by = common_pb2.COLOR_WHITE if white else common_pb2.COLOR_BLACK
            event = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state, by=by)
            self.games[game_id].append(event)
        return self.games[game_id][-1]

    def end(self, game_id: str, by: common_pb2.Color = common_pb2.COLOR_UNSPECIFIED) -> events_pb2.GameEvent:
        """Commit an end without a move; White has won."""
        state = events_pb2.GameState()
        state.CopyFrom(self.games[game_id][-1].state)
        state.version += 1
        state.status = events_pb2.GAME_STATUS_ENDED
        state.outcome.winner = common_pb2.COLOR_WHITE
        state.outcome.reason = common_pb2.END_REASON_RESIGNATION if by else common_pb2.END_REASON_FLAG
        state.running = False
        state.legal = ""
        event = events_pb2.GameEvent(kind=events_pb2.GAME_EVENT_KIND_ENDED, state=state, by=by)
        self.games[game_id].append(event)
        return event

    def claim(self, game_id: str, claims: Sequence[common_pb2.Claim] = (common_pb2.CLAIM_THREEFOLD,)) -> None:
        """Let the newest state allow these claims."""
        state = self.games[game_id][-1].state
        del state.claims[:]
        state.claims.extend(claims)

    def draw(self, game_id: str, by: common_pb2.Color) -> events_pb2.GameEvent:
        """Commit a draw by repetition."""
        event = self.end(game_id, by)
        event.state.outcome.winner = common_pb2.COLOR_UNSPECIFIED
        event.state.outcome.reason = common_pb2.END_REASON_REPETITION
        return event

    def sign_up(self, *names: str) -> None:
        """People whose token is their name."""
        self.tokens.update({name: events_pb2.Player(id=name, name=name.title()) for name in names})

    def tell(self, player_id: str) -> events_pb2.PlayerEvent:
        """Commit a player's event; nothing is published."""
        events = self.players.setdefault(player_id, [])
        challenge = events_pb2.Challenge(
            id=f"c{len(events)}",
            status=events_pb2.CHALLENGE_STATUS_CREATED,
            variant="standard",
            rule_set=RULES,
            time_control=CLOCK,
        )
        events.append(events_pb2.PlayerEvent(player_id=player_id, seq=len(events) + 1, challenge=challenge))
        return events[-1]

    async def Submit(self, request: game_pb2.SubmitRequest, context: Any) -> game_pb2.SubmitResponse:
        """Moves of whose turn it is are legal; resignations always; claims where `claim` has put one."""
        await self._called("Submit", context)
        await self.submit_gate.wait()
        return game_pb2.SubmitResponse(replies=[self._decide(command) for command in request.commands])

    def _decide(self, command: game_pb2.Command) -> game_pb2.Reply:
        self.commands.append(command)
        key = (command.game_id, command.player_id, command.command_id)
        if key in self.answers:
            accepted = game_pb2.Accepted(repeated=True)
            accepted.MergeFrom(self.answers[key])
            return game_pb2.Reply(accepted=accepted)
        last = self.games[command.game_id][-1].state
        colour = {"anna": common_pb2.COLOR_WHITE, "bob": common_pb2.COLOR_BLACK}.get(command.player_id)
        if colour is None:
            return _no("not_a_player")
        if last.status != events_pb2.GAME_STATUS_STARTED and not command.HasField("undo"):
            return _no("game_over")
        lived = self.lived(command, colour)
        if lived is not None:
            state = lived
        elif command.HasField("claim_win"):
            return _no("not_allowed")
        elif command.WhichOneof("action") == "move":
            if self.moves_refused:
                return _no(self.moves_refused.pop(0))
            if command.move.HasField("ply") and command.move.ply != last.ply:
                return _no("stale_version")
            if colour != last.turn:
                return _no("not_your_turn")
            state = self.play(command.game_id).state
        elif command.WhichOneof("action") == "claim_draw":
            if not last.claims and command.claim_draw.move != REPEATS:
                return _no("not_allowed")
            state = self.draw(command.game_id, colour).state
        elif command.HasField("resign") and self.searching:
            self.searched[command.command_id] += 1
            return game_pb2.Reply(refusal=_no("unavailable").refusal, searching=True)
        else:
            state = self.end(command.game_id, colour).state
            if self.searched[command.command_id]:
                state.outcome.winner = common_pb2.COLOR_UNSPECIFIED
        accepted = self.accepted(command.game_id)
        self.answers[key] = accepted
        return game_pb2.Reply(accepted=accepted)

    async def Fetch(self, request: game_pb2.FetchRequest, context: Any) -> game_pb2.FetchResponse:
        """All that is newer, or the whole game."""
        await self._called("Fetch", context)
        results = [self._fetch(item) for item in request.items]
        await self.fetch_gate.wait()
        return game_pb2.FetchResponse(results=results)

    def _fetch(self, item: game_pb2.FetchItem) -> game_pb2.Fetched:
        self.fetched.append(item)
        events = self.games.get(item.game_id)
        if events is None:
            return game_pb2.Fetched(refusal=common_pb2.Refusal(code="not_found", message="There is no such game."))
        newest = events[-1].state
        newer = events[item.since_version :]
        if item.since_version == newest.version:
            return game_pb2.Fetched(up_to_date=game_pb2.UpToDate(version=newest.version))
        if 0 < item.since_version < newest.version and len(newer) <= self.events_max:
            return game_pb2.Fetched(events=game_pb2.Events(events=newer))
        moves: list[game_pb2.PlayedMove] = []
        for state in (event.state for event in events if event.kind == events_pb2.GAME_EVENT_KIND_MOVE):
            del moves[state.ply - 1 :]
            moves.append(game_pb2.PlayedMove(uci=state.last_uci, san=state.last_san, at_ms=state.at_ms))
        del moves[newest.ply :]
        return game_pb2.Fetched(snapshot=game_pb2.Snapshot(info=self.info(item.game_id), state=newest, moves=moves))

    async def ListPlayerEvents(
        self, request: game_pb2.ListPlayerEventsRequest, context: Any
    ) -> game_pb2.ListPlayerEventsResponse:
        """At most 50 at once."""
        await self._called("ListPlayerEvents", context)
        answer = self._events_of(request, 50)
        await self.fetch_gate.wait()
        return answer

    async def ListEventsOfPlayers(
        self, request: game_pb2.ListEventsOfPlayersRequest, context: Any
    ) -> game_pb2.ListEventsOfPlayersResponse:
        """Together at most 50, or one of each."""
        await self._called("ListEventsOfPlayers", context)
        most = max(1, 50 // len(request.players))
        results = [self._events_of(item, most) for item in request.players]
        await self.fetch_gate.wait()
        return game_pb2.ListEventsOfPlayersResponse(results=results)

    def _events_of(self, asked: game_pb2.ListPlayerEventsRequest, most: int) -> game_pb2.ListPlayerEventsResponse:
        events = self.players.get(asked.player_id, [])
        return game_pb2.ListPlayerEventsResponse(
            events=events[asked.since_seq : asked.since_seq + most], last_seq=len(events)
        )

    async def ResolveTokens(
        self, request: game_pb2.ResolveTokensRequest, context: Any
    ) -> game_pb2.ResolveTokensResponse:
        """Tokens are made by tests."""
        await self._called("ResolveTokens", context)
        return game_pb2.ResolveTokensResponse(
            holders=[
                game_pb2.TokenHolder(player=self.tokens.get(token), scopes=["board:play"]) for token in request.tokens
            ]
        )

    async def PostChat(self, request: game_pb2.PostChatRequest, context: Any) -> game_pb2.PostChatResponse:
        """Anybody may say anything."""
        await self._called("PostChat", context)
        line = events_pb2.ChatLine(
            game_id=request.game_id,
            room=request.room,
            player_id=request.player_id,
            player_name=request.player_id.title(),
            text=request.text,
            at_ms=START_MS,
        )
        self.chat.append(line)
        return game_pb2.PostChatResponse(line=line)

    async def _called(self, name: str, context: Any) -> None:
        self.calls[name] += 1
        if self.down:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "down")


def _no(code: str) -> game_pb2.Reply:
    return game_pb2.Reply(refusal=common_pb2.Refusal(code=code, message=f"It is {code}."))


class GameCalls:
    """What a gateway calls, over a real channel, in real batches."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub: Any = GameServiceStub(channel)
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
        answer = await self._stub.Fetch(game_pb2.FetchRequest(items=items), timeout=5)
        return list(answer.results)

    async def _send_events(
        self, asked: Sequence[game_pb2.ListPlayerEventsRequest]
    ) -> Sequence[game_pb2.ListPlayerEventsResponse]:
        answer = await self._stub.ListEventsOfPlayers(game_pb2.ListEventsOfPlayersRequest(players=asked), timeout=5)
        return list(answer.results)

    async def _send_commands(self, commands: Sequence[game_pb2.Command]) -> Sequence[game_pb2.Reply]:
        answer = await self._stub.Submit(game_pb2.SubmitRequest(commands=commands), timeout=5)
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
        answer: game_pb2.ListPlayerEventsResponse = await self._stub.ListPlayerEvents(request, timeout=5)
        return answer

    async def new_player_events(self, player_id: str, since_seq: int) -> game_pb2.ListPlayerEventsResponse:
        """One player, in a batch."""
        request = game_pb2.ListPlayerEventsRequest(player_id=player_id, since_seq=since_seq)
        return await self._events.call(request)

    async def post_chat(self, request: game_pb2.PostChatRequest) -> game_pb2.PostChatResponse:
        """One line."""
        answer: game_pb2.PostChatResponse = await self._stub.PostChat(request, timeout=5)
        return answer

    async def resolve(self, token: str) -> game_pb2.TokenHolder | None:
        """Who holds a token."""
        answer = await self._stub.ResolveTokens(game_pb2.ResolveTokensRequest(tokens=[token]), timeout=5)
        holder: game_pb2.TokenHolder = answer.holders[0]
        return holder if holder.HasField("player") else None


def _handler(game: FakeGame) -> grpc.GenericRpcHandler:
    service = game_pb2.DESCRIPTOR.services_by_name["GameService"]
    methods = {
        method.name: grpc.unary_unary_rpc_method_handler(
            getattr(game, method.name),
            GetMessageClass(method.input_type).FromString,
            GetMessageClass(method.output_type).SerializeToString,
        )
        for method in service.methods
        if hasattr(game, method.name)
    }
    return grpc.method_handlers_generic_handler(service.full_name, methods)


@asynccontextmanager
async def channel_to(game: FakeGame) -> AsyncIterator[grpc.aio.Channel]:
    """The fake behind a real gRPC server on a free port."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_handler(game),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    await server.stop(0)


@asynccontextmanager
async def serving(game: FakeGame) -> AsyncIterator[GameCalls]:
    """Calls to the fake."""
    async with channel_to(game) as channel:
        yield GameCalls(channel)


async def publish(redis_url: str, *events: events_pb2.GameEvent) -> None:
    """Publish events of games, in the order given."""
    async with Redis.from_url(redis_url) as redis:
        for event in events:
            message = events_pb2.GameMessage(event=event)
            await redis.publish(game_channel(event.state.game_id), message.SerializeToString())


async def publish_chat(redis_url: str, line: events_pb2.ChatLine) -> None:
    """Publish a line of chat."""
    async with Redis.from_url(redis_url) as redis:
        await redis.publish(game_channel(line.game_id), events_pb2.GameMessage(chat=line).SerializeToString())


async def publish_player(redis_url: str, *events: events_pb2.PlayerEvent) -> None:
    """Publish players' events, in the order given."""
    async with Redis.from_url(redis_url) as redis:
        for event in events:
            await redis.publish(player_channel(event.player_id), event.SerializeToString())
