"""`UpkeepService`: deadlines for the clock service; computer turns and the sweep for the workers."""

from typing import Any

import grpc

from services.domain.clock import DeadlineKind
from services.game.commit.beats import Beats
from services.game.play.game import Limits
from services.game.play.moment import due
from services.game.settings import GameSettings
from services.game.store.sql_games import Games
from services.game.upkeep.sweep import Sweep
from services.game.wire.messages import DEADLINE_KINDS, summary_message
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import UpkeepServiceServicer

Context = grpc.aio.ServicerContext[Any, Any]

LIVE_DEADLINES = (DeadlineKind.FIRST_MOVE, DeadlineKind.FLAG, DeadlineKind.DECISION)
"""The deadlines that the clock service handles; the sweep handles the others."""


class UpkeepServicer(UpkeepServiceServicer):
    """Deadlines, turns of the computer, and the sweep."""

    def __init__(self, games: Games, sweep: Sweep, beats: Beats, limits: Limits, settings: GameSettings) -> None:
        self._games = games
        self._sweep = sweep
        self._beats = beats
        self._limits = limits
        self._settings = settings

    async def ListDeadlines(self, request: pb.ListDeadlinesRequest, context: Context) -> pb.ListDeadlinesResponse:
        """One page of the deadlines of live games; the sweep handles correspondence limits."""
        now_ms = self._beats.now_ms()
        games = await self._games.with_deadline(
            [DEADLINE_KINDS[kind] for kind in LIVE_DEADLINES],
            request.after_game_id,
            min(request.limit or self._settings.list_deadlines_max, self._settings.list_deadlines_max),
            due_before_ms=now_ms - self._settings.flag_grace_ms if request.overdue_only else None,
        )
        deadlines = []
        for game in games:
            due_ms = due(game, self._limits, self._beats.outages)
            deadline = game.deadline(self._limits)
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
        """Turns of the computer that have waited for the requested time, longest first."""
        now_ms = self._beats.now_ms()
        limit = min(request.limit or self._settings.list_games_max, self._settings.list_deadlines_max)
        games = await self._games.computer_turns(now_ms - request.waiting_ms, limit)
        return pb.ListComputerTurnsResponse(
            games=[summary_message(game, self._limits, self._beats.outages, now_ms) for game in games]
        )

    async def Sweep(self, request: pb.SweepRequest, context: Context) -> pb.SweepResponse:
        """End a bounded batch of what has expired."""
        limit = min(request.limit or self._settings.sweep_max, self._settings.sweep_max)
        swept = await self._sweep.run(limit)
        return pb.SweepResponse(
            games_ended=swept.games,
            challenges_lapsed=swept.challenges,
            reminders_sent=swept.reminders,
            more=swept.more,
        )
