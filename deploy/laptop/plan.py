"""The processes of a stack, the order in which they end, and the environment of each."""

import asyncio
import contextlib
import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.laptop.child import Command
from deploy.laptop.node import ROOT, engine_command
from deploy.laptop.ports import PortBlock
from deploy.laptop.stores import password

GATEWAY_RANK, WORKER_RANK, CORE_RANK = 3, 2, 1
# Short, since all has to end within ten seconds (`stack.PATIENCE_S`).
DRAIN_MS = 1_500
SOCKET_DRAIN_MS = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """A process of Flagfall: `python -m services.<module> <verb>`."""

    name: str
    module: str
    verb: str
    rank: int
    grpc: bool = False


PARTS = (
    Part("rules", "rules", "serve", CORE_RANK, grpc=True),
    Part("game", "game", "serve", CORE_RANK, grpc=True),
    Part("clock", "clock", "serve", WORKER_RANK),
    Part("dispatcher", "workers", "dispatcher", WORKER_RANK),
    Part("celery", "workers", "celery", WORKER_RANK),
    Part("beat", "workers", "beat", WORKER_RANK),
    Part("gateway", "gateway", "serve", GATEWAY_RANK),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stack lives: its folder, the gateway's address, the stores' URLs."""

    state: Path
    host: str
    port: int
    database_url: str
    redis_url: str
    broker_url: str

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        host = {"0.0.0.0": "127.0.0.1", "::": "127.0.0.1"}.get(self.host, self.host)
        return f"http://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Plan:
    """The command that runs first and once, and the lasting processes with their admin ports."""

    migrate: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    commands: tuple[Command, ...]
    admin_ports: Mapping[str, int]


def base_environment(given: Mapping[str, str]) -> dict[str, str]:
    """The environment of the caller, with the repository on the import path."""
    path = os.pathsep.join([str(ROOT), *filter(None, [given.get("PYTHONPATH")])])
    return {**given, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def make_plan(place: Place, ports: PortBlock, given: Mapping[str, str]) -> Plan:
    """Describe every process. `given` is the environment of the caller; its FLAGFALL_ settings stay."""
    grpc_ports = {part.name: ports.take() for part in PARTS if part.grpc}
    admin_ports = {part.name: ports.take() for part in PARTS}
    folder = place.state / "run"
    engine = engine_command(Path(sys.prefix))
    shared = {
        "FLAGFALL_LOG_FORMAT": "text",
        "GRPC_ENABLE_FORK_SUPPORT": "false",  # nothing forks; gRPC complains of engines being started otherwise
        "FLAGFALL_DRAIN_MS": str(DRAIN_MS),
        "FLAGFALL_SOCKET_DRAIN_MS": str(SOCKET_DRAIN_MS),
        **({"FLAGFALL_ENGINE_COMMAND": shlex.join(engine)} if engine else {}),
        "FLAGFALL_SERVICE_SECRET": password(place.state, "services"),
        **base_environment(given),
        "FLAGFALL_HOST": "127.0.0.1",
        "FLAGFALL_STATE": str(place.state),
        "FLAGFALL_DATABASE_URL": place.database_url,
        "FLAGFALL_REDIS_URL": place.redis_url,
        "FLAGFALL_BROKER_URL": place.broker_url,
        "FLAGFALL_RULES_TARGET": f"127.0.0.1:{grpc_ports['rules']}",
        "FLAGFALL_GAME_TARGET": f"127.0.0.1:{grpc_ports['game']}",
    }
    commands = []
    for part in PARTS:
        own = {"FLAGFALL_ADMIN_PORT": str(admin_ports[part.name])}
        notes = f"admin port {admin_ports[part.name]}"
        if part.grpc:
            own["FLAGFALL_GRPC_PORT"] = str(grpc_ports[part.name])
            notes = f"gRPC port {grpc_ports[part.name]}, {notes}"
        if part.name == "gateway":
            own |= {"FLAGFALL_HOST": place.host, "FLAGFALL_PORT": str(place.port)}
            notes = f"port {place.port}, {notes}"
        commands.append(
            Command(
                name=part.name,
                argv=(sys.executable, "-m", f"services.{part.module}", part.verb),
                environment={**shared, **own},
                folder=folder,
                rank=part.rank,
                probe=ReadyProbe(admin_ports[part.name]),
                notes=notes,
            )
        )
    migrate = (sys.executable, "-m", "services.game", "migrate")
    return Plan(migrate, shared, folder, tuple(commands), admin_ports)


@dataclass(frozen=True, slots=True)
class ReadyProbe:
    """Asks a service's admin port whether it is ready."""

    port: int
    host: str = "127.0.0.1"

    async def __call__(self) -> bool:
        """Whether /readyz answers 200 within two seconds."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                reader, writer = await asyncio.open_connection(self.host, self.port)
                try:
                    writer.write(b"GET /readyz HTTP/1.1\r\nHost: flagfall\r\nConnection: close\r\n\r\n")
                    return (await reader.readline()).split(b" ")[1:2] == [b"200"]
                finally:
                    writer.close()
        return False
