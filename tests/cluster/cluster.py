"""A whole Flagfall of pods, made from a rendered overlay. It is a stack as tests/chaos wants one, and does what a
cluster's controllers do: replicas, rolls, a pod in place of one that was deleted."""

import asyncio
import signal
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.chaos.line import now_ms
from tests.cluster.addresses import Addresses
from tests.cluster.container import End
from tests.cluster.domain_names import DomainNames
from tests.cluster.manifests import Maker, Manifests
from tests.cluster.pod import Node, Pod
from tests.cluster.pod_document import environment
from tests.cluster.podman import Network, Podman

READY_WITHIN_S = 150.0
POLL_S = 0.1
ANSWERS_PORT = 8000
JOB = "migrate"


@dataclass(frozen=True, slots=True)
class Gone:
    """A pod that was ended in order: when it was asked to, and when it was gone."""

    name: str
    component: str
    asked_ms: int
    gone_ms: int


class Cluster:
    """Pods and the Services before them. Use `start` and `stop`."""

    def __init__(self, manifests: Manifests, say: Callable[[str], None], replicas: Mapping[str, int]) -> None:
        """`replicas`: of which components there are to be more, or fewer, than the manifests say (`kubectl scale`)."""
        self.manifests = manifests
        self.pods: list[Pod] = []
        self.gone: list[Gone] = []
        self._say = say
        self._replicas = {**{name: maker.replicas for name, maker in manifests.makers.items()}, **replicas}
        self._changed = asyncio.Event()
        self._numbers: dict[str, int] = {}
        self._node: Node
        self._prefix = ""
        self._names: DomainNames | None = None
        self._gateways = Addresses(
            lambda: [f"http://{each}:{ANSWERS_PORT}" for each in self.addresses("gateway") or ()]
        )

    async def start(self, folder: Path, settings: Mapping[str, str]) -> None:
        """Make everything at once, as `kubectl apply -k` does, and return when all pods are ready and the migration is
        done. Raises TimeoutError, PodmanError. Pods have the settings of their manifests and no others."""
        if settings:
            raise ValueError("pods have the settings of their manifests")
        folder.mkdir(parents=True, exist_ok=True)
        podman, self._prefix = Podman(folder), f"ff{uuid.uuid4().hex[:6]}"
        images = sorted({image for maker in self.manifests.makers.values() for image in maker.images})
        if missing := await podman.images(images):
            raise FileNotFoundError(f"images are missing: {', '.join(missing)}")
        network = await Network.create(podman, self._prefix)
        self._node = Node(podman, network, folder / "volumes", self._say, self._changed.set)
        self._names = await DomainNames.open(network.gateway, self.addresses)
        makers = self.manifests.makers.values()
        wanted = [maker for maker in makers if maker.kind != "Job" for _ in range(self._replicas[maker.component])]
        async with asyncio.TaskGroup() as group:
            group.create_task(self.migrate())
            for maker in wanted:
                group.create_task(self._make(maker))
        await self.ready(self.names)

    @property
    def ends(self) -> list[End]:
        """How containers ended, in order."""
        return self._node.ends

    @property
    def gateways(self) -> Sequence[str]:
        """Addresses of the gateways that are ready now."""
        return self._gateways

    @property
    def database_url(self) -> str:
        """The game service's, as the host reaches it."""
        return self._reached("FLAGFALL_DATABASE_URL")

    @property
    def redis_url(self) -> str:
        """The services', as the host reaches it."""
        return self._reached("FLAGFALL_REDIS_URL")

    def addresses(self, service: str) -> list[str] | None:
        """What the cluster's DNS says of a Service: its ready pods; None when there is no such Service."""
        found = self.manifests.services.get(service)
        if found is None:
            return None
        return [
            pod.address
            for pod in self.pods
            if pod.address and found.selects(pod.labels) and (pod.ready or (found.unready_too and not pod.ending))
        ]

    def of(self, part: str) -> list[str]:
        """Names of a component's pods that are not about to end."""
        return [pod.name for pod in self.pods if pod.component == part and not pod.ending]

    @property
    def names(self) -> list[str]:
        """All pods but those that are about to end."""
        return [pod.name for pod in self.pods if not pod.ending]

    def pod(self, name: str) -> Pod:
        """A pod. Raises KeyError."""
        for pod in self.pods:
            if pod.name == name:
                return pod
        raise KeyError(name)

    def pid(self, name: str) -> int | None:
        """The process id of a pod's container while it runs."""
        return self.pod(name).containers[0].pid or None

    def send(self, name: str, number: int) -> None:
        """Signal a pod's container. The pod stays, and the container is started anew when it has ended."""
        self.pod(name).containers[0].signal(number)

    async def down(self, names: Iterable[str], number: int = signal.SIGKILL) -> None:
        """End containers together and leave them ended, in their pods."""
        containers = [self.pod(name).containers[0] for name in names]
        for container in containers:
            container.held.clear()
            container.signal(number)
        await asyncio.gather(*(container.ended.wait() for container in containers))

    def up(self, names: Iterable[str]) -> None:
        """Start containers that are down."""
        for name in names:
            self.pod(name).containers[0].held.set()

    async def ready(self, names: Iterable[str]) -> None:
        """Return once these pods are ready. Raises TimeoutError with those that are not."""
        waited = [self.pod(name) for name in names]
        deadline_s = time.monotonic() + READY_WITHIN_S
        while lacking := [pod for pod in waited if not pod.ready and not pod.ending]:
            for pod in self.pods:
                pod.check()
            if time.monotonic() > deadline_s:
                raise TimeoutError(f"not ready: {', '.join(pod.name for pod in lacking)}")
            await asyncio.sleep(POLL_S)

    async def delete(self, name: str) -> None:
        """`kubectl delete pod`: it is asked to end, and one in its place is made at the same time. Returns when the old
        one is gone and the new one ready."""
        old = self.pod(name)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._end(old))
            made = group.create_task(self._make(old.maker))
        await self.ready([made.result().name])

    async def roll(self, part: str, manifests: Manifests | None = None) -> None:
        """Put a new pod in the place of each, as the Deployment's strategy has it; of other manifests if given."""
        if manifests is not None:
            makers = {**self.manifests.makers, part: manifests.makers[part]}
            self.manifests = Manifests(
                makers,
                self.manifests.services,
                {**self.manifests.config_maps, **manifests.config_maps},
                {**self.manifests.secrets, **manifests.secrets},
                self.manifests.unhonoured,
            )
        maker = self.manifests.makers[part]
        for name in self.of(part):
            if maker.surge:
                made = await self._make(maker)
                await self.ready([made.name])
                await self._end(self.pod(name))
            else:
                await self._end(self.pod(name))
                made = await self._make(maker)
                await self.ready([made.name])

    async def migrate(self, manifests: Manifests | None = None) -> None:
        """Run the Job to its end. Raises AssertionError when it fails."""
        given = manifests or self.manifests
        pod = await self._make(given.makers[JOB], given)
        codes = await pod.ended()
        await self._drop(pod)
        if codes != [0]:
            raise AssertionError(f"the migration ended with {codes}")

    async def stop(self) -> None:
        """Take everything away."""
        if self._names is not None:
            self._names.close()
            await asyncio.gather(*(pod.remove() for pod in self.pods))
            await self._node.podman.tried("network", "rm", "--force", "--time", "0", self._node.network.name)
        self.pods.clear()

    async def _make(self, maker: Maker, manifests: Manifests | None = None) -> Pod:
        number = self._numbers.get(maker.component, -1) + 1
        self._numbers[maker.component] = number
        name = f"{self._prefix}-{maker.component}-{number}"
        pod = Pod(self._node, maker, manifests or self.manifests, name)
        self.pods.append(pod)
        await pod.begin()
        return pod

    async def _end(self, pod: Pod) -> None:
        asked_ms = now_ms()
        await pod.end()
        self.pods.remove(pod)
        self.gone.append(Gone(pod.name, pod.component, asked_ms, now_ms()))

    async def _drop(self, pod: Pod) -> None:
        await pod.remove()
        self.pods.remove(pod)

    def _reached(self, variable: str) -> str:
        """A URL of the game service's environment, with a pod's address in place of the name."""
        container = self.manifests.makers["game"].template["spec"]["containers"][0]
        parts = urlsplit(environment(container, self.manifests)[variable])
        found = self.addresses(parts.hostname or "")
        if not found:
            raise ConnectionError(f"{parts.hostname} has no pod that is ready")
        credentials, _, _ = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{credentials}@{found[0]}:{parts.port}"))
