"""A proxy between a client and a server, like a faulty network: it delays data, drops it silently, and redirects
connections."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from urllib.parse import urlsplit, urlunsplit


class Proxy:
    """Forwards connections to a server. Made by `proxy_to`."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self._server: asyncio.Server
        self._links: set[_Link] = set()
        self.delay_s = 0.0
        """The delay of each answer."""
        self.connected = 0
        """How many connections there have been."""

    @property
    def url(self) -> str:
        """Where clients connect."""
        port = self._server.sockets[0].getsockname()[1]
        password = f":{self._target.password}@" if self._target.password else ""
        return urlunsplit(self._target._replace(netloc=f"{password}127.0.0.1:{port}"))

    def __len__(self) -> int:
        """The number of open connections, dropped ones included."""
        return len(self._links)

    def swallow(self) -> None:
        """From now on drop all data of the open connections silently; new connections work."""
        for link in self._links:
            link.dead = True

    def hold(self) -> None:
        """Hold all answers until `let_go`."""
        for link in self._links:
            link.held = True

    def let_go(self) -> None:
        """Forward the held answers."""
        for link in tuple(self._links):
            link.let_go()

    def cut(self) -> None:
        """Reset every connection."""
        for link in tuple(self._links):
            link.cut()

    def lead_new_to(self, url: str) -> None:
        """Send new connections to another server; open ones stay."""
        self._target = urlsplit(url)

    def lead_to(self, url: str, *, silently: bool = False) -> None:
        """Lead to another server; a Redis of the same password.

        `silently`: connections that stand are led there, too, from their next command on, as a proxy that knows Redis
        does it. Otherwise they are reset.
        """
        self._target = urlsplit(url)
        if silently:
            for link in self._links:
                link.moves = True
        else:
            self.cut()

    async def open(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.get_running_loop().create_server(lambda: _Client(self), "127.0.0.1", 0)

    async def close(self) -> None:
        """Listen no more and reset every connection."""
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    @property
    def address(self) -> tuple[str, int]:
        """Where the server is."""
        return self._target.hostname or "127.0.0.1", self._target.port or 0

    @property
    def greeting(self) -> bytes:
        """The first data that a redirected connection must send."""
        return f"AUTH {self._target.password}\r\n".encode() if self._target.password else b""

    def begun(self, link: "_Link") -> None:
        """Called when a client has connected."""
        self.connected += 1
        self._links.add(link)

    def ended(self, link: "_Link") -> None:
        """Called when it has disconnected."""
        self._links.discard(link)


@asynccontextmanager
async def proxy_to(url: str) -> AsyncIterator[Proxy]:
    """A proxy before a server (its URL must name a port), in this event loop."""
    proxy = Proxy(url)
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.close()


class _Link:
    """One client and its connection to the server."""

    def __init__(self, proxy: Proxy, client: asyncio.Transport) -> None:
        self._proxy = proxy
        self._client = client
        self._server_end: asyncio.Transport | None = None
        self._unsent = bytearray()
        self._answers: deque[bytes] = deque()
        self._connecting: asyncio.Task[None] | None = None
        self.dead = False
        self.held = False
        self.moves = False
        self._connect(b"")

    def _connect(self, greeting: bytes) -> None:
        self._connecting = asyncio.ensure_future(self._connected(greeting))

    async def _connected(self, greeting: bytes) -> None:
        loop = asyncio.get_running_loop()
        try:
            transport, _ = await loop.create_connection(lambda: _ServerEnd(self, greeting), *self._proxy.address)
        except OSError:
            self.cut()
            return
        self._server_end = transport
        if greeting:
            transport.write(greeting)  # what waits is sent once this is answered
        else:
            self.ready()

    def ready(self) -> None:
        if self._server_end is not None and self._unsent:
            self._server_end.write(bytes(self._unsent))
            self._unsent.clear()

    def asked(self, data: bytes) -> None:
        if self.dead:
            return
        if self.moves:  # a client that asks has had its last answer
            self.moves = False
            old, self._server_end = self._server_end, None
            if old is not None:
                cast("_ServerEnd", old.get_protocol()).link = None
                old.abort()
            self._unsent += data
            self._connect(self._proxy.greeting)
        elif self._server_end is None or self._unsent:
            self._unsent += data
        else:
            self._server_end.write(data)

    def answered(self, data: bytes) -> None:
        self._answers.append(data)
        if self._proxy.delay_s:
            asyncio.get_running_loop().call_later(self._proxy.delay_s, self._pass_on)
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        if not self.held and not self.dead and self._answers:
            self._client.write(self._answers.popleft())

    def let_go(self) -> None:
        self.held = False
        while self._answers and not self.dead:
            self._client.write(self._answers.popleft())

    def cut(self) -> None:
        self._proxy.ended(self)
        self._client.abort()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._server_end is not None:
            self._server_end.abort()


class _Client(asyncio.Protocol):
    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._link = _Link(self._proxy, cast(asyncio.Transport, transport))
        self._proxy.begun(self._link)

    def data_received(self, data: bytes) -> None:
        self._link.asked(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._link.cut()


class _ServerEnd(asyncio.Protocol):
    def __init__(self, link: _Link, greeting: bytes) -> None:
        self.link: _Link | None = link
        self._greeted = not greeting

    def data_received(self, data: bytes) -> None:
        if self.link is None:
            return
        if not self._greeted:
            self._greeted = True
            assert data == b"+OK\r\n", data
            self.link.ready()
        else:
            self.link.answered(data)

    def connection_lost(self, error: Exception | None) -> None:
        if self.link is not None and not self.link.dead:
            self.link.cut()
