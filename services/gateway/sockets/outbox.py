"""What is written to one socket: at once where it can be, otherwise by a task from a bounded line."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable

from services.domain.time_control import MODES
from services.gateway.hub.metrics import MOVE_DELIVERY
from services.gateway.protocol.shapes import Change
from services.pb.flagfall.v1.events_pb2 import GAME_EVENT_KIND_MOVE, GameEvent
from services.runtime import tracing

log = logging.getLogger(__name__)

DELIVERY_MODES = {mode: MOVE_DELIVERY.labels(mode) for mode in MODES}
"""By the kind of a game's time control."""


class Outbox:
    """Frames in order. A move that the player has waited for is a Change, so that its delivery can be timed.

    A frame that finds nothing before it, and a socket that takes it, is written at once; others wait for `write`.
    """

    def __init__(self, frames_max: int, bytes_max: int, at_once: Callable[[bytes], bool] = lambda frame: False) -> None:
        """`at_once` writes a frame if that needs no waiting, and says whether it did."""
        self._frames_max = frames_max
        self._bytes_max = bytes_max
        self._at_once = at_once
        self._waiting: deque[bytes | Change] = deque()
        self._bytes = 0
        self._writing = False
        self._there = asyncio.Event()
        self._closed = False

    def put(self, item: bytes | Change) -> bool:
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


def delivered(event: GameEvent, mode: str, heard_ns: int = 0) -> None:
    """Time a move: it was written to its player now."""
    if event.kind == GAME_EVENT_KIND_MOVE:
        # The game service's clock may be ahead of this one: then it was quick, not negative.
        took_ms = max(0.0, time.time() * 1000 - event.state.at_ms)
        DELIVERY_MODES[mode].observe(took_ms / 1000)
        if tracing.on and tracing.TRACEPARENT.fullmatch(event.traceparent):
            tracing.record("gateway.deliver", event.traceparent, heard_ns or tracing.now_ns(), game=event.state.game_id)
            with tracing.told(event.traceparent):
                log.info("version %d of game %s is delivered", event.state.version, event.state.game_id)
