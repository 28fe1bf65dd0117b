"""Uvicorn's WebSocket connection, with what ASGI does not offer: pongs, a hard close, and direct text frames.

An ASGI application cannot see pongs, which keep clients with throttled timers alive. It cannot cut a connection whose
client reads nothing. Both are possible here, with the object under `EXTENSION` in the scope. It also reads and writes
text frames without a task, because ASGI's queue costs several task switches and two system calls for each frame.

Uvicorn has no settings for this, and ASGI has no messages for it. So a class of our own replaces uvicorn's in
`Config(ws=...)`. It overrides and reads only public names of uvicorn. tests/unit/test_bases_of_libraries.py lists them,
and fails when a new release lacks one.
"""

from collections.abc import Callable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from services.gateway.socket_settings import SocketSettings

EXTENSION = "flagfall.connection"

_FINAL_TEXT = 0x81
_LENGTH_16, _LENGTH_64 = 126, 127
_HEAD_7, _HEAD_16, _HEAD_64 = Struct("!BB"), Struct("!BBH"), Struct("!BBQ")


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    pong_s = 0.0
    """The loop's time of the last pong, in seconds; 0 before the first."""
    take_text: Callable[[str], None] | None = None
    """Called with each text frame, instead of the queue that `receive` reads. None: use the queue."""
    take_other: Callable[[], bool] | None = None
    """Called for each ping, pong and fragment. Returns whether to process it."""

    def handle_connect(self, event: Request) -> None:
        """See the base class. The application's task has not started when this returns."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def handle_pong(self, event: Frame) -> None:
        """See the base class."""
        if self._goes_on():
            asked = self.pending_ping_payload
            super().handle_pong(event)
            if asked is not None and self.pending_ping_payload is None:
                self.pong_s = self.loop.time()

    def handle_ping(self) -> None:
        """See the base class. No answer while the client reads nothing (RFC 6455 5.5.3 asks for the latest only)."""
        if self._goes_on() and self.writable.is_set():
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        """See the base class. Fragments are counted, since empty ones do not add to the bounded message size."""
        if self._goes_on():
            super().handle_cont(event)

    def _goes_on(self) -> bool:
        return self.take_other is None or self.take_other()

    async def send(self, message: Any) -> None:
        """See the base class. Marks a handshake that got an HTTP status as complete, so that no error is logged."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

    def send_receive_event_to_app(self) -> None:
        """See the base class: a message is complete."""
        direct = self.take_text is not None and self.curr_msg_data_type == "text" and self.queue.empty()
        if not direct or self.take_text is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = (self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # closes with 1007
            return
        self.frames = []
        self.take_text(text)

    def write_text(self, text: bytes) -> bool:
        """Write a text frame (RFC 6455 5.2). If the connection is closed or blocked, write nothing and return False."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN:  # no data after a Close (RFC 6455 5.5.1)
            return False
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        size = len(text)
        if size < _LENGTH_16:
            head = _HEAD_7.pack(_FINAL_TEXT, size)
        elif size < 1 << 16:
            head = _HEAD_16.pack(_FINAL_TEXT, _LENGTH_16, size)
        else:
            head = _HEAD_64.pack(_FINAL_TEXT, _LENGTH_64, size)
        self.transport.write(head + text)
        return True

    @property
    def idle(self) -> bool:
        """Whether no message waits for `receive`."""
        return self.queue.empty()

    def cut(self) -> None:
        """Cut the connection at once and discard what is queued. Harmless after its end."""
        self.transport.abort()


def uvicorn_options(settings: SocketSettings) -> dict[str, Any]:
    """Arguments of `uvicorn.Config` for this protocol.

    Frames are small, so compression would cost memory and time for little gain. The application measures silence, so a
    missing pong alone does not end a connection.
    """
    return {
        "ws": SocketProtocol,
        "ws_max_size": settings.socket_frame_bytes_max,
        "ws_ping_interval": settings.socket_ping_ms / 1000,
        "ws_ping_timeout": None,
        "ws_per_message_deflate": False,
    }
