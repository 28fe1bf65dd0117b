"""The way in: `GameService` over gRPC. Parses at the edge, hands on, and answers in order."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

import grpc
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import DeadlineKind
from services.domain.colour import Colour
from services.domain.level import LEVELS
from services.domain.refusal import Refusal, RefusalCode
from services.domain.time_control import Correspondence, problem
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames, new_game_id
from services.game.commit.path import STORE_ERRORS, UNREADABLE, CommitPath
from services.game.commit.ports import Rules
from services.game.computer.computer_server import ComputerServicer
from services.game.correspondence.correspondence_server import CorrespondenceServicer
from services.game.games.late import LateServicer
from services.game.imports.imports import Imports
from services.game.parties.parties import Parties
from services.game.parties.party_server import PartyServicer
from services.game.people.closing import Closing
from services.game.people.people_parsing import is_game_id
from services.game.people.people_server import PeopleServicer
from services.game.people.personal_data import PersonalData
from services.game.people.personal_server import PersonalServicer
from services.game.play.game import Game, computer_seat
from services.game.play.moment import due
from services.game.play.pgn_game import IMPORT
from services.game.play.question import RulesUnavailable
from services.game.play.refusals import NO_GAME, NO_PLAYER, malformed
from services.game.ratings.ratings_server import RatingsServicer
from services.game.search.search_server import SearchServicer
from services.game.settings import GameSettings
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.sql_games import Games
from services.game.upkeep.sweep import Sweep
from services.game.wire.messages import DEADLINE_KINDS, info_message, state_message, summary_message
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import PgnTag
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.runtime.batching import Overloaded
from services.runtime.rpc import BUSY
from services.runtime.wire import colour_from_pb, refusal_to_pb, rule_set_from_pb, time_control_from_pb

Context = grpc.aio.ServicerContext[Any, Any]

LIVE_DEADLINES = (DeadlineKind.FIRST_MOVE, DeadlineKind.FLAG, DeadlineKind.DECISION)
"""Those of the clock service; the rest is the sweep's."""

_LOST = {
    False: pb.Fetched(refusal=refusal_to_pb(NO_GAME)),
    True: pb.Fetched(refusal=refusal_to_pb(UNREADABLE)),
}
"""The answer about a game that could not be loaded, by whether it is there."""


class GameServicer(
    CorrespondenceServicer,
    ComputerServicer,
    RatingsServicer,
    SearchServicer,
    LateServicer,
    PersonalServicer,
    PeopleServicer,
    PartyServicer,
):
    """All methods: commands, games and sweeps stand here, the others in the classes that it is made of."""

    def __init__(
        self,
        engine: AsyncEngine,
        path: CommitPath,
        beats: Beats,
        new_games: NewGames,
        sweep: Sweep,
        imports: Imports,
        rules: Rules,
        settings: GameSettings,
        **people: Any,
    ) -> None:
        super().__init__(engine=engine, beats=beats, new_games=new_games, settings=settings, **people)
        PartyServicer.__init__(self, Parties(engine, new_games, people["publishing"], settings), beats, path.limits)
        self._closing = Closing(engine, self._passwords, self._parties)
        self._personal = PersonalData(engine)
        self._engine = engine
        self._path = path
        self._beats = beats
        self._new_games = new_games
        self._sweep = sweep
        self._imports = imports
        self._settings = settings
        self._games = Games(engine)
        self._rules = rules
        self._hints = people["publisher"]

    async def Submit(self, request: pb.SubmitRequest, context: Context) -> pb.SubmitResponse:
        """Each command by itself; replies in order."""
        received_ms = self._beats.now_ms()
        self._bound(request.commands, "commands")
        answers = [self._submit(command, received_ms) for command in request.commands]
        return pb.SubmitResponse(replies=[await answer for answer in answers])

    def _submit(self, message: pb.Command, received_ms: int) -> asyncio.Future[pb.Reply]:
        """What the reply to one command will be in."""
        if message.HasField("beat"):
            return asyncio.ensure_future(self._beat())
        command = command_of(message, received_ms, self._settings)
        if isinstance(command, Refusal):
            return _refused(command)
        try:
            return self._path.put(command)
        except Overloaded:
            return _refused(BUSY)

    async def _beat(self) -> pb.Reply:
        try:
            await self._path.beat()
        except (*STORE_ERRORS, RulesUnavailable):
            return pb.Reply(refusal=refusal_to_pb(BUSY))
        return pb.Reply(accepted=pb.Accepted())

    async def Fetch(self, request: pb.FetchRequest, context: Context) -> pb.FetchResponse:
        """What each listener misses."""
        self._bound(request.items, "items")
        found = await self._games.load(list({item.game_id for item in request.items if is_game_id(item.game_id)}))
        games = {game_id: game for game_id, game in found.items() if game is not None}
        behind: dict[str, int] = {}
        for item in request.items:
            game = games.get(item.game_id)
            if game is not None and 0 < item.since_version < game.version:
                behind[item.game_id] = min(item.since_version, behind.get(item.game_id, game.version))
        events = await self._games.events(behind, self._settings.events_fetched_max)
        answers = [
            _LOST[item.game_id in found]
            if item.game_id not in games
            else self._known(item, games[item.game_id], events.get(item.game_id, ()))
            for item in request.items
        ]
        whole = list({item.game_id for item, answer in zip(request.items, answers, strict=True) if answer is None})
        moves = await self._games.moves(whole) if whole else {}
        imports = [game_id for game_id in whole if games[game_id].terms.source == IMPORT]
        tags = await self._games.tags(imports) if imports else {}
        over = [game_id for game_id in whole if games[game_id].outcome is not None and game_id not in imports]
        rematches = await self._games.rematches(over) if over else {}
        now_ms = self._beats.now_ms()
        return pb.FetchResponse(
            results=[
                answer
                or self._snapshot(
                    games[item.game_id],
                    moves[item.game_id],
                    tags.get(item.game_id, ()),
                    rematches.get(item.game_id, ""),
                    now_ms,
                )
                for item, answer in zip(request.items, answers, strict=True)
            ]
        )

    def _known(self, item: pb.FetchItem, game: Game, events: Sequence[GameEvent]) -> pb.Fetched | None:
        """What can be answered without the game's moves; None when a snapshot is needed."""
        if item.since_version == game.version:
            return pb.Fetched(up_to_date=pb.UpToDate(version=game.version))
        return self._missed(game, item.since_version, events)

    def _snapshot(
        self, game: Game, moves: Sequence[pb.PlayedMove], tags: Sequence[PgnTag], rematch_id: str, now_ms: int
    ) -> pb.Fetched:
        # The moves were read after the state: what came in between is left to the next event.
        state = state_message(game, self._path.limits, self._beats.outages, now_ms)
        info = info_message(game.terms, tags)
        snapshot = pb.Snapshot(info=info, state=state, moves=moves[: game.ply], rematch_id=rematch_id)
        return pb.Fetched(snapshot=snapshot)

    def _missed(self, game: Game, since_version: int, events: Sequence[GameEvent]) -> pb.Fetched | None:
        """All events after a version up to the game's, or None when a snapshot serves better."""
        if game.terms.source == IMPORT:
            return None  # the states of its events are not whole
        if since_version <= 0 or since_version > game.version:
            return None
        wanted = [event for event in events if since_version < event.state.version <= game.version]
        if len(wanted) != game.version - since_version or len(wanted) > self._settings.events_fetched_max:
            return None
        if game.outcome is None:
            wanted[-1].state.legal = game.standing.legal
        return pb.Fetched(events=pb.Events(events=wanted))

    async def CreateComputerGame(
        self, request: pb.CreateComputerGameRequest, context: Context
    ) -> pb.CreateComputerGameResponse:
        """A game of a person against the computer."""
        created = await self._create_computer_game(request)
        if isinstance(created, Refusal):
            return pb.CreateComputerGameResponse(refusal=refusal_to_pb(created))
        now_ms = self._beats.now_ms()
        return pb.CreateComputerGameResponse(
            game=summary_message(created, self._path.limits, self._beats.outages, now_ms)
        )

    async def _create_computer_game(self, request: pb.CreateComputerGameRequest) -> Game | Refusal:
        if request.level not in LEVELS:
            return malformed("The computer has levels 1 to 10.", "level")
        control, rule_set = time_control_from_pb(request.time_control), rule_set_from_pb(request.rule_set)
        if (wrong := problem(control)) is not None:
            return malformed(f"Wrong time: {wrong}.", "time_control")
        person = await self.seat_of(request.player_id)
        if isinstance(person, Refusal):
            return person
        if person.guest and isinstance(control, Correspondence):
            return Refusal(RefusalCode.ACCOUNT_NEEDED, "A correspondence game needs an account.", "days")
        standing = await self._new_games.prepare(request.variant, request.initial_fen, rule_set)
        if isinstance(standing, Refusal):
            return standing
        colour = colour_from_pb(request.color) or secrets.choice((Colour.WHITE, Colour.BLACK))
        computer = computer_seat(request.level)
        async with transaction(self._engine) as connection:
            if not await sql_players.lock(connection, [person.player_id]):  # requests at once are counted one by one
                return NO_PLAYER
            if await sql_players.ongoing(connection, person.player_id) >= self._settings.games_ongoing_max:
                return Refusal(RefusalCode.LIMIT_REACHED, "You have as many games going on as anybody may have.")
            created = await self._new_games.insert(
                connection,
                game_id=new_game_id(),
                standing=standing,
                white=person if colour is Colour.WHITE else computer,
                black=person if colour is Colour.BLACK else computer,
                rule_set=rule_set,
                control=control,
                rated=False,
                source="ai",
                initial_fen=request.initial_fen,
                variant=request.variant,
                now_ms=self._beats.now_ms(),
            )
        self._new_games.announce(created)
        return created.game

    async def ImportGame(self, request: pb.ImportGameRequest, context: Context) -> pb.ImportGameResponse:
        """A finished game out of a PGN."""
        importer = await self.seat_of(request.player_id) if request.player_id else None
        now_ms = self._beats.now_ms()
        kept = importer if isinstance(importer, Refusal) else await self._imports.keep(request.pgn, now_ms)
        if isinstance(kept, Refusal):
            return pb.ImportGameResponse(refusal=refusal_to_pb(kept))
        return pb.ImportGameResponse(game=summary_message(kept, self._path.limits, self._beats.outages, now_ms))

    async def ListDeadlines(self, request: pb.ListDeadlinesRequest, context: Context) -> pb.ListDeadlinesResponse:
        """Deadlines of live games, a page at a time; correspondence limits are the sweep's."""
        now_ms = self._beats.now_ms()
        games = await self._games.with_deadline(
            [DEADLINE_KINDS[kind] for kind in LIVE_DEADLINES],
            request.after_game_id,
            min(request.limit or self._settings.list_deadlines_max, self._settings.list_deadlines_max),
            due_before_ms=now_ms - self._settings.flag_grace_ms if request.overdue_only else None,
        )
        deadlines = []
        for game in games:
            due_ms = due(game, self._path.limits, self._beats.outages)
            deadline = game.deadline(self._path.limits)
            if due_ms is not None and deadline is not None:
                deadlines.append(
                    pb.Deadline(
                        game_id=game.terms.id,
                        version=game.version,
                        deadline_ms=due_ms,
                        kind=DEADLINE_KINDS[deadline.kind],
                    )
                )
        return pb.ListDeadlinesResponse(deadlines=deadlines, now_ms=now_ms)

    async def ListComputerTurns(
        self, request: pb.ListComputerTurnsRequest, context: Context
    ) -> pb.ListComputerTurnsResponse:
        """Turns of the computer that have waited for a while, longest first."""
        now_ms = self._beats.now_ms()
        limit = min(request.limit or self._settings.list_games_max, self._settings.list_deadlines_max)
        games = await self._games.computer_turns(now_ms - request.waiting_ms, limit)
        return pb.ListComputerTurnsResponse(
            games=[summary_message(game, self._path.limits, self._beats.outages, now_ms) for game in games]
        )

    async def Sweep(self, request: pb.SweepRequest, context: Context) -> pb.SweepResponse:
        """End what has expired, a bounded batch of it."""
        limit = min(request.limit or self._settings.sweep_max, self._settings.sweep_max)
        swept = await self._sweep.run(limit)
        return pb.SweepResponse(
            games_ended=swept.games,
            challenges_lapsed=swept.challenges,
            reminders_sent=swept.reminders,
            more=swept.more,
        )

    def _bound(self, items: Sequence[object], name: str) -> None:
        if len(items) > self._settings.items_max:
            raise ValueError(f"{name}: {len(items)} of them; at most {self._settings.items_max}")


def _refused(refusal: Refusal) -> asyncio.Future[pb.Reply]:
    reply: asyncio.Future[pb.Reply] = asyncio.get_running_loop().create_future()
    reply.set_result(pb.Reply(refusal=refusal_to_pb(refusal)))
    return reply
