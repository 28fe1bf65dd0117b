"""The WebSocket door: all connections of this process, an ASGI application of its own."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from services.gateway.hub.hub import Hub
from services.gateway.hub.metrics import WS_CONNECTIONS
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
        """Serve one connection from its handshake to its end."""
        await receive()  # websocket.connect
        if self._draining or len(self._connections) >= self.settings.sockets_max:
            await send({"type": "websocket.http.response.start", "status": 503, "headers": [(b"retry-after", b"1")]})
            await send({"type": "websocket.http.response.body", "body": b"This server takes no more connections."})
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
        """Drop silent connections, for ever; run it beside the server."""
        while True:
            await asyncio.sleep(self.settings.socket_sweep_ms / 1000)
            now = read_clock()
            for connection in tuple(self._connections):
                connection.tick(now)

    async def look_again(self) -> None:
        """End connections whose tokens nobody holds any more, for ever; run it beside the server.

        Each is looked at once a period, spread over it.
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
        """Take no new connection, close all with 1012 spread over `socket_drain_ms`, finish what they have sent."""
        self._draining = True
        connections = tuple(self._connections)
        for connection in connections:
            connection.replace()
            await asyncio.sleep(self.settings.socket_drain_ms / 1000 / len(connections))
        if connections:
            await self._empty.wait()  # none outlives its `socket_close_ms`
        if self._commands:
            # One that is being searched may take longer: it is decided without anybody asking again.
            _, late = await asyncio.wait(tuple(self._commands), timeout=self.settings.drain_ms / 1000)
            await asyncio.gather(*(cancelled(task) for task in late))

    def __len__(self) -> int:
        """Open connections."""
        return len(self._connections)

    def see_through(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a command to its end, even when its connection ends first: listeners here want its event."""
        task = asyncio.ensure_future(coroutine)
        self._commands.add(task)
        task.add_done_callback(self._seen_through)

    def _seen_through(self, task: asyncio.Task[None]) -> None:
        self._commands.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a command was not seen through", exc_info=error)
