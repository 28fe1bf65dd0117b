"""The connections to PostgreSQL, and what its failures mean to a caller."""

import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import Gauge, Histogram
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from services.game.settings import GameSettings
from services.runtime.batching import Overloaded
from services.runtime.metrics import SECONDS

STORE_ERRORS = (SQLAlchemyError, OSError, TimeoutError)
"""How a statement fails while PostgreSQL is away, or refuses it."""

POOL_WAIT = Histogram("flagfall_pool_wait_seconds", "Time until a transaction had its connection.", buckets=SECONDS)
POOL_IN_USE = Gauge("flagfall_pool_connections_in_use", "Connections to PostgreSQL that are at work.")
POOL_MAX = Gauge("flagfall_pool_connections_max", "Connections to PostgreSQL that this process may have.")

ANSWER_MARGIN_S = 1.0
"""A statement that the server did not cancel in time is given up by the client so much later."""

QUERY_CANCELED = "57014"
AWAY_STATES = ("08", "57P", "53300", "40001", "40P01", "55P03", "25006")
"""SQLSTATEs that pass by themselves: no connection, a restart, no slot, a lost race or lock, a demoted server."""


class DatabaseAway(ConnectionError):
    """PostgreSQL does not answer or could not do it now; what was under way was not done or its end is unknown."""


def open_engine(settings: GameSettings, application_name: str = "flagfall-game") -> AsyncEngine:
    """The pool of this process; it connects when first used. The caller disposes of it."""
    engine = create_async_engine(
        settings.database_url,
        isolation_level="READ COMMITTED",
        pool_size=settings.pool_connections,
        max_overflow=0,
        pool_timeout=settings.connection_wait_ms / 1000,
        pool_recycle=settings.connection_renewed_ms / 1000,
        pool_use_lifo=True,
        connect_args=_connect_arguments(settings, application_name, settings.statement_timeout_ms),
    )
    pool = engine.pool
    assert isinstance(pool, AsyncAdaptedQueuePool), "the pool of an asynchronous engine"
    POOL_IN_USE.set_function(pool.checkedout)
    POOL_MAX.set(settings.pool_connections)
    return engine


def open_migrating_engine(settings: GameSettings) -> AsyncEngine:
    """For migrations: one connection at a time, and statements may take as long as they need."""
    return create_async_engine(
        settings.database_url, poolclass=NullPool, connect_args=_connect_arguments(settings, "flagfall-migrate", 0)
    )


def _connect_arguments(settings: GameSettings, application_name: str, statement_timeout_ms: int) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "timeout": settings.connect_timeout_ms / 1000,
        "command_timeout": statement_timeout_ms / 1000 + ANSWER_MARGIN_S if statement_timeout_ms else None,
    }
    if settings.database_ca_file:
        arguments["ssl"] = ssl.create_default_context(cafile=settings.database_ca_file)
    if settings.database_pooled:
        # A prepared statement with a name would stay at a server connection that the next transaction need not get.
        return arguments | {
            "statement_cache_size": 0,
            "prepared_statement_cache_size": 0,
            "prepared_statement_name_func": lambda: "",
            "server_settings": {"application_name": application_name},
        }
    return arguments | {
        "server_settings": {
            "application_name": application_name,
            "statement_timeout": str(statement_timeout_ms),
            "idle_in_transaction_session_timeout": str(2 * statement_timeout_ms),
            "synchronous_commit": "on",
            "jit": "off",
        }
    }


def single(engine: AsyncEngine) -> AsyncEngine:
    """The same pool, but every statement is a transaction by itself, without the round trips of BEGIN and COMMIT.

    `begin` and `transaction` hold nothing together on it.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT")


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction that the end of the body commits and an exception undoes.

    Raises DatabaseAway when PostgreSQL is away, TimeoutError when a statement took too long, Overloaded when no
    connection was free in time; errors of another kind come as SQLAlchemy made them.
    """
    asked_s = time.perf_counter()
    try:
        async with engine.begin() as connection:
            POOL_WAIT.observe(time.perf_counter() - asked_s)
            yield connection
    except NoConnectionFree as error:
        raise Overloaded("no connection to the database was free") from error
    except DBAPIError as error:
        raise meaning_of(error) from error
    except OSError as error:
        if isinstance(error, ConnectionError | TimeoutError):
            raise
        raise DatabaseAway(str(error)) from error


def meaning_of(error: DBAPIError) -> Exception:
    """What an error of the driver means to a caller; the same error when it is nobody's business but ours."""
    state = getattr(error.orig, "sqlstate", None) or ""
    if state == QUERY_CANCELED:
        return TimeoutError("the database took too long")
    if error.connection_invalidated or state.startswith(AWAY_STATES):
        return DatabaseAway(f"the database could not do this now: {str(error.orig)[:300]}")
    return error
