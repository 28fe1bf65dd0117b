"""Case S06: a store that answers reads and refuses writes is seen, on a real PostgreSQL and Redis."""

import pytest
import sqlalchemy as sa
from redis.exceptions import RedisError
from sqlalchemy.exc import DBAPIError

from services.game.main.process import check_database_writes
from services.game.settings import GameSettings
from services.game.store.database import open_engine
from services.runtime.redis_client import connect
from services.runtime.redis_writes import KEY, check_writes


async def test_a_database_that_is_read_only_is_seen(database_url: str) -> None:
    engine = open_engine(GameSettings.model_validate({"database_url": database_url}))
    try:
        await check_database_writes(engine)
        name = engine.url.database
        async with engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(sa.text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
        await engine.dispose()  # new connections have the setting
        with pytest.raises(DBAPIError, match="read-only"):
            await check_database_writes(engine)
    finally:
        await engine.dispose()


async def test_a_redis_that_is_full_is_seen(redis_url: str) -> None:
    async with connect(redis_url) as redis:
        await check_writes(redis)
        assert await redis.get(KEY) == b"1"
        await redis.delete(KEY)
        most = str((await redis.config_get("maxmemory"))["maxmemory"])
        await redis.config_set("maxmemory", "1")
        try:
            assert await redis.ping()
            with pytest.raises(RedisError, match=r"OOM|maxmemory"):
                await check_writes(redis)
        finally:
            await redis.config_set("maxmemory", most)
        await check_writes(redis)
