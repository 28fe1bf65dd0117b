"""A whole Flagfall: starts stores and services, waits until all are ready, ends them in reverse order."""

import asyncio
import signal
import time
from collections.abc import Iterable
from itertools import groupby

from deploy.laptop.child import Child, Command, StackError
from deploy.laptop.output import Output
from deploy.laptop.plan import CORE_RANK, Plan
from deploy.laptop.watch import Watch

READY_WITHIN_S = 90.0
STILL_WAITING_S = 10.0
MIGRATE_WITHIN_S = 60.0
# What each rank may take to end, from the gateway down to the stores: under ten seconds in all.
PATIENCE_S = {3: 3.0, 2: 3.0, 1: 1.5, 0: 1.5}
HURRIED_PATIENCE_S = 0.5


class Stack:
    """The processes of one Flagfall, by name."""

    def __init__(self, output: Output, watch: Watch) -> None:
        self.children: dict[str, Child] = {}
        self._output = output
        self._watch = watch
        self._hurry = asyncio.Event()

    async def start(self, commands: Iterable[Command], within_s: float = READY_WITHIN_S) -> None:
        """Start processes together and return once all are ready. Raises StackError naming those that are not."""
        fresh = [Child(command, self._output, self._watch) for command in commands]
        for child in fresh:
            self.children[child.command.name] = child
            child.start()
        began = time.monotonic()
        tasks = {asyncio.create_task(child.wait_ready()): child for child in fresh}
        pending = set(tasks)
        try:
            while pending:
                done, pending = await asyncio.wait(
                    pending, timeout=STILL_WAITING_S, return_when=asyncio.FIRST_EXCEPTION
                )
                for task in done:
                    task.result()
                names = ", ".join(sorted(tasks[task].command.name for task in pending))
                if pending and time.monotonic() - began > within_s:
                    raise StackError(f"not ready within {within_s:g} s: {names}. Their lines above say why.")
                if pending:
                    self._output.say(f"still waiting for {names}")
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def start_services(self, plan: Plan, within_s: float = READY_WITHIN_S) -> None:
        """Start the services: first those that the others call, so that no service logs failed calls at its start."""
        core = [command for command in plan.commands if command.rank == CORE_RANK]
        await self.start(core, within_s)
        await self.start([command for command in plan.commands if command not in core], within_s)

    async def migrate(self, plan: Plan) -> None:
        """Bring the database's tables up to date; its lines are shown."""
        plan.folder.mkdir(parents=True, exist_ok=True)
        process = await asyncio.create_subprocess_exec(
            *plan.migrate,
            env=dict(plan.environment),
            cwd=plan.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        self._watch.started(process.pid, signal.SIGTERM, 1)
        try:
            async with asyncio.timeout(MIGRATE_WITHIN_S):
                lines, _ = await process.communicate()
        except (TimeoutError, asyncio.CancelledError):
            process.kill()
            await process.wait()
            raise
        finally:
            self._watch.ended(process.pid)
        for line in lines.decode(errors="replace").splitlines():
            self._output.line("migrate", line)
        if process.returncode:
            raise StackError(f"the migration of the database failed with exit code {process.returncode}")

    async def failure(self) -> None:
        """Never returns; raises StackError when a process can not be kept running."""
        while True:
            tasks = [child.failure for child in self.children.values() if child.failure is not None]
            done, _ = await asyncio.wait(tasks, timeout=1.0) if tasks else (set(), None)
            for task in done:
                if not task.cancelled():
                    task.result()
            await asyncio.sleep(0.2)

    def hurry(self) -> None:
        """Make a running `stop` kill what has not ended."""
        self._hurry.set()

    async def stop(self) -> None:
        """End all, the gateway first and the stores last."""
        by_rank = sorted(self.children.values(), key=lambda child: -child.command.rank)
        for rank, members in groupby(by_rank, key=lambda child: child.command.rank):
            stopping = [asyncio.create_task(self._stop(child, PATIENCE_S.get(rank, 1.5))) for child in members]
            await asyncio.gather(*stopping)

    async def _stop(self, child: Child, patience_s: float) -> None:
        if self._hurry.is_set():
            patience_s = HURRIED_PATIENCE_S
        ending = asyncio.create_task(child.stop(patience_s))
        hurry = asyncio.create_task(self._hurry.wait())
        try:
            await asyncio.wait({ending, hurry}, return_when=asyncio.FIRST_COMPLETED)
            if not ending.done() and child.command.rank > 0:
                child.signal(signal.SIGKILL)
            await ending
        finally:
            hurry.cancel()
