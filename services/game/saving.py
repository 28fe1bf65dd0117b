"""The commit itself: the changes of a batch, and all that follows from them, in one transaction.

A batch in which no game ends is one statement. Else locks are taken in one order: games, then ratings, then players.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncEngine

from services.game import player_events, ratings, sql_store
from services.game.beats import Beats
from services.game.database import single
from services.game.game import Game, Limits
from services.game.messages import summary_message
from services.game.sql_store import OutboxKey, Save
from services.pb.flagfall.v1.events_pb2 import PlayerEvent


class Saving:
    """Writes what was decided."""

    def __init__(self, engine: AsyncEngine, beats: Beats, limits: Limits) -> None:
        self._engine = engine
        self._single = single(engine)
        self._beats = beats
        self._limits = limits

    async def commit(self, saves: Sequence[Save], gone: Sequence[OutboxKey]) -> tuple[set[str], list[PlayerEvent]]:
        """Save what has not lost its race; returns the ids of those games and what is to be told to their players.

        `gone` are outbox rows that were published and go with it.
        """
        if all(save.change.game.outcome is None and not save.change.reopens for save in saves):
            # One statement is a transaction by itself, without the round trips of BEGIN and COMMIT.
            async with self._single.connect() as connection:
                return await sql_store.save(connection, saves, self._limits, gone), []
        async with self._engine.begin() as connection:
            settled = await ratings.settle(connection, saves)
            saved = await sql_store.save(connection, settled.saves, self._limits, gone)
            await settled.keep(connection, saved)
            games = [save.change.game for save in settled.saves if save.change.game.terms.id in saved]
            finishes = self._finishes([game for game in games if game.outcome is not None])
            told = await player_events.append(connection, finishes, self._beats.now_ms()) if finishes else []
        return saved, told

    def _finishes(self, games: Sequence[Game]) -> list[PlayerEvent]:
        now_ms = self._beats.now_ms()
        finishes: list[PlayerEvent] = []
        for game in games:
            summary = summary_message(game, self._limits, self._beats.outages, now_ms)
            seats = (game.terms.white, game.terms.black)
            finishes += [
                PlayerEvent(player_id=seat.player_id, game_finish=summary) for seat in seats if seat.computer_level == 0
            ]
        return finishes
