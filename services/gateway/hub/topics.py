"""Topics of one kind (games or players): each has a channel, listeners, and a way to be fetched.

A topic is fetched after each subscription, after each doubt about Redis, and when an event came early and earlier ones
are missing. Topics that a caller waits for are fetched first. While the game service does not answer, all of them wait.
A topic without listeners lingers for a while.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from prometheus_client import Gauge

from services.gateway.errors import full_up, unavailable
from services.gateway.game_calls.unreachable import UNREACHABLE, why
from services.gateway.hub.in_order import InOrder
from services.gateway.hub.metrics import HUB_FETCHES
from services.gateway.hub.ports import Channels
from services.gateway.socket_settings import SocketSettings

log = logging.getLogger(__name__)


class Endable(Protocol):
    """What all listeners have in common."""

    def ended(self, reason: Exception) -> None:
        """Nothing comes after this."""


L = TypeVar("L", bound=Endable)


class Topic(Generic[L]):
    """One game or player, and its listeners."""

    def __init__(self, id: str, early_max: int) -> None:
        self.id = id
        self.listeners: dict[L, None] = {}
        self.joining = 0
        self.loaded = asyncio.Event()
        """Set when the first fetch is done, also when nothing was found."""
        self.fetching = False
        self.again = False
        """Whether to fetch once more after the current fetch."""
        self.gap_timer: asyncio.TimerHandle | None = None
        self.order: InOrder[Any] = InOrder(0, early_max)


T = TypeVar("T", bound=Topic[Any])


class Topics(Generic[T, L]):
    """All topics of one kind. A subclass implements `_fetch`: how to fetch a topic, and what to do with the answer."""

    what: str
    """The kind's name in the plural, for messages."""

    def __init__(
        self,
        settings: SocketSettings,
        channels: Channels,
        channel_of: Callable[[str], str],
        make: Callable[[str, int], T],
        topics_max: int,
        gauge: Gauge,
    ) -> None:
        self._settings = settings
        self._channels = channels
        self._channel_of = channel_of
        self._make = make
        self._topics_max = topics_max
        self._gauge = gauge
        self._topics: dict[str, T] = {}
        self._idle: OrderedDict[str, float] = OrderedDict()
        self._due: OrderedDict[str, None] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._paused = False
        self._loop = asyncio.get_running_loop()
        self.listeners = 0
        """The number of listeners of all topics."""

    def __len__(self) -> int:
        """The number of held topics, with those that linger."""
        return len(self._topics)

    def leave(self, id: str, listener: L) -> None:
        """Remove a listener. Does nothing if it does not listen."""
        topic = self._topics.get(id)
        if topic is not None and listener in topic.listeners:
            del topic.listeners[listener]
            self.listeners -= 1
            self._rest(topic)

    def subscribed(self, id: str) -> None:
        """The channel is subscribed now: fetch what may have been missed."""
        topic = self._topics.get(id)
        if topic is not None:
            self._fetch_soon(topic, "subscribed" if topic.loaded.is_set() else "load")

    def doubt(self, reason: str) -> None:
        """Messages may have been missed: fetch all held topics."""
        for topic in self._topics.values():
            self._fetch_soon(topic, reason)

    async def close(self, reason: Exception) -> None:
        """End all listeners and all fetches."""
        for topic in list(self._topics.values()):
            for listener in tuple(topic.listeners):
                listener.ended(reason)
            self._forget(topic)
            topic.loaded.set()
        self.listeners = 0
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _fetch(self, topic: T) -> None:
        """Fetch one topic and handle the answer. Raises one of UNREACHABLE: then it is fetched again."""
        raise NotImplementedError

    @contextmanager
    def _joining(self, id: str) -> Iterator[T]:
        """A topic that is held while the body runs. Raises HubRefused when there is no room for it."""
        if self.listeners >= self._settings.hub_listeners_max:
            raise full_up("listeners")
        topic = self._topic(id)
        topic.joining += 1
        try:
            yield topic
        finally:
            topic.joining -= 1
            self._rest(topic)

    async def _wait_for(self, topic: T) -> None:
        """Wait until the topic is loaded. Raises HubRefused when that takes too long."""
        if not topic.loaded.is_set():
            try:
                async with asyncio.timeout(self._settings.hub_load_ms / 1000):
                    await topic.loaded.wait()
            except TimeoutError:
                raise unavailable() from None

    def _listen(self, topic: T, listener: L) -> None:
        if listener not in topic.listeners:
            topic.listeners[listener] = None
            self.listeners += 1

    def _held(self, topic: T) -> bool:
        return self._topics.get(topic.id) is topic

    def _let_go(self, now_s: float) -> None:
        """Drop topics that had no listener for a while."""
        while self._idle and next(iter(self._idle.values())) + self._settings.hub_linger_ms / 1000 <= now_s:
            self._forget(self._topics[next(iter(self._idle))])

    def _topic(self, id: str) -> T:
        topic = self._topics.get(id)
        if topic is not None:
            self._idle.pop(id, None)
            return topic
        if len(self._topics) >= self._topics_max:
            if not self._idle:
                raise full_up(self.what)
            self._forget(self._topics[next(iter(self._idle))])
        topic = self._topics[id] = self._make(id, self._settings.hub_early_max)
        self._gauge.set(len(self._topics))
        self._channels.want(self._channel_of(id))
        if self._channels.up:
            # The first fetch waits for the subscription, so that no event is lost between them; but not for long.
            self._loop.call_later(self._settings.hub_subscribed_ms / 1000, self._load, topic)
        else:
            self._load(topic)
        return topic

    def _load(self, topic: T) -> None:
        if not topic.loaded.is_set() and not topic.fetching and self._held(topic):
            self._fetch_soon(topic, "load")

    def _rest(self, topic: T) -> None:
        if not topic.listeners and not topic.joining and self._held(topic):
            self._idle[topic.id] = self._loop.time()

    def _forget(self, topic: T) -> None:
        if not self._held(topic):
            return
        del self._topics[topic.id]
        self._idle.pop(topic.id, None)
        self._due.pop(topic.id, None)
        if topic.gap_timer is not None:
            topic.gap_timer.cancel()
        self._channels.drop(self._channel_of(topic.id))
        self._gauge.set(len(self._topics))

    def _fetch_soon(self, topic: T, reason: str) -> None:
        HUB_FETCHES.labels(reason).inc()
        if topic.fetching:
            topic.again = True
            return
        self._due[topic.id] = None
        if not topic.loaded.is_set():
            self._due.move_to_end(topic.id, last=False)
        self._depart()

    def _depart(self) -> None:
        while self._due and not self._paused and len(self._tasks) < self._settings.hub_fetches_max:
            topic = self._topics[self._due.popitem(last=False)[0]]
            topic.fetching, topic.again = True, False
            task = asyncio.ensure_future(self._fetch(topic))
            self._tasks.add(task)
            task.add_done_callback(partial(self._back, topic))

    def _back(self, topic: T, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        topic.fetching = False
        if task.cancelled():
            return
        if error := task.exception():
            if not isinstance(error, UNREACHABLE):
                log.error("fetching %s of the %s failed", topic.id, self.what, exc_info=error)
            topic.again = True
            self._pause(error)
        if topic.again and self._held(topic):
            self._due[topic.id] = None
        self._depart()

    def _pause(self, error: BaseException) -> None:
        if not self._paused:
            log.warning("%s cannot be fetched now: %s", self.what, why(error))
            self._paused = True
            self._loop.call_later(self._settings.hub_pause_ms / 1000, self._go_on)

    def _go_on(self) -> None:
        self._paused = False
        self._depart()

    def _mind_gap(self, topic: T, grace_ms: int) -> None:
        if topic.order.gap and topic.gap_timer is None:
            topic.gap_timer = self._loop.call_later(grace_ms / 1000, self._gap, topic)

    def _gap(self, topic: T) -> None:
        topic.gap_timer = None
        if topic.order.gap and self._held(topic):
            self._fetch_soon(topic, "gap")
