"""One supervised process: its output, its exits and its restarts."""

import asyncio
import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deploy.laptop.output import LINE_CHARACTERS_MAX, LOUD, Output
from deploy.laptop.watch import Watch

BACKOFF_FIRST_S = 0.5
BACKOFF_MAX_S = 10.0
PROBED_EACH_S = 0.1
LAST_WORDS_WITHIN_S = 1.0
STEADY_S = 30.0  # a process that lived this long starts again at the first backoff
FAILURES_BEFORE_READY_MAX = 4
LAST_LINES_KEPT = 20

Probe = Callable[[], Awaitable[bool]]


class StackError(Exception):
    """The stack cannot run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Command:
    """A process of the plan. Processes end in the order of falling `rank`."""

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    rank: int
    probe: Probe
    stop_signal: signal.Signals = signal.SIGTERM
    quiet: bool = False  # print warnings and worse only
    notes: str = field(default="", compare=False)  # what the list of processes says of it


def ending(code: int) -> str:
    """How a process ended, as text."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


class Child:
    """Keeps one process of the plan running until `stop`."""

    def __init__(self, command: Command, output: Output, watch: Watch) -> None:
        self.command = command
        self.was_ready = False
        self._output = output
        self._watch = watch
        self._process: asyncio.subprocess.Process | None = None
        self._supervision: asyncio.Task[None] | None = None
        self._wanted = False
        self._last_lines: deque[str] = deque(maxlen=LAST_LINES_KEPT)

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    @property
    def failure(self) -> asyncio.Task[None] | None:
        """A future that gets a StackError if the process failed too often before it was ready once."""
        return self._supervision

    def is_wanted(self) -> bool:
        """Whether it should run."""
        return self._wanted

    def start(self) -> None:
        """Start it, and again whenever it ends."""
        if self._supervision is None or self._supervision.done():
            self._wanted = True
            self._supervision = asyncio.create_task(self._supervise(), name=f"supervise {self.command.name}")

    async def wait_ready(self) -> None:
        """Return once its probe succeeds."""
        while not await self.is_ready():
            if self._supervision is not None and self._supervision.done():
                self._supervision.result()
            await asyncio.sleep(PROBED_EACH_S)
        self.was_ready = True

    async def is_ready(self) -> bool:
        """Whether it runs and its probe succeeds."""
        return self.pid is not None and await self.command.probe()

    def signal(self, number: int) -> None:
        """Send a signal to the running process; none when there is none."""
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def stop(self, patience_s: float, number: int | None = None) -> None:
        """End it without a restart: send its stop signal, or `number`, and kill it and its group after some time."""
        self._wanted = False
        if self._supervision is None:
            return
        if self.pid is None:
            self._supervision.cancel()
        else:
            self.signal(number if number is not None else self.command.stop_signal)
        done, _ = await asyncio.wait({self._supervision}, timeout=patience_s)
        if not done:
            self._output.say(f"{self.command.name} did not end within {patience_s:.1f} s and is killed")
            self._kill_group()
            await asyncio.wait({self._supervision})
        if not self._supervision.cancelled():
            self._supervision.exception()  # whatever it was, it no longer matters

    def _kill_group(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _supervise(self) -> None:
        backoff_s, failures = BACKOFF_FIRST_S, 0
        while True:
            began = time.monotonic()
            code = await self._run_once()
            if not self.is_wanted():
                return
            failures = 0 if self.was_ready else failures + 1
            if self.command.quiet:
                for text in self._last_lines:
                    self._output.line(self.command.name, text)
            if failures >= FAILURES_BEFORE_READY_MAX:
                raise StackError(f"{self.command.name} {ending(code)}, {failures} times before it was ever ready")
            if time.monotonic() - began > STEADY_S:
                backoff_s = BACKOFF_FIRST_S
            self._output.say(f"{self.command.name} {ending(code)}; starting it again in {backoff_s:g} s")
            await asyncio.sleep(backoff_s)
            backoff_s = min(backoff_s * 2, BACKOFF_MAX_S)

    async def _run_once(self) -> int:
        """Run the process to its end and return its exit code."""
        command = self.command
        self._last_lines.clear()
        # A pipe of our own: asyncio's would make `wait` wait for whoever else has inherited it.
        read, write = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *command.argv,
                env=dict(command.environment),
                cwd=command.folder,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write,
                stderr=write,
                start_new_session=True,
            )
        except BaseException as error:
            os.close(read)
            if isinstance(error, OSError):
                raise StackError(f"{command.name} cannot be started: {error}") from error
            raise
        finally:
            os.close(write)
        self._process = process
        self._watch.started(process.pid, command.stop_signal, command.rank)
        reader = asyncio.create_task(self._read(read), name=f"read {command.name}")
        try:
            return await process.wait()
        finally:
            self._kill_group()  # what a killed process left behind
            self._watch.ended(process.pid)
            await asyncio.wait({reader}, timeout=LAST_WORDS_WITHIN_S)
            reader.cancel()  # only a process that left the group could still hold the pipe

    async def _read(self, pipe: int) -> None:
        """Forward its lines; overlong ones are cut."""
        stream = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(pipe, "rb", buffering=0)
        )
        try:
            rest = b""
            while chunk := await stream.read(65_536):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) > LINE_CHARACTERS_MAX:
                    lines, rest = [*lines, rest], b""
                for line in lines:
                    self._pass_on(line)
            if rest:
                self._pass_on(rest)
        finally:
            transport.close()

    def _pass_on(self, line: bytes) -> None:
        text = line.decode(errors="replace").rstrip("\r")
        if len(text) > LINE_CHARACTERS_MAX:
            text = text[:LINE_CHARACTERS_MAX] + " ..."
        if not self.command.quiet or LOUD.search(text):
            self._output.line(self.command.name, text)
        else:
            self._last_lines.append(text)
