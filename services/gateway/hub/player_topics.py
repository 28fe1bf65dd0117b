"""The players whose own events have listeners here: each event once, in order of its number, without gaps."""

import logging

from google.protobuf.message import DecodeError

from services.gateway.errors import unavailable
from services.gateway.game_calls.unreachable import UNREACHABLE
from services.gateway.hub.listeners import OthersWatch, PlayerListener
from services.gateway.hub.metrics import HUB_DUPLICATES, HUB_FETCHES, HUB_PLAYERS
from services.gateway.hub.ports import Channels, GameReader
from services.gateway.hub.topics import Topic, Topics
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1.events_pb2 import PlayerEvent
from services.pb.flagfall.v1.game_pb2 import ListPlayerEventsResponse
from services.runtime.redis_keys import player_channel

log = logging.getLogger(__name__)

NEWEST = 2**62
"""A fetch after this number returns no events, only the last number."""

_Player = Topic[PlayerListener]


class PlayerTopics(Topics[_Player, PlayerListener]):
    """All players with listeners. The owner calls `tick` often."""

    what = "players"

    def __init__(self, settings: SocketSettings, reader: GameReader, channels: Channels) -> None:
        super().__init__(settings, channels, player_channel, _Player, settings.hub_players_max, HUB_PLAYERS)
        self._reader = reader
        self._asked_s = 0.0

    async def join(self, player_id: str, listener: PlayerListener, since: int | None) -> tuple[int, list[PlayerEvent]]:
        """Listen to a player's own events. Raises HubRefused.

        Returns the number after which the listener gets every event, and the events after `since` up to that number:
        the newest of them when there are too many, none without `since`.
        """
        with self._joining(player_id) as topic:
            await self._wait_for(topic)
            if not self._held(topic):
                raise unavailable()
            missed: list[PlayerEvent] = []
            if since is not None and since != topic.order.last:
                missed = await self._missed(topic, since)
            self._listen(topic, listener)
            return topic.order.last, [event for event in missed if event.seq <= topic.order.last]

    @property
    def listened(self) -> list[str]:
        """Ids of the players who listen to their own events. Other people's listeners do not count."""
        return [
            topic.id
            for topic in self._topics.values()
            if any(not isinstance(listener, OthersWatch) for listener in topic.listeners)
        ]

    def heard(self, player_id: str, payload: bytes) -> None:
        """Handle a message from the player's channel."""
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

    def tick(self, now_s: float, silence_s: float | None) -> None:
        """Drop players that had no listener for a while. `silence_s`: Redis is away, so fetch all events that often."""
        if silence_s is not None and self._asked_s + silence_s <= now_s:
            self._asked_s = now_s
            self.doubt("silence")
        self._let_go(now_s)

    async def _missed(self, topic: _Player, since: int) -> list[PlayerEvent]:
        HUB_FETCHES.labels("resume").inc()
        last = topic.order.last
        start = min(last, max(since, last - self._settings.hub_player_events_max))
        try:
            answer = await self._reader.list_player_events(topic.id, start)
        except UNREACHABLE as error:
            raise unavailable() from error
        self._take_all(topic, answer)
        return [event for event in answer.events if event.seq > since]

    async def _fetch(self, topic: _Player) -> None:
        since = topic.order.last if topic.loaded.is_set() else NEWEST
        answer = await self._reader.new_player_events(topic.id, since)
        if topic.loaded.is_set():
            self._take_all(topic, answer)
        else:
            topic.order.jump(answer.last_seq)
            topic.loaded.set()

    def _take_all(self, topic: _Player, answer: ListPlayerEventsResponse) -> None:
        # Deleted events are skipped. Events that did not fit into the answer are fetched next.
        end = answer.events[0].seq - 1 if answer.events else answer.last_seq
        for event in topic.order.jump(end):
            self._hand_on(topic, event)
        for event in answer.events:
            self._take(topic, event)
        if topic.order.last < answer.last_seq:
            self._fetch_soon(topic, "more")

    def _take(self, topic: _Player, event: PlayerEvent) -> None:
        ready = topic.order.take(event.seq, event)
        if ready is None:
            HUB_DUPLICATES.inc()
            return
        for one in ready:
            self._hand_on(topic, one)
        self._mind_gap(topic, self._settings.hub_gap_grace_ms)

    def _hand_on(self, topic: _Player, event: PlayerEvent) -> None:
        for listener in tuple(topic.listeners):
            listener.happened(event)
