"""Where the locked packages have no wheel, the machine's own servers run instead."""

from pathlib import Path

import asyncpg
import pytest
import redis.asyncio

from deploy.laptop import stores as laptop_stores
from deploy.laptop.child import StackError
from tests.stack.background import Background
from tests.stack.stores import Stores


@pytest.mark.needs("system_stores")
async def test_the_stores_of_the_machine_serve_where_the_packages_are_missing(
    tmp_path: Path, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(laptop_stores, "_package_folder", lambda name: None)
    monkeypatch.setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
    stores = Stores.start(tmp_path, background)
    try:
        connection = await asyncpg.connect(stores.database_url.replace("+asyncpg", ""))
        assert await connection.fetchval("SELECT 1") == 1
        await connection.close()
        async with redis.asyncio.from_url(stores.redis_url) as client:
            assert await client.ping()
    finally:
        stores.stop()


def test_missing_stores_are_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(laptop_stores, "_package_folder", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(laptop_stores, "DEBIAN_POSTGRES", tmp_path)
    with pytest.raises(StackError, match=r"PostgreSQL 15 or newer is missing: .*DATABASE_URL="):
        laptop_stores.find_postgres()
    with pytest.raises(StackError, match=r"Valkey or Redis 7 or newer is missing: .*REDIS_URL="):
        laptop_stores.find_valkey()
