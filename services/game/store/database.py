"""The connections to PostgreSQL, and the meaning of its errors for a caller."""

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
"""The exceptions of a statement while PostgreSQL is away, or when it refuses the statement."""

POOL_WAIT = Histogram("flagfall_pool_wait_seconds", "Time until a transaction had its connection.", buckets=SECONDS)
POOL_IN_USE = Gauge("flagfall_pool_connections_in_use", "Connections to PostgreSQL in use.")
POOL_MAX = Gauge("flagfall_pool_connections_max", "Connections to PostgreSQL that this process may have.")

ANSWER_MARGIN_S = 1.0
"""The client's timeout of a statement is this much longer than the server's, in seconds."""

QUERY_CANCELED = "57014"
AWAY_STATES = ("08", "57P", "53300", "40001", "40P01", "55P03", "25006")
"""SQLSTATEs of temporary errors: no connection, a restart, no slot, a lost race or lock, a demoted server."""


class DatabaseAway(ConnectionError):
    """PostgreSQL does not answer or cannot do this now. The transaction failed, or its result is unknown."""


def open_engine(settings: GameSettings, application_name: str = "flagfall-game") -> AsyncEngine:
    """The connection pool of this process. It connects at the first use. The caller must dispose it."""
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
    """An engine for migrations: one connection at a time, and no timeout for statements."""
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
        # A named prepared statement belongs to one server connection; the next transaction may get another one.
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
    """The same pool in autocommit: every statement is its own transaction, without round trips for BEGIN and COMMIT.

    `begin` and `transaction` do not make one transaction on it.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT")


@asynccontextmanager
async def transaction(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction. The end of the body commits it; an exception rolls it back.

    Raises DatabaseAway if PostgreSQL is away, TimeoutError if a statement took too long, Overloaded if no connection
    was free in time, and SQLAlchemy's own exceptions for other errors.
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
    """The exception that a caller should see for an error of the driver; the same error if it is a defect."""
    state = getattr(error.orig, "sqlstate", None) or ""
    if state == QUERY_CANCELED:
        return TimeoutError("the database took too long")
    if error.connection_invalidated or state.startswith(AWAY_STATES):
        return DatabaseAway(f"the database could not do this now: {str(error.orig)[:300]}")
    return error
