"""The ASGI application for WebSockets, with all connections of this process."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from services.domain.text import say
from services.gateway.hub.hub import Hub
from services.gateway.hub.metrics import WS_CONNECTIONS, WS_REFUSED
from services.gateway.language import told
from services.gateway.presence.boards import Boards
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.connection import Connection, read_clock
from services.gateway.sockets.room import Commands, Receive, Scope, SendMessage, Tokens
from services.runtime.lifecycle import cancelled

log = logging.getLogger(__name__)


class WebSocketDoor:
    """All connections of this process. An instance is the ASGI application of the route."""

    def __init__(self, settings: SocketSettings, hub: Hub, commands: Commands, tokens: Tokens, boards: Boards) -> None:
        self.settings = settings
        self.hub = hub
        self.commands = commands
        self.tokens = tokens
        self.boards = boards
        self._connections: set[Connection] = set()
        self._commands: set[asyncio.Task[None]] = set()
        self._draining = False
        self._empty = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: SendMessage) -> None:
        """Serve one connection from its handshake to its end. Answers 503 while draining or when there are too many."""
        await receive()  # websocket.connect
        full = len(self._connections) >= self.settings.sockets_max
        if self._draining or full:
            if full:
                WS_REFUSED.inc()
            await send({"type": "websocket.http.response.start", "status": 503, "headers": [(b"retry-after", b"1")]})
            await send(
                {"type": "websocket.http.response.body", "body": told(say("gateway.no_more_connections")).encode()}
            )
            return
        connection = Connection(self, scope, receive, send)
        self._connections.add(connection)
        self._empty.clear()
        WS_CONNECTIONS.set(len(self._connections))
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)
            if not self._connections:
                self._empty.set()
            WS_CONNECTIONS.set(len(self._connections))

    async def sweep(self) -> None:
        """Close silent connections, until cancelled. Run it beside the server."""
        while True:
            await asyncio.sleep(self.settings.socket_sweep_ms / 1000)
            now = read_clock()
            for connection in tuple(self._connections):
                connection.tick(now)

    async def look_again(self) -> None:
        """Close connections whose tokens are no longer valid, until cancelled. Run it beside the server.

        Each connection is checked once in a period of `socket_token_ms`; the checks are spread over the period.
        """
        period_s = self.settings.socket_token_ms / 1000
        while True:
            connections = tuple(self._connections)
            for connection in connections:
                await connection.look_again()
                await asyncio.sleep(period_s / len(connections))
            if not connections:
                await asyncio.sleep(period_s)

    async def drain(self) -> None:
        """Refuse new connections, close all with 1012 over `socket_drain_ms`, and wait for the commands they sent."""
        self._draining = True
        connections = tuple(self._connections)
        for connection in connections:
            connection.replace()
            await asyncio.sleep(self.settings.socket_drain_ms / 1000 / len(connections))
        if connections:
            await self._empty.wait()  # each one ends within `socket_close_ms`
        if self._commands:
            # A resignation that is being searched may take longer. The game service decides it without another call.
            _, late = await asyncio.wait(tuple(self._commands), timeout=self.settings.drain_ms / 1000)
            await asyncio.gather(*(cancelled(task) for task in late))

    def __len__(self) -> int:
        """The number of open connections."""
        return len(self._connections)

    def see_through(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a command to its end, even if its connection ends first: other listeners here want its event."""
        task = asyncio.ensure_future(coroutine)
        self._commands.add(task)
        task.add_done_callback(self._seen_through)

    def _seen_through(self, task: asyncio.Task[None]) -> None:
        self._commands.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a command was not finished", exc_info=error)
