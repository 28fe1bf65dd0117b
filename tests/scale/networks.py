"""Hosts of their own on this machine: network namespaces at a switch, which the tests reach as well.

A host's link may be cut without a word to anybody, as a cable is pulled. One name resolves to the addresses of `named`.
"""

import asyncio
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deploy.laptop.node import ROOT

NAME = "rules.flagfall.test"
RESOLVERS = Path("/etc/netns")
"""Where `ip netns exec` finds a host's own resolv.conf."""
END_WITHIN_S = 10.0


@dataclass(slots=True)
class Network:
    """Made by `network`."""

    folder: Path
    mark: str
    prefix: str
    """The first three numbers of all addresses."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Of each host, by its short name."""

    def space(self, host: str) -> str:
        """The namespace of a host."""
        return f"ffF-{self.mark}-{host}"

    @property
    def names_file(self) -> Path:
        """What the name server answers with."""
        return self.folder / "names"

    def name(self, hosts: Sequence[str]) -> None:
        """From now on the name has the addresses of these hosts."""
        fresh = self.names_file.with_suffix(".new")
        fresh.write_text(" ".join(self.addresses[host] for host in hosts))
        fresh.replace(self.names_file)

    def link(self, host: str, up: bool) -> None:
        """Cut a host off at the switch, or connect it again; it is told nothing."""
        _ip("-n", self.space("sw"), "link", "set", f"p-{host}", "up" if up else "down")

    @asynccontextmanager
    async def run(
        self, host: str, module: str, *words: str, settings: Mapping[str, str] | None = None
    ) -> AsyncIterator[asyncio.subprocess.Process]:
        """A Python module as a process of a host, ended with the body. Its complaints are in `folder`/HOST.log."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "FLAGFALL_LOG_FORMAT": "text"}
        with (self.folder / f"{host}.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *("ip", "netns", "exec", self.space(host), sys.executable, "-m", module, *words),
                env=environment | dict(settings or {}),
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        try:
            yield process
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
            await process.communicate()

    def said(self, host: str) -> str:
        """What the processes of a host complained of."""
        return (self.folder / f"{host}.log").read_text()


@asynccontextmanager
async def network(folder: Path, hosts: Sequence[str]) -> AsyncIterator[Network]:
    """Hosts with addresses, a switch, a name server; all gone after the body."""
    made = Network(folder, secrets.token_hex(2), f"198.18.{secrets.randbelow(254) + 1}")
    async with AsyncExitStack() as stack:
        stack.callback(_remove, made, hosts)
        switch = made.space("sw")
        _ip("netns", "add", switch)
        _ip("-n", switch, "link", "add", "name", "bridge0", "type", "bridge")
        _ip("-n", switch, "link", "set", "bridge0", "up")
        _ip("-n", switch, "link", "set", "lo", "up")
        _ip("-n", switch, "addr", "add", f"{made.prefix}.1/24", "dev", "bridge0")
        outside = f"ffF{made.mark}"
        _ip("link", "add", outside, "type", "veth", "peer", "name", "p-test", "netns", switch)
        _ip("-n", switch, "link", "set", "p-test", "master", "bridge0", "up")
        _ip("addr", "add", f"{made.prefix}.2/24", "dev", outside)
        _ip("link", "set", outside, "up")
        for number, host in enumerate(hosts, 10):
            made.addresses[host] = f"{made.prefix}.{number}"
            space = made.space(host)
            _ip("netns", "add", space)
            _ip("-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", f"p-{host}", "netns", switch)
            _ip("-n", switch, "link", "set", f"p-{host}", "master", "bridge0", "up")
            _ip("-n", space, "addr", "add", f"{made.addresses[host]}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")
            _ip("-n", space, "link", "set", "lo", "up")
            (RESOLVERS / space).mkdir(parents=True)
            (RESOLVERS / space / "resolv.conf").write_text(
                f"nameserver {made.prefix}.1\noptions timeout:1 attempts:2\n"
            )
        made.name([])
        server = await stack.enter_async_context(
            made.run("sw", "tests.scale.names", f"{made.prefix}.1", str(made.names_file))
        )
        assert server.stdout is not None
        async with asyncio.timeout(END_WITHIN_S):
            assert await server.stdout.readline() == b"ready\n", made.said("sw")
        yield made


def _remove(made: Network, hosts: Sequence[str]) -> None:
    for host in [*hosts, "sw"]:
        space = made.space(host)
        subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)
        shutil.rmtree(RESOLVERS / space, ignore_errors=True)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
