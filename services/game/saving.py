"""The commit itself: the changes of a batch, and all that follows from them, in one transaction.

A batch in which no game ends is one statement. Else locks are taken in one order: games, then ratings, then players.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncEngine

from services.game import player_events, progress, ratings, sql_store
from services.game.beats import Beats
from services.game.change import Change
from services.game.database import single
from services.game.game import Limits
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
            changes = [save.change for save in settled.saves if save.change.game.terms.id in saved]
            ended = [change.game for change in changes if change.game.outcome is not None]
            await progress.keep(connection, ended, [change.game for change in changes if change.reopens])
            told = await player_events.append(connection, self._heard(changes), self._beats.now_ms())
        return saved, told

    def _heard(self, changes: Sequence[Change]) -> list[PlayerEvent]:
        """What the players of these games are told: that theirs is over, or that it goes on after its end."""
        now_ms = self._beats.now_ms()
        heard: list[PlayerEvent] = []
        for game, reopens in ((change.game, change.reopens) for change in changes):
            if game.outcome is None and not reopens:
                continue
            summary = summary_message(game, self._limits, self._beats.outages, now_ms)
            people = [seat.player_id for seat in (game.terms.white, game.terms.black) if seat.computer_level == 0]
            if game.outcome is None:
                heard += [PlayerEvent(player_id=player_id, game_start=summary) for player_id in people]
            else:
                heard += [PlayerEvent(player_id=player_id, game_finish=summary) for player_id in people]
        return heard
