"""Case I01: a call to Redis that is cancelled leaves its answer to nobody, and no connection is lost."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis

from services.runtime.redis_client import connect
from services.runtime.settings import Settings
from tests.stack.proxy import Proxy, proxy_to

CANCELLED = 10_000
AT_ONCE = 200
"""Calls at once, each with a connection. One takes three files here, one at the client and two at the proxy,
and an ordinary user may have 1,024 open."""
DELAY_S = 0.05
PATIENT_SHARE = 0.1
"""Calls that are not cancelled, however slow the machine is."""
KEYS = 200


@pytest.fixture
async def proxy(redis_url: str) -> AsyncIterator[Proxy]:
    async with proxy_to(redis_url) as proxy, Redis.from_url(redis_url) as redis:
        await redis.mset({f"session:{number}": f"value {number}" for number in range(KEYS)})
        proxy.delay_s = DELAY_S
        yield proxy


@pytest.fixture
async def client(proxy: Proxy) -> AsyncIterator[Redis]:
    """As all processes have it, with more connections, so that ten thousand calls take seconds."""
    settings = Settings(redis_connections_max=AT_ONCE, redis_answer_ms=10_000, redis_connect_ms=10_000)
    client = connect(proxy.url, settings)
    yield client
    await client.aclose()


async def ask(client: Redis, number: int) -> bytes:
    """The value of a key, by a plain command or among others."""
    name = f"session:{number}"
    if number % 3:
        alone = await client.get(name)
        assert isinstance(alone, bytes)
        return alone
    pipeline = client.pipeline(transaction=number % 2 == 0)
    pipeline.get(name)
    pipeline.mget(name, f"session:{(number + 1) % KEYS}")
    value, pair = await pipeline.execute()
    assert isinstance(value, bytes)
    assert pair == [value, f"value {(number + 1) % KEYS}".encode()]
    return value


async def cancelled_at_random(client: Redis, chance: random.Random) -> bool:
    """One call, mostly given up at some moment, now and then a second time meanwhile. Whether it was given up."""
    number = chance.randrange(KEYS)
    task = asyncio.create_task(ask(client, number))
    if chance.random() < PATIENT_SHARE:
        await asyncio.wait([task])
    await asyncio.sleep(chance.uniform(0, 2.5 * DELAY_S))
    task.cancel()
    if chance.random() < 0.3:
        await asyncio.sleep(0)
        task.cancel()
    try:
        assert await task == f"value {number}".encode()
    except asyncio.CancelledError:
        return True
    return False


async def test_no_cancelled_call_gives_its_answer_to_another(client: Redis, proxy: Proxy) -> None:
    chance = random.Random(1)
    cancelled = answered = 0

    async def some() -> None:
        nonlocal cancelled, answered
        while cancelled < CANCELLED:
            if await cancelled_at_random(client, chance):
                cancelled += 1
            else:
                answered += 1

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    assert answered > 100
    pool: Any = client.connection_pool
    assert len(pool._in_use_connections) == 0
    assert len(pool._available_connections) <= AT_ONCE
    values = await asyncio.gather(*(ask(client, number % KEYS) for number in range(2 * AT_ONCE)))
    assert values == [f"value {number % KEYS}".encode() for number in range(2 * AT_ONCE)]
    assert len(pool._in_use_connections) == 0


async def test_a_small_pool_lets_calls_wait_and_loses_no_place(proxy: Proxy) -> None:
    """Sixteen connections, and hundreds who wait for one: those who give up waiting take no place with them."""
    proxy.delay_s = 0.005
    chance = random.Random(2)
    async with connect(proxy.url) as client:

        async def wait_and_give_up() -> None:
            task = asyncio.create_task(ask(client, chance.randrange(KEYS)))
            await asyncio.sleep(chance.uniform(0, 0.1))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        for _ in range(5):
            await asyncio.gather(*(wait_and_give_up() for _ in range(300)))
        values = await asyncio.gather(*(ask(client, number % KEYS) for number in range(300)))
        assert values == [f"value {number % KEYS}".encode() for number in range(300)]
        pool: Any = client.connection_pool
        assert len(pool._in_use_connections) == 0
        assert len(pool._available_connections) <= 16
