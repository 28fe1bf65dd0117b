"""Metrics about PostgreSQL itself, read periodically."""

import asyncio
import logging

import sqlalchemy as sa
from prometheus_client import Gauge
from sqlalchemy.ext.asyncio import AsyncEngine

from services.game.store.database import STORE_ERRORS

log = logging.getLogger(__name__)

SIZE = Gauge("flagfall_database_size_bytes", "Size of the database on disk.")
CONNECTIONS = Gauge(
    "flagfall_database_connections",
    "All connections to this database that PostgreSQL shows to the service.",
)
CONNECTIONS_MAX = Gauge("flagfall_database_connections_max", "Connections that PostgreSQL allows.")

PERIOD_S = 30.0

_COUNT = sa.text("""
    SELECT pg_database_size(current_database()) AS bytes,
           (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
           current_setting('max_connections')::int AS connections_max
""")


async def count_database(engine: AsyncEngine) -> None:
    """Update the metrics periodically, without end."""
    while True:
        try:
            await count_database_once(engine)
        except STORE_ERRORS as error:
            log.debug("the database's statistics cannot be read: %s", type(error).__name__)
        await asyncio.sleep(PERIOD_S)


async def count_database_once(engine: AsyncEngine) -> None:
    """Update the metrics once."""
    async with engine.connect() as connection:
        row = (await connection.execute(_COUNT)).one()
    SIZE.set(row.bytes)
    CONNECTIONS.set(row.connections)
    CONNECTIONS_MAX.set(row.connections_max)
