"""Writes the changes of a batch, with all their effects, in one transaction.

A batch in which no game ends is one statement. Otherwise locks are taken in one order: games, ratings, players.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.time_control import Correspondence
from services.game.commit.beats import Beats
from services.game.commit.ports import Features
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Limits
from services.game.store import player_events, sql_store
from services.game.store.database import single
from services.game.store.sql_store import OutboxKey, Save
from services.game.wire.events import PersonEvent, game_events


class Saving:
    """Writes decided changes to the database."""

    def __init__(self, engine: AsyncEngine, beats: Beats, limits: Limits, features: Features) -> None:
        self._engine = engine
        self._single = single(engine)
        self._beats = beats
        self._limits = limits
        self._features = features

    async def commit(self, saves: Sequence[Save], gone: Sequence[OutboxKey]) -> tuple[set[str], list[PersonEvent]]:
        """Save the changes that have not lost a race. Returns the ids of the saved games and their players' events.

        `gone`: published outbox rows, which are deleted in the same transaction.
        """
        if all(map(_is_plain, saves)):
            # One statement is a transaction by itself, without the round trips of BEGIN and COMMIT.
            async with self._single.connect() as connection:
                return await sql_store.save(connection, saves, self._limits, gone), []
        async with self._engine.begin() as connection:
            settled, saved = await self._write(connection, saves, gone)
            answers = [save.then for save in settled if save.then is not None and save.change.game.terms.id in saved]
            if answers:
                answered, _ = await self._write(connection, answers, ())
                settled = [*settled, *answered]
            changes = [save.change for save in settled if save.change.game.terms.id in saved]
            await self._keep_answers(connection, [save for save in settled if save.change.game.terms.id in saved])
            ended = [change.game for change in changes if change.game.outcome is not None]
            await self._features.progress.keep(connection, ended, [change.game for change in changes if change.reopens])
            told = await player_events.append(connection, self._heard(changes), self._beats.now_ms())
        return saved, told

    async def _write(
        self, connection: AsyncConnection, saves: Sequence[Save], gone: Sequence[OutboxKey]
    ) -> tuple[Sequence[Save], set[str]]:
        """Save one version of each game, with its effects on ratings."""
        settled = await self._features.ratings.settle(connection, saves)
        saved = await sql_store.save(connection, settled.saves, self._limits, gone)
        await settled.keep(connection, saved)
        return settled.saves, saved

    async def _keep_answers(self, connection: AsyncConnection, saves: Sequence[Save]) -> None:
        """Store the conditional moves that remain. All are deleted if the game is over or moves were taken back."""
        gone = [save.change.game.terms.id for save in saves if _ends_lines(save.change)]
        if gone:
            await self._features.conditional_moves.forget_all(connection, gone)
        for save in saves:
            game, left = save.change.game, save.answers_left
            if left is not None and game.terms.id not in gone:
                await self._features.conditional_moves.keep(
                    connection, game.terms.id, game.terms.seat(game.turn).player_id, left
                )

    def _heard(self, changes: Sequence[Change]) -> list[PersonEvent]:
        """The events for the players of finished games (`game_finish`) and reopened games (`game_start`)."""
        now_ms = self._beats.now_ms()
        return [
            event
            for change in changes
            if change.game.outcome is not None or change.reopens
            for event in game_events(change.game, self._limits, self._beats.outages, now_ms)
        ]


def _is_plain(save: Save) -> bool:
    """Whether a save has no effects besides its event."""
    change = save.change
    answers = save.then is not None or save.answers_left is not None
    return change.game.outcome is None and not change.reopens and not answers and not _ends_lines(change)


def _ends_lines(change: Change) -> bool:
    """Whether the conditional moves of this game can never be played now."""
    over = change.game.outcome is not None or change.kind is ChangeKind.TAKEN_BACK
    return over and isinstance(change.game.terms.control, Correspondence)
