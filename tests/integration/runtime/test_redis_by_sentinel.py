"""The primary of Redis by name: whom a client asks, whom it believes, and what it does once the primary is another.

The sentinels are stand-ins that answer their one question; tests/scale has real ones under play.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel as LibrarySentinel
from redis.backoff import NoBackoff
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
            self.asked += 1
            if words[1].upper() == b"MASTERS" and self.url is not None:  # what redis-py's own client asks
                place = (b"ip", b"127.0.0.1", b"port", str(urlsplit(self.url).port).encode())
                facts = (b"name", b"the-one", *place, b"flags", b"master", b"num-other-sentinels", b"0")
                writer.write(b"*1\r\n*%d\r\n" % len(facts))
                writer.write(b"".join(b"$%d\r\n%b\r\n" % (len(fact), fact) for fact in facts))
                continue
            assert [word.upper() for word in words[1:]] == [b"GET-MASTER-ADDR-BY-NAME", b"THE-ONE"]
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


@asynccontextmanager
async def library_client(redis_url: str, *sentinels: Sentinel) -> AsyncIterator[Redis]:
    """redis-py's own client, which docs/decisions.md, 69, decided against."""
    async with AsyncExitStack() as stack:
        places = []
        for sentinel in sentinels:
            server = await asyncio.start_server(sentinel.serve, "127.0.0.1", 0)
            stack.callback(server.close)
            places.append(server.sockets[0].getsockname()[:2])
        parts = urlsplit(redis_url)
        own: dict[str, Any] = {"protocol": 2, "retry": Retry(NoBackoff(), 0)}
        manager: Any = cast(Any, LibrarySentinel)(places, sentinel_kwargs=own)
        stack.push_async_callback(manager.aclose)
        client = manager.master_for("the-one", username=parts.username, password=parts.password, **own)
        stack.push_async_callback(client.aclose)
        yield client


async def test_the_librarys_own_client_still_believes_a_sentinel_that_names_a_replica(
    redis_url: str, spare: SpareValkey
) -> None:
    """When this fails the library has learned it: decide again whether its client serves."""
    old, new = Sentinel(spare.url), Sentinel(redis_url)
    async with library_client(redis_url, old, new) as client:
        for _ in range(3):
            with pytest.raises((ReadOnlyError, ConnectionLost)):
                await client.set("a", "1")
    assert (old.asked, new.asked) == (3, 0), "ours asks the other one at the next attempt"


async def test_the_librarys_own_connection_still_asks_nobody_when_a_command_opens_it(redis_url: str) -> None:
    """When this fails the library has learned it: decide again whether its client serves."""
    sentinel = Sentinel(redis_url)
    async with library_client(redis_url, sentinel) as client:
        connection = cast(Any, client.connection_pool).make_connection()
        assert (connection.host, connection.port) == ("localhost", 6379), "what it is when nobody was asked"
        connection.port = 1
        with pytest.raises(ConnectionLost):
            await connection.send_command("PING")
    assert sentinel.asked == 0


async def test_a_connection_that_a_command_opens_asks_who_is_the_primary(redis_url: str) -> None:
    sentinel = Sentinel(redis_url)
    async with asking(redis_url, sentinel) as client:
        connection = cast(Any, client.connection_pool).make_connection()
        try:
            await connection.send_command("PING")
            assert await connection.read_response() == b"PONG"
        finally:
            await connection.disconnect()
    assert sentinel.asked == 1
