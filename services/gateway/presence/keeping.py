"""Keeps live seeks and live invitations alive while their players are connected.

This process reports its open seeks and connected players to the game service periodically. What is not reported expires
there after a while, also when this process dies.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Protocol

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.errors import Refused
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

log = logging.getLogger(__name__)

IDS_AT_ONCE = 500
"""The most seeks and the most players in one call."""


class Keeper(Protocol):
    """The service that gets the reports."""

    async def keep_alive(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> Sequence[str]:
        """Report what is still there. Returns the ids of seeks that no longer wait. Raises Refused."""


class KeptSeek:
    """A seek that waits while it is held here. It listens to its player's events, because a game may start."""

    def __init__(self, seek_id: str) -> None:
        self.id = seek_id
        self.gone = False
        """The seek no longer waits: it was paired, cancelled or replaced."""
        self.doubted = False
        self._stirred = asyncio.Event()

    def happened(self, event: PlayerEvent) -> None:
        """See PlayerListener."""
        if event.HasField("game_start"):
            self.doubted = True
            self._stirred.set()

    def ended(self, reason: Exception) -> None:
        """See PlayerListener. The process ends or cannot get events any more, so the seek ends with its connection."""
        self.over()

    def over(self) -> None:
        """Mark that the seek no longer waits."""
        self.gone = True
        self._stirred.set()

    async def stirred(self) -> None:
        """Wait until the seek is gone or in doubt."""
        await self._stirred.wait()
        self._stirred.clear()


class Keeping:
    """All seeks and players that this process keeps alive. `connected` returns the ids of the connected players."""

    def __init__(self, keeper: Keeper, connected: Callable[[], Sequence[str]], period_ms: int, seeks_max: int) -> None:
        self._keeper = keeper
        self._connected = connected
        self._period_s = period_ms / 1000
        self._seeks_max = seeks_max
        self._seeks: dict[str, KeptSeek] = {}

    @contextmanager
    def seek(self, seek: KeptSeek) -> Iterator[None]:
        """Keep a seek alive while the body runs. Raises Refused when this process holds too many."""
        if len(self._seeks) >= self._seeks_max:
            raise Refused(Refusal(RefusalCode.UNAVAILABLE, say("gateway.no_more_streams")))
        self._seeks[seek.id] = seek
        try:
            yield
        finally:
            del self._seeks[seek.id]

    async def look(self, seek: KeptSeek) -> None:
        """Ask at once whether a doubtful seek still waits. Without an answer it counts as waiting."""
        seek.doubted = False
        await self._tell([seek.id], [])

    async def run(self) -> None:
        """Report everything once in each period, until cancelled."""
        while True:
            await asyncio.sleep(self._period_s)
            for seek_ids, player_ids in zip_longest(_parts(list(self._seeks)), _parts(self._connected()), fillvalue=()):
                await self._tell(seek_ids, player_ids)

    async def _tell(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> None:
        try:
            gone = await self._keeper.keep_alive(seek_ids, player_ids)
        except Refused as refused:
            log.debug("keeping alive: %s", refused.refusal.text)
            return
        for seek_id in gone:
            if seek_id in self._seeks:
                self._seeks[seek_id].over()


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(ids), IDS_AT_ONCE):
        yield ids[first : first + IDS_AT_ONCE]
