"""The methods of `GameService` about the computer as an opponent: hints and progress."""

import asyncio
import logging
from typing import Any, Protocol

import grpc
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.game.commit.beats import Beats
from services.game.commit.path import CommitPath
from services.game.commit.ports import Rules
from services.game.computer.progress import badges, beaten
from services.game.people.people_parsing import is_game_id
from services.game.play.game import Game
from services.game.play.person import is_player_id
from services.game.play.question import Play, Played, RulesUnavailable
from services.game.play.refusals import NO_GAME, NO_PLAYER
from services.game.settings import GameSettings
from services.game.store.sql_games import Games
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Hint
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceServicer
from services.runtime.batching import Overloaded
from services.runtime.rpc import BUSY
from services.runtime.wire import refusal_to_pb

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]

_GONE_ON = Refusal(RefusalCode.STALE_VERSION, "The game has gone on since the hint was asked for.", "ply")


class HintPublisher(Protocol):
    """Who publishes a hint."""

    async def publish_hint(self, hint: Hint) -> None:
        """Publish now, or raise RedisError."""


class ComputerServicer(GameServiceServicer):
    """Help from the computer, and what is won against it."""

    _engine: AsyncEngine
    _path: CommitPath
    _beats: Beats
    _games: Games
    _settings: GameSettings
    _rules: Rules
    _hints: HintPublisher

    async def AskHint(self, request: pb.AskHintRequest, context: Context) -> pb.AskHintResponse:
        """Note that help was taken; a worker hears of it and searches."""
        message = pb.Command(
            game_id=request.game_id,
            player_id=request.player_id,
            command_id=request.command_id,
            take_hint=pb.TakeHint(),
        )
        command = command_of(message, self._beats.now_ms(), self._settings)
        if isinstance(command, Refusal):
            return pb.AskHintResponse(refusal=refusal_to_pb(command))
        try:
            reply = await self._path.submit(command)
        except Overloaded:
            return pb.AskHintResponse(refusal=refusal_to_pb(BUSY))
        if reply.HasField("refusal"):
            return pb.AskHintResponse(refusal=reply.refusal)
        return pb.AskHintResponse(accepted=reply.accepted)

    async def GiveHint(self, request: pb.GiveHintRequest, context: Context) -> pb.GiveHintResponse:
        """Tell whoever is to move, while the game still stands where it was asked."""
        refusal = await self._give_hint(request)
        return pb.GiveHintResponse() if refusal is None else pb.GiveHintResponse(refusal=refusal_to_pb(refusal))

    async def _give_hint(self, request: pb.GiveHintRequest) -> Refusal | None:
        if not is_game_id(request.game_id):
            return NO_GAME
        game = (await self._games.load([request.game_id])).get(request.game_id)
        if game is None:
            return NO_GAME
        if game.outcome is not None or (game.ply, game.extra.takebacks) != (request.ply, request.takebacks):
            return _GONE_ON
        person = game.terms.seat(game.turn)
        if not game.terms.against_computer or person.computer_level:
            return Refusal(RefusalCode.NOT_ALLOWED, "Nobody is to move who could be helped.")
        played = await self._played(game, request.uci)
        if isinstance(played, Refusal):
            return played
        hint = Hint(game_id=game.terms.id, ply=game.ply, uci=played.uci, san=played.san, player_id=person.player_id)
        try:
            async with asyncio.timeout(self._settings.call_timeout_ms / 1000):
                await self._hints.publish_hint(hint)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("a hint is not published: %s", type(error).__name__)
            return BUSY
        return None

    async def _played(self, game: Game, uci: str) -> Played | Refusal:
        standing = game.standing
        question = Play(game.terms.variant, game.terms.rule_set, standing.fen, standing.keys, uci)
        try:
            (verdict,) = await self._rules.judge([question])
        except RulesUnavailable as error:
            return error.refusal
        assert isinstance(verdict, Played | Refusal), "a move is played or refused"
        return verdict

    async def GetProgress(self, request: pb.GetProgressRequest, context: Context) -> pb.GetProgressResponse:
        """What somebody has beaten, and the badges, earned or not."""
        if not is_player_id(request.player_id):
            return pb.GetProgressResponse(refusal=refusal_to_pb(NO_PLAYER))
        rows = await beaten(self._engine, request.player_id)
        progress = pb.Progress(
            beaten=[
                pb.LevelBeaten(
                    variant=row.variant,
                    level=row.level,
                    wins=row.wins,
                    wins_without_help=row.wins_without_help,
                    first_ms=row.first_ms,
                )
                for row in rows
            ],
            badges=[
                pb.Badge(
                    key=badge.key,
                    name=badge.name,
                    description=badge.description,
                    earned_ms=badge.earned_ms(rows) or 0,
                )
                for badge in badges()
            ],
        )
        return pb.GetProgressResponse(progress=progress)
