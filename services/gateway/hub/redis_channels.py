"""The pub/sub connection of this process: subscribes to the wanted channels, and reports when messages may be lost.

This module has its own connection, outside any pool, so that no other command can meet its answers. A message that is
published while the connection is down is lost. So each confirmed subscription is reported, and the hearer then fetches
what it missed.
"""

import asyncio
import logging
import math
import time
from typing import Any, Protocol

from redis.exceptions import RedisError

from services.gateway.hub.metrics import PUBSUB_RECONNECTS
from services.gateway.socket_settings import SocketSettings
from services.runtime.redis_client import subscriber_pool

log = logging.getLogger(__name__)


class Hearer(Protocol):
    """Gets the messages. The calls run on the event loop and must neither wait nor raise."""

    def heard(self, channel: str, payload: bytes) -> None:
        """A message was published on a channel."""

    def subscribed(self, channel: str) -> None:
        """The channel is subscribed now. Messages before this may have been missed."""

    def away(self) -> None:
        """The connection is lost."""


class RedisChannels:
    """The subscriptions of one process, restored after each reconnect. `run` does the work."""

    def __init__(self, settings: SocketSettings, hearer: Hearer) -> None:
        self._pool: Any = subscriber_pool(settings.redis_url, settings)  # untyped by the library
        self._hearer = hearer
        self._settings = settings
        self._wanted: set[str] = set()
        self._changes: dict[str, bool] = {}
        self._changed = asyncio.Event()
        self._heard_s = 0.0
        self.up = False
        """Whether the connection is up, as far as is known."""

    def want(self, channel: str) -> None:
        """Subscribe to a channel soon; `subscribed` is called when it is done."""
        self._wanted.add(channel)
        self._change(channel, True)

    def drop(self, channel: str) -> None:
        """Unsubscribe from it."""
        self._wanted.discard(channel)
        self._change(channel, False)

    def _change(self, channel: str, wanted: bool) -> None:
        if self.up:  # a new connection subscribes to everything that is wanted
            self._changes[channel] = wanted
            self._changed.set()

    async def close(self) -> None:
        """Close the connection pool. Call it after `run` has ended."""
        await self._pool.aclose()

    async def run(self) -> None:
        """Connect, read messages, and reconnect, until cancelled."""
        pause_min_s, pause_max_s = self._settings.pubsub_pause_ms / 1000, self._settings.pubsub_pause_max_ms / 1000
        pause_s, told, lost = pause_min_s, False, False
        while True:
            connection = self._pool.make_connection()
            try:
                await connection.connect()
                if lost:
                    PUBSUB_RECONNECTS.inc()
                self._heard_s = time.monotonic()
                log.info("pub/sub is connected")
                self.up = True
                pause_s, told = pause_min_s, False
                await self._serve(connection)
            except (RedisError, OSError, TimeoutError) as error:
                # A warning when the connection is lost, not for each attempt to reconnect.
                log.log(logging.DEBUG if told else logging.WARNING, "pub/sub: %s: %s", type(error).__name__, error)
                told = True
            finally:
                was_up, self.up = self.up, False
                await connection.disconnect(nowait=True)
            if was_up:
                lost = True
                self._hearer.away()
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, pause_max_s)

    async def _serve(self, connection: Any) -> None:
        tasks = [asyncio.ensure_future(self._read(connection)), asyncio.ensure_future(self._ask(connection))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, connection: Any) -> None:
        while True:
            message = await connection.read_response(timeout=math.inf)
            self._heard_s = time.monotonic()
            if type(message) is not list or len(message) < 3:
                continue  # the answer to a ping
            kind = message[0]
            if kind == b"message":
                self._hearer.heard(message[1].decode(), message[2])
            elif kind == b"subscribe" and (channel := message[1].decode()) in self._wanted:
                self._hearer.subscribed(channel)

    async def _ask(self, connection: Any) -> None:
        self._changes = dict.fromkeys(self._wanted, True)
        period_s = self._settings.pubsub_ping_ms / 1000
        pinged_s = time.monotonic()
        while True:
            self._changed.clear()
            changes, self._changes = self._changes, {}
            await self._send(connection, "UNSUBSCRIBE", [channel for channel, wanted in changes.items() if not wanted])
            await self._send(connection, "SUBSCRIBE", [channel for channel, wanted in changes.items() if wanted])
            try:
                async with asyncio.timeout(max(0.0, pinged_s + period_s - time.monotonic())):
                    await self._changed.wait()
            except TimeoutError:
                if time.monotonic() - self._heard_s > self._settings.pubsub_silence_ms / 1000:
                    raise ConnectionError("nothing was heard, not even the answer to a ping") from None
                await connection.send_command("PING", check_health=False)
                pinged_s = time.monotonic()

    async def _send(self, connection: Any, command: str, channels: list[str]) -> None:
        size = self._settings.pubsub_channels_max
        for start in range(0, len(channels), size):
            part = channels[start : start + size]
            await connection.send_command(command, *part, check_health=False)
