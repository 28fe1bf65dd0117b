"""A response that streams lines: one JSON object each; an empty line keeps the connection alive."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from services.gateway.answers.answer import encoded
from services.runtime.lifecycle import cancelled

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/x-ndjson"
EMPTY = b"\n"

Lines = AsyncIterator[bytes]
Opened = AbstractAsyncContextManager[Lines]


def line(value: Struct) -> bytes:
    """An object as a line of JSON."""
    return encoded(value) + b"\n"


class LineStream(Response):
    """Sends each line of what `opened` opens at once, until the lines end or the reader disconnects.

    If `opened` raises, nothing has been sent, so the error becomes an ordinary answer.
    """

    media_type = MEDIA_TYPE

    def __init__(
        self,
        opened: Callable[[], Opened],
        unread_ms: int,
        status_code: int = 200,
        until: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`unread_ms` is how long a write may wait for the reader. When `until` returns, the stream ends."""
        super().__init__(None, status_code, {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._opened = opened
        self._unread_s = unread_ms / 1000
        self._until = until

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See Response."""
        async with self._opened() as lines:
            sending = asyncio.ensure_future(self._send(lines, send))
            waited = [sending, asyncio.ensure_future(_left(receive))]
            if self._until is not None:
                waited.append(asyncio.ensure_future(self._until()))
            try:
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    sending.result()
                elif self._until is not None and waited[-1].done():
                    await cancelled(sending)
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
            finally:
                for task in waited:
                    task.cancel()
                await asyncio.gather(*waited, return_exceptions=True)

    async def _send(self, lines: Lines, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for entry in lines:
            try:
                async with asyncio.timeout(self._unread_s):
                    await send({"type": "http.response.body", "body": entry, "more_body": True})
            except TimeoutError:
                log.info("a stream is closed: its reader took nothing for %.0f s", self._unread_s)
                return  # left incomplete, so that the server closes the connection
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    """Wait until the reader disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass
