"""Committed events on their way to Redis.

The committing process publishes and then removes the outbox rows, riding on its next commit where there is one soon.
What it did not publish (it died, Redis was away) the relay of any replica takes: SKIP LOCKED, oldest first.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

import sqlalchemy as sa
from google.protobuf.message import DecodeError
from prometheus_client import Gauge
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.commit import trace as commit_trace
from services.game.commit.metrics import PUBLISH
from services.game.settings import GameSettings
from services.game.store.database import single
from services.game.store.sql_store import OUTBOX_GAME, OUTBOX_PLAYER, REMOVE_PUBLISHED, OutboxKey, outbox_arrays
from services.pb.flagfall.v1.events_pb2 import GameEvent, PlayerEvent
from services.runtime.event_stream import NotPublished, Publisher

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
    """Publishes what this process commits, and relays what nobody published."""

    def __init__(self, publisher: Publisher, engine: AsyncEngine, settings: GameSettings) -> None:
        self._publisher = publisher
        self._engine = single(engine)
        self._settings = settings
        self._games: list[GameEvent] = []
        self._players: list[PlayerEvent] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._gone: list[OutboxKey] = []
        self._flushing = asyncio.Lock()

    def announce(self, games: Sequence[GameEvent] = (), players: Sequence[PlayerEvent] = ()) -> None:
        """Publish soon what was just committed. Past the limit it is left to the relay."""
        if len(self._games) + len(self._players) >= self._settings.publishing_waiting_max:
            return
        self._games.extend(games)
        self._players.extend(players)
        self._idle.clear()
        self._wake.set()

    def take_gone(self) -> list[OutboxKey]:
        """Outbox rows that were published: the caller removes them with its commit, or gives them back."""
        gone, self._gone = self._gone, []
        return gone

    def give_back(self, gone: Sequence[OutboxKey]) -> None:
        """The commit that was to remove these rows failed."""
        # Past the limit they are left to the relay, which publishes them again: that is harmless.
        self._gone = (self._gone + list(gone))[: self._settings.outbox_gone_max]

    async def publish(self) -> None:
        """Publish for ever what was announced, in one pipeline for all that is there."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            games, self._games = self._games, []
            players, self._players = self._players, []
            try:
                with PUBLISH.time(), commit_trace.publishing(games):
                    published = await self._publish(games, players)
                self._gone.extend(published)  # not before the wait: the list may be another one by then
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("%d events are left to the relay: %s", len(games) + len(players), type(error).__name__)
            if not self._games and not self._players:
                self._idle.set()

    async def _publish(self, games: Sequence[GameEvent], players: Sequence[PlayerEvent]) -> list[OutboxKey]:
        """The outbox rows of what is published now. What Redis refuses alone is left to the relay."""
        refused: set[OutboxKey] = set()
        try:
            await self._publisher.publish(games, players)
        except NotPublished as error:
            log.warning("left to the relay: %s", error)
            refused.update(_rows_of(error.games, error.players))
        return [key for key in _rows_of(games, players) if key not in refused]

    async def drained(self) -> None:
        """Return once what was announced is published or left to the relay, and what was published is removed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.drain_ms / 1000):
                await self._idle.wait()
        await self.flush_once()

    async def flush(self) -> None:
        """Remove for ever the published rows that found no commit to ride on."""
        while True:
            await asyncio.sleep(self._settings.outbox_flush_ms / 1000)
            await self.flush_once()

    async def flush_once(self) -> None:
        """Remove the published rows now, and return once those that are being removed are gone, too."""
        async with self._flushing:
            gone = self.take_gone()
            if not gone:
                return
            try:
                async with self._engine.connect() as connection:
                    await connection.execute(_FLUSH, outbox_arrays(gone))
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                self.give_back(gone)
                log.warning("published rows stay in the outbox for now: %s", type(error).__name__)

    async def relay(self, now_ms: Callable[[], int]) -> None:
        """Take for ever what stayed in the outbox."""
        while True:
            await asyncio.sleep(self._settings.relay_period_ms / 1000)
            try:
                while await self.relay_once(now_ms()) == self._settings.relay_rows_max:
                    pass
            except (SQLAlchemyError, RedisError, OSError, TimeoutError) as error:
                log.warning("relay: %s: %s", type(error).__name__, error)

    async def relay_once(self, now_ms: int) -> int:
        """Publish and remove one batch of old outbox rows; how many there were.

        Rows are taken in a transaction of their own (SKIP LOCKED, so that relays share the work), published, and then
        removed. A relay that dies in between leaves them to the next one after the same age.
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
        games: list[GameEvent] = []
        players: list[PlayerEvent] = []
        done: list[OutboxKey] = []
        for row in rows:
            try:
                if row.payload is None:
                    done.append((row.kind, row.owner, row.number))  # deleted meanwhile: there is nobody to tell
                elif row.kind == OUTBOX_GAME:
                    event = GameEvent.FromString(row.payload)
                    event.state.legal = row.legal
                    games.append(event)
                else:
                    players.append(PlayerEvent.FromString(row.payload))
            except DecodeError as error:  # for good: whoever misses it finds the gap
                log.error("event %d of %s cannot be read and is not published: %s", row.number, row.owner, error)
                done.append((row.kind, row.owner, row.number))
        done += await self._publish(games, players)
        async with self._engine.connect() as connection:
            await connection.execute(_FLUSH, outbox_arrays(done))
        return len(rows)


def _rows_of(games: Sequence[GameEvent], players: Sequence[PlayerEvent]) -> list[OutboxKey]:
    """The outbox rows of events."""
    rows = [(OUTBOX_GAME, event.state.game_id, event.state.version) for event in games]
    return rows + [(OUTBOX_PLAYER, event.player_id, event.seq) for event in players]
