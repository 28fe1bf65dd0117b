"""Listeners of the hub. A listener gets each update at once; a watch is a listener with a bounded queue.

A socket sends updates on at once. A stream of lines reads a watch at its own pace.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol.absence import Absence, Away
from services.gateway.protocol.shapes import EventFrame
from services.pb.flagfall.v1.events_pb2 import ChatLine, GameEvent, Hint, PlayerEvent

T = TypeVar("T")


class SlowListener(Exception):
    """The listener was too slow, and its queue is full. It may start again from the last version that it saw."""


class HubClosed(Exception):
    """This process is ending. Another process can serve the same stream."""


class GameListener(Protocol):
    """Listens to one game. The calls run on the event loop and must neither wait nor raise."""

    def changed(self, change: EventFrame) -> None:
        """The event of the next version has come."""

    def said(self, line: ChatLine) -> None:
        """A chat line of either room has come."""

    def hinted(self, hint: Hint) -> None:
        """A hint has come; it is only for the player whom it names."""

    def reloaded(self, game: HeldGame) -> None:
        """Too many events were missed: `game` is the whole game at a later version."""

    def ended(self, reason: Exception) -> None:
        """Nothing comes after this."""


class PlayerListener(Protocol):
    """Listens to one player's own events. The calls run on the event loop and must neither wait nor raise."""

    def happened(self, event: PlayerEvent) -> None:
        """The event of the next sequence number has come."""

    def ended(self, reason: Exception) -> None:
        """Nothing comes after this."""


class _Queue(Generic[T]):
    """At most `size_max` updates, in order. One more drops them all and ends the queue with SlowListener."""

    def __init__(self, size_max: int) -> None:
        self._size_max = size_max
        self._things: deque[T] = deque()
        self._there = asyncio.Event()
        self._end: Exception | None = None

    def put(self, thing: T) -> None:
        if self._end is not None:
            return
        if len(self._things) >= self._size_max:
            self._things.clear()
            self.ended(SlowListener(f"{self._size_max} updates were waiting"))
            return
        self._things.append(thing)
        self._there.set()

    def ended(self, reason: Exception) -> None:
        """End the queue: nothing is added after this."""
        if self._end is None:
            self._end = reason
        self._there.set()

    def __aiter__(self) -> "_Queue[T]":
        return self

    async def __anext__(self) -> T:
        """The next update. When the queue is empty and has ended, raises the reason: SlowListener or HubClosed."""
        while not self._things:
            if self._end is not None:
                raise self._end
            self._there.clear()
            await self._there.wait()
        return self._things.popleft()


class GameWatch(_Queue["GameEvent | ChatLine | Hint | Absence"]):
    """A game and its updates, from the start of the watch on.

    With `newest_wins` a newer event replaces unread events. So a slow reader skips states but never sees an old one
    last, and never gets SlowListener. Chat lines then drop their oldest too.
    """

    game: HeldGame
    """Kept current while the watch is open. It may be newer than the event that was read last."""

    def __init__(self, size_max: int, newest_wins: bool) -> None:
        super().__init__(size_max)
        self._newest_wins = newest_wins

    def changed(self, change: EventFrame) -> None:
        """See GameListener."""
        self._add(change.event)

    def said(self, line: ChatLine) -> None:
        """See GameListener."""
        self._add(line)

    def hinted(self, hint: Hint) -> None:
        """See GameListener."""
        self._add(hint)

    def absent(self, game_id: str, absence: Absence) -> None:
        """See Ears."""
        self._add(absence)

    def absences(self, game_id: str, white: Away, black: Away) -> None:
        """See Ears. Ignored: the public API has no such line."""

    def reloaded(self, game: HeldGame) -> None:
        """See GameListener. The reader gets an event of unspecified kind with the newest state."""
        self.game = game
        self._add(GameEvent(state=game.state))

    def _add(self, update: GameEvent | ChatLine | Hint | Absence) -> None:
        if self._newest_wins:
            if isinstance(update, GameEvent):
                self._things = deque(thing for thing in self._things if not isinstance(thing, GameEvent))
            elif len(self._things) >= self._size_max - 1:
                oldest = next((thing for thing in self._things if not isinstance(thing, GameEvent)), None)
                if oldest is not None:
                    self._things.remove(oldest)
        self.put(update)


class PlayerWatch(_Queue[PlayerEvent]):
    """A player's own events without gaps, from the start of the watch on."""

    seq: int
    """The last sequence number before this watch's first event."""

    def put_first(self, missed: Iterable[PlayerEvent]) -> None:
        """Put older events before those that have come meanwhile."""
        self._things.extendleft(reversed(list(missed)))
        self._there.set()

    def happened(self, event: PlayerEvent) -> None:
        """See PlayerListener."""
        self.put(event)


class OthersWatch(PlayerWatch):
    """The same for another player's events: this listener does not make that player count as connected."""
