"""Ending what has expired: correspondence limits and invitations, in bounded batches.

Any number of sweeps may run at once: a game ends through the commit path, where one commit wins.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import DeadlineKind
from services.game import invitations, player_events
from services.game.beats import Beats
from services.game.command import Command, Flag
from services.game.commit_path import CommitPath
from services.game.game import Game
from services.game.messages import DEADLINE_KINDS
from services.game.moment import closes
from services.game.publishing import Publishing
from services.game.settings import GameSettings
from services.game.sql_store import Games


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did, and whether there may be more."""

    games: int
    challenges: int
    more: bool


class Sweep:
    """One bounded pass over what has expired."""

    def __init__(
        self, engine: AsyncEngine, path: CommitPath, beats: Beats, publishing: Publishing, settings: GameSettings
    ) -> None:
        self._engine = engine
        self._path = path
        self._beats = beats
        self._publishing = publishing
        self._settings = settings
        self._games = Games(engine)
        self._after = ""

    async def run(self, limit: int) -> Swept:
        """End at most `limit` games and as many challenges.

        It goes on where the last run ended, so that games which cannot be ended keep nobody behind them waiting.
        """
        ended, more = 0, True
        for _ in range(self._settings.sweep_pages_max):
            page, overdue = await self._page(limit - ended)
            more = len(page) >= limit - ended
            self._after = page[-1].terms.id if more else ""
            ended += await self._end(overdue)
            if not more or ended >= limit:
                break
        lapsed = await invitations.lapse_due(self._engine, self._publishing, self._beats.now_ms(), limit)
        await player_events.prune(self._engine, self._beats.now_ms() - self._settings.player_events_kept_ms, limit)
        return Swept(ended, lapsed, more=more or lapsed >= limit)

    async def _page(self, size: int) -> tuple[list[Game], list[Game]]:
        """The next games whose stored limit has passed, and those of them whose limit has, outages given back."""
        now_ms = self._beats.now_ms() - self._settings.flag_grace_ms
        page = await self._games.with_deadline([DEADLINE_KINDS[DeadlineKind.EXPIRY]], self._after, size, now_ms)
        limits, outages = self._path.limits, self._beats.outages
        return page, [game for game in page if (at_ms := closes(game, limits, outages)) is not None and at_ms <= now_ms]

    async def _end(self, overdue: Sequence[Game]) -> int:
        """How many of these were ended."""
        now_ms = self._beats.now_ms()
        replies = await asyncio.gather(
            *(self._path.submit(Command(game.terms.id, "", "", Flag(game.version), b"", now_ms)) for game in overdue)
        )
        return sum(reply.HasField("accepted") for reply in replies)
