"""One pod: made by podman of a manifest's template, kept by what stands in for a kubelet, ended within its grace."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.container import Container, End
from tests.cluster.manifests import Maker, Manifests
from tests.cluster.pod_document import PodDocument, pod_document
from tests.cluster.podman import Network, Podman, PodmanError

GRACE_S = 30
"""Of a pod whose manifest says nothing (Kubernetes' default)."""
BEGIN_AGAIN_S = 2.0
BEGINNINGS_MAX = 5


@dataclass(slots=True)
class Node:
    """The one machine of the cluster."""

    podman: Podman
    network: Network
    volumes: Path
    """A folder for them."""
    say: Callable[[str], None]
    changed: Callable[[], None]
    ends: list[End] = field(default_factory=list)
    """Of all containers, in order."""


@dataclass(slots=True)
class Pod:
    """`begin` once, then `end` once."""

    node: Node
    maker: Maker
    manifests: Manifests
    name: str
    address: str = ""
    containers: list[Container] = field(default_factory=list)
    ending: bool = False
    began_s: float = field(default_factory=time.monotonic)
    _document: PodDocument = field(default_factory=PodDocument)
    _lives: list[asyncio.Task[None]] = field(default_factory=list)

    @property
    def component(self) -> str:
        """Which part of Flagfall it is."""
        return self.maker.component

    @property
    def labels(self) -> Mapping[str, str]:
        """Those that Services select by."""
        return self.maker.labels

    @property
    def ready(self) -> bool:
        """Whether all its containers are, and it is not about to end."""
        return not self.ending and bool(self.containers) and all(each.ready for each in self.containers)

    @property
    def grace_s(self) -> int:
        """How long it may take to end."""
        return int(self.maker.template["spec"].get("terminationGracePeriodSeconds", GRACE_S))

    async def begin(self) -> None:
        """Start it; a kubelet's work goes on by itself. Raises PodmanError."""
        node, podman = self.node, self.node.podman
        self._document = pod_document(self.maker, self.manifests, self.name, node.network.gateway, node.volumes)
        for volume in self._document.volumes:
            volume.make()
        for name, content in self._document.secrets.items():
            await podman.run("secret", "create", name, "-", stdin=content)
        for tried in range(BEGINNINGS_MAX):
            try:
                await podman.run("play", "kube", "--network", node.network.name, "-", stdin=self._document.text)
                break
            except PodmanError:
                await podman.tried("pod", "rm", "--force", "--time", "0", self.name)
                if tried == BEGINNINGS_MAX - 1 or "initContainers" not in self.maker.template["spec"]:
                    raise
                await asyncio.sleep(BEGIN_AGAIN_S)
        self.address = await podman.address(self.name)
        again = self.maker.kind != "Job"
        for template in self.maker.template["spec"]["containers"]:
            container = Container(
                *(podman, self.name, self.component, template, self.address, node.say, node.changed, node.ends)
            )
            self.containers.append(container)
            self._lives.append(asyncio.create_task(container.live(again=again), name=container.id))

    def check(self) -> None:
        """Raise whatever the stand-in for the kubelet failed with."""
        for life in self._lives:
            if life.done() and not life.cancelled() and (error := life.exception()) is not None:
                raise error

    async def ended(self) -> list[int]:
        """Return once all containers have ended by themselves, with their exit codes (a Job's pod)."""
        await asyncio.gather(*self._lives)
        return [end.code for end in self.node.ends if end.pod == self.name]

    async def end(self) -> None:
        """End it as a kubelet does: first out of the Services, then preStop and the stop signal, then, after the grace,
        SIGKILL; then remove it."""
        self.ending = True
        self.node.changed()
        await asyncio.gather(*(self._end(container) for container in self.containers))
        await self.remove()

    async def _end(self, container: Container) -> None:
        deadline_s = time.monotonic() + self.grace_s
        container.held.clear()
        if not container.pid:
            return
        container.expect_end(signal.SIGTERM)
        hook = container.template.get("lifecycle", {}).get("preStop", {})
        if "sleep" in hook:
            await asyncio.sleep(hook["sleep"]["seconds"])
        elif "exec" in hook:
            await self.node.podman.tried("exec", container.id, *hook["exec"]["command"], within_s=self.grace_s)
        left_s = max(1, round(deadline_s - time.monotonic()))
        await self.node.podman.run("stop", "--time", str(left_s), container.id, within_s=left_s + 30)
        await container.ended.wait()

    async def remove(self) -> None:
        """Take away all that is left of it, but volumes that outlive pods."""
        self.ending = True
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)
        podman = self.node.podman
        with contextlib.suppress(TimeoutError):
            await podman.tried("pod", "rm", "--force", "--time", "0", self.name)
        if self._document.secrets:
            await podman.tried("secret", "rm", *self._document.secrets)
