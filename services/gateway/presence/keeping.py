"""What holds only while somebody is there: live seeks, each with a connection of its own, and live invitations.

The game service is told again and again of the seeks that are open here and of the players who are connected here;
whatever it does not hear of lapses there after a while, also when this process dies.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Protocol

from services.domain.refusal import Refusal, RefusalCode
from services.gateway.errors import Refused
from services.pb.flagfall.v1.events_pb2 import PlayerEvent

log = logging.getLogger(__name__)

IDS_AT_ONCE = 500
"""Seeks and players of one call."""


class Keeper(Protocol):
    """Who is told."""

    async def keep_alive(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> Sequence[str]:
        """These are still there; the ids of seeks that no longer wait. Raises Refused."""


class KeptSeek:
    """A seek that waits as long as this is held. It listens to its maker's events: a game may have begun."""

    def __init__(self, seek_id: str) -> None:
        self.id = seek_id
        self.gone = False
        """It does not wait any more: it was paired, withdrawn or replaced."""
        self.doubted = False
        self._stirred = asyncio.Event()

    def happened(self, event: PlayerEvent) -> None:
        """See PlayerListener."""
        if event.HasField("game_start"):
            self.doubted = True
            self._stirred.set()

    def ended(self, reason: Exception) -> None:
        """See PlayerListener. This process ends, or cannot hear any more: the seek goes with the connection."""
        self.over()

    def over(self) -> None:
        """It does not wait any more."""
        self.gone = True
        self._stirred.set()

    async def stirred(self) -> None:
        """Return when it is gone or in doubt."""
        await self._stirred.wait()
        self._stirred.clear()


class Keeping:
    """All that this process keeps. `connected` says which players listen to their own events here."""

    def __init__(self, keeper: Keeper, connected: Callable[[], Sequence[str]], period_ms: int, seeks_max: int) -> None:
        self._keeper = keeper
        self._connected = connected
        self._period_s = period_ms / 1000
        self._seeks_max = seeks_max
        self._seeks: dict[str, KeptSeek] = {}

    @contextmanager
    def seek(self, seek: KeptSeek) -> Iterator[None]:
        """Keep a seek alive while the body runs. Raises Refused when there are as many as this process can hold."""
        if len(self._seeks) >= self._seeks_max:
            raise Refused(Refusal(RefusalCode.UNAVAILABLE, "This server has as many streams open as it can."))
        self._seeks[seek.id] = seek
        try:
            yield
        finally:
            del self._seeks[seek.id]

    async def look(self, seek: KeptSeek) -> None:
        """Ask at once whether a seek that is in doubt still waits; while nobody answers it does."""
        seek.doubted = False
        await self._tell([seek.id], [])

    async def run(self) -> None:
        """Tell of everything, once in each period, for ever."""
        while True:
            await asyncio.sleep(self._period_s)
            for seek_ids, player_ids in zip_longest(_parts(list(self._seeks)), _parts(self._connected()), fillvalue=()):
                await self._tell(seek_ids, player_ids)

    async def _tell(self, seek_ids: Sequence[str], player_ids: Sequence[str]) -> None:
        try:
            gone = await self._keeper.keep_alive(seek_ids, player_ids)
        except Refused as refused:
            log.debug("keeping alive: %s", refused.refusal.message)
            return
        for seek_id in gone:
            if seek_id in self._seeks:
                self._seeks[seek_id].over()


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(ids), IDS_AT_ONCE):
        yield ids[first : first + IDS_AT_ONCE]
