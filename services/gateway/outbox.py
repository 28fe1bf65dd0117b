"""What waits to be written to one socket: a bounded line, and the one task that writes it."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from services.gateway.shapes import Change
from services.gateway.socket_metrics import MOVE_DELIVERY
from services.pb.flagfall.v1.events_pb2 import GAME_EVENT_KIND_MOVE

DELIVERY_MODES = {mode: MOVE_DELIVERY.labels(mode) for mode in ("clock", "correspondence", "unlimited")}


class Outbox:
    """Frames in order. An event is a Change, so that its time of delivery can be measured."""

    def __init__(self, frames_max: int, bytes_max: int) -> None:
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._waiting: deque[str | Change] = deque()
        self._bytes = 0
        self._there = asyncio.Event()
        self._closed = False

    def put(self, item: str | Change) -> bool:
        """Let a frame wait to be written; false when there is no room."""
        if self._closed:
            return True
        size = len(item if isinstance(item, str) else item.frame)
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

    async def write(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Write what comes, until closed."""
        while True:
            while self._waiting:
                item = self._waiting.popleft()
                frame = item if isinstance(item, str) else item.frame
                self._bytes -= len(frame)
                await send(frame)
                if not isinstance(item, str) and item.event.kind == GAME_EVENT_KIND_MOVE:
                    # The game service's clock may be ahead of this one: then it was quick, not negative.
                    took_ms = max(0.0, time.time() * 1000 - item.event.state.at_ms)
                    DELIVERY_MODES[item.mode].observe(took_ms / 1000)
            if self._closed:
                return
            self._there.clear()
            await self._there.wait()
