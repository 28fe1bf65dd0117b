"""The primary of Redis by name: whom a client asks, whom it believes, and what it does once the primary is another.

The sentinels are stand-ins that answer their one question; tests/scale has real ones under play.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ReadOnlyError

from services.runtime.redis_client import connect
from services.runtime.settings import Settings
from tests.stack.spare_valkey import SpareValkey, spare_valkey

SETTINGS = Settings(redis_connect_ms=300, redis_answer_ms=1_000)


class Sentinel:
    """Names the server of `url` as the primary to whoever asks; None: it knows none."""

    def __init__(self, url: str | None) -> None:
        self.url = url
        self.asked = 0
        self.holds_back = False
        """Takes questions and does not answer."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            words = [(await reader.readline(), await reader.readline())[1].strip() for _ in range(int(line[1:]))]
            if words[0].upper() != b"SENTINEL":
                writer.write(b"+OK\r\n")
                continue
            assert [word.upper() for word in words[1:]] == [b"GET-MASTER-ADDR-BY-NAME", b"THE-ONE"]
            self.asked += 1
            if self.holds_back:
                continue
            if self.url is None:
                writer.write(b"*-1\r\n")
                continue
            port = str(urlsplit(self.url).port).encode()
            writer.write(b"*2\r\n$9\r\n127.0.0.1\r\n$%d\r\n%s\r\n" % (len(port), port))
        writer.close()


@asynccontextmanager
async def asking(redis_url: str, *sentinels: Sentinel, gone: int = 0) -> AsyncIterator[Redis]:
    """A client that is told of these, and of `gone` more before them where nobody listens."""
    async with AsyncExitStack() as stack:
        places = []
        for sentinel in sentinels:
            server = await asyncio.start_server(sentinel.serve, "127.0.0.1", 0)
            stack.callback(server.close)
            places.append(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        places[:0] = ["127.0.0.1:1"] * gone
        who = urlsplit(redis_url).netloc.rpartition("@")[0]
        client = connect(f"redis+sentinel://{who}@{','.join(places)}/the-one/0", SETTINGS)
        stack.push_async_callback(client.aclose)
        yield client


@pytest.fixture
async def spare(redis_url: str, tmp_path: Path) -> AsyncIterator[SpareValkey]:
    async with spare_valkey(redis_url, tmp_path) as copy:
        yield copy


async def test_sentinels_that_are_gone_or_know_nothing_are_passed_over(redis_url: str) -> None:
    knows_nothing, knows = Sentinel(None), Sentinel(redis_url)
    async with asking(redis_url, knows_nothing, knows, gone=1) as client:
        assert await client.set("a", "1")
        await client.connection_pool.disconnect()
        assert await client.get("a") == b"1"
        assert (knows_nothing.asked, knows.asked) == (1, 2), "who answered is asked first from then on"


async def test_without_a_sentinel_that_knows_it_fails_as_a_redis_that_is_away(redis_url: str) -> None:
    async with asking(redis_url, Sentinel(None), gone=1) as client:
        with pytest.raises(ConnectionLost, match="no sentinel names the primary"):
            await client.get("a")


async def test_a_sentinel_that_names_a_replica_is_not_believed(redis_url: str, spare: SpareValkey) -> None:
    old, new = Sentinel(spare.url), Sentinel(redis_url)
    async with asking(redis_url, old, new) as client:
        with pytest.raises(ConnectionLost, match="is no primary: slave"):
            await client.set("a", "1")
        assert await client.set("a", "1"), "the other one is asked at the next attempt"


async def test_a_primary_that_is_demoted_is_left_for_the_new_one(redis_url: str, spare: SpareValkey) -> None:
    sentinel = Sentinel(redis_url)
    async with asking(redis_url, sentinel) as client, Redis.from_url(redis_url) as old:
        assert await client.set("a", "1")
        await spare.stand_alone()
        try:
            await old.replicaof("127.0.0.1", str(urlsplit(spare.url).port))
            sentinel.url = spare.url
            with pytest.raises((ReadOnlyError, ConnectionLost)):
                await client.set("a", "2")
            assert await client.set("a", "3")
            assert await spare.client.get("a") == b"3"
        finally:
            await old.replicaof("NO", "ONE")


async def test_who_gives_up_while_the_primary_is_looked_for_leaves_no_connection(redis_url: str) -> None:
    """Case I01: the next one finds the pool as it was."""
    sentinel = Sentinel(redis_url)
    async with asking(redis_url, sentinel) as client:
        sentinel.holds_back = True
        for _ in range(3 * SETTINGS.redis_connections_max):
            # The library may lose a cancellation (services/runtime/lifecycle.py); its own limit ends such a call.
            with pytest.raises((TimeoutError, ConnectionLost)):
                await asyncio.wait_for(client.get("a"), 0.01)
        sentinel.holds_back = False
        assert await client.set("a", "1")
        assert await client.get("a") == b"1"
