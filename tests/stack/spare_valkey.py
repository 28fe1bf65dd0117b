"""A second Valkey, for tests in which it replaces the first one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.laptop.ports import PortBlock
from deploy.laptop.stores import find_valkey

WITHIN_S = 20.0


class SpareValkey:
    """A replica of another Valkey until `stand_alone` is called. Made by `spare_valkey`."""

    def __init__(self, url: str, client: Redis, primary: Redis) -> None:
        self.url = url
        """The password is the other one's."""
        self.client = client
        self._primary = primary

    async def has_everything(self) -> None:
        """Return once this replica has all present data of the other Valkey."""
        offset = (await self._primary.info("replication"))["master_repl_offset"]
        async with asyncio.timeout(WITHIN_S):
            while True:
                told = await self.client.info("replication")
                if told["master_link_status"] == "up" and told["slave_repl_offset"] >= offset:
                    return
                await asyncio.sleep(0.01)

    async def stand_alone(self) -> None:
        """End the replication: like a failover that loses all later data."""
        await self.has_everything()
        await self.client.replicaof("NO", "ONE")


@asynccontextmanager
async def spare_valkey(redis_url: str, folder: Path) -> AsyncIterator[SpareValkey]:
    """A replica of a running Valkey."""
    parts = urlsplit(redis_url)
    password = parts.password or ""
    with PortBlock() as ports:
        port = ports.take()
        process = await asyncio.create_subprocess_exec(
            *(find_valkey(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"),
            *("--requirepass", password, "--masterauth", password, "--dir", folder, "--loglevel", "warning"),
            *("--replicaof", "127.0.0.1", str(parts.port), "--repl-diskless-sync-delay", "0"),
            stdout=asyncio.subprocess.DEVNULL,
        )
        url = urlunsplit(parts._replace(netloc=f":{password}@127.0.0.1:{port}"))
        try:
            async with Redis.from_url(url) as client, Redis.from_url(redis_url) as primary:
                async with asyncio.timeout(WITHIN_S):
                    while not await _answers(client):
                        await asyncio.sleep(0.01)
                await primary.config_set("repl-diskless-sync-delay", 0)
                spare = SpareValkey(url, client, primary)
                await spare.has_everything()
                yield spare
        finally:
            process.kill()
            await process.wait()


async def _answers(client: Redis) -> bool:
    try:
        return bool(await client.ping())
    except (RedisError, OSError):
        return False
