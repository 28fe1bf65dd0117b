"""Deletes old games, old chat, and guests whose cookie has expired. The sweep runs it in bounded batches."""

import logging

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.settings import GameSettings
from services.game.store.database import transaction
from services.game.store.schema import chat_line, game, game_event, player

log = logging.getLogger(__name__)

DAY_MS = 86_400_000
"""A calendar day; a setting may make a correspondence day shorter."""
GUESTS_PERIOD_MS = 3_600_000
"""The interval of deleting guests. It is long because the query reads all guests."""


class Retention:
    """Deletes what is older than the settings allow. Any number of these may run at once."""

    def __init__(self, engine: AsyncEngine, settings: GameSettings) -> None:
        self._engine = engine
        self._settings = settings
        self._guests_due_ms = 0

    async def remove(self, now_ms: int, limit: int) -> int:
        """Delete at most `limit` of each kind. Returns the largest number of the kinds."""
        settings = self._settings
        games = lines = guests = 0
        if settings.games_kept_days:
            games = await self._games(now_ms - settings.games_kept_days * DAY_MS, limit)
        if settings.chat_kept_days:
            lines = await self._chat(now_ms - settings.chat_kept_days * DAY_MS, limit)
        if settings.guests_kept_days and now_ms >= self._guests_due_ms:
            self._guests_due_ms = now_ms + GUESTS_PERIOD_MS
            guests = await self._guests(now_ms - settings.guests_kept_days * DAY_MS, limit)
            if guests == limit:
                self._guests_due_ms = 0
        if games or lines or guests:
            log.info("deleted as too old: %d games, %d chat lines, %d guests", games, lines, guests)
        return max(games, lines, guests)

    async def _games(self, before_ms: int, limit: int) -> int:
        """Delete games that ended before a time, oldest first, with all their data except ratings and progress."""
        old = (
            sa.select(game.c.id)
            .where(game.c.end_reason != 0, game.c.ended_ms < before_ms, game.c.created_ms < before_ms)
            .order_by(game.c.created_ms, game.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        async with transaction(self._engine) as connection:
            ids = [row.id for row in await connection.execute(old)]
            if ids:
                await connection.execute(sa.delete(game_event).where(game_event.c.game_id.in_(ids)))
                await connection.execute(sa.delete(game).where(game.c.id.in_(ids)))
        return len(ids)

    async def _chat(self, before_ms: int, limit: int) -> int:
        """Delete chat lines sent before a time, in the order of their ids, which is the order of time."""
        some = sa.select(chat_line.c.id, chat_line.c.at_ms).order_by(chat_line.c.id).limit(limit).cte("some")
        statement = sa.delete(chat_line).where(chat_line.c.id == some.c.id, some.c.at_ms < before_ms)
        async with transaction(self._engine) as connection:
            return (await connection.execute(statement)).rowcount

    async def _guests(self, before_ms: int, limit: int) -> int:
        """Delete guests without a running game. Their games stay, with the guests' random names."""
        playing = sa.exists().where(
            sa.or_(game.c.white_id == player.c.id, game.c.black_id == player.c.id),
            game.c.end_reason == sa.literal_column("0"),
        )
        old = (
            sa.select(player.c.id)
            .where(player.c.guest, player.c.seen_ms < before_ms, sa.not_(playing))
            .order_by(player.c.id)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        async with transaction(self._engine) as connection:
            ids = [row.id for row in await connection.execute(old)]
            if ids:
                await connection.execute(sa.delete(player).where(player.c.id.in_(ids)))
        return len(ids)
