"""Sends committed events to Redis.

The committing process publishes the events and then deletes their outbox rows, if possible within its next commit. If
it did not publish them (it died, or Redis was away), the relay of any replica does: SKIP LOCKED, oldest first.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

import sqlalchemy as sa
from prometheus_client import Gauge
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.commit import trace as commit_trace
from services.game.commit.metrics import PUBLISH
from services.game.settings import GameSettings
from services.game.store.database import single
from services.game.store.sql_store import OUTBOX_GAME, OUTBOX_PLAYER, REMOVE_PUBLISHED, OutboxKey, outbox_arrays
from services.game.wire.events import EventSender, PersonEvent, UnreadableEvent, VersionEvent

log = logging.getLogger(__name__)

OUTBOX_PENDING = Gauge("flagfall_outbox_pending", "Outbox rows that are older than the relay's age.")
OUTBOX_OLDEST = Gauge("flagfall_outbox_oldest_age_seconds", "Age of the oldest such row; 0 for none.")

_FLUSH = sa.text(REMOVE_PUBLISHED)

_TAKE = sa.text(f"""
    WITH free AS (
        SELECT kind, owner, number FROM outbox WHERE at_ms <= :before_ms AND taken_ms <= :before_ms
        ORDER BY at_ms LIMIT :most FOR UPDATE SKIP LOCKED
    ),
    taken AS (
        UPDATE outbox SET taken_ms = :now_ms FROM free
        WHERE outbox.kind = free.kind AND outbox.owner = free.owner AND outbox.number = free.number
        RETURNING outbox.kind, outbox.owner, outbox.number
    )
    SELECT taken.kind, taken.owner, taken.number,
           coalesce(game_event.payload, player_event.payload) AS payload,
           CASE WHEN game.version = taken.number AND game.end_reason = 0 THEN game.legal ELSE '' END AS legal
    FROM taken
    LEFT JOIN game_event ON taken.kind = '{OUTBOX_GAME}' AND game_event.game_id = taken.owner
         AND game_event.version = taken.number
    LEFT JOIN game ON taken.kind = '{OUTBOX_GAME}' AND game.id = taken.owner
    LEFT JOIN player_event ON taken.kind = '{OUTBOX_PLAYER}' AND player_event.player_id = taken.owner
         AND player_event.seq = taken.number
""")

_WAITING = sa.text("SELECT count(*) AS rows, min(at_ms) AS oldest_ms FROM outbox WHERE at_ms <= :before_ms")


class Publishing:
    """Publishes the events that this process commits, and relays events that no process published."""

    def __init__(self, sender: EventSender, engine: AsyncEngine, settings: GameSettings) -> None:
        self._sender = sender
        self._engine = single(engine)
        self._settings = settings
        self._games: list[VersionEvent] = []
        self._players: list[PersonEvent] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._gone: list[OutboxKey] = []
        self._flushing = asyncio.Lock()

    def announce(self, games: Sequence[VersionEvent] = (), players: Sequence[PersonEvent] = ()) -> None:
        """Queue committed events for publishing. If the queue is full, the relay publishes them later."""
        if len(self._games) + len(self._players) >= self._settings.publishing_waiting_max:
            return
        self._games.extend(games)
        self._players.extend(players)
        self._idle.clear()
        self._wake.set()

    def take_gone(self) -> list[OutboxKey]:
        """The outbox rows that were published. The caller deletes them in its commit, or calls `give_back`."""
        gone, self._gone = self._gone, []
        return gone

    def give_back(self, gone: Sequence[OutboxKey]) -> None:
        """Take these rows back, because the commit that should delete them failed."""
        # Rows past the limit stay in the outbox. The relay publishes them again, which is harmless.
        self._gone = (self._gone + list(gone))[: self._settings.outbox_gone_max]

    async def publish(self) -> None:
        """Publish queued events without end, all that wait in one pipeline."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            games, self._games = self._games, []
            players, self._players = self._players, []
            try:
                with PUBLISH.time(), commit_trace.publishing(games):
                    published = await self._publish(games, players)
                self._gone.extend(published)  # `_gone` may be a new list after the await
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("%d events are left to the relay: %s", len(games) + len(players), type(error).__name__)
            if not self._games and not self._players:
                self._idle.set()

    async def _publish(self, games: Sequence[VersionEvent], players: Sequence[PersonEvent]) -> list[OutboxKey]:
        """Publish events; returns the outbox rows of those published. The relay retries events that Redis refused."""
        refused = set(_rows_of(*await self._sender.send(games, players)))
        return [key for key in _rows_of(games, players) if key not in refused]

    async def drained(self) -> None:
        """Wait until queued events are published, at most `drain_ms`, then delete the published outbox rows."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.drain_ms / 1000):
                await self._idle.wait()
        await self.flush_once()

    async def flush(self) -> None:
        """Delete published outbox rows periodically, without end, if no commit has deleted them."""
        while True:
            await asyncio.sleep(self._settings.outbox_flush_ms / 1000)
            await self.flush_once()

    async def flush_once(self) -> None:
        """Delete the published outbox rows now. Waits for another such call that is in progress."""
        async with self._flushing:
            gone = self.take_gone()
            if not gone:
                return
            try:
                async with self._engine.connect() as connection:
                    await connection.execute(_FLUSH, outbox_arrays(gone))
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                self.give_back(gone)
                log.warning("published rows cannot be deleted from the outbox now: %s", type(error).__name__)

    async def relay(self, now_ms: Callable[[], int]) -> None:
        """Publish old outbox rows periodically, without end. `now_ms` returns the database's time."""
        while True:
            await asyncio.sleep(self._settings.relay_period_ms / 1000)
            try:
                while await self.relay_once(now_ms()) == self._settings.relay_rows_max:
                    pass
            except (SQLAlchemyError, RedisError, OSError, TimeoutError) as error:
                log.warning("relay: %s: %s", type(error).__name__, error)

    async def relay_once(self, now_ms: int) -> int:
        """Publish and delete one batch of old outbox rows; returns their number.

        Rows are first taken in a separate transaction (SKIP LOCKED, so that relays share the work), then published,
        then deleted. If a relay dies in between, another one takes the rows after the same age.
        """
        before_ms = now_ms - self._settings.relay_age_ms
        async with self._engine.connect() as connection:
            waiting = (await connection.execute(_WAITING, {"before_ms": before_ms})).one()
            OUTBOX_PENDING.set(waiting.rows)
            OUTBOX_OLDEST.set((now_ms - waiting.oldest_ms) / 1000 if waiting.rows else 0)
            if not waiting.rows:
                return 0
            taking = {"before_ms": before_ms, "now_ms": now_ms, "most": self._settings.relay_rows_max}
            rows = (await connection.execute(_TAKE, taking)).all()
        games: list[VersionEvent] = []
        players: list[PersonEvent] = []
        done: list[OutboxKey] = []
        for row in rows:
            try:
                if row.payload is None:
                    done.append((row.kind, row.owner, row.number))  # the event was deleted meanwhile
                elif row.kind == OUTBOX_GAME:
                    games.append(VersionEvent.read(row.payload, row.legal))
                else:
                    players.append(PersonEvent.read(row.payload))
            except UnreadableEvent as error:  # a retry cannot help; subscribers notice the gap
                log.error("event %d of %s cannot be read and is not published: %s", row.number, row.owner, error)
                done.append((row.kind, row.owner, row.number))
        done += await self._publish(games, players)
        async with self._engine.connect() as connection:
            await connection.execute(_FLUSH, outbox_arrays(done))
        return len(rows)


def _rows_of(games: Sequence[VersionEvent], players: Sequence[PersonEvent]) -> list[OutboxKey]:
    """The outbox rows of events."""
    rows = [(OUTBOX_GAME, event.game_id, event.version) for event in games]
    return rows + [(OUTBOX_PLAYER, event.player_id, event.seq) for event in players]
