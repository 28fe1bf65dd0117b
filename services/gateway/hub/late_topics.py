"""Games for spectators when watching is delayed (`spectator_delay_ms`): they get each event that much later.

A fetch (FetchLate) already returns the delayed state. An event from a channel waits here until it is old enough. The
end of a game releases all waiting events, since nothing is secret any more. After a subscription, and whenever messages
may have been missed, unheard events become old enough one by one. So the game is fetched again and again, until every
event was either sent on or waits here.
"""

from collections import deque

from prometheus_client import Gauge

from services.gateway.hub.game_topics import GameTopic, GameTopics
from services.gateway.hub.ports import Channels, Fetches
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.spectator_delay import postponed

HUB_LATE_GAMES = Gauge("flagfall_hub_late_games", "Games held for listeners with a delay.")

_OF_NO_DOUBT = frozenset(["late", "silence", "gap", "torn"])
"""Reasons for a fetch that do not mean that an older event was missed."""


class LateTopics(GameTopics):
    """All games with spectators who may not see the newest moves."""

    what = "delayed_games"

    def __init__(self, settings: SocketSettings, reader: Fetches, channels: Channels) -> None:
        super().__init__(settings, reader, channels)
        self._gauge = HUB_LATE_GAMES
        self._delay_ms = settings.spectator_delay_ms
        self._waiting: dict[str, deque[tuple[float, events_pb2.GameEvent]]] = {}
        self._unsure: set[str] = set()

    def committed(self, command: game_pb2.Command, accepted: game_pb2.Accepted) -> None:
        """Do nothing: spectators get the event later, from the channel."""

    def _came(self, topic: GameTopic, event: events_pb2.GameEvent) -> None:
        waiting = self._waiting.setdefault(topic.id, deque())
        if event.state.status != events_pb2.GAME_STATUS_STARTED:
            while waiting:
                super()._came(topic, waiting.popleft()[1])
            super()._came(topic, event)
        elif len(waiting) < self._settings.hub_late_events_max:
            waiting.append((self._loop.time() + self._delay_ms / 1000, postponed(event, self._delay_ms)))
            if len(waiting) == 1:
                self._wait(topic)
        # A dropped event makes a gap when its time comes, and is fetched then.

    def _wait(self, topic: GameTopic) -> None:
        waiting = self._waiting.get(topic.id)
        if waiting:
            self._loop.call_at(waiting[0][0], self._due_now, topic)

    def _due_now(self, topic: GameTopic) -> None:
        waiting = self._waiting.get(topic.id)
        if not self._held(topic) or waiting is None:
            return
        while waiting and waiting[0][0] <= self._loop.time():
            super()._came(topic, waiting.popleft()[1])
        self._wait(topic)

    def _fetch_soon(self, topic: GameTopic, reason: str) -> None:
        if reason not in _OF_NO_DOUBT:
            self._unsure.add(topic.id)
        super()._fetch_soon(topic, reason)

    async def _fetch(self, topic: GameTopic) -> None:
        await super()._fetch(topic)
        running = topic.game is not None and topic.game.running
        if running and self._held(topic) and topic.id in self._unsure:
            self._loop.call_later(self._settings.hub_late_poll_ms / 1000, self._again, topic)

    def _up_to_date(self, topic: GameTopic, version: int) -> None:
        known = {event.state.version for _, event in self._waiting.get(topic.id, ())}
        if known.issuperset(range(topic.order.last + 1, version + 1)):
            self._unsure.discard(topic.id)

    def _again(self, topic: GameTopic) -> None:
        if self._held(topic):
            self._fetch_soon(topic, "late")

    def _forget(self, topic: GameTopic) -> None:
        if self._held(topic):
            self._waiting.pop(topic.id, None)
            self._unsure.discard(topic.id)
        super()._forget(topic)


class SharedChannels:
    """Counts who wants each channel: it is dropped when nobody wants it any more. See ports.Channels."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._wanted: dict[str, int] = {}

    def want(self, channel: str) -> None:
        """Subscribe to a channel, once for each call of `drop` later."""
        count = self._wanted.get(channel, 0)
        self._wanted[channel] = count + 1
        if not count:
            self._channels.want(channel)

    def drop(self, channel: str) -> None:
        """Undo one `want`."""
        count = self._wanted.pop(channel, 0) - 1
        if count > 0:
            self._wanted[channel] = count
        else:
            self._channels.drop(channel)

    @property
    def up(self) -> bool:
        """Whether the connection is up."""
        return self._channels.up
