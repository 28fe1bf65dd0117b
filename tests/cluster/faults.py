"""What is done to pods under play, by name. None makes a black-out for certain: what is away for longer than the gap is
in the database, and the ledger judges it there."""

import asyncio
import signal
from collections.abc import Awaitable, Callable

from tests.chaos.faults import Tools
from tests.cluster.cluster import Cluster
from tests.cluster.manifests import Manifests

PARTS = ("rules", "game", "clock", "dispatcher", "worker", "beat", "gateway")
"""Callees before their callers."""
STORES = ("valkey", "postgres")
BACK_WITHIN_S = 90.0

Doing = Callable[[Tools], Awaitable[None]]


def faults_of(cluster: Cluster, target: Manifests) -> dict[str, Doing]:
    """For each part: `roll` to the target's pods, `drain` (SIGTERM), `kill` (SIGKILL)."""
    made: dict[str, Doing] = {}
    for part in (*PARTS, *STORES):
        if part in PARTS:
            made[f"roll {part}"] = _roll(cluster, target, part)
            made[f"drain {part}"] = _drain(cluster, part)
        made[f"kill {part}"] = _kill(cluster, part)
    return made


def _roll(cluster: Cluster, target: Manifests, part: str) -> Doing:
    async def do(_: Tools) -> None:
        await cluster.roll(part, target)

    return do


def _drain(cluster: Cluster, part: str) -> Doing:
    async def do(tools: Tools) -> None:
        await cluster.delete(tools.chance.choice(cluster.of(part)))

    return do


def _kill(cluster: Cluster, part: str) -> Doing:
    """The container is killed and started anew in its pod."""

    async def do(tools: Tools) -> None:
        name = tools.chance.choice(cluster.of(part))
        container = cluster.pod(name).containers[0]
        before = container.restarts
        cluster.send(name, signal.SIGKILL)
        async with asyncio.timeout(BACK_WITHIN_S):
            while container.restarts == before or not container.ready:
                await asyncio.sleep(0.1)

    return do
