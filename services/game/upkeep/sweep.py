"""Ends what has expired (correspondence limits, invitations, seeks, parties) and deletes old data, in bounded batches.
Any number of sweeps may run at once: games end through the commit path, where only one commit succeeds.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.absence import have_both_lasted
from services.domain.clock import DeadlineKind
from services.game.commit.beats import Beats
from services.game.commit.path import CommitPath
from services.game.commit.presence import RedisPresence
from services.game.commit.publishing import Publishing
from services.game.correspondence import reminders
from services.game.invitations import invitations
from services.game.lobby import seeks
from services.game.parties import parties
from services.game.personal import closing
from services.game.play.command import Command
from services.game.play.commands.flags import Abandon, Flag
from services.game.play.game import Both, Game
from services.game.play.moment import closes
from services.game.play.result import Committed
from services.game.settings import GameSettings
from services.game.store import player_events
from services.game.store.database import STORE_ERRORS
from services.game.store.sql_games import Games
from services.game.upkeep.retention import Retention
from services.game.wire.messages import DEADLINE_KINDS

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did, and whether more may be left."""

    games: int
    challenges: int
    reminders: int
    more: bool


class Sweep:
    """Runs bounded passes over what has expired."""

    def __init__(
        self,
        engine: AsyncEngine,
        path: CommitPath,
        beats: Beats,
        publishing: Publishing,
        settings: GameSettings,
        presence: RedisPresence | None = None,
    ) -> None:
        self._engine = engine
        self._path = path
        self._beats = beats
        self._publishing = publishing
        self._settings = settings
        self._presence = presence
        self._games = Games(engine)
        self._retention = Retention(engine, settings)
        self._after = ""

    async def run(self, limit: int) -> Swept:
        """End at most `limit` of each: games, challenges, seeks, parties, and games without players; delete at most as
        much old data. Each run continues where the last one stopped, so that games which cannot be ended do not block
        the others.
        """
        ended, reminded, more = 0, 0, True
        for _ in range(self._settings.sweep_pages_max):
            page, overdue = await self._page(limit - ended)
            more = len(page) >= limit - ended
            self._after = page[-1].terms.id if more else ""
            ended += await self._end(overdue)
            decided = {game.terms.id for game in overdue}
            reminded += await self._put_off([game for game in page if game.terms.id not in decided])
            if not more or ended >= limit:
                break
        lapsed = await invitations.lapse_due(self._engine, self._publishing, self._beats.now_ms(), limit)
        await seeks.lapse_due(self._engine, self._beats.now_ms(), limit)
        await player_events.prune(self._engine, self._beats.now_ms() - self._settings.player_events_kept_ms, limit)
        await self._abandon(limit)
        unused_ms = self._settings.party_unused_ms
        await parties.close_unused(self._engine, self._publishing, self._beats.now_ms(), unused_ms, limit)
        forgotten = await self._forget(limit)
        more = more or lapsed >= limit or forgotten > 0
        return Swept(ended, lapsed, reminded, more=more)

    async def _forget(self, limit: int) -> int:
        """Delete the data of closed accounts, and data that is too old. Returns how much of the first was done.

        It is not urgent: if it fails, games are still ended, and each sweep deletes one batch of old data.
        """
        try:
            forgotten = await closing.forget_due(self._engine, self._beats.now_ms(), limit)
            await self._retention.remove(self._beats.now_ms(), limit)
        except STORE_ERRORS as error:
            log.warning("this sweep deletes no more old data: %s: %s", type(error).__name__, error)
            return 0
        return forgotten

    async def _page(self, size: int) -> tuple[list[Game], list[Game]]:
        """The next games to check, and those of them that must end, with outages given back."""
        now_ms = self._beats.now_ms() - self._settings.flag_grace_ms
        kinds = [DEADLINE_KINDS[DeadlineKind.EXPIRY]]
        page = await self._games.with_deadline(kinds, self._after, size, look_before_ms=now_ms)
        limits, outages = self._path.limits, self._beats.outages
        return page, [game for game in page if (at_ms := closes(game, limits, outages)) is not None and at_ms <= now_ms]

    async def _put_off(self, games: Sequence[Game]) -> int:
        """Make reminders for limits that are near, and store the next check of these games. Returns the number of
        reminders."""
        limits, outages, now_ms = self._path.limits, self._beats.outages, self._beats.now_ms()
        told = await reminders.remind(self._engine, games, limits, outages, now_ms)
        self._publishing.announce(players=told)
        return len(told)

    async def _abandon(self, limit: int) -> int:
        """Abort games of parties that both players have left for too long. Returns their number."""
        if self._presence is None:
            return 0
        now_ms = self._beats.now_ms()
        games = await self._games.idle_in_parties(now_ms - self._path.limits.abandoned_ms, limit)
        if not games:
            return 0
        try:
            # If nothing is known about a player, the absence begins now.
            await self._presence.begin_anew([game.terms.id for game in games], 2 * self._path.limits.abandoned_ms)
        except (RedisError, OSError) as error:
            log.warning("presence is unknown, so no game is abandoned: %s", type(error).__name__)
            return 0
        away = await self._presence.away_ms(games)
        gone = [game for game in games if _both_gone(away.get(game.terms.id), self._path.limits.abandoned_ms)]
        results = await asyncio.gather(
            *(self._path.submit(Command(game.terms.id, "", "", Abandon(game.version), b"", now_ms)) for game in gone)
        )
        return sum(isinstance(result, Committed) for result in results)

    async def _end(self, overdue: Sequence[Game]) -> int:
        """End these games. Returns how many were ended."""
        now_ms = self._beats.now_ms()
        results = await asyncio.gather(
            *(self._path.submit(Command(game.terms.id, "", "", Flag(game.version), b"", now_ms)) for game in overdue)
        )
        return sum(isinstance(result, Committed) for result in results)


def _both_gone(away: Both[int | None] | None, least_ms: int) -> bool:
    return away is not None and have_both_lasted(away.white, away.black, least_ms)
