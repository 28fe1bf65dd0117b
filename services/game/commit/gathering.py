"""Loads facts that a few commands need besides the game: its past, and which players are present."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.commit.ports import Features
from services.game.play.command import Command
from services.game.play.decision import needs_answers, needs_past, needs_presence
from services.game.play.game import Both, Game
from services.game.play.moment import UNKNOWN, Answers, Facts, Past
from services.game.store import sql_store


class Presence(Protocol):
    """Knows which players are present."""

    async def away_ms(self, games: Sequence[Game]) -> Mapping[str, Both[int | None]]:
        """By game id, for how long each side has been away, in ms. None: present or unknown; unknown is no error."""


class Gathering:
    """Loads facts for the commands of a batch; each command is of another game."""

    def __init__(self, engine: AsyncEngine, presence: Presence | None, timeout_s: float, features: Features) -> None:
        self._engine = engine
        self._presence = presence
        self._timeout_s = timeout_s
        self._features = features

    async def facts(self, asked: Sequence[tuple[Game, Command]]) -> dict[str, Facts]:
        """Facts by game id; most commands need none. Raises the database's errors while the store is away."""
        awaited = {
            game.terms.id: game.terms.seat(game.turn.other).player_id
            for game, command in asked
            if needs_answers(game, command)
        }
        plies = {game.terms.id: ply for game, command in asked if (ply := needs_past(game, command)) is not None}
        watched = [game for game, command in asked if needs_presence(game, command)]
        if not (awaited or plies or watched):
            return {}
        pasts: Mapping[str, Past] = {}
        answers: Mapping[str, Answers] = {}
        rests: Mapping[str, int] = {}
        if plies or awaited:
            async with asyncio.timeout(self._timeout_s), self._engine.connect() as connection:
                pasts = await sql_store.pasts(connection, plies) if plies else {}
                answers = await self._features.conditional_moves.load(connection, awaited) if awaited else {}
                rests = await self._features.vacations.ends(connection, set(awaited.values())) if awaited else {}
        away = await self._presence.away_ms(watched) if watched and self._presence is not None else {}
        return {
            game_id: Facts(
                pasts.get(game_id),
                answers.get(game_id),
                rests.get(awaited.get(game_id, ""), 0),
                away.get(game_id, UNKNOWN),
            )
            for game_id in {*plies, *awaited, *(game.terms.id for game in watched)}
        }
