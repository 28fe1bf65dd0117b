"""A whole Flagfall with several replicas of each service, in the caller's event loop, whose processes may be killed.

A part's replicas are named by a number behind it: `game1`, `game2`. A client of a service gets the addresses of all its
replicas and uses those that answer in turn. The supervisor restarts a process that ends by itself; a process that is
put `down` stays down until it is put `up`.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deploy.laptop.child import Child, Command
from deploy.laptop.node import ROOT
from deploy.laptop.output import Output
from deploy.laptop.plan import Place, Plan, ReadyProbe, base_environment, make_plan
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.stores import Tuning, postgres, valkey
from deploy.laptop.watch import Watch

READY_WITHIN_S = 90.0
END_WITHIN_S = 10.0
DIALLED = {"rules": "FLAGFALL_RULES_TARGET", "game": "FLAGFALL_GAME_TARGET"}
STORES = ("postgres", "valkey")


@dataclass(frozen=True, slots=True)
class Spread:
    """A plan with replicas: their commands, and the ports at which people reach the gateways."""

    commands: tuple[Command, ...]
    gateway_ports: tuple[int, ...]


def spread(plan: Plan, blocks: Sequence[PortBlock], gateways: int) -> Spread:
    """The plan's processes `len(blocks)` times, with ports of their own from `blocks`; gateways as many as asked."""
    made: list[Command] = []
    dialled: dict[str, list[str]] = {name: [] for name in DIALLED}
    gateway_ports = []
    for number, block in enumerate(blocks, 1):
        for command in plan.commands:
            if command.name == "gateway" and number > gateways:
                continue
            admin_port = block.take()
            own = {"FLAGFALL_ADMIN_PORT": str(admin_port)}
            if command.name in DIALLED:
                port = block.take()
                own["FLAGFALL_GRPC_PORT"] = str(port)
                dialled[command.name].append(f"127.0.0.1:{port}")
            if command.name == "gateway":
                port = block.take()
                own["FLAGFALL_PORT"] = str(port)
                gateway_ports.append(port)
            made.append(
                replace(
                    command,
                    name=f"{command.name}{number}",
                    environment={**command.environment, **own},
                    probe=ReadyProbe(admin_port),
                    notes="",
                )
            )
    targets = {DIALLED[name]: f"ipv4:///{','.join(addresses)}" for name, addresses in dialled.items()}
    commands = tuple(replace(command, environment={**command.environment, **targets}) for command in made)
    return Spread(commands, tuple(gateway_ports))


def living_in(home: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which `services` is the folder's."""
    _, *others = environment["PYTHONPATH"].split(os.pathsep)
    return {**environment, "PYTHONPATH": os.pathsep.join([str(home), *others])}


class ReplicatedFlagfall:
    """Several replicas of each service, one PostgreSQL and one Valkey, with the durability settings of `make run`."""

    def __init__(self, say: Callable[[str], None], replicas: int = 2, gateways: int = 2) -> None:
        """`say` is called with each line that a process prints."""
        self.gateways: tuple[str, ...] = ()
        self.database_url = ""
        self.redis_url = ""
        self._gateway_count = gateways
        self._watch = Watch()
        self._ports = PortBlock()
        self._blocks = [PortBlock() for _ in range(max(replicas, gateways))]
        self._stack = Stack(Output(say), self._watch)
        self._plan: Plan

    async def start(self, folder: Path, settings: Mapping[str, str], home: Path = ROOT) -> None:
        """Start everything and return once all is ready. `settings` are FLAGFALL_ settings by their whole name; `home`
        is the folder whose `services` run."""
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "FLAGFALL_LOG_FORMAT": "text", **settings}
        base = base_environment(environment)
        store = await asyncio.to_thread(postgres, folder, self._ports.take(), Tuning(), base)
        redis = await asyncio.to_thread(valkey, folder, self._ports.take(), Tuning(), base)
        self.database_url, self.redis_url = store.url, redis.url
        place = Place(folder, "127.0.0.1", 0, store.url, redis.url, redis.url.removesuffix("/0") + "/1")
        plan = make_plan(place, self._ports, environment)
        self._plan = replace(plan, environment=living_in(home, plan.environment))
        wide = spread(plan, self._blocks, self._gateway_count)
        commands = tuple(replace(each, environment=living_in(home, each.environment)) for each in wide.commands)
        self.gateways = tuple(f"http://127.0.0.1:{port}" for port in wide.gateway_ports)
        await self._stack.start([store.command, redis.command])
        await self._stack.migrate(self._plan)
        await self._stack.start_services(replace(plan, commands=commands), READY_WITHIN_S)

    async def migrate(self, home: Path) -> None:
        """Run the migration of another folder's `services`. Raises StackError when it fails."""
        await self._stack.migrate(replace(self._plan, environment=living_in(home, self._plan.environment)))

    async def move(self, names: Iterable[str], home: Path) -> None:
        """Replace processes together, as a rollout does it: they are asked to end, and others of another folder's
        `services` take their ports. Returns once those are ready."""
        moving = list(names)
        await self.down(moving, signal.SIGTERM)
        for name in moving:
            child = self._child(name)
            child.command = replace(child.command, environment=living_in(home, child.command.environment))
        self.up(moving)
        await self.ready(moving)

    def of(self, part: str) -> list[str]:
        """The names of a part's replicas, or the store's own."""
        return [name for name in self._stack.children if name.rstrip("0123456789") == part]

    @property
    def names(self) -> list[str]:
        """All processes."""
        return list(self._stack.children)

    def pid(self, name: str) -> int | None:
        """The process id while it runs."""
        return self._child(name).pid

    def admin_port(self, name: str) -> int:
        """The admin port of a service: /metrics, /healthz, /readyz."""
        probe = self._child(name).command.probe
        assert isinstance(probe, ReadyProbe), f"{name} is a store"
        return probe.port

    def send(self, name: str, number: int) -> None:
        """Signal a process."""
        self._child(name).signal(number)

    async def down(self, names: Iterable[str], number: int = signal.SIGKILL) -> None:
        """End processes together; they stay down."""
        await asyncio.gather(*(self._child(name).stop(END_WITHIN_S, number) for name in names))

    def up(self, names: Iterable[str]) -> None:
        """Start processes that are down, on their old ports."""
        for name in names:
            self._child(name).start()

    async def ready(self, names: Iterable[str]) -> None:
        """Return once these are ready. Raises TimeoutError."""
        async with asyncio.timeout(READY_WITHIN_S):
            await asyncio.gather(*(self._child(name).wait_ready() for name in names))

    async def stop(self) -> None:
        """End everything in order."""
        for name in self.names:
            self.send(name, signal.SIGCONT)
        await self._stack.stop()
        self._watch.close()
        for block in (self._ports, *self._blocks):
            block.close()

    def _child(self, name: str) -> Child:
        return self._stack.children[name]
