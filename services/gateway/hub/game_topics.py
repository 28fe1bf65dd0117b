"""The games that have listeners here: kept current, each update sent on once, in order of version.

An update comes from Redis, from the answer to a command of this gateway, or from a fetch. In each case only the next
version is sent on. A repeated version is ignored. A version that comes early waits a moment for the missing ones; then
the game is fetched. A game is also fetched after each subscription, after each doubt about Redis, and when a running
game has been silent for a long time.
"""

import asyncio
import logging
from collections import OrderedDict

from google.protobuf.message import DecodeError

from services.domain.refusal import Refusal
from services.gateway.errors import HubRefused, unavailable
from services.gateway.game_calls.unreachable import UNREACHABLE, why
from services.gateway.hub.held_game import HeldGame
from services.gateway.hub.listeners import GameListener
from services.gateway.hub.metrics import HUB_DUPLICATES, HUB_FETCHES, HUB_GAMES
from services.gateway.hub.ports import Channels, Fetches
from services.gateway.hub.topics import Topic, Topics
from services.gateway.protocol.shapes import EventFrame
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.redis_keys import game_channel
from services.runtime.wire import refusal_from_pb

log = logging.getLogger(__name__)


class GameTopic(Topic[GameListener]):
    """One game and its listeners."""

    def __init__(self, id: str, early_max: int) -> None:
        super().__init__(id, early_max)
        self.game: HeldGame | None = None
        self.refusal: Refusal | None = None
        self.unread: list[events_pb2.GameEvent] = []
        """Events heard before the game was loaded."""
        self.whole = False
        """Whether the held moves do not fit the state: the next fetch asks for the whole game."""
        self.cover = asyncio.Lock()


class GameTopics(Topics[GameTopic, GameListener]):
    """All games with listeners. The owner calls `tick` often."""

    what = "games"

    def __init__(self, settings: SocketSettings, reader: Fetches, channels: Channels) -> None:
        super().__init__(settings, channels, game_channel, GameTopic, settings.hub_games_max, HUB_GAMES)
        self._reader = reader
        self._quiet: OrderedDict[str, float] = OrderedDict()

    async def join(self, game_id: str, listener: GameListener, since: int) -> HeldGame:
        """Listen to a game. Raises HubRefused.

        No update can be missed between the returned game and the first call of the listener. The game holds the events
        after version `since`, unless too many were missed or the game service did not answer.
        """
        with self._joining(game_id) as topic:
            game = topic.game or await self._loaded(topic)
            if since > game.version:
                await self._bring_forward(topic)
            elif since > 0 and self._lacks(game, since):
                await self._cover(topic, since)
            self._listen(topic, listener)
            return topic.game or game

    def held(self, game_id: str) -> HeldGame | None:
        """The game, or None when it is not held now."""
        topic = self._topics.get(game_id)
        return topic.game if topic else None

    def change(self, game_id: str, version: int) -> EventFrame | None:
        """The event that made this version; None when it is not kept here."""
        game = self.held(game_id)
        known = game.changes_after(version - 1) if game else None
        return known[0] if known else None

    def committed(self, command: game_pb2.Command, accepted: game_pb2.Accepted) -> None:
        """Send on what a command of this gateway has committed, without waiting for Redis.

        A game service of the previous release sends no event in its answer: then the event comes by Redis only.
        """
        topic = self._topics.get(command.game_id)
        if topic is None or topic.game is None or accepted.repeated or not accepted.HasField("event"):
            return
        event = events_pb2.GameEvent()
        event.CopyFrom(accepted.event)  # a reference to a part of the answer would keep its whole batch in memory
        event.traceparent = command.traceparent
        if not event.HasField("state"):
            event.state.CopyFrom(accepted.state)
        self._take(topic, event)

    def heard(self, game_id: str, payload: bytes) -> None:
        """Handle a message from the game's channel: an event, a chat line or a hint."""
        topic = self._topics.get(game_id)
        if topic is None:
            return
        try:
            message = events_pb2.GameMessage.FromString(payload)
        except DecodeError:
            log.warning("a message on the channel of game %s cannot be read", game_id)
            return
        if message.HasField("chat"):
            for listener in tuple(topic.listeners):
                listener.said(message.chat)
        elif message.HasField("event"):
            self._came(topic, message.event)
        elif message.HasField("hint"):
            for listener in tuple(topic.listeners):
                listener.hinted(message.hint)

    def tick(self, now_s: float, silence_s: float) -> None:
        """Fetch running games that have been silent for `silence_s`; drop games that had no listener for a while."""
        while self._quiet and next(iter(self._quiet.values())) + silence_s <= now_s:
            game_id, _ = self._quiet.popitem(last=False)
            self._quiet[game_id] = now_s
            self._fetch_soon(self._topics[game_id], "silence")
        self._let_go(now_s)

    def _forget(self, topic: GameTopic) -> None:
        if self._held(topic):
            self._quiet.pop(topic.id, None)
        super()._forget(topic)

    def _came(self, topic: GameTopic, event: events_pb2.GameEvent) -> None:
        """Handle an event from the channel; it waits until the game is loaded."""
        if topic.game is not None:
            self._take(topic, event)
        elif len(topic.unread) < self._settings.hub_early_max:
            topic.unread.append(event)

    async def _loaded(self, topic: GameTopic) -> HeldGame:
        await self._wait_for(topic)
        if topic.refusal is not None:
            raise HubRefused(topic.refusal)
        if topic.game is None:
            raise unavailable()
        return topic.game

    async def _bring_forward(self, topic: GameTopic) -> None:
        HUB_FETCHES.labels("ahead").inc()
        try:
            await self._fetch(topic)
        except UNREACHABLE as error:
            log.info("game %s: newer events cannot be fetched: %s", topic.id, why(error))

    def _lacks(self, game: HeldGame, since: int) -> bool:
        """Whether events after `since` are missing here, and few enough to fetch."""
        few = game.version - since <= self._settings.hub_resume_events_max
        return few and game.changes_after(since) is None

    async def _cover(self, topic: GameTopic, since: int) -> None:
        async with topic.cover:
            game = topic.game
            if game is None or game.changes_after(since) is not None:
                return
            HUB_FETCHES.labels("resume").inc()
            try:
                fetched = await self._reader.fetch(game_pb2.FetchItem(game_id=topic.id, since_version=since))
            except UNREACHABLE as error:
                log.info("game %s: a resume gets the whole game: %s", topic.id, why(error))
                return
            if topic.game is not game:
                return
            changes = [game.change(event) for event in fetched.events.events]
            game.remember([change for change in changes if change.version <= game.version])
            for change in changes:
                self._take(topic, change.event)

    async def _fetch(self, topic: GameTopic) -> None:
        since = 0 if topic.game is None or topic.whole else topic.game.version
        fetched = await self._reader.fetch(game_pb2.FetchItem(game_id=topic.id, since_version=since))
        if not self._held(topic):
            return
        match fetched.WhichOneof("result"):
            case "events":
                for event in fetched.events.events:
                    self._take(topic, event)
            case "snapshot":
                self._take_whole(topic, fetched.snapshot)
            case "up_to_date":
                self._up_to_date(topic, fetched.up_to_date.version)
            case "refusal":
                self._refused(topic, refusal_from_pb(fetched.refusal))
        self._listen_for_silence(topic)
        self._mind_gap(topic, self._settings.hub_pause_ms)

    def _up_to_date(self, topic: GameTopic, version: int) -> None:
        """Called when a fetch found nothing new to hand out; `version` is the newest version."""

    def _refused(self, topic: GameTopic, refusal: Refusal) -> None:
        if topic.game is not None:
            log.warning("held game %s: %s %s", topic.id, refusal.code, refusal.text)
            return
        topic.refusal = refusal
        topic.loaded.set()
        self._forget(topic)

    def _take_whole(self, topic: GameTopic, snapshot: game_pb2.Snapshot) -> None:
        version = snapshot.state.version
        if topic.game is None:
            topic.game = HeldGame(snapshot, self._settings.hub_events_kept)
            topic.order.jump(version)
            topic.loaded.set()
            unread, topic.unread = topic.unread, []
            for event in unread:
                self._take(topic, event)
        elif version > topic.game.version or (version == topic.game.version and topic.whole):
            topic.game = HeldGame(snapshot, self._settings.hub_events_kept)
            ready = topic.order.jump(version)
            for listener in tuple(topic.listeners):
                listener.reloaded(topic.game)
            for change in ready:
                self._apply(topic, topic.game, change)
        else:
            topic.again = topic.again or topic.whole  # a newer event arrived during this fetch
            return
        topic.whole = False

    def _take(self, topic: GameTopic, event: events_pb2.GameEvent) -> None:
        game = topic.game
        if game is None:
            return
        if event.state.version <= topic.order.last:
            HUB_DUPLICATES.inc()
            return
        for change in topic.order.take(event.state.version, game.change(event)) or ():
            self._apply(topic, game, change)
        self._mind_gap(topic, self._settings.hub_gap_grace_ms)

    def _apply(self, topic: GameTopic, game: HeldGame, change: EventFrame) -> None:
        fits = game.apply(change)
        self._listen_for_silence(topic)
        for listener in tuple(topic.listeners):
            listener.changed(change)
        if not fits:
            topic.whole = True
            self._fetch_soon(topic, "torn")

    def _listen_for_silence(self, topic: GameTopic) -> None:
        if topic.game is not None and topic.game.running and self._held(topic):
            self._quiet[topic.id] = self._loop.time()
            self._quiet.move_to_end(topic.id)
        else:
            self._quiet.pop(topic.id, None)
