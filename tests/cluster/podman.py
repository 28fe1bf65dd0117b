"""Podman's commands, for root. Its own settings come with each call: what a machine has configured does not count."""

import asyncio
import json
import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

SETTINGS = """\
[containers]
default_ulimits = ["nofile={files}:{files}", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
"""
"""Without a session manager no systemd keeps cgroups, and a container may not raise the limits that it is given."""
COMMAND_S = 120.0


class PodmanError(Exception):
    """A command failed; the message is the command and what it said."""


@dataclass(frozen=True, slots=True)
class State:
    """A container as podman knows it: its process id is 0 while it does not run."""

    status: str
    pid: int
    exit_code: int
    log: Path


class Podman:
    """Runs commands."""

    def __init__(self, folder: Path) -> None:
        settings = folder / "containers.conf"
        settings.write_text(SETTINGS.format(files=resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self._environment = {**os.environ, "CONTAINERS_CONF": str(settings)}

    async def run(self, *words: str, stdin: str | None = None, within_s: float = COMMAND_S) -> str:
        """Run a command and return its output. Raises PodmanError, TimeoutError."""
        code, out, err = await self.tried(*words, stdin=stdin, within_s=within_s)
        if code:
            raise PodmanError(f"podman {' '.join(words)}: {code}: {err.strip()} {out.strip()}")
        return out

    async def tried(self, *words: str, stdin: str | None = None, within_s: float = COMMAND_S) -> tuple[int, str, str]:
        """Run a command that may fail: its exit code, output and complaints."""
        process = await asyncio.create_subprocess_exec(
            *("podman", *words),
            stdin=asyncio.subprocess.PIPE if stdin is not None else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
        )
        try:
            async with asyncio.timeout(within_s):
                out, err = await process.communicate(stdin.encode() if stdin is not None else None)
        except BaseException:
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        return process.returncode or 0, out.decode(), err.decode()

    async def state(self, container: str) -> State:
        """How a container is. Raises PodmanError when there is none."""
        found = json.loads(await self.run("container", "inspect", container))[0]
        state = found["State"]
        log = Path(found["HostConfig"]["LogConfig"]["Path"])
        return State(state["Status"], int(state["Pid"]), int(state["ExitCode"]), log)

    async def address(self, pod: str) -> str:
        """A pod's address on its network."""
        infra = json.loads(await self.run("pod", "inspect", pod))["InfraContainerID"]
        networks: dict[str, Any] = json.loads(await self.run("container", "inspect", infra))[0]["NetworkSettings"]
        return str(next(iter(networks["Networks"].values()))["IPAddress"])

    async def images(self, names: Sequence[str]) -> list[str]:
        """Those that are missing here."""
        return [name for name in names if (await self.tried("image", "exists", name))[0]]


@dataclass(frozen=True, slots=True)
class Network:
    """A bridge whose pods the host can reach; the host is at `gateway`."""

    name: str
    gateway: str

    @classmethod
    async def create(cls, podman: Podman, name: str) -> Self:
        """Make it, without a DNS of podman's own."""
        await podman.run("network", "create", "--disable-dns", name)
        found = json.loads(await podman.run("network", "inspect", name))[0]
        return cls(name, found["subnets"][0]["gateway"])
