"""PostgreSQL and Valkey for a test session: the same programs as `make run`, with settings that do not protect the
data."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from deploy.laptop.output import Output
from deploy.laptop.plan import base_environment
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.stores import Tuning, postgres, valkey
from deploy.laptop.watch import Watch
from tests.stack.background import Background

THROWN_AWAY = Tuning(durable=False)


@dataclass(slots=True)
class Stores:
    """Running stores."""

    database_url: str
    redis_url: str
    lines: list[str]
    background: Background
    stack: Stack
    watch: Watch
    ports: PortBlock

    @classmethod
    def start(cls, folder: Path, background: Background) -> Self:
        """Start both in a folder and wait until they answer."""
        lines: list[str] = []
        watch = Watch()
        stack = Stack(Output(lines.append), watch)
        ports = PortBlock()
        environment = base_environment(os.environ)
        database = postgres(folder, ports.take(), THROWN_AWAY, environment)
        redis = valkey(folder, ports.take(), THROWN_AWAY, environment)
        background.call(stack.start([database.command, redis.command]))
        return cls(database.url, redis.url, lines, background, stack, watch, ports)

    def stop(self) -> None:
        """End both."""
        self.background.call(self.stack.stop())
        self.watch.close()
        self.ports.close()

    def pause_valkey(self) -> None:
        """End Valkey, as an outage."""
        self.background.call(self.stack.children["valkey"].stop(5.0))

    def resume_valkey(self) -> None:
        """Start Valkey again, empty, on the same port."""

        async def resume() -> None:
            child = self.stack.children["valkey"]
            child.start()
            async with asyncio.timeout(10):
                await child.wait_ready()

        self.background.call(resume())
