"""A game service without a database, for tests of the gateway: games are lists of events that a test adds to.

Between anna (White) and bob (Black), with moves that mean nothing; a test publishes what it likes.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from services.channels import GAME_SERVICES, released_path
from services.domain.rule_set import CLAIMED
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.redis_keys import game_channel, player_channel
from services.runtime.wire import rule_set_to_pb

SCOPES = ("board:play", "bot:play", "challenge:read", "challenge:write")
WHITE, BLACK, NOBODY = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK, common_pb2.COLOR_UNSPECIFIED
COMPUTER = events_pb2.Player(id="computer", name="Computer level 4", computer_level=4)
_OFFERS = {
    "offer_takeback": events_pb2.GAME_EVENT_KIND_TAKEBACK_OFFERED,
    "close_takeback": events_pb2.GAME_EVENT_KIND_TAKEBACK_CLOSED,
    "go_on": events_pb2.GAME_EVENT_KIND_WENT_ON,
    "return_seat": events_pb2.GAME_EVENT_KIND_SEAT_RETURNED,
}
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


class FakeGame:
    """Counts what it is asked; `down` makes every call fail. Methods that are not here are UNIMPLEMENTED.

    What it answers is held to the real service by test_fake_game.py; what it leaves out is in its docstrings.
    """

    def __init__(self) -> None:
        self.games: dict[str, list[events_pb2.GameEvent]] = {}
        self.players: dict[str, list[events_pb2.PlayerEvent]] = {}
        self.tokens: dict[str, events_pb2.Player] = {}
        self.calls: Counter[str] = Counter()
        self.fetched: list[game_pb2.FetchItem] = []
        self.commands: list[game_pb2.Command] = []
        self.answers: dict[tuple[str, str, str], game_pb2.Accepted] = {}
        self.chat: list[events_pb2.ChatLine] = []
        self.down = False
        self.fetch_gate = _open_gate()
        self.submit_gate = _open_gate()
        self.beat_gate = _open_gate()
        self.password_gate = _open_gate()
        self.events_max = 1_000
        self.loud: Redis | None = None
        """Where what commands have made is published after their commit; else a test publishes."""
        self.target = ""
        """Where it is served, if it is so for another process."""
        self.searching = False
        """It is being searched what resignations are worth; once no more, they are draws."""
        self.searched: Counter[str] = Counter()
        """How often each command id was told so."""
        self.moves_refused: list[str] = []
        """How the next moves are refused, each once."""
        self.failures = 0
        """So many of the next commands are refused as unavailable after they were decided."""
        self.beats = 0
        self.away: set[str] = set()
        """Games whose other player has left."""
        self.against_computer: set[str] = set()
        """Games in which Black is the computer."""
        self.hints_asked: list[game_pb2.AskHintRequest] = []
        self.resolved: list[list[str]] = []
        self.scopes: tuple[str, ...] = SCOPES
        self.challenges: list[events_pb2.Challenge] = []
        self.imported: list[game_pb2.ImportGameRequest] = []
        self.import_refusal: common_pb2.Refusal | None = None
        self.searches: list[game_pb2.SearchGamesRequest] = []
        self.late: dict[str, int] = {}
        self.late_ms: set[int] = set()

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
        beats = [command for command in request.commands if command.HasField("beat")]
        if beats:
            self.beats += len(beats)
            await self.beat_gate.wait()
            await self._called("Beat", context)
            return game_pb2.SubmitResponse(replies=[game_pb2.Reply(accepted=game_pb2.Accepted())])
        await self._called("Submit", context)
        await self.submit_gate.wait()
        before = {command.game_id: len(self.games.get(command.game_id, ())) for command in request.commands}
        replies = [self._decide(command) for command in request.commands]
        if self.loud is not None:
            for game_id, known in before.items():
                await self.tell_all(*self.games.get(game_id, [])[known:])
        if self.failures:
            self.failures -= 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the answer is lost")
        return game_pb2.SubmitResponse(replies=replies)

    def _decide(self, command: game_pb2.Command) -> game_pb2.Reply:
        self.commands.append(command)
        key = (command.game_id, command.player_id, command.command_id)
        if key in self.answers:
            accepted = game_pb2.Accepted(repeated=True)
            accepted.MergeFrom(self.answers[key])
            return game_pb2.Reply(accepted=accepted)
        if command.game_id not in self.games:
            return _no("not_found")
        last = self.games[command.game_id][-1].state
        colour = {"anna": common_pb2.COLOR_WHITE, "bob": common_pb2.COLOR_BLACK}.get(command.player_id)
        if colour is None:
            return _no("not_a_player")
        if last.status != events_pb2.GAME_STATUS_STARTED and not command.HasField("undo"):
            return _no("game_over")
        lived = self._lived(command, colour)
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
        accepted = self._accepted(command.game_id)
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

    async def tell_all(self, *events: events_pb2.GameEvent) -> None:
        """Publish events where it is `loud`."""
        assert self.loud is not None
        for event in events:
            message = events_pb2.GameMessage(event=event)
            await self.loud.publish(game_channel(event.state.game_id), message.SerializeToString())

    def change(self, game_id: str, kind: events_pb2.GameEventKind, by: common_pb2.Color) -> events_pb2.GameEvent:
        """Commit a change that leaves the position alone; nothing is published."""
        state = events_pb2.GameState()
        state.CopyFrom(self.games[game_id][-1].state)
        state.version += 1
        self.games[game_id].append(events_pb2.GameEvent(kind=kind, state=state, by=by))
        return self.games[game_id][-1]

    def take_back(self, game_id: str, ply: int, by: common_pb2.Color = WHITE) -> events_pb2.GameEvent:
        """Commit that the game stands again as after so many half-moves; an end is gone."""
        then = next(event.state for event in reversed(self.games[game_id]) if event.state.ply == ply)
        event = self.change(game_id, events_pb2.GAME_EVENT_KIND_TAKEN_BACK, by)
        event.state.ClearField("outcome")
        event.state.status = events_pb2.GAME_STATUS_STARTED
        event.state.ply, event.state.turn, event.state.fen = then.ply, then.turn, then.fen
        event.state.last_uci, event.state.last_san = then.last_uci, then.last_san
        event.state.running = ply > 0
        event.state.legal = "e2e4 d2d4"
        event.state.takebacks += 1
        return event

    def _lived(self, command: game_pb2.Command, colour: common_pb2.Color) -> events_pb2.GameState | None:
        """The state after a command of this kind; None when it is of another one, or is not allowed."""
        game_id, action = command.game_id, command.WhichOneof("action") or ""
        if action in _OFFERS:
            event = self.change(game_id, _OFFERS[action], colour)
            event.state.takeback_offer = colour if action == "offer_takeback" else NOBODY
            return event.state
        if action == "undo":
            return self.take_back(game_id, max(0, self.games[game_id][-1].state.ply - 2), colour).state
        if action == "give_time":
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_TIME_GIVEN, colour)
            event.state.black_ms += command.give_time.ms
            return event.state
        if action == "set_level":
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_LEVEL_CHANGED, colour)
            event.info.CopyFrom(self.info(game_id))
            event.info.black.computer_level = command.set_level.level
            return event.state
        if action == "claim_win" and game_id in self.away:
            event = self.change(game_id, events_pb2.GAME_EVENT_KIND_ENDED, colour)
            event.state.status, event.state.running = events_pb2.GAME_STATUS_ENDED, False
            event.state.outcome.reason = common_pb2.END_REASON_ABSENCE
            event.state.outcome.winner = NOBODY if command.claim_win.draw else colour
            return event.state
        return None

    async def AskHint(self, request: game_pb2.AskHintRequest, context: Any) -> game_pb2.AskHintResponse:
        """Against the computer."""
        self.hints_asked.append(request)
        if request.game_id not in self.against_computer:
            refusal = common_pb2.Refusal(
                code="not_allowed", message="You can ask for a hint only against the computer."
            )
            return game_pb2.AskHintResponse(refusal=refusal)
        event = self.change(request.game_id, events_pb2.GAME_EVENT_KIND_HINTED, WHITE)
        event.state.helped = True
        return game_pb2.AskHintResponse(accepted=self._accepted(request.game_id))

    def _accepted(self, game_id: str) -> game_pb2.Accepted:
        """The answer to the command that made the newest version, as the game service gives it."""
        event = self.games[game_id][-1]
        accepted = game_pb2.Accepted(version=event.state.version, state=event.state, event=event)
        accepted.event.ClearField("state")
        accepted.mode = self.info(game_id).time_control.WhichOneof("kind") or ""
        return accepted

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
        return game_pb2.CreateAccountResponse(credential=self._credential(request.username))

    async def LogIn(self, request: game_pb2.LogInRequest, context: Any) -> game_pb2.LogInResponse:
        """Any password is right, once `password_gate` is open."""
        await self._called("LogIn", context)
        await self.password_gate.wait()
        return game_pb2.LogInResponse(credential=self._credential(request.username))

    async def CreateGuest(self, request: game_pb2.CreateGuestRequest, context: Any) -> game_pb2.CreateGuestResponse:
        """Always the same one."""
        await self._called("CreateGuest", context)
        return game_pb2.CreateGuestResponse(credential=self._credential("guest"))

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

    def _credential(self, name: str) -> game_pb2.Credential:
        player = self.tokens.setdefault(f"token-of-{name}", events_pb2.Player(id=name.lower(), name=name))
        return game_pb2.Credential(player=player, token=f"token-of-{name}", scopes=SCOPES)

    async def _called(self, name: str, context: Any) -> None:
        self.calls[name] += 1
        if self.down:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "down")


def _no(code: str) -> game_pb2.Reply:
    return game_pb2.Reply(refusal=common_pb2.Refusal(code=code, message=f"It is {code}."))


def _open_gate() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate


class Handlers(grpc.GenericRpcHandler):
    """Its methods for a gRPC server, at the paths that the real service has."""

    def __init__(self, game: FakeGame) -> None:
        self._handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for service in GAME_SERVICES:
            for method in service.methods:
                if not hasattr(game, method.name):
                    continue
                path = f"/{service.full_name}/{method.name}"
                self._handlers[path] = self._handlers[released_path(path)] = grpc.unary_unary_rpc_method_handler(
                    getattr(game, method.name),
                    GetMessageClass(method.input_type).FromString,
                    GetMessageClass(method.output_type).SerializeToString,
                )

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """The handler of a method; gRPC calls this."""
        return self._handlers.get(handler_call_details.method)


def register(game: FakeGame, server: grpc.aio.Server) -> None:
    """Have a server answer with the fake."""
    server.add_generic_rpc_handlers((Handlers(game),))


@asynccontextmanager
async def channel_to(game: FakeGame) -> AsyncIterator[grpc.aio.Channel]:
    """The fake behind a real gRPC server on a free port."""
    server = grpc.aio.server()
    register(game, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    await server.stop(0)


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


async def publish_hint(redis_url: str, hint: events_pb2.Hint) -> None:
    """Publish a hint."""
    async with Redis.from_url(redis_url) as redis:
        await redis.publish(game_channel(hint.game_id), events_pb2.GameMessage(hint=hint).SerializeToString())
