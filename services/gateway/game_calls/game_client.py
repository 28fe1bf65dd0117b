"""The main client of the game service. Refusals and failed calls raise Refused, unless a method says otherwise."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

import grpc

from services.channels import GameStubs
from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.gateway.errors import Refused
from services.gateway.game_calls.calls import Refusable, batched, called, good
from services.gateway.game_calls.move_metrics import SUBMIT_RETRIES, IllegalRepeats, move_counted, move_seconds
from services.gateway.settings import GatewaySettings
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import (
    Challenge,
    ChatLine,
    ChatRoom,
    GameSummary,
    Player,
)
from services.runtime import tracing
from services.runtime.batching import Batcher, Overloaded
from services.runtime.metrics import UNKNOWN_MODE
from services.runtime.rpc import refusal_of
from services.runtime.wire import refusal_from_pb, refusal_to_pb

log = logging.getLogger(__name__)
A = TypeVar("A", bound=Refusable)

Accepted = Callable[[pb.Command, pb.Accepted], object]


class GameClient:
    """Calls of the game service.

    `on_accepted` is called for each committed command of this gateway, `on_asked` with the game and the player of each
    request that a player sends. `mode_of` returns a game's mode (kind of time
    control) if it is known here; refusals do not contain it.
    """

    def __init__(self, channel: grpc.aio.Channel, settings: GatewaySettings) -> None:
        self._stubs = GameStubs(channel)
        self._timeout_s = settings.call_timeout_ms / 1000
        self._command_s = settings.command_timeout_ms / 1000
        self._resignation_s = settings.resignation_timeout_ms / 1000
        self._password_s = settings.password_timeout_ms / 1000
        self._import_s = settings.import_timeout_ms / 1000
        self._pause_s = settings.command_pause_ms / 1000
        self._repeats = IllegalRepeats(settings.illegal_moves_kept)
        self.on_accepted: Accepted = lambda command, accepted: None
        self.on_asked: Callable[[str, str], None] = lambda game_id, player_id: None
        self.mode_of: Callable[[str], str | None] = lambda game_id: None
        self._commands: Batcher[pb.Command, pb.Reply] = batched("submit", self._submit, settings)
        self._fetches: Batcher[pb.FetchItem, pb.Fetched] = batched("fetch", self._fetch, settings)
        self._events: Batcher[pb.ListPlayerEventsRequest, pb.ListPlayerEventsResponse] = batched(
            "player_events", self._new_events, settings
        )
        self._tokens: Batcher[str, pb.TokenHolder] = batched("tokens", self._resolve, settings)

    async def submit(self, command: pb.Command, actor: str = "person") -> pb.Accepted:
        """Decide a command. While a service is unavailable, retry with the same id until the deadline. Raises Refused.

        A resignation that is being searched has a later deadline, so that its answer is the final one.
        """
        return good(await self.ask(command, actor)).accepted

    async def ask(self, command: pb.Command, actor: str = "person") -> pb.Reply:
        """The same, but a refusal is returned as a reply. `actor` is a label of metrics: person or bot."""
        if not command.command_id:
            command.command_id = f"h{secrets.token_urlsafe(12)}"
        self.on_asked(command.game_id, command.player_id)
        started_s = time.perf_counter()
        reply = await (self._ask_traced(command, started_s) if tracing.on else self._ask_until(command, started_s))
        if command.HasField("move"):
            mode = reply.accepted.mode or self.mode_of(command.game_id) or UNKNOWN_MODE
            outcome = reply.refusal.code if reply.HasField("refusal") else "accepted"
            move_counted(mode, actor, outcome).inc()
            move_seconds(mode).observe(time.perf_counter() - started_s)
            if outcome == RefusalCode.ILLEGAL_MOVE:
                self._repeats.refused(command.game_id, command.player_id, command.move.text)
        if reply.HasField("accepted"):
            self._repeats.accepted(command.game_id, command.player_id)
            self.on_accepted(command, reply.accepted)
        return reply

    async def _ask_traced(self, command: pb.Command, started_s: float) -> pb.Reply:
        """The same as `_ask_until`, as the first span of a trace."""
        action = command.WhichOneof("action") or "none"
        span = tracing.root("gateway.command", game=command.game_id, action=action)
        if span is None:
            return await self._ask_until(command, started_s)
        command.traceparent = span.traceparent
        outcome = "unavailable"
        with tracing.told(span.traceparent):
            try:
                reply = await self._ask_until(command, started_s)
                outcome = reply.refusal.code if reply.HasField("refusal") else "accepted"
            finally:
                span.end(outcome=outcome)
                log.info("%s in game %s: %s", action, command.game_id, outcome)
        return reply

    async def _ask_until(self, command: pb.Command, started_s: float) -> pb.Reply:
        loop = asyncio.get_running_loop()
        deadline_s = started_s + self._command_s
        under_way = False
        while True:
            refusal: pb.Reply
            try:
                answer = self._commands.put(command)
                timer = loop.call_later(max(0.05, deadline_s - time.perf_counter()), _too_late, answer)
                try:
                    reply = await answer
                finally:
                    timer.cancel()
            except Overloaded:
                return _refused(BUSY)
            except TimeoutError:
                return _refused(BUSY)
            except grpc.aio.AioRpcError as error:
                refusal = _refused(refusal_of(error))
            else:
                code = reply.refusal.code if reply.HasField("refusal") else ""
                if code == RefusalCode.TIME_IS_UP and under_way:
                    # Perhaps an earlier attempt was in time, and a slow replica is still committing it.
                    refusal = _refused(BUSY)
                elif code != RefusalCode.UNAVAILABLE:
                    return reply
                else:
                    refusal = reply
                if reply.searching:
                    deadline_s = max(deadline_s, started_s + self._resignation_s)
            if time.perf_counter() + self._pause_s >= deadline_s:
                return refusal
            under_way = True
            SUBMIT_RETRIES.inc()
            await asyncio.sleep(self._pause_s)

    async def beat(self) -> None:
        """Check that a move can pass through all services. Raises Refused when it cannot; it names who failed.

        The game service gives up first, so that its answer says whether the rules or the database did not answer.
        """
        within_s = self._timeout_s * 1.5
        answer = await called(self._stubs.games.Submit(pb.SubmitRequest(commands=[_BEAT]), timeout=within_s))
        if answer.replies[0].HasField("refusal"):
            raise Refused(refusal_from_pb(answer.replies[0].refusal))

    async def fetch(self, item: pb.FetchItem) -> pb.Fetched:
        """What is newer than the item's version. Raises AioRpcError or Overloaded; the hub handles both."""
        return await self._fetches.call(item)

    async def snapshot(self, game_id: str) -> pb.Snapshot:
        """A whole game. Raises Refused when there is none."""
        return good(await called(self._fetches.call(pb.FetchItem(game_id=game_id)))).snapshot

    async def resolve(self, token: str) -> pb.TokenHolder:
        """The holder of a token; without a player when the token is not valid. Many such calls travel as one."""
        return await called(self._tokens.call(token))

    async def resolve_all(self, tokens: Sequence[str]) -> Sequence[pb.TokenHolder]:
        """The holders of many tokens in one call, outside the queue of single tokens."""
        return await called(self._resolve(tokens))

    async def list_player_events(self, player_id: str, since_seq: int) -> pb.ListPlayerEventsResponse:
        """A player's own events after a sequence number. Raises AioRpcError; the hub handles it."""
        request = pb.ListPlayerEventsRequest(player_id=player_id, since_seq=since_seq)
        return await self._stubs.players.ListPlayerEvents(request, timeout=self._timeout_s)

    async def new_player_events(self, player_id: str, since_seq: int) -> pb.ListPlayerEventsResponse:
        """The same, perhaps with fewer events. Many such calls travel as one. Raises AioRpcError or Overloaded."""
        return await self._events.call(pb.ListPlayerEventsRequest(player_id=player_id, since_seq=since_seq))

    async def answer_to(self, call: Callable[[GameStubs, float], Awaitable[A]]) -> A:
        """The answer of any stub call. `call` gets the stubs and a timeout in seconds. Raises Refused."""
        return good(await called(call(self._stubs, self._command_s)))

    async def create_computer_game(self, request: pb.CreateComputerGameRequest) -> GameSummary:
        """Create a game against the computer. Raises Refused."""
        answer = await called(self._stubs.computer.CreateComputerGame(request, timeout=self._command_s))
        return good(answer).game

    async def import_game(self, pgn: bytes, player_id: str) -> GameSummary:
        """Import a finished game from a PGN. `player_id` is the importer, or empty. Raises Refused."""
        request = pb.ImportGameRequest(player_id=player_id, pgn=pgn)
        return good(await called(self._stubs.games.ImportGame(request, timeout=self._import_s))).game

    async def list_games(self, player_id: str, ongoing: bool, limit: int = 0) -> Sequence[GameSummary]:
        """A player's games, newest first. `limit` 0: the service's default. Raises Refused.

        `ongoing`: only running games, first those where it is the player's turn, the shortest time first.
        """
        request = pb.ListGamesRequest(player_id=player_id, ongoing=ongoing, limit=limit)
        return (await called(self._stubs.search.ListGames(request, timeout=self._command_s))).games

    async def create_challenge(self, request: pb.CreateChallengeRequest) -> Challenge:
        """Create an invitation. Raises Refused."""
        answer = await called(self._stubs.invitations.CreateChallenge(request, timeout=self._command_s))
        return good(answer).challenge

    async def answer_challenge(self, request: pb.AnswerChallengeRequest) -> pb.AnswerChallengeResponse:
        """Accept, decline or cancel an invitation. Raises Refused."""
        return good(await called(self._stubs.invitations.AnswerChallenge(request, timeout=self._command_s)))

    async def get_challenge(self, challenge_id: str) -> Challenge:
        """One invitation. Raises Refused when there is none."""
        answer = await called(
            self._stubs.invitations.GetChallenge(pb.GetChallengeRequest(id=challenge_id), timeout=self._command_s)
        )
        return good(answer).challenge

    async def list_challenges(self, player_id: str) -> pb.ListChallengesResponse:
        """A player's open invitations, incoming and outgoing. Raises Refused."""
        request = pb.ListChallengesRequest(player_id=player_id)
        return await called(self._stubs.invitations.ListChallenges(request, timeout=self._command_s))

    async def post_chat(self, request: pb.PostChatRequest) -> ChatLine:
        """Post a chat line. Raises Refused."""
        self.on_asked(request.game_id, request.player_id)
        return good(await called(self._stubs.chat.PostChat(request, timeout=self._command_s))).line

    async def ask_hint(self, request: pb.AskHintRequest) -> pb.Accepted:
        """Ask for a hint, which comes later as a message of the game. Returns the game's new state. Raises Refused."""
        self.on_asked(request.game_id, request.player_id)
        return good(await called(self._stubs.computer.AskHint(request, timeout=self._command_s))).accepted

    async def list_chat(self, game_id: str, room: ChatRoom) -> Sequence[ChatLine]:
        """The chat lines of a room, oldest first. Raises Refused."""
        request = pb.ListChatRequest(game_id=game_id, room=room)
        return (await called(self._stubs.chat.ListChat(request, timeout=self._command_s))).lines

    async def create_account(self, username: str, password: str) -> pb.Credential:
        """Create an account; returns its first token. Raises Refused."""
        request = pb.CreateAccountRequest(username=username, password=password)
        return good(await called(self._stubs.players.CreateAccount(request, timeout=self._password_s))).credential

    async def log_in(self, username: str, password: str) -> pb.Credential:
        """A new token for a name and its password. Raises Refused."""
        request = pb.LogInRequest(username=username, password=password)
        return good(await called(self._stubs.players.LogIn(request, timeout=self._password_s))).credential

    async def create_guest(self) -> pb.Credential:
        """Create a player without an account; returns a token. Raises Refused."""
        return (
            await called(self._stubs.players.CreateGuest(pb.CreateGuestRequest(), timeout=self._command_s))
        ).credential

    async def create_token(self, player_id: str, description: str, scopes: Iterable[str]) -> pb.Credential:
        """Create a personal token. Raises Refused."""
        request = pb.CreateTokenRequest(player_id=player_id, description=description, scopes=scopes)
        return good(await called(self._stubs.players.CreateToken(request, timeout=self._command_s))).credential

    async def revoke_token(self, token: str) -> None:
        """Revoke a token. Raises Refused when the call fails."""
        await called(self._stubs.players.RevokeToken(pb.RevokeTokenRequest(token=token), timeout=self._command_s))

    async def get_players(self, ids: Iterable[str]) -> Sequence[pb.Account]:
        """The accounts with these ids (lower-case names); unknown ids are left out. Raises Refused."""
        request = pb.GetPlayersRequest(ids=ids)
        return (await called(self._stubs.players.GetPlayers(request, timeout=self._command_s))).accounts

    async def bots(self, limit: int) -> Sequence[pb.Account]:
        """Bot accounts, at most `limit`. Raises Refused."""
        request = pb.GetPlayersRequest(bots=limit)
        return (await called(self._stubs.players.GetPlayers(request, timeout=self._command_s))).accounts

    async def upgrade_to_bot(self, player_id: str) -> Player:
        """Turn an account without games into a bot account. Raises Refused."""
        request = pb.UpgradeToBotRequest(player_id=player_id)
        return good(await called(self._stubs.players.UpgradeToBot(request, timeout=self._command_s))).player

    async def _submit(self, commands: Sequence[pb.Command]) -> Sequence[pb.Reply]:
        if tracing.on:
            with tracing.batch("gateway.batch", [command.traceparent for command in commands]):
                return await self._submitted(commands)
        return await self._submitted(commands)

    async def _submitted(self, commands: Sequence[pb.Command]) -> Sequence[pb.Reply]:
        return (await self._stubs.games.Submit(pb.SubmitRequest(commands=commands), timeout=self._command_s)).replies

    async def _fetch(self, items: Sequence[pb.FetchItem]) -> Sequence[pb.Fetched]:
        return (await self._stubs.games.Fetch(pb.FetchRequest(items=items), timeout=self._command_s)).results

    async def _new_events(self, asked: Sequence[pb.ListPlayerEventsRequest]) -> Sequence[pb.ListPlayerEventsResponse]:
        request = pb.ListEventsOfPlayersRequest(players=asked)
        return (await self._stubs.players.ListEventsOfPlayers(request, timeout=self._timeout_s)).results

    async def _resolve(self, tokens: Sequence[str]) -> Sequence[pb.TokenHolder]:
        request = pb.ResolveTokensRequest(tokens=tokens)
        return (await self._stubs.players.ResolveTokens(request, timeout=self._command_s)).holders


_BEAT = pb.Command(beat=pb.Beat())


def _too_late(answer: "asyncio.Future[pb.Reply]") -> None:
    if not answer.done():
        answer.set_exception(TimeoutError())


def _refused(refusal: Refusal) -> pb.Reply:
    return pb.Reply(refusal=refusal_to_pb(refusal))
