"""`GamesService`: commands, and reads of games. Requests are parsed here, passed on, and answered in order."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

import grpc
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import BUSY, Refusal
from services.game.commit.beats import Beats
from services.game.commit.overdue import Overdue
from services.game.commit.path import UNREADABLE, CommitPath
from services.game.games.late import Late, over
from services.game.imports.imports import Imports
from services.game.people.accounts import Accounts
from services.game.play.command import Command
from services.game.play.game import Game
from services.game.play.pgn_game import IMPORT
from services.game.play.question import RulesUnavailable
from services.game.play.refusals import NO_GAME
from services.game.play.result import NotCommitted
from services.game.settings import GameSettings
from services.game.store.database import STORE_ERRORS
from services.game.store.sql_games import Games
from services.game.wire.bounds import bounded
from services.game.wire.fields import is_game_id
from services.game.wire.messages import info_message, state_message, summary_message
from services.game.wire.parsing import command_of
from services.game.wire.replies import CommandResult, fill_reply
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import PgnTag
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2_grpc import GamesServiceServicer
from services.runtime.batching import Overloaded
from services.runtime.rpc import BadRequest
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]

_LOST = {
    False: pb.Fetched(refusal=refusal_to_pb(NO_GAME)),
    True: pb.Fetched(refusal=refusal_to_pb(UNREADABLE)),
}
"""The answer for a game that could not be loaded. The key is whether the game exists."""


class GamesServicer(GamesServiceServicer):
    """Commands, missed events for subscribers, and imports."""

    def __init__(
        self,
        engine: AsyncEngine,
        path: CommitPath,
        beats: Beats,
        overdue: Overdue,
        imports: Imports,
        accounts: Accounts,
        settings: GameSettings,
    ) -> None:
        self._path = path
        self._beats = beats
        self._imports = imports
        self._accounts = accounts
        self._settings = settings
        self._games = Games(engine)
        self._late = Late(engine, settings.events_fetched_max)
        self._overdue = overdue

    async def Submit(self, request: pb.SubmitRequest, context: Context) -> pb.SubmitResponse:
        """Decide each command separately; replies in order."""
        received_ms = self._beats.now_ms()
        bounded(request.commands, "commands", self._settings.items_max)
        submitted = [self._submit(command, received_ms) for command in request.commands]
        response = pb.SubmitResponse()
        for waiting in submitted:
            result = waiting if isinstance(waiting, NotCommitted) else await waiting
            reply = response.replies.add()
            if result is None:
                reply.accepted.SetInParent()
            else:
                fill_reply(reply, result)
        return response

    def _submit(self, message: pb.Command, received_ms: int) -> Awaitable[CommandResult | None] | NotCommitted:
        """The coming result of a command, None for a committed beat; a refusal if it cannot be submitted."""
        if message.HasField("beat"):
            return asyncio.ensure_future(self._beat())
        command = command_of(message, received_ms, self._settings)
        if isinstance(command, Refusal):
            return NotCommitted(command)
        try:
            decided = self._path.put(command)
        except Overloaded:
            return NotCommitted(BUSY)
        decided.add_done_callback(lambda done: self._look_after(command, done))
        return decided

    def _look_after(self, command: Command, decided: "asyncio.Future[CommandResult]") -> None:
        if not decided.cancelled() and decided.exception() is None:
            self._overdue.after(command, decided.result())

    async def _beat(self) -> NotCommitted | None:
        try:
            await self._path.beat()
        except RulesUnavailable:
            return NotCommitted(replace(BUSY, at="rules"))
        except STORE_ERRORS:
            return NotCommitted(replace(BUSY, at="database"))
        return None

    async def Fetch(self, request: pb.FetchRequest, context: Context) -> pb.FetchResponse:
        """For each item what the subscriber lacks: events, a snapshot, or nothing."""
        bounded(request.items, "items", self._settings.items_max)
        return pb.FetchResponse(results=await self._fetch(request.items))

    async def _fetch(self, items: Sequence[pb.FetchItem]) -> list[pb.Fetched]:
        ids = list({item.game_id for item in items if is_game_id(item.game_id)})
        found = await self._games.load(ids)
        if await self._overdue.end(found.values()):
            found = await self._games.load(ids)
        games = {game_id: game for game_id, game in found.items() if game is not None}
        behind: dict[str, int] = {}
        for item in items:
            game = games.get(item.game_id)
            if game is not None and 0 < item.since_version < game.version:
                behind[item.game_id] = min(item.since_version, behind.get(item.game_id, game.version))
        events = await self._games.events(behind, self._settings.events_fetched_max)
        answers = [
            _LOST[item.game_id in found]
            if item.game_id not in games
            else self._known(item, games[item.game_id], events.get(item.game_id, ()))
            for item in items
        ]
        whole = list({item.game_id for item, answer in zip(items, answers, strict=True) if answer is None})
        moves = await self._games.moves(whole) if whole else {}
        imports = [game_id for game_id in whole if games[game_id].terms.source == IMPORT]
        tags = await self._games.tags(imports) if imports else {}
        over = [game_id for game_id in whole if games[game_id].outcome is not None and game_id not in imports]
        rematches = await self._games.rematches(over) if over else {}
        now_ms = self._beats.now_ms()
        return [
            answer
            or self._snapshot(
                games[item.game_id],
                moves[item.game_id],
                tags.get(item.game_id, ()),
                rematches.get(item.game_id, ""),
                now_ms,
            )
            for item, answer in zip(items, answers, strict=True)
        ]

    def _known(self, item: pb.FetchItem, game: Game, events: Sequence[GameEvent]) -> pb.Fetched | None:
        """The answer if it needs no moves of the game; None if a snapshot is needed."""
        if item.since_version == game.version:
            return pb.Fetched(up_to_date=pb.UpToDate(version=game.version))
        return self._missed(game, item.since_version, events)

    def _snapshot(
        self, game: Game, moves: Sequence[pb.PlayedMove], tags: Sequence[PgnTag], rematch_id: str, now_ms: int
    ) -> pb.Fetched:
        # The moves were read after the state: later moves come with the next event.
        state = state_message(game, self._path.limits, self._beats.outages, now_ms)
        info = info_message(game.terms, tags)
        snapshot = pb.Snapshot(info=info, state=state, moves=moves[: game.ply], rematch_id=rematch_id)
        return pb.Fetched(snapshot=snapshot)

    def _missed(self, game: Game, since_version: int, events: Sequence[GameEvent]) -> pb.Fetched | None:
        """All events after `since_version` up to the game's version, or None if a snapshot is needed."""
        if game.terms.source == IMPORT:
            return None  # the states in its events are incomplete
        if since_version <= 0 or since_version > game.version:
            return None
        wanted = [event for event in events if since_version < event.state.version <= game.version]
        if len(wanted) != game.version - since_version or len(wanted) > self._settings.events_fetched_max:
            return None
        if game.outcome is None:
            wanted[-1].state.legal = game.standing.legal
        return pb.Fetched(events=pb.Events(events=wanted))

    async def FetchLate(self, request: pb.FetchLateRequest, context: Context) -> pb.FetchLateResponse:
        """For each item what the spectator lacks. Running games are delayed by `late_ms`."""
        bounded(request.items, "items", self._settings.items_max)
        if request.late_ms < 0:
            raise BadRequest("late_ms: below 0")
        ids = list({item.game_id for item in request.items if is_game_id(item.game_id)})
        games = await self._late.going_on(ids)
        if await self._overdue.end(games.values()):
            games = await self._late.going_on(ids)
        late = [item for item in request.items if item.game_id in games]
        others = [item for item in request.items if item.game_id not in games]
        held_back = iter(await self._late.fetch(late, games, request.late_ms, self._beats.now_ms()))
        whole = iter(await self._fetch(others) if others else ())
        results = [next(held_back) if item.game_id in games else over(next(whole)) for item in request.items]
        return pb.FetchLateResponse(results=results)

    async def ImportGame(self, request: pb.ImportGameRequest, context: Context) -> pb.ImportGameResponse:
        """Import one finished game from PGN."""
        importer = await self._accounts.seat(request.player_id) if request.player_id else None
        now_ms = self._beats.now_ms()
        kept = importer if isinstance(importer, Refusal) else await self._imports.keep(request.pgn, now_ms)
        if isinstance(kept, Refusal):
            return pb.ImportGameResponse(refusal=refusal_to_pb(kept))
        return pb.ImportGameResponse(game=summary_message(kept, self._path.limits, self._beats.outages, now_ms))
