"""The server's end of a WebSocket connection, for uvicorn: uvicorn's own, and what it does not tell an application.

An application cannot see pongs, which keep clients with throttled timers alive, nor cut a connection whose other end
reads nothing. Both are here, under `EXTENSION` in the scope, and a way in and out for text frames that needs no task:
the queue of the interface costs several switches and two system calls a frame.

Uvicorn has no settings for these, and the interface (ASGI) has no messages for them. So nothing else serves than a
class of its own in the place that `Config(ws=...)` gives. Only public names of uvicorn are overridden and read.
tests/unit/test_bases_of_libraries.py names them, and fails when a release of it has them no more.
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
    """The loop's time of the last pong; 0 before the first."""
    take_text: Callable[[str], None] | None = None
    """Who is handed text frames as they come, instead of the queue that `receive` reads."""
    take_other: Callable[[], bool] | None = None
    """Who is told of each ping, pong and fragment, which are no messages, and says whether to go on."""

    def handle_connect(self, event: Request) -> None:
        """See the base class; the application's task has not run yet when this returns."""
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
        """See the base class. Whoever does not read its answers gets none (RFC 6455 5.5.3 wants the latest only)."""
        if self._goes_on() and self.writable.is_set():
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        """See the base class. Fragments are counted, since empty ones add nothing to the size that is bounded."""
        if self._goes_on():
            super().handle_cont(event)

    def _goes_on(self) -> bool:
        return self.take_other is None or self.take_other()

    async def send(self, message: Any) -> None:
        """See the base class. A handshake that was answered with a status is complete, and no error in the log."""
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
            super().send_receive_event_to_app()  # which closes with 1007
            return
        self.frames = []
        self.take_text(text)

    def write_text(self, text: bytes) -> bool:
        """Write a text frame (RFC 6455 5.2), if the connection stands and is not held up; otherwise nothing is done."""
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
        """Whether nothing waits for `receive`."""
        return self.queue.empty()

    def cut(self) -> None:
        """End the connection at once, whatever waits to be sent. Harmless when it has ended."""
        self.transport.abort()


def uvicorn_options(settings: SocketSettings) -> dict[str, Any]:
    """Arguments of `uvicorn.Config` for this protocol.

    Frames are small, so compression would cost memory and time for little. Silence is measured by the application, so
    that a missing pong alone ends nothing.
    """
    return {
        "ws": SocketProtocol,
        "ws_max_size": settings.socket_frame_bytes_max,
        "ws_ping_interval": settings.socket_ping_ms / 1000,
        "ws_ping_timeout": None,
        "ws_per_message_deflate": False,
    }
