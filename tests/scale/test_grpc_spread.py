"""Case I04: calls spread over old and new servers, none fails when a server goes, quiet connections are not thrown out,
and a host that vanishes is noticed. Real channels and servers in network namespaces, with ages and waits shortened."""

import asyncio
import json
import signal
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.scale.networks import NAME, Network, network

pytestmark = pytest.mark.needs("netns")

PORT, ADMIN_PORT = 50_051, 9_000
AGE_MS, RESOLVED_MS, KEEPALIVE_MS, ANSWER_MS = 4_000, 1_000, 2_000, 1_000
SETTINGS = {
    "FLAGFALL_HOST": "0.0.0.0",
    "FLAGFALL_GRPC_PORT": str(PORT),
    "FLAGFALL_ADMIN_PORT": str(ADMIN_PORT),
    "FLAGFALL_CONNECTION_AGE_MS": str(AGE_MS),
    "FLAGFALL_RESOLVED_AGAIN_MS": str(RESOLVED_MS),
    "FLAGFALL_KEEPALIVE_MS": str(KEEPALIVE_MS),
    "FLAGFALL_KEEPALIVE_ANSWER_MS": str(ANSWER_MS),
    "FLAGFALL_DRAIN_MS": "2000",
}
SERVERS = ("s1", "s2", "s3", "s4")
CALLS_PER_S = 100
SPREAD_S = 1.1 * AGE_MS / 1000 + RESOLVED_MS / 1000 + 1.5
"""Until every connection has been renewed once, the name asked for again, and connections made."""
SHARE_MAX = 0.4
"""Of the case, for one of four servers."""
NOTICED_S = (KEEPALIVE_MS + ANSWER_MS) / 1000 + 1.0
"""And a call that had gone to the vanished host may take its deadline."""


class Caller:
    """What a calling process has told so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.told: list[tuple[float, Counter[str]]] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.told.append((time.monotonic(), Counter(json.loads(line))))

    async def calls(self, count: int) -> None:
        """Return once so many have been good since now."""
        start = len(self.told)
        async with asyncio.timeout(10):
            while sum(told["OK"] for _, told in self.told[start:]) < count:
                await asyncio.sleep(0.05)

    async def ask(self) -> Counter[str]:
        """One call of a caller that makes none by itself, and what became of it."""
        assert self.process.stdin is not None
        before = len(self.told)
        self.process.stdin.write(b"\n")
        await self.process.stdin.drain()
        async with asyncio.timeout(10):
            while len(self.told) == before:
                await asyncio.sleep(0.01)
        return self.told[-1][1]

    def failed(self, since_s: float = 0.0) -> Counter[str]:
        """Calls that were not answered, by their status."""
        failed = sum((told for at, told in self.told if at >= since_s), Counter())
        del failed["OK"]
        return failed

    def close(self) -> None:
        """No more is read."""
        self._reading.cancel()


@pytest.fixture
async def hosts(tmp_path: Path) -> AsyncIterator[Network]:
    async with network(tmp_path, ["c", *SERVERS]) as made:
        yield made


@asynccontextmanager
async def servers(hosts: Network, names: Sequence[str], **own: str) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    async with AsyncExitStack() as stack:
        started = [
            await stack.enter_async_context(hosts.run(name, "tests.scale.rpc_server", settings={**SETTINGS, **own}))
            for name in names
        ]
        async with asyncio.timeout(20):
            for name in names:
                while await judged(hosts, name) is None:
                    await asyncio.sleep(0.05)
        yield started


@asynccontextmanager
async def calling(hosts: Network, per_s: float, **own: str) -> AsyncIterator[Caller]:
    target = f"dns:///{NAME}:{PORT}"
    words = ("tests.scale.rpc_caller", target, str(per_s))
    async with hosts.run("c", *words, settings={**SETTINGS, **own}) as process:
        caller = Caller(process)
        try:
            yield caller
        finally:
            caller.close()


async def judged(hosts: Network, name: str) -> float | None:
    """How many calls a server has counted; None when it does not answer."""

    def ask() -> float | None:
        try:
            with urllib.request.urlopen(f"http://{hosts.addresses[name]}:{ADMIN_PORT}/metrics", timeout=2) as answer:
                text = str(answer.read().decode())
        except OSError:
            return None
        lines = [line for line in text.splitlines() if line.startswith("flagfall_rpc") and 'method="Judge"' in line]
        return sum(float(line.split()[-1]) for line in lines if 'code="OK"' in line)

    return await asyncio.to_thread(ask)


async def shares(hosts: Network, names: Sequence[str], caller: Caller, calls: int = 200) -> dict[str, float]:
    """Of the next calls, the part of each server."""
    before = {name: await judged(hosts, name) or 0.0 for name in names}
    await caller.calls(calls)
    counted = {name: (await judged(hosts, name) or 0.0) - before[name] for name in names}
    total = sum(counted.values())
    return {name: count / total for name, count in counted.items()}


async def test_calls_spread_over_new_servers_and_none_fails_when_one_goes(hosts: Network) -> None:
    hosts.name(["s1"])
    async with servers(hosts, SERVERS) as processes, calling(hosts, CALLS_PER_S) as caller:
        await caller.calls(100)
        assert await shares(hosts, SERVERS, caller, 50) == {"s1": 1, "s2": 0, "s3": 0, "s4": 0}
        hosts.name(SERVERS)
        scaled_s = time.monotonic()
        while max(found := list((await shares(hosts, SERVERS, caller)).values())) > SHARE_MAX:
            assert time.monotonic() - scaled_s < SPREAD_S, f"shares {found} after {SPREAD_S} s"
        # A pod that is deleted: its address goes, it is asked to end, and ends.
        hosts.name(["s1", "s3", "s4"])
        processes[1].send_signal(signal.SIGTERM)
        async with asyncio.timeout(10):
            assert await processes[1].wait() == 0
        await caller.calls(200)
        # One that dies while the name still has its address.
        processes[2].kill()
        await processes[2].wait()
        await caller.calls(200)
        assert min((await shares(hosts, ["s1", "s4"], caller)).values()) > 0.4
        assert caller.failed() == {}, "failed_moves_on_pod_delete"


async def test_without_an_age_of_connections_new_servers_hear_nothing(hosts: Network) -> None:
    """The negative: what the age is for."""
    hosts.name(["s1"])
    async with (
        servers(hosts, ["s1", "s2"], FLAGFALL_CONNECTION_AGE_MS="600000"),
        calling(hosts, CALLS_PER_S) as caller,
    ):
        await caller.calls(50)
        hosts.name(["s1", "s2"])
        await asyncio.sleep(SPREAD_S)  # in which the test above sees the load spread
        assert await shares(hosts, ["s1", "s2"], caller) == {"s1": 1, "s2": 0}


async def test_a_host_that_vanishes_is_noticed_by_whoever_calls(hosts: Network) -> None:
    hosts.name(["s1", "s2"])
    async with servers(hosts, ["s1", "s2"]), calling(hosts, CALLS_PER_S) as caller:
        while min((await shares(hosts, ["s1", "s2"], caller, 50)).values()) < SHARE_MAX:
            pass
        assert caller.failed() == {}
        hosts.link("s2", up=False)
        cut_s = time.monotonic()
        await asyncio.sleep(NOTICED_S)  # what fails meanwhile was sent to the host that is gone
        await caller.calls(200)
        assert caller.failed(cut_s + NOTICED_S + 0.5) == {}, "noticed within keepalive_ms + keepalive_answer_ms"
        assert set(caller.failed()) <= {"DEADLINE_EXCEEDED"}
        hosts.link("s2", up=True)
        async with asyncio.timeout(SPREAD_S + 5):
            while min((await shares(hosts, ["s1", "s2"], caller, 50)).values()) < SHARE_MAX:
                pass


async def test_a_host_that_vanishes_is_noticed_by_whoever_only_waits(hosts: Network) -> None:
    """Or the first moves after a quiet time would wait for their deadline."""
    hosts.name(["s1", "s2"])
    old = {"FLAGFALL_CONNECTION_AGE_MS": "600000"}  # so that it is no renewed connection that saves the call
    async with servers(hosts, ["s1", "s2"], **old), calling(hosts, 0) as caller:
        for _ in range(8):
            assert await caller.ask() == {"OK": 1}
        assert all([await judged(hosts, name) for name in ("s1", "s2")]), "both are connected"
        hosts.link("s2", up=False)
        await asyncio.sleep(NOTICED_S)  # nobody calls
        for _ in range(8):
            assert await caller.ask() == {"OK": 1}


@pytest.mark.parametrize(("agreed", "thrown_out"), [(True, False), (False, True)])
async def test_signs_of_life_of_a_quiet_client_are_taken(hosts: Network, agreed: bool, thrown_out: bool) -> None:
    """With settings that agree; a server that wants fewer pings than its client sends throws it out: the negative."""
    hosts.name(["s1"])
    often = {"FLAGFALL_KEEPALIVE_MS": "500", "FLAGFALL_CONNECTION_AGE_MS": "600000"}
    server = often if agreed else often | {"FLAGFALL_KEEPALIVE_MS": "600000"}
    async with servers(hosts, ["s1"], **server), calling(hosts, 0, **often) as caller:
        assert await caller.ask() == {"OK": 1}
        quiet_s = 5.0
        async with asyncio.timeout(quiet_s + 5):
            began_s = time.monotonic()
            while time.monotonic() - began_s < quiet_s and "too_many_pings" not in hosts.said("c"):
                await asyncio.sleep(0.1)
        assert await caller.ask() == {"OK": 1}
        assert ("too_many_pings" in hosts.said("c")) == thrown_out
