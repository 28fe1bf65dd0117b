"""Facts that a few commands need besides the game: how it stood before, and who is there."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncEngine

from services.game import sql_store
from services.game.command import Command
from services.game.decision import needs_past, needs_presence
from services.game.game import Both, Game
from services.game.moment import UNKNOWN, Facts, Past


class Presence(Protocol):
    """Who knows who is there."""

    async def away_ms(self, games: Sequence[Game]) -> Mapping[str, Both[int | None]]:
        """For how long each side of these games is known to have been away. What is not known is None, no failure."""


class Gathering:
    """Loads facts for the commands of a batch, which are of different games."""

    def __init__(self, engine: AsyncEngine, presence: Presence | None, timeout_s: float) -> None:
        self._engine = engine
        self._presence = presence
        self._timeout_s = timeout_s

    async def facts(self, asked: Sequence[tuple[Game, Command]]) -> dict[str, Facts]:
        """By game; most commands need none. Raises when the store is away."""
        plies = {game.terms.id: ply for game, command in asked if (ply := needs_past(game, command)) is not None}
        watched = [game for game, command in asked if needs_presence(game, command)]
        pasts: Mapping[str, Past] = {}
        if plies:
            async with asyncio.timeout(self._timeout_s), self._engine.connect() as connection:
                pasts = await sql_store.pasts(connection, plies)
        away = await self._presence.away_ms(watched) if watched and self._presence is not None else {}
        return {
            game_id: Facts(pasts.get(game_id), away.get(game_id, UNKNOWN))
            for game_id in {*plies, *(game.terms.id for game in watched)}
        }
