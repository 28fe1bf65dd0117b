"""The players whose own events somebody listens to: each event once, in order of its number, without gaps."""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from services.gateway.hub_ports import UNREACHABLE, Channels, GameReader, full_up, unavailable, why
from services.gateway.in_order import InOrder
from services.gateway.listeners import PlayerListener
from services.gateway.socket_metrics import HUB_DUPLICATES, HUB_FETCHES, HUB_PLAYERS
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1.events_pb2 import PlayerEvent
from services.pb.flagfall.v1.game_pb2 import ListPlayerEventsResponse
from services.runtime.redis_keys import player_channel

log = logging.getLogger(__name__)

PAUSE_S = 0.5
"""How long a player rests after the game service did not answer."""
NEWEST = 2**62
"""Asking for events after this gives none, but the last number."""


@dataclass(slots=True, eq=False)
class _Topic:
    """One player and who listens."""

    id: str
    order: InOrder[PlayerEvent]
    listeners: dict[PlayerListener, None] = field(default_factory=dict)
    joining: int = 0
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    fetching: bool = False
    again: bool = False
    gap_timer: asyncio.TimerHandle | None = None


class PlayerTopics:
    """All of them. `tick` is called often by whoever owns this."""

    def __init__(self, settings: SocketSettings, reader: GameReader, channels: Channels) -> None:
        self._settings = settings
        self._reader = reader
        self._channels = channels
        self._topics: dict[str, _Topic] = {}
        self._idle: OrderedDict[str, float] = OrderedDict()
        self._due: OrderedDict[str, None] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._asked_s = 0.0
        self.listeners = 0
        """How many there are, over all players."""

    def __len__(self) -> int:
        """Players followed, those that linger included."""
        return len(self._topics)

    async def join(self, player_id: str, listener: PlayerListener, since: int | None) -> tuple[int, list[PlayerEvent]]:
        """Listen to a player's own events. Raises HubRefused.

        Returns the number after which the listener will hear everything, and the events after `since` up to it (the
        newest of them when there are too many; none without `since`).
        """
        if self.listeners >= self._settings.hub_listeners_max:
            raise full_up("listeners")
        topic = self._topic(player_id)
        topic.joining += 1
        try:
            if not topic.loaded.is_set():
                try:
                    async with asyncio.timeout(self._settings.hub_load_ms / 1000):
                        await topic.loaded.wait()
                except TimeoutError:
                    raise unavailable() from None
                if self._topics.get(player_id) is not topic:
                    raise unavailable()
            missed: list[PlayerEvent] = []
            if since is not None and since != topic.order.last:
                missed = await self._missed(topic, since)
            topic.listeners[listener] = None
            self.listeners += 1
            return topic.order.last, [event for event in missed if event.seq <= topic.order.last]
        finally:
            topic.joining -= 1
            self._rest(topic)

    def leave(self, player_id: str, listener: PlayerListener) -> None:
        """Stop listening; harmless for one that does not."""
        topic = self._topics.get(player_id)
        if topic is not None and listener in topic.listeners:
            del topic.listeners[listener]
            self.listeners -= 1
            self._rest(topic)

    def heard(self, player_id: str, payload: bytes) -> None:
        """Take a message from the player's channel."""
        topic = self._topics.get(player_id)
        if topic is None:
            return
        try:
            event = PlayerEvent.FromString(payload)
        except DecodeError:
            log.warning("a message on the channel of player %s cannot be read", player_id)
            return
        if topic.loaded.is_set():
            self._take(topic, event)
        else:
            topic.again = True

    def subscribed(self, player_id: str) -> None:
        """The player's channel is heard from now on."""
        topic = self._topics.get(player_id)
        if topic is not None:
            self._fetch_soon(topic, "subscribed" if topic.loaded.is_set() else "load")

    def doubt(self, reason: str) -> None:
        """Something may have been missed: ask for every player."""
        for topic in self._topics.values():
            self._fetch_soon(topic, reason)

    def tick(self, now_s: float, silence_s: float | None) -> None:
        """Let go of those that nobody wants. With `silence_s` nothing is heard now: ask for all that often."""
        if silence_s is not None and self._asked_s + silence_s <= now_s:
            self._asked_s = now_s
            self.doubt("silence")
        while self._idle and next(iter(self._idle.values())) + self._settings.hub_linger_ms / 1000 <= now_s:
            self._forget(self._topics[next(iter(self._idle))])

    async def close(self, reason: Exception) -> None:
        """End all listeners and what is under way."""
        for topic in list(self._topics.values()):
            for listener in tuple(topic.listeners):
                listener.ended(reason)
            self._forget(topic)
            topic.loaded.set()
        self.listeners = 0
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _topic(self, player_id: str) -> _Topic:
        topic = self._topics.get(player_id)
        if topic is not None:
            self._idle.pop(player_id, None)
            return topic
        if len(self._topics) >= self._settings.hub_players_max:
            if not self._idle:
                raise full_up("players")
            self._forget(self._topics[next(iter(self._idle))])
        topic = self._topics[player_id] = _Topic(player_id, InOrder(0, self._settings.hub_early_max))
        HUB_PLAYERS.set(len(self._topics))
        self._channels.want(player_channel(player_id))
        if self._channels.up:
            self._loop.call_later(self._settings.hub_subscribed_ms / 1000, self._load, topic)
        else:
            self._load(topic)
        return topic

    def _load(self, topic: _Topic) -> None:
        if not topic.loaded.is_set() and not topic.fetching:
            self._fetch_soon(topic, "load")

    def _rest(self, topic: _Topic) -> None:
        if not topic.listeners and not topic.joining and self._topics.get(topic.id) is topic:
            self._idle[topic.id] = self._loop.time()

    def _forget(self, topic: _Topic) -> None:
        if self._topics.get(topic.id) is not topic:
            return
        del self._topics[topic.id]
        self._idle.pop(topic.id, None)
        self._due.pop(topic.id, None)
        if topic.gap_timer is not None:
            topic.gap_timer.cancel()
        self._channels.drop(player_channel(topic.id))
        HUB_PLAYERS.set(len(self._topics))

    async def _missed(self, topic: _Topic, since: int) -> list[PlayerEvent]:
        HUB_FETCHES.labels("resume").inc()
        last = topic.order.last
        start = min(last, max(since, last - self._settings.hub_player_events_max))
        try:
            answer = await self._reader.list_player_events(topic.id, start)
        except UNREACHABLE as error:
            raise unavailable() from error
        self._take_all(topic, answer)
        return [event for event in answer.events if event.seq > since]

    def _fetch_soon(self, topic: _Topic, reason: str) -> None:
        HUB_FETCHES.labels(reason).inc()
        if topic.fetching:
            topic.again = True
            return
        self._due[topic.id] = None
        self._depart()

    def _depart(self) -> None:
        while self._due and len(self._tasks) < self._settings.hub_player_fetches_max:
            topic = self._topics[self._due.popitem(last=False)[0]]
            topic.fetching = True
            task = asyncio.ensure_future(self._fetch(topic))
            self._tasks.add(task)
            task.add_done_callback(self._back)

    def _back(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("fetching a player's events failed", exc_info=error)
        self._depart()

    async def _fetch(self, topic: _Topic) -> None:
        topic.again = False
        try:
            since = topic.order.last if topic.loaded.is_set() else NEWEST
            answer = await self._reader.list_player_events(topic.id, since)
        except UNREACHABLE as error:
            log.info("events of player %s could not be fetched: %s", topic.id, why(error))
            topic.again = True
            await asyncio.sleep(PAUSE_S)
        else:
            if topic.loaded.is_set():
                self._take_all(topic, answer)
            else:
                topic.order.jump(answer.last_seq)
                topic.loaded.set()
        finally:
            topic.fetching = False
        if topic.again and self._topics.get(topic.id) is topic:
            self._due[topic.id] = None

    def _take_all(self, topic: _Topic, answer: ListPlayerEventsResponse) -> None:
        # What was pruned is skipped; what did not fit into the answer is asked for next.
        end = answer.events[0].seq - 1 if answer.events else answer.last_seq
        for event in topic.order.jump(end):
            self._hand_on(topic, event)
        for event in answer.events:
            self._take(topic, event)
        if topic.order.last < answer.last_seq:
            self._fetch_soon(topic, "more")

    def _take(self, topic: _Topic, event: PlayerEvent) -> None:
        ready = topic.order.take(event.seq, event)
        if ready is None:
            HUB_DUPLICATES.inc()
            return
        for one in ready:
            self._hand_on(topic, one)
        if topic.order.gap and topic.gap_timer is None:
            topic.gap_timer = self._loop.call_later(self._settings.hub_gap_grace_ms / 1000, self._gap, topic)

    def _gap(self, topic: _Topic) -> None:
        topic.gap_timer = None
        if topic.order.gap and self._topics.get(topic.id) is topic:
            self._fetch_soon(topic, "gap")

    def _hand_on(self, topic: _Topic, event: PlayerEvent) -> None:
        for listener in tuple(topic.listeners):
            listener.happened(event)
