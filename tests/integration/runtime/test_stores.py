"""The stores that everything else is tested on."""

import asyncpg
import pytest
import redis.asyncio

from tests.stack.stores import Stores


async def setting(url: str, name: str) -> object:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return await connection.fetchval(f"SHOW {name}")
    finally:
        await connection.close()


@pytest.mark.parametrize(("name", "value"), [("fsync", "off"), ("timezone", "UTC"), ("server_encoding", "UTF8")])
async def test_the_database_server_is_set_up_for_tests(empty_database_url: str, name: str, value: str) -> None:
    assert await setting(empty_database_url, name) == value


async def test_a_wrong_password_is_refused(empty_database_url: str) -> None:
    connection = empty_database_url.replace("+asyncpg", "")
    secret = connection.partition("flagfall:")[2].partition("@")[0]
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(connection.replace(secret, "wrong"))


async def test_valkey_evicts_nothing_and_asks_for_its_password(redis_url: str) -> None:
    async with redis.asyncio.from_url(redis_url) as client:
        assert (await client.config_get("maxmemory-policy"))["maxmemory-policy"] == "noeviction"
    stranger = redis.asyncio.from_url("redis://" + redis_url.partition("@")[2])
    async with stranger:
        with pytest.raises(redis.AuthenticationError):
            await stranger.ping()


async def test_each_test_finds_valkey_empty_first(redis_url: str) -> None:
    async with redis.asyncio.from_url(redis_url) as client:
        assert await client.dbsize() == 0
        await client.set("left", "over")


async def test_each_test_finds_valkey_empty_second(redis_url: str) -> None:
    async with redis.asyncio.from_url(redis_url) as client:
        assert await client.dbsize() == 0
        await client.set("left", "over")


async def test_valkey_comes_back_after_an_outage(stores: Stores, redis_url: str) -> None:
    stores.pause_valkey()
    async with redis.asyncio.from_url(redis_url) as client:
        with pytest.raises(redis.ConnectionError):
            await client.ping()
        stores.resume_valkey()
        assert await client.ping()
