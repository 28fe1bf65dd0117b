"""The database's clock, the beats of the gateways, and the outages between them.

A gateway sends a beat through the whole commit path every second. The first beat after a gap records the gap as an
outage, once. Every deadline gives back the outage's overlap with the running turn (guarantee 6). A replica knows the
age of the last committed beat. If the beat is too old, the replica decides no flag: players may have been unable to
move.
"""

import asyncio
import logging
import time

import sqlalchemy as sa
from prometheus_client import Counter, Gauge
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.clock import Outages
from services.game.store.database import single
from services.runtime.database_clock import DatabaseClock, steady_ms

log = logging.getLogger(__name__)

OUTAGES_TOTAL = Counter(
    "flagfall_outages_total", "Outages recorded by this process: nobody could move, and the time was given back."
)
BEAT_AGE = Gauge("flagfall_beat_age_seconds", "Age of the last committed beat, as this process knows it.")

OUTAGES_KEPT_MS = 40 * 86_400_000
"""Outages are kept for longer than any turn can last."""

_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

_BEAT = sa.text(f"""
    WITH last AS MATERIALIZED (SELECT last_ms FROM heartbeat WHERE id = 1 FOR UPDATE),
    moment AS MATERIALIZED (SELECT last_ms, {_NOW} AS now_ms FROM last),
    gap AS (
        INSERT INTO outage (start_ms, end_ms)
        SELECT last_ms, now_ms FROM moment WHERE last_ms > 0 AND now_ms - last_ms > :gap_ms
        RETURNING end_ms - start_ms AS lasted_ms
    )
    UPDATE heartbeat SET last_ms = greatest(heartbeat.last_ms, moment.now_ms) FROM moment WHERE id = 1
    RETURNING heartbeat.last_ms, {_NOW} AS now_ms, (SELECT lasted_ms FROM gap) AS lasted_ms
""")

_LOOK = sa.text(f"""
    SELECT last_ms, {_NOW} AS now_ms, (SELECT max(id) FROM outage) AS outage_id FROM heartbeat WHERE id = 1
""")

_NEWEST = sa.text("SELECT max(id) FROM outage")

_OUTAGES = sa.text("SELECT start_ms, end_ms FROM outage WHERE end_ms > :since_ms ORDER BY start_ms")


class Beats:
    """This replica's copy of the database's clock, the last beat and the outages.

    The last beat and the outages before it are updated together. So while the beat is fresh, all outages are known.
    """

    def __init__(self, engine: AsyncEngine, gap_ms: int, poll_ms: int) -> None:
        self._engine = engine
        self._single = single(engine)
        self._gap_ms = gap_ms
        self._poll_ms = poll_ms
        self._clock = DatabaseClock(steady_ms)
        self._last_beat_ms = 0
        self._outage_id: int | None = None
        self._lock = asyncio.Lock()
        self.outages = Outages()

    def now_ms(self) -> int:
        """The database's time in ms, never ahead of it. Before its first answer: this machine's time."""
        now_ms = self._clock.now_ms()
        return time.time_ns() // 1_000_000 if now_ms is None else now_ms

    @property
    def age_ms(self) -> int:
        """The age of the last committed beat that this replica knows, in ms."""
        return self.now_ms() - self._last_beat_ms

    @property
    def fresh(self) -> bool:
        """Whether flags may be decided now."""
        return self._last_beat_ms > 0 and self.age_ms < self._gap_ms

    @property
    def ageing(self) -> bool:
        """Whether the gateways' beats are so late that a command of a person also commits a beat."""
        return self.age_ms * 3 >= self._gap_ms * 2

    async def beat(self) -> None:
        """Commit a beat, and the outage that it ends, if any."""
        async with self._lock:
            async with self._engine.begin() as connection:
                row = (await connection.execute(_BEAT, {"gap_ms": self._gap_ms})).one()
                self._clock.learn(row.now_ms)
                # A separate statement also sees an outage that another replica recorded while the beat waited.
                outage_id = (await connection.execute(_NEWEST)).scalar()
                outages = await self._outages_up_to(connection, outage_id)
            if row.lasted_ms is not None:
                OUTAGES_TOTAL.inc()
                log.warning("nobody could move for %d ms: given back to every running turn", row.lasted_ms)
            self._know(row.last_ms, outage_id, outages)

    async def look(self) -> None:
        """Read the last beat and the outages that other replicas have recorded."""
        async with self._lock:
            # A read that hangs must not block the beats, which need the same lock.
            async with asyncio.timeout(self._gap_ms / 4_000), self._single.connect() as connection:
                row = (await connection.execute(_LOOK)).one()
                self._clock.learn(row.now_ms)
                outages = await self._outages_up_to(connection, row.outage_id)
            self._know(row.last_ms, row.outage_id, outages)

    async def follow(self) -> None:
        """Call `look` periodically, without end. While the database is away, the beat gets old and flags wait."""
        began_ms = self.now_ms()
        while True:
            try:
                await self.look()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                log.warning("beats: the database does not answer: %s", type(error).__name__)
            # Before the very first beat, the age is the time since this method started.
            BEAT_AGE.set((self.now_ms() - (self._last_beat_ms or began_ms)) / 1000)
            await asyncio.sleep(self._poll_ms / 1000)

    async def _outages_up_to(self, connection: AsyncConnection, outage_id: int | None) -> Outages:
        """All outages that may still matter. They are read again only if there is a new one."""
        if outage_id == self._outage_id:
            return self.outages
        rows = await connection.execute(_OUTAGES, {"since_ms": self.now_ms() - OUTAGES_KEPT_MS})
        return Outages(tuple((row.start_ms, row.end_ms) for row in rows))

    def _know(self, last_ms: int, outage_id: int | None, outages: Outages) -> None:
        self.outages, self._outage_id = outages, outage_id
        self._last_beat_ms = max(self._last_beat_ms, last_ms)
