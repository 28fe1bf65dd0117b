"""Whether a side can still mate, asked of a process of its own, so that the search never delays a move.

Job: hand one question at a time to the child process (`adjudication_child`) and bound everything: waiting questions,
positions and time of each. Started with the first question, ended with the server. A child that dies, or does not
answer in time, is replaced. A question to a child that was found dead is asked once more of a new one; one that a new
child dies of, or that takes too long, is answered UNKNOWN, which counts as winnable: every failure here favours the
side that did not run out of time.
"""

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from services.domain.colour import Colour
from services.rules.limits import AdjudicationBounds
from services.rules.metrics import ADJUDICATIONS, ADJUDICATORS_LOST
from services.rules.possible_mate import CanMate

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "services.rules.adjudication_child")
START_MS_MAX = 15_000
"""More than a process takes to start on a machine that is busy."""
GRACE_MS = 2_000
"""What a search may take beyond its time before its process counts as stuck."""
LINE_BYTES_MAX = 1_024


class Adjudicator:
    """Answers questions in their order. Use as an asynchronous context manager, once."""

    def __init__(self, bounds: AdjudicationBounds, command: tuple[str, ...] = COMMAND) -> None:
        self._bounds = bounds
        self._command = command
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._questions = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is none."""
        return self._child.pid if self._child is not None else None

    async def can_mate(self, fen: str, chess960: bool, side: Colour) -> CanMate:
        """Whether `side` can mate in a checked position of Standard or Chess960; never raises but when cancelled."""
        if self._questions >= self._bounds.queue_max:
            ADJUDICATIONS.labels("refused").inc()
            return CanMate.UNKNOWN
        self._questions += 1
        until_s = time.monotonic() + self._bounds.ms_max / 1000
        try:
            async with self._turn:
                answer = await self._ask(f"{side} {int(chess960)}", fen, until_s)
        finally:
            self._questions -= 1
        ADJUDICATIONS.labels(str(answer)).inc()
        return answer

    async def _ask(self, what: str, fen: str, until_s: float) -> CanMate:
        """The child's answer; UNKNOWN if it has none in time."""
        while True:
            fresh = self._child is None
            try:
                return await self._asked_child(f"{what} {self._bounds.nodes_max}", fen, until_s)
            except (OSError, ValueError, TimeoutError) as error:
                ADJUDICATORS_LOST.inc()
                log.error("no adjudication of %s %s: %r", what, fen, error)
                if fresh or isinstance(error, TimeoutError):
                    return CanMate.UNKNOWN

    async def _asked_child(self, what: str, fen: str, until_s: float) -> CanMate:
        """One question to the child. After any failure, and when cancelled, the child is gone."""
        answered = False
        try:
            child = await self._running()
            assert child.stdin is not None
            assert child.stdout is not None
            left_ms = round(1000 * (until_s - time.monotonic()))
            if left_ms <= 0:  # others had the time, or the start of the process
                answered = True
                return CanMate.UNKNOWN
            async with asyncio.timeout((left_ms + GRACE_MS) / 1000):
                child.stdin.write(f"{what} {left_ms} {fen}\n".encode())
                await child.stdin.drain()
                answer = CanMate((await child.stdout.readline()).decode().strip())
            answered = True
            return answer
        finally:
            if not answered:  # what it says later would be taken for the answer to another question
                await self._end()

    async def _running(self) -> asyncio.subprocess.Process:
        """The child, started and ready. Raises OSError, ValueError or TimeoutError."""
        if self._child is not None:
            return self._child
        self._child = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES_MAX,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self._child.stdout is not None
        async with asyncio.timeout(START_MS_MAX / 1000):
            if await self._child.stdout.readline() != b"ready\n":
                raise ValueError("the process did not become ready")
        return self._child

    async def _end(self) -> None:
        """End the child at once; it holds nothing that could be lost."""
        child, self._child = self._child, None
        if child is None:
            return
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
