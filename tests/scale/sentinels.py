"""A primary, its replica, and three sentinels that watch them, as processes of a stack."""

import asyncio
import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deploy.laptop.child import Command
from deploy.laptop.ports import PortBlock
from deploy.laptop.stores import find_valkey, password
from tests.stack.components import COMPONENTS

NAME = "flagfall"
SERVERS = ("valkey1", "valkey2")
SENTINELS = ("sentinel1", "sentinel2", "sentinel3")
QUORUM = 2
DOWN_AFTER_MS = 2_000
"""A primary that says nothing for so long is taken for dead."""


@dataclass(slots=True)
class Watched:
    """The processes in the order in which they must be there, and how to reach what they make."""

    secret: str
    groups: tuple[tuple[Command, ...], ...] = ()
    ports: dict[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """As services are told of it."""
        places = ",".join(f"127.0.0.1:{self.ports[name]}" for name in SENTINELS)
        return f"redis+sentinel://:{quote(self.secret, safe='')}@{places}/{NAME}/0"

    def client(self, name: str) -> Redis:
        """A client of one server or sentinel, for as long as the caller holds it."""
        secret = self.secret if name in SERVERS else None
        return Redis(host="127.0.0.1", port=self.ports[name], password=secret, socket_timeout=2)

    async def primary(self) -> str:
        """The name of the server that the sentinels hold for the primary now. Raises RedisError."""
        async with self.client(SENTINELS[0]) as sentinel:
            told: Any = await sentinel.sentinel_get_master_addr_by_name(NAME)
        return next(name for name in SERVERS if self.ports[name] == int(told[1]))

    async def copied(self, name: str) -> bool:
        """Whether a server is a replica that has all that its primary has sent."""
        with contextlib.suppress(RedisError, OSError):
            async with self.client(name) as server:
                told = await server.info("replication")
            return bool(told["role"] == "slave" and told["master_link_status"] == "up")
        return False

    async def failed_over(self, name: str, within_s: float) -> None:
        """Return once that server is a primary by its own word and by the sentinels'. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            while True:
                with contextlib.suppress(RedisError, OSError):
                    async with self.client(name) as server:
                        if (await server.role())[0] == b"master" and await self.primary() == name:
                            return
                await asyncio.sleep(0.1)

    async def all_know(self, within_s: float = 20.0) -> None:
        """Return once each sentinel knows the others and the replica: only then it can fail over."""
        async with asyncio.timeout(within_s):
            for name in SENTINELS:
                async with self.client(name) as sentinel:
                    while True:
                        told: Any = await sentinel.sentinel_master(NAME)
                        if told["num-other-sentinels"] == 2 and told["num-slaves"] == 1 and told["flags"] == "master":
                            break
                        await asyncio.sleep(0.1)


def watched(folder: Path, ports: PortBlock, environment: dict[str, str]) -> Watched:
    """Everything prepared in a folder, on the loopback."""
    found = COMPONENTS["sentinel"][0]()
    assert found is not None, 'mark the test with @pytest.mark.needs("sentinel")'
    secret = password(folder, "valkey")
    made = Watched(secret, ports={name: ports.take() for name in SERVERS + SENTINELS})
    servers = tuple(_server(made, name, folder, environment) for name in SERVERS)
    sentinels = tuple(_sentinel(made, name, found, folder, environment) for name in SENTINELS)
    made.groups = (servers, sentinels)
    return made


def _server(made: Watched, name: str, folder: Path, environment: dict[str, str]) -> Command:
    place = folder / name
    place.mkdir()
    file = place / "server.conf"
    file.write_text(
        f"bind 127.0.0.1\nport {made.ports[name]}\ndir {place}\nrequirepass {made.secret}\nmasterauth {made.secret}\n"
        'save ""\nappendonly yes\nappendfsync everysec\nmaxmemory-policy noeviction\nrepl-diskless-sync-delay 0\n'
        + ("" if name == SERVERS[0] else f"replicaof 127.0.0.1 {made.ports[SERVERS[0]]}\n")
    )
    return _command(made, name, (str(find_valkey()), str(file)), place, environment)


def _sentinel(made: Watched, name: str, program: Path, folder: Path, environment: dict[str, str]) -> Command:
    place = folder / name
    place.mkdir()
    file = place / "sentinel.conf"
    file.write_text(
        f"bind 127.0.0.1\nport {made.ports[name]}\ndir {place}\n"
        f"sentinel monitor {NAME} 127.0.0.1 {made.ports[SERVERS[0]]} {QUORUM}\n"
        f"sentinel auth-pass {NAME} {made.secret}\n"
        f"sentinel down-after-milliseconds {NAME} {DOWN_AFTER_MS}\n"
        f"sentinel failover-timeout {NAME} 10000\n"
    )
    return _command(made, name, (str(program), str(file)), place, environment)


def _command(made: Watched, name: str, argv: tuple[str, ...], place: Path, environment: dict[str, str]) -> Command:
    async def probe() -> bool:
        with contextlib.suppress(RedisError, OSError):
            async with made.client(name) as client:
                return bool(await client.ping())
        return False

    return Command(name=name, argv=argv, environment=environment, folder=place, rank=0, probe=probe, quiet=True)
