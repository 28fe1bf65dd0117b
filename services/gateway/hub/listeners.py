"""Who listens to the hub: a listener is handed each update at once, and a watch is one with a bounded queue.

A socket hands updates on by itself; a stream of lines reads a watch at its own pace.
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
    """This listener did not keep up, and its queue was full. It may start again from the last version it saw."""


class HubClosed(Exception):
    """This process is ending. The same may be listened to at another one."""


class GameListener(Protocol):
    """Listens to one game. The calls are made on the event loop and must neither wait nor raise."""

    def changed(self, change: EventFrame) -> None:
        """The event of the next version."""

    def said(self, line: ChatLine) -> None:
        """A line of chat, of either room."""

    def hinted(self, hint: Hint) -> None:
        """A hint; it is for the player whom it names."""

    def reloaded(self, game: HeldGame) -> None:
        """More was missed than is known one by one: here is the whole game, at a later version."""

    def ended(self, reason: Exception) -> None:
        """Nothing will come any more."""


class PlayerListener(Protocol):
    """Listens to one player's own affairs, under the same conditions."""

    def happened(self, event: PlayerEvent) -> None:
        """The event of the next sequence number."""

    def ended(self, reason: Exception) -> None:
        """Nothing will come any more."""


class _Queue(Generic[T]):
    """Updates in order, as many as `size_max`; one more ends it with SlowListener, after what is in it is dropped."""

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
        """No more comes after what is in the queue."""
        if self._end is None:
            self._end = reason
        self._there.set()

    def __aiter__(self) -> "_Queue[T]":
        return self

    async def __anext__(self) -> T:
        """The next update. Raises SlowListener or HubClosed when it has ended."""
        while not self._things:
            if self._end is not None:
                raise self._end
            self._there.clear()
            await self._there.wait()
        return self._things.popleft()


class GameWatch(_Queue["GameEvent | ChatLine | Hint | Absence"]):
    """A game and what happens to it, from the moment of watching on.

    With `newest_wins` events that were not read yet give way to the newest, so that a slow reader skips states but
    never sees an old one last, and is not ended for being slow. Lines of chat then also drop their oldest.
    """

    game: HeldGame
    """Kept current while this watch is open. It may be ahead of the event that was read last."""

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
        """See Ears. The public API has no word for it."""

    def reloaded(self, game: HeldGame) -> None:
        """See GameListener. The reader sees an event of unspecified kind with the newest state."""
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
    """A player's own events without gaps, from the moment of watching on."""

    seq: int
    """The last sequence number before the first event of this watch."""

    def put_first(self, missed: Iterable[PlayerEvent]) -> None:
        """Let older events come before those that were heard meanwhile."""
        self._things.extendleft(reversed(list(missed)))
        self._there.set()

    def happened(self, event: PlayerEvent) -> None:
        """See PlayerListener."""
        self.put(event)


class OthersWatch(PlayerWatch):
    """The same of other people: that somebody listens to them does not mean that they are here."""
