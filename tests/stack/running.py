"""A whole Flagfall for tests: every service a process, with a Valkey of its own and a database of its own."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from deploy.laptop.child import Child, StackError
from deploy.laptop.output import Output
from deploy.laptop.plan import Place, base_environment, make_plan
from deploy.laptop.ports import PortBlock
from deploy.laptop.stack import Stack
from deploy.laptop.stores import postgres, valkey
from deploy.laptop.watch import Watch
from tests.stack.background import Background
from tests.stack.stores import THROWN_AWAY

READY_WITHIN_S = 60.0
LINES_SHOWN = 120


class RunningFlagfall:
    """Starts on construction's `start`, ends with `stop`. Names of processes: postgres (if its own), valkey, rules,
    game, clock, dispatcher, celery, beat, gateway."""

    def __init__(self, background: Background) -> None:
        self.lines: list[str] = []
        self._background = background
        self._watch = Watch()
        self._ports = PortBlock()
        self._stack = Stack(Output(self.lines.append), self._watch)

    @classmethod
    def start(
        cls,
        folder: Path,
        background: Background,
        database_url: str | None,
        settings: Mapping[str, str] | None = None,
        redis_url: str | None = None,
        *,
        migrated: bool = False,
    ) -> Self:
        """Start everything and wait until it is ready.

        Without a `database_url` it runs a PostgreSQL of its own, which a test may kill, and without a `redis_url`
        (ending in /0) a Valkey of its own. `settings` are FLAGFALL_
        settings by their whole name, given to every process. A database that is known to be `migrated` is taken as
        it is, which saves a process.
        """
        self = cls(background)
        try:
            background.call(self._start(folder, database_url, settings or {}, redis_url, migrated))
        except BaseException as error:
            self.stop()
            if isinstance(error, StackError):
                said = "\n".join(self.lines[-LINES_SHOWN:])
                raise AssertionError(f"{error}\n{said}") from error
            raise
        return self

    async def _start(
        self,
        folder: Path,
        database_url: str | None,
        settings: Mapping[str, str],
        redis_url: str | None,
        migrated: bool,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "FLAGFALL_LOG_FORMAT": "text", **settings}
        base = base_environment(environment)
        stores = []
        if redis_url is None:
            redis = await asyncio.to_thread(valkey, folder, self._ports.take(), THROWN_AWAY, base)
            stores.append(redis.command)
            redis_url = redis.url
        if database_url is None:
            store = await asyncio.to_thread(postgres, folder, self._ports.take(), THROWN_AWAY, base)
            stores.append(store.command)
            database_url = store.url
        self.port = self._ports.take()
        self.database_url, self.redis_url = database_url, redis_url
        place = Place(folder, "127.0.0.1", self.port, database_url, redis_url, redis_url.removesuffix("/0") + "/1")
        plan = make_plan(place, self._ports, environment)
        self.admin_ports = plan.admin_ports
        self.environment = plan.environment
        await self._stack.start(stores)
        plan.folder.mkdir(parents=True, exist_ok=True)
        if not migrated:
            await self._stack.migrate(plan)
        await self._stack.start_services(plan, READY_WITHIN_S)

    @property
    def address(self) -> str:
        """The gateway's address, http://127.0.0.1:PORT."""
        return f"http://127.0.0.1:{self.port}"

    def pid(self, name: str) -> int | None:
        """The process id of a part while it runs."""
        return self._child(name).pid

    def log(self, name: str | None = None) -> str:
        """The output of one part, or of all."""
        return "\n".join(line for line in list(self.lines) if name is None or line.startswith(f"{name:<10} |"))

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Signal a part. The supervisor starts it again after half a second; `wait_ready` waits for that."""
        self._child(name).signal(number)

    def down(self, name: str, number: int | None = None, patience_s: float = 10.0) -> None:
        """End a part, by its stop signal unless another is given; it stays down."""
        self._background.call(self._child(name).stop(patience_s, number))

    def up(self, name: str) -> None:
        """Start a part that is down, on its old ports, and wait until it is ready."""
        self._background.call(self._up(name))

    def wait_ready(self, name: str, other_than: int | None = None, within_s: float = READY_WITHIN_S) -> None:
        """Wait until a part is ready; as another process than `other_than`, if that is given."""

        async def wait() -> None:
            child = self._child(name)
            async with asyncio.timeout(within_s):
                while child.pid == other_than or not await child.is_ready():
                    await asyncio.sleep(0.05)

        self._background.call(wait())

    def stop(self) -> None:
        """End everything in order."""
        self._background.call(self._stack.stop())
        self._watch.close()
        self._ports.close()

    def _child(self, name: str) -> Child:
        return self._stack.children[name]

    async def _up(self, name: str) -> None:
        child = self._child(name)
        child.start()
        async with asyncio.timeout(READY_WITHIN_S):
            await child.wait_ready()
