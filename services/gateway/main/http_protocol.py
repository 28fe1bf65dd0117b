"""Uvicorn's HTTP connection, with limits on the size and the time of a request's line and headers.

Its parser keeps what a client sends until the headers end. Here the headers must be short and must come soon.

Uvicorn limits their size only with its slower parser (`h11_max_incomplete_event_size`), and has no time limit. An
application is called when the headers are complete, which is too late. So a class of our own replaces uvicorn's in
`Config(http=...)`. It overrides and reads only public names of uvicorn. tests/unit/test_bases_of_libraries.py lists
them, and fails when a new release lacks one.
"""

import asyncio
import logging
from typing import Any

import httptools
import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from services.domain.text import Text, say
from services.gateway.language import told
from services.gateway.settings import GatewaySettings

log = logging.getLogger(__name__)


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection. `bounded` makes the class for uvicorn, with the limits set."""

    head_bytes_max: int
    head_s: float

    _head_bytes = 0
    _in_head = True
    _late: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See the base class."""
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """See the base class."""
        self._head_is_here()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See the base class."""
        if self._refused:
            return
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > self.head_bytes_max:
            self._refuse(b"431 Request Header Fields Too Large", "head_too_large", say("gateway.head_too_large"))

    def on_message_begin(self) -> None:
        """See the base class."""
        super().on_message_begin()
        if self._late is None:
            self._await_head()

    def on_headers_complete(self) -> None:
        """See the base class."""
        self._head_is_here()
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.head_bytes_max:
            self._refuse(b"431 Request Header Fields Too Large", "head_too_large", say("gateway.head_too_large"))
            raise httptools.HttpParserError("the head is too large")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """See the base class."""
        super().on_message_complete()
        self._in_head = True
        self._head_bytes = 0

    def send_400_response(self, msg: str) -> None:
        """Answer with JSON when the data is not HTTP."""
        self._refuse(b"400 Bad Request", "malformed", say("gateway.no_http"))

    def _await_head(self) -> None:
        self._in_head = True
        self._late = self.loop.call_later(self.head_s, self._head_is_late)

    def _head_is_here(self) -> None:
        self._in_head = False
        self._head_bytes = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _head_is_late(self) -> None:
        self._late = None
        if not self.transport.is_closing():
            self._refuse(b"408 Request Timeout", "head_too_late", say("gateway.head_too_late"))

    def _refuse(self, status: bytes, code: str, text: Text) -> None:
        """Send an error and close the connection, once."""
        if self._refused:
            return
        self._refused = True
        body = orjson.dumps({"error": told(text), "code": code})
        self.transport.write(
            b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n"
            b"access-control-allow-origin: *\r\n\r\n%b" % (status, len(body), body)
        )
        self.transport.close()


def bounded(settings: GatewaySettings) -> type[BoundedHttpProtocol]:
    """The connection class with the limits of these settings."""
    limits: dict[str, Any] = {
        "head_bytes_max": settings.header_bytes_max,
        "head_s": settings.header_ms / 1000,
    }
    return type("HttpProtocol", (BoundedHttpProtocol,), limits)
