"""Ending what has expired: correspondence limits and invitations, in bounded batches.

Any number of sweeps may run at once: a game ends through the commit path, where one commit wins.
"""

import asyncio
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import DeadlineKind
from services.game import invitations, player_events
from services.game.beats import Beats
from services.game.command import Command, Flag
from services.game.commit_path import CommitPath
from services.game.decision import due
from services.game.game import Game
from services.game.messages import DEADLINE_KINDS
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

    async def run(self, limit: int) -> Swept:
        """End at most `limit` games and as many challenges."""
        overdue = await self._overdue(limit)
        replies = await asyncio.gather(
            *(
                self._path.submit(
                    Command(game.terms.id, "", "", Flag(game.version), b"", received_ms=self._beats.now_ms())
                )
                for game in overdue
            )
        )
        ended = sum(reply.HasField("accepted") for reply in replies)
        lapsed = await invitations.lapse_due(self._engine, self._publishing, self._beats.now_ms(), limit)
        await player_events.prune(self._engine, self._beats.now_ms() - self._settings.player_events_kept_ms, limit)
        return Swept(ended, lapsed, more=(ended > 0 and len(overdue) >= limit) or lapsed >= limit)

    async def _overdue(self, limit: int) -> list[Game]:
        found: list[Game] = []
        after = ""
        for _ in range(self._settings.sweep_pages_max):
            now_ms = self._beats.now_ms() - self._settings.flag_grace_ms
            page = await self._games.with_deadline([DEADLINE_KINDS[DeadlineKind.EXPIRY]], after, limit, now_ms)
            for game in page:
                due_ms = due(game, self._path.limits, self._beats.outages)
                if due_ms is not None and due_ms <= now_ms:
                    found.append(game)
            if len(page) < limit or len(found) >= limit:
                break
            after = page[-1].terms.id
        return found[:limit]
