"""The server's end of a WebSocket connection, for uvicorn: uvicorn's own, and what it does not tell an application.

An application cannot see pongs, which keep clients with throttled timers alive, nor cut a connection whose other end
reads nothing. Both are here, under `EXTENSION` in the scope.
"""

from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from services.gateway.socket_settings import SocketSettings

EXTENSION = "flagfall.connection"


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    pong_s = 0.0
    """The loop's time of the last pong; 0 before the first."""

    def handle_connect(self, event: Request) -> None:
        """See the base class; the application's task has not run yet when this returns."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self

    def handle_pong(self, event: Frame) -> None:
        """See the base class."""
        self.pong_s = self.loop.time()
        super().handle_pong(event)

    async def send(self, message: ASGISendEvent) -> None:
        """See the base class. A handshake that was answered with a status is complete, and no error in the log."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True

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
