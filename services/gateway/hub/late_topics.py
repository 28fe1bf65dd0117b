"""Games as those hear them who only watch where watching is delayed (`spectator_delay_ms`): each event so much later.

What is asked for comes from the game service already as of a while ago (FetchLate). What is heard on a channel waits
here; the end of a game lets go of all that waited, since it holds nothing back. Right after a channel is subscribed, or
whenever something may have been missed, events that nobody heard grow old enough one by one: the game is asked for
again and again until all that there is was told or waits here.
"""

from collections import deque

from prometheus_client import Gauge

from services.gateway.hub.game_topics import GameTopic, GameTopics
from services.gateway.hub.ports import Channels, Fetches
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.spectator_delay import postponed

HUB_LATE_GAMES = Gauge("flagfall_hub_late_games", "Games held for listeners who hear of them later.")

_OF_NO_DOUBT = frozenset(["late", "silence", "gap", "torn"])
"""Reasons to ask for a game that do not mean that something older was missed."""


class LateTopics(GameTopics):
    """All games that somebody watches who may not see the newest moves."""

    what = "delayed games"

    def __init__(self, settings: SocketSettings, reader: Fetches, channels: Channels) -> None:
        super().__init__(settings, reader, channels)
        self._gauge = HUB_LATE_GAMES
        self._delay_ms = settings.spectator_delay_ms
        self._waiting: dict[str, deque[tuple[float, events_pb2.GameEvent]]] = {}
        self._unsure: set[str] = set()

    def committed(self, command: game_pb2.Command, accepted: game_pb2.Accepted) -> None:
        """What was committed here is told later, too."""

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
        # What is dropped is a gap, once its time has come, and is asked for then.

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
    """Channels that are wanted twice: each is heard until nobody wants it any more. See hub_ports.Channels."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._wanted: dict[str, int] = {}

    def want(self, channel: str) -> None:
        """Hear a channel."""
        count = self._wanted.get(channel, 0)
        self._wanted[channel] = count + 1
        if not count:
            self._channels.want(channel)

    def drop(self, channel: str) -> None:
        """One wants it no longer."""
        count = self._wanted.pop(channel, 0) - 1
        if count > 0:
            self._wanted[channel] = count
        else:
            self._channels.drop(channel)

    @property
    def up(self) -> bool:
        """Whether anything can be heard now."""
        return self._channels.up
