"""One container of a pod, and what a kubelet does for it: probes, new beginnings, a record of each end."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cluster.podman import Podman
from tests.cluster.probes import Count, Probe

BACKOFF_S = (0.0, 10.0, 20.0, 40.0)
"""Before a container that ended is started again: at once, then later and later, as a kubelet has it."""
STEADY_S = 600.0
LOG_PERIOD_S = 0.25
ENDED_WITHIN_S = 20.0


@dataclass(frozen=True, slots=True)
class End:
    """How a container ended. `asked`: the signal it was sent before, 0 when nobody had asked."""

    pod: str
    component: str
    code: int
    asked: int
    took_s: float
    """From the signal to the end."""
    image: str = ""


@dataclass(slots=True)
class Container:
    """`live` is a task for as long as the pod is wanted."""

    podman: Podman
    pod: str
    component: str
    template: Mapping[str, Any]
    address: str
    say: Callable[[str], None]
    changed: Callable[[], None]
    """Is called when `ready` may have become another."""
    ends: list[End]
    ready: bool = False
    pid: int = 0
    restarts: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while it does not run."""
    asked: int = 0
    _asked_s: float = 0.0
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while it may be started again."""
    unhealthy: int = 0
    """How often its liveness failed for good."""
    _read: int = 0

    def __post_init__(self) -> None:
        self.held.set()

    @property
    def id(self) -> str:
        """What podman calls it."""
        return f"{self.pod}-{self.template['name']}"

    def signal(self, number: int) -> None:
        """Signal its first process. None when it does not run."""
        if not self.pid:
            return
        if number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
            self.expect_end(number)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def expect_end(self, number: int) -> None:
        """Note that it is asked to end now, so that its end is none of its own making."""
        self.asked, self._asked_s = number, time.monotonic()

    async def live(self, *, again: bool) -> None:
        """Probe it while it runs; when it ends, note that, and start it anew if it is to be."""
        failures = 0
        while True:
            state = await self.podman.state(self.id)
            self.pid = state.pid
            self.ended.clear()
            began_s = time.monotonic()
            tasks = [asyncio.create_task(self._probe()), asyncio.create_task(self._follow(state.log))]
            try:
                await _gone(state.pid)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            self.pid, self.ready = 0, False
            self.changed()
            await self._note_end()
            self._tell(state.log)
            self.ended.set()
            if not again:
                return
            failures = 0 if time.monotonic() - began_s > STEADY_S else failures
            await asyncio.sleep(BACKOFF_S[min(failures, len(BACKOFF_S) - 1)])
            await self.held.wait()
            failures += 1
            self.restarts += 1
            await self.podman.run("start", self.id)

    async def _note_end(self) -> None:
        took_s = time.monotonic() - self._asked_s if self.asked else 0.0
        async with asyncio.timeout(ENDED_WITHIN_S):
            while (state := await self.podman.state(self.id)).status not in ("exited", "stopped"):
                await asyncio.sleep(0.05)
        end = End(self.pod, self.component, state.exit_code, self.asked, took_s, str(self.template["image"]))
        self.ends.append(end)
        self.say(f"{self.pod} | ended with {end.code}, asked by {end.asked}, after {end.took_s:.1f} s")
        self.asked = 0

    async def _probe(self) -> None:
        startup = Probe.of(self.template, "startupProbe")
        if startup is not None and not await self._until(startup):
            self._restart("its startup probe failed")
            return
        readiness, liveness = Probe.of(self.template, "readinessProbe"), Probe.of(self.template, "livenessProbe")
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch_readiness(readiness))
            if liveness is not None:
                group.create_task(self._watch_liveness(liveness))

    async def _until(self, probe: Probe) -> bool:
        count = Count()
        await asyncio.sleep(probe.delay_s)
        while count.failed < probe.failures:
            count.add(await probe.passes(self.address, self._execute))
            if count.passed >= probe.successes:
                return True
            await asyncio.sleep(probe.period_s)
        return False

    async def _watch_readiness(self, probe: Probe | None) -> None:
        if probe is None:
            self._become(ready=True)
            return
        count = Count()
        await asyncio.sleep(probe.delay_s)
        while True:
            count.add(await probe.passes(self.address, self._execute))
            if not self.ready and count.passed >= probe.successes:
                self._become(ready=True)
            elif self.ready and count.failed >= probe.failures:
                self._become(ready=False)
            await asyncio.sleep(probe.period_s)

    async def _watch_liveness(self, probe: Probe) -> None:
        count = Count()
        await asyncio.sleep(probe.delay_s)
        while count.failed < probe.failures:
            await asyncio.sleep(probe.period_s)
            count.add(await probe.passes(self.address, self._execute))
        self.unhealthy += 1
        self._restart("its liveness probe failed")

    def _restart(self, why: str) -> None:
        self.say(f"{self.pod} | {why}: killed")
        if self.pid:  # nobody has asked for this end: it is counted against the service
            os.kill(self.pid, signal.SIGKILL)

    def _become(self, *, ready: bool) -> None:
        self.ready = ready
        self.say(f"{self.pod} | {'ready' if ready else 'not ready'}")
        self.changed()

    async def _execute(self, command: Sequence[str], within_s: float) -> bool:
        try:
            code, _, _ = await self.podman.tried("exec", self.id, *command, within_s=within_s)
        except TimeoutError:
            return False
        return code == 0

    async def _follow(self, log: Path) -> None:
        while True:
            self._tell(log)
            await asyncio.sleep(LOG_PERIOD_S)

    def _tell(self, log: Path) -> None:
        """Pass on what was printed since, without podman's time and stream before each line."""
        if not log.is_file():
            return
        with log.open("rb") as lines:
            lines.seek(self._read)
            data = lines.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.decode(errors="replace").splitlines():
            self.say(f"{self.pod} | {line.split(' ', 3)[-1]}")


async def _gone(pid: int) -> None:
    """Return once a process has ended."""
    if not pid:
        return
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    gone = asyncio.Event()
    loop.add_reader(descriptor, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
