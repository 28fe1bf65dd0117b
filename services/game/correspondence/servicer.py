"""`CorrespondenceService`: conditional moves and vacations."""

import asyncio
from typing import Any

import grpc
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import Correspondence
from services.game.commit.beats import Beats
from services.game.commit.path import CommitPath
from services.game.commit.ports import Rules
from services.game.correspondence import conditional, vacation
from services.game.play.command import Command
from services.game.play.commands.clocks import Rest
from services.game.play.game import Game
from services.game.play.moment import NO_ANSWERS, Answers
from services.game.play.question import RulesUnavailable
from services.game.play.refusals import NO_GAME, NOT_A_PLAYER
from services.game.search.search import Search
from services.game.settings import GameSettings
from services.game.store.database import transaction
from services.game.store.sql_games import Games
from services.game.store.sql_store import load_held
from services.game.wire.fields import is_game_id, refuse_player_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import CorrespondenceServiceServicer
from services.runtime.wire import refusal_to_pb

Context = grpc.aio.ServicerContext[Any, Any]


class CorrespondenceServicer(CorrespondenceServiceServicer):
    """Conditional moves and vacations."""

    def __init__(
        self,
        engine: AsyncEngine,
        path: CommitPath,
        beats: Beats,
        rules: Rules,
        search: Search,
        settings: GameSettings,
    ) -> None:
        self._engine = engine
        self._path = path
        self._beats = beats
        self._rules = rules
        self._search = search
        self._settings = settings
        self._games = Games(engine)

    async def SetConditionalMoves(
        self, request: pb.SetConditionalMovesRequest, context: Context
    ) -> pb.SetConditionalMovesResponse:
        """Store lines, or delete them."""
        kept = await self._set_lines(request)
        if isinstance(kept, Refusal):
            return pb.SetConditionalMovesResponse(refusal=refusal_to_pb(kept))
        return pb.SetConditionalMovesResponse(lines=conditional.answers_to_pb(kept))

    async def _set_lines(self, request: pb.SetConditionalMovesRequest) -> Answers | Refusal:
        lines = [list(line.moves) for line in request.lines]
        game = await self._own_game(request.game_id, request.player_id)
        if isinstance(game, Refusal):
            return game
        refusal = conditional.refuse(game, request.player_id) or conditional.refuse_lines(lines)
        if refusal is not None:
            return refusal
        try:
            answers = await conditional.checked(game, lines, self._rules)
        except RulesUnavailable as error:
            return error.refusal
        if isinstance(answers, Refusal):
            return answers
        async with transaction(self._engine) as connection:
            # The row is locked, so that no move that these lines would answer can be committed in between.
            held = await load_held(connection, game.terms.id)
            if held is None or held.version != game.version:
                return Refusal(RefusalCode.STALE_VERSION, say("correspondence.gone_on"), "game_id")
            await conditional.keep(connection, game.terms.id, request.player_id, answers)
        return answers

    async def GetConditionalMoves(
        self, request: pb.GetConditionalMovesRequest, context: Context
    ) -> pb.GetConditionalMovesResponse:
        """The caller's own lines."""
        game = await self._own_game(request.game_id, request.player_id)
        if isinstance(game, Refusal):
            return pb.GetConditionalMovesResponse(refusal=refusal_to_pb(game))
        async with transaction(self._engine) as connection:
            found = await conditional.load(connection, {game.terms.id: request.player_id})
        answers = found.get(game.terms.id)
        stands = answers is not None and game.outcome is None and answers.ply == game.ply
        shown = answers if stands and answers is not None else NO_ANSWERS
        return pb.GetConditionalMovesResponse(lines=conditional.answers_to_pb(shown))

    async def _own_game(self, game_id: str, player_id: str) -> Game | Refusal:
        game = (await self._games.load([game_id])).get(game_id) if is_game_id(game_id) else None
        if game is None:
            return NO_GAME
        if game.terms.side_of(player_id) is None:
            return NOT_A_PLAYER
        return game

    async def SetVacation(self, request: pb.SetVacationRequest, context: Context) -> pb.SetVacationResponse:
        """Begin or end a vacation. The time of current turns stops from now on, until the vacation's end."""
        refusal = refuse_player_id(request.player_id)
        if refusal is None and not 0 <= request.days <= vacation.YEAR_DAYS:
            refusal = Refusal(RefusalCode.MALFORMED, say("correspondence.vacation_days"), "days")
        if refusal is not None:
            return pb.SetVacationResponse(refusal=refusal_to_pb(refusal))
        now_ms = self._beats.now_ms()
        until_ms = await vacation.take(
            self._engine,
            request.player_id,
            request.days,
            now_ms,
            day_ms=self._settings.day_ms,
            days_max=self._settings.vacation_days_max,
        )
        if isinstance(until_ms, Refusal):
            return pb.SetVacationResponse(refusal=refusal_to_pb(until_ms))
        if until_ms:
            await self._rest(request.player_id, until_ms, now_ms)
        return pb.SetVacationResponse(until_ms=until_ms)

    async def _rest(self, player_id: str, until_ms: int, now_ms: int) -> None:
        """Stop the time of this player's current turns. A game in which a move comes meanwhile needs nothing."""
        games = await self._search.ongoing(player_id)
        waiting = [
            game
            for game in games
            if isinstance(game.terms.control, Correspondence) and game.terms.side_of(player_id) is game.turn
        ]
        await asyncio.gather(
            *(
                self._path.submit(
                    Command(game.terms.id, player_id, f"rest-{now_ms}-{until_ms}", Rest(until_ms), b"rest", now_ms)
                )
                for game in waiting
            )
        )
