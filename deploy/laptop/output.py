"""The output of a stack: lines of many processes, each with a prefix, sent to one destination."""

import contextlib
import os
import queue
import re
import sys
import threading
from collections.abc import Callable

LINE_CHARACTERS_MAX = 8_000
LINES_WAITING_MAX = 20_000
PREFIX_WIDTH = 10
COLOURS = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
# What a quiet process may say: warnings and worse, but for Valkey's advice to set up the kernel, given at each start.
LOUD = re.compile(r"^(?!.*(overcommit|bye bye)).*(\b(WARNING|ERROR|FATAL|PANIC|CRITICAL)\b|^\d+:\w .* # )")

Sink = Callable[[str], None]


class Output:
    """Prefixes lines with the name of the process they come from."""

    def __init__(self, sink: Sink, *, colour: bool = False, bare: bool = False) -> None:
        """`bare` leaves the prefix out (for logs in JSON, which name their service themselves)."""
        self._sink = sink
        self._colour = colour
        self._bare = bare
        self._names: dict[str, int] = {}

    def line(self, name: str, text: str) -> None:
        """Print a line of a process."""
        if self._bare:
            self._sink(text)
            return
        prefix = f"{name:<{PREFIX_WIDTH}} |"
        if self._colour:
            colour = COLOURS[self._names.setdefault(name, len(self._names)) % len(COLOURS)]
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._sink(f"{prefix} {text}")

    def say(self, text: str) -> None:
        """Print a line of the supervisor's own."""
        self.line("flagfall", text)


class Terminal:
    """Writes lines to standard output from a thread of its own.

    So a stopped terminal (Ctrl-S, a pager) does not block the stack: lines beyond a limit are dropped and counted. A
    closed terminal is no error.
    """

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_WAITING_MAX)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="terminal", daemon=True)
        self._thread.start()

    def __call__(self, text: str) -> None:
        """Queue a line."""
        try:
            if self._dropped:
                self._lines.put_nowait(f"... {self._dropped} lines were dropped: the terminal did not take them")
                self._dropped = 0
            self._lines.put_nowait(text)
        except queue.Full:
            self._dropped += 1

    def close(self, patience_s: float = 1.0) -> None:
        """Write the queued lines, as far as the terminal accepts them in time."""
        try:
            self._lines.put(None, timeout=patience_s)
        except queue.Full:
            return
        self._thread.join(patience_s)

    def _write(self) -> None:
        gone = False
        while True:
            text = self._lines.get()
            if not gone:
                try:
                    if text is not None:
                        sys.stdout.write(text + "\n")
                    if text is None or self._lines.empty():
                        sys.stdout.flush()
                except (OSError, ValueError):
                    gone = True
                    with contextlib.suppress(OSError, ValueError):  # so that Python's own flush at the end succeeds
                        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), sys.stdout.fileno())
            if text is None:
                return
