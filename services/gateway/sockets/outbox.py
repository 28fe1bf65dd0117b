"""Writes frames to one socket: at once if possible, otherwise by a task from a bounded queue."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from services.gateway.hub.delivery import delivered
from services.gateway.protocol.shapes import EventFrame


class Outbox:
    """Frames in order. A move that the player waits for is an EventFrame, so that its delivery can be timed.

    A frame is written at once if the queue is empty and the socket takes it. Other frames wait for `write`.
    """

    def __init__(self, frames_max: int, bytes_max: int, at_once: Callable[[bytes], bool] = lambda frame: False) -> None:
        """`at_once` writes a frame if it can do so without waiting, and returns whether it did."""
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._at_once = at_once
        self._waiting: deque[bytes | EventFrame] = deque()
        self._bytes = 0
        self._writing = False
        self._there = asyncio.Event()
        self._closed = False

    def put(self, item: bytes | EventFrame) -> bool:
        """Write or queue a frame. False when the queue is full. After `close` frames are ignored."""
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
        """Take no more frames. `write` ends when all are written."""
        self._closed = True
        self._there.set()

    async def write(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Write the queued frames with `send`, until closed and empty."""
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
