"""Work that takes seconds runs in a separate process, so that it never delays a move.

Job: send one question at a time to a child process (`side_child`), as bytes after their length. The number of waiting
questions and the time are bounded. The child starts with the first question and ends with the server. If it dies, a
new child gets the question once more. If this child dies too, or the time is up, the question gets no answer.
"""

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from services.domain.text import Text, say
from services.rules.metrics import SIDE_PROCESSES_LOST, SIDE_QUESTIONS
from services.runtime.metrics import from_zero

log = logging.getLogger(__name__)

START_MS_MAX = 15_000
"""More time than a process needs to start on a busy machine."""
GRACE_MS = 2_000
"""How long after its time limit a child counts as stuck."""
ATTEMPTS = 2
"""How many child processes may try one question."""
LENGTH_BYTES = 4
READY = b"ready"


class NoAnswer(Exception):
    """Too many questions are waiting, the time is up, or the child died. `text` says which."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class SideBounds:
    """The limits of a side process."""

    ms_max: int
    """The time for waiting and work together."""
    queue_max: int
    """The number of questions, running and waiting."""


class SideProcess:
    """Does one kind of work (`job`, of `side_child`). Use as an asynchronous context manager, once."""

    def __init__(self, job: str, bounds: SideBounds, command: tuple[str, ...] | None = None) -> None:
        self._job = job
        self._bounds = bounds
        self._command = command or (sys.executable, "-m", "services.rules.side_child", job)
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._questions = 0
        from_zero(SIDE_QUESTIONS, (job,), ("answered", "unanswered", "refused"))
        from_zero(SIDE_PROCESSES_LOST, (job,))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    @property
    def pid(self) -> int | None:
        """The process id of the child; None if there is no child."""
        return self._child.pid if self._child is not None else None

    async def ask(self, question: bytes) -> bytes:
        """The child's answer. The child gets the remaining time with the question. Raises NoAnswer."""
        if self._questions >= self._bounds.queue_max:
            SIDE_QUESTIONS.labels(self._job, "refused").inc()
            raise NoAnswer(say("rules.side_queue", waiting=self._questions))
        self._questions += 1
        until_s = time.monotonic() + self._bounds.ms_max / 1000
        try:
            async with self._turn:
                answer = await self._ask(question, until_s)
        except NoAnswer:
            SIDE_QUESTIONS.labels(self._job, "unanswered").inc()
            raise
        finally:
            self._questions -= 1
        SIDE_QUESTIONS.labels(self._job, "answered").inc()
        return answer

    async def _ask(self, question: bytes, until_s: float) -> bytes:
        attempts = 0
        while True:
            attempts += 1
            try:
                return await self._ask_child(question, until_s)
            except (OSError, EOFError) as error:  # a TimeoutError is an OSError, but is not retried
                SIDE_PROCESSES_LOST.labels(self._job).inc()
                log.error("no answer from the process for %s: %r", self._job, error)
                if attempts == ATTEMPTS or isinstance(error, TimeoutError):
                    raise NoAnswer(say("rules.side_lost")) from error

    async def _ask_child(self, question: bytes, until_s: float) -> bytes:
        """Ask the running child or a new one. After any failure or a cancellation the child is killed."""
        answered = False
        try:
            child = await self._running()
            left_ms = round(1000 * (until_s - time.monotonic()))
            if left_ms <= 0:  # other questions or the start took the time
                answered = True  # the question was not sent: the child is still good
                raise NoAnswer(say("rules.side_late"))
            assert child.stdin is not None
            async with asyncio.timeout((left_ms + GRACE_MS) / 1000):
                child.stdin.write(frame(left_ms.to_bytes(LENGTH_BYTES, "big") + question))
                await child.stdin.drain()
                answer = await _read(child)
            answered = True
            return answer
        finally:
            if not answered:  # its late answer would be taken for the answer to another question
                await self._end()

    async def _running(self) -> asyncio.subprocess.Process:
        """The child, started and ready. Raises OSError, EOFError or TimeoutError."""
        if self._child is not None and self._child.returncode is None:
            return self._child
        self._child = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=dict(os.environ)
        )
        async with asyncio.timeout(START_MS_MAX / 1000):
            if await _read(self._child) != READY:
                raise EOFError("it did not become ready")
        return self._child

    async def _end(self) -> None:
        """Kill the child at once; it has no data to lose."""
        child, self._child = self._child, None
        if child is None:
            return
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()


def frame(data: bytes) -> bytes:
    """The bytes with their length before them."""
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


async def _read(child: asyncio.subprocess.Process) -> bytes:
    assert child.stdout is not None
    length = int.from_bytes(await child.stdout.readexactly(LENGTH_BYTES), "big")
    return await child.stdout.readexactly(length)
