"""`ComputerService`: games against the computer, hints and progress."""

import asyncio
import logging
import secrets
from typing import Any, Protocol

import grpc
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.refusal import BUSY, Refusal, RefusalCode
from services.domain.text import say
from services.domain.time_control import Correspondence, problem
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGame, NewGames, new_game_id
from services.game.commit.path import CommitPath
from services.game.commit.ports import Rules
from services.game.computer.progress import badges, beaten
from services.game.people.accounts import Accounts
from services.game.play.game import Game, computer_seat
from services.game.play.person import is_player_id
from services.game.play.question import Play, Played, RulesUnavailable
from services.game.play.refusals import NO_GAME, NO_PLAYER, malformed
from services.game.play.result import NotCommitted
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.sql_games import Games
from services.game.wire.fields import is_game_id
from services.game.wire.messages import summary_message
from services.game.wire.parsing import command_of
from services.game.wire.replies import fill_accepted
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Hint
from services.pb.flagfall.v1.game_pb2_grpc import ComputerServiceServicer
from services.runtime.batching import Overloaded
from services.runtime.rpc import BadRequest
from services.runtime.wire import colour_from_pb, refusal_to_pb, rule_set_from_pb, time_control_from_pb

log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]

_GONE_ON = Refusal(RefusalCode.STALE_VERSION, say("computer.gone_on"), "ply")


class HintPublisher(Protocol):
    """Publishes hints."""

    async def publish_hint(self, hint: Hint) -> None:
        """Publish now, or raise RedisError."""


class ComputerServicer(ComputerServiceServicer):
    """Games against the computer, hints, and progress."""

    def __init__(
        self,
        engine: AsyncEngine,
        path: CommitPath,
        beats: Beats,
        new_games: NewGames,
        rules: Rules,
        accounts: Accounts,
        hints: HintPublisher,
        settings: GameSettings,
    ) -> None:
        self._engine = engine
        self._path = path
        self._beats = beats
        self._new_games = new_games
        self._rules = rules
        self._accounts = accounts
        self._hints = hints
        self._settings = settings
        self._games = Games(engine)

    async def CreateComputerGame(
        self, request: pb.CreateComputerGameRequest, context: Context
    ) -> pb.CreateComputerGameResponse:
        """Make a game of a person against the computer."""
        created = await self._create_computer_game(request)
        if isinstance(created, Refusal):
            return pb.CreateComputerGameResponse(refusal=refusal_to_pb(created))
        now_ms = self._beats.now_ms()
        return pb.CreateComputerGameResponse(
            game=summary_message(created, self._path.limits, self._beats.outages, now_ms)
        )

    async def _create_computer_game(self, request: pb.CreateComputerGameRequest) -> Game | Refusal:
        if request.level not in LEVELS:
            return malformed(say("play.levels", least=LEVELS[0], most=LEVELS[-1]), "level")
        try:
            control, rule_set = time_control_from_pb(request.time_control), rule_set_from_pb(request.rule_set)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        if (wrong := problem(control)) is not None:
            return malformed(wrong, "time_control")
        person = await self._accounts.seat(request.player_id)
        if isinstance(person, Refusal):
            return person
        if person.guest and isinstance(control, Correspondence):
            return Refusal(RefusalCode.ACCOUNT_NEEDED, say("people.account_for_correspondence"), "days")
        standing = await self._new_games.prepare(request.variant, request.initial_fen, rule_set)
        if isinstance(standing, Refusal):
            return standing
        colour = colour_from_pb(request.color) or secrets.choice((Colour.WHITE, Colour.BLACK))
        computer = computer_seat(request.level)
        async with transaction(self._engine) as connection:
            if not await sql_players.lock(connection, [person.player_id]):  # concurrent requests are counted one by one
                return NO_PLAYER
            if await sql_players.ongoing(connection, person.player_id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, say("people.own_games_max"))
            created = await self._new_games.insert(
                connection,
                NewGame(
                    id=new_game_id(),
                    standing=standing,
                    white=person if colour is Colour.WHITE else computer,
                    black=person if colour is Colour.BLACK else computer,
                    rule_set=rule_set,
                    control=control,
                    rated=False,
                    source="ai",
                    initial_fen=request.initial_fen,
                    variant=request.variant,
                    created_ms=self._beats.now_ms(),
                ),
            )
        self._new_games.announce(created)
        return created.game

    async def AskHint(self, request: pb.AskHintRequest, context: Context) -> pb.AskHintResponse:
        """Record that the player took help; the event makes a worker search for the hint."""
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
            result = await self._path.submit(command)
        except Overloaded:
            return pb.AskHintResponse(refusal=refusal_to_pb(BUSY))
        if isinstance(result, NotCommitted):
            return pb.AskHintResponse(refusal=refusal_to_pb(result.refusal))
        response = pb.AskHintResponse()
        fill_accepted(response.accepted, result)
        return response

    async def GiveHint(self, request: pb.GiveHintRequest, context: Context) -> pb.GiveHintResponse:
        """Send the hint to the player to move, if the game is still at the ply of the request."""
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
            return Refusal(RefusalCode.NOT_ALLOWED, say("computer.nobody_to_help"))
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
        """The levels that a player has beaten, and all badges, earned or not."""
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
