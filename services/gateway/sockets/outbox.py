"""What is written to one socket: at once where it can be, otherwise by a task from a bounded line."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from services.gateway.hub.delivery import delivered
from services.gateway.protocol.shapes import EventFrame


class Outbox:
    """Frames in order. A move that the player has waited for is an EventFrame, so that its delivery can be timed.

    A frame that finds nothing before it, and a socket that takes it, is written at once; others wait for `write`.
    """

    def __init__(self, frames_max: int, bytes_max: int, at_once: Callable[[bytes], bool] = lambda frame: False) -> None:
        """`at_once` writes a frame if that needs no waiting, and says whether it did."""
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._at_once = at_once
        self._waiting: deque[bytes | EventFrame] = deque()
        self._bytes = 0
        self._writing = False
        self._there = asyncio.Event()
        self._closed = False

    def put(self, item: bytes | EventFrame) -> bool:
        """Write a frame or let it wait to be written; false when there is no room."""
        if self._closed:
            return True
        frame = item if isinstance(item, bytes) else item.frame
        if not self._waiting and not self._writing and self._at_once(frame):
            if not isinstance(item, bytes):
                delivered(item.event, item.mode, item.heard_ns)
            return True
        size = len(frame)
        if len(self._waiting) >= self._frames_max or (self._waiting and self._bytes + size > self._bytes_max):
            return False
        self._waiting.append(item)
        self._bytes += size
        self._there.set()
        return True

    def close(self) -> None:
        """Take nothing more; `write` ends once all is written."""
        self._closed = True
        self._there.set()

    async def write(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Write what waits, until closed."""
        while True:
            while self._waiting:
                item = self._waiting.popleft()
                frame = item if isinstance(item, bytes) else item.frame
                self._bytes -= len(frame)
                self._writing = True
                await send(frame)
                self._writing = False
                if not isinstance(item, bytes):
                    delivered(item.event, item.mode, item.heard_ns)
            if self._closed:
                return
            self._there.clear()
            await self._there.wait()
