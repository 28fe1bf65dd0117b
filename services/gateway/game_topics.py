"""The games that somebody listens to: kept current, in order of version, each update handed on once.

An update comes by Redis, or from the answer to a command of this gateway, or by asking. Whatever the way, only the
next version is handed on; one that comes again is ignored, one that comes early waits a moment for those before it,
and then the game service is asked. It is asked, too, after each subscription, after each doubt about Redis, and when a
running game has been silent for long.
"""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from google.protobuf.message import DecodeError

from services.domain.refusal import Refusal
from services.gateway.held_game import HeldGame
from services.gateway.hub_ports import UNREACHABLE, Channels, GameReader, HubRefused, full_up, unavailable, why
from services.gateway.in_order import InOrder
from services.gateway.listeners import GameListener
from services.gateway.shapes import Change
from services.gateway.socket_metrics import HUB_DUPLICATES, HUB_FETCHES, HUB_GAMES
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1 import events_pb2, game_pb2
from services.runtime.redis_keys import game_channel
from services.runtime.wire import refusal_from_pb

log = logging.getLogger(__name__)

PAUSE_S = 0.25
"""How long fetching pauses when the game service did not answer."""

Reason = Literal["load", "gap", "subscribed", "epoch", "silence", "torn", "ahead", "resume"]

_KINDS = {
    "move": events_pb2.GAME_EVENT_KIND_MOVE,
    "resign": events_pb2.GAME_EVENT_KIND_ENDED,
    "abort": events_pb2.GAME_EVENT_KIND_ENDED,
}
"""What an accepted command has certainly done. One about draws may have offered, closed or ended."""


@dataclass(slots=True, eq=False)
class _Topic:
    """One game and who listens to it."""

    id: str
    early_max: int
    listeners: dict[GameListener, None] = field(default_factory=dict)
    joining: int = 0
    game: HeldGame | None = None
    refusal: Refusal | None = None
    loaded: asyncio.Event = field(default_factory=asyncio.Event)
    unread: list[events_pb2.GameEvent] = field(default_factory=list)
    fetching: bool = False
    again: bool = False
    whole: bool = False
    gap_timer: asyncio.TimerHandle | None = None
    cover: asyncio.Lock = field(default_factory=asyncio.Lock)
    order: InOrder[Change] = field(init=False)

    def __post_init__(self) -> None:
        self.order = InOrder(0, self.early_max)

    @property
    def used(self) -> bool:
        return bool(self.listeners) or self.joining > 0


class GameTopics:
    """All of them. `tick` is called often by whoever owns this."""

    def __init__(self, settings: SocketSettings, reader: GameReader, channels: Channels) -> None:
        self._settings = settings
        self._reader = reader
        self._channels = channels
        self._topics: dict[str, _Topic] = {}
        self._idle: OrderedDict[str, float] = OrderedDict()
        self._quiet: OrderedDict[str, float] = OrderedDict()
        self._due: OrderedDict[str, None] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._paused = False
        self._loop = asyncio.get_running_loop()
        self.listeners = 0
        """How many there are, over all games."""

    def __len__(self) -> int:
        """Games held, those that linger included."""
        return len(self._topics)

    async def join(self, game_id: str, listener: GameListener, since: int) -> HeldGame:
        """Listen to a game. Raises HubRefused.

        Nothing can have happened between the game that is returned and the first update. Events after `since` are in
        it, unless too many were missed or the game service did not answer.
        """
        if self.listeners >= self._settings.hub_listeners_max:
            raise full_up("listeners")
        topic = self._topic(game_id)
        topic.joining += 1
        try:
            game = topic.game or await self._loaded(topic)
            if since > game.version:
                HUB_FETCHES.labels("ahead").inc()
                await self._fetch(topic)
            elif since > 0 and self._lacks(game, since):
                await self._cover(topic, since)
            game = topic.game or game
            if listener not in topic.listeners:
                topic.listeners[listener] = None
                self.listeners += 1
            return game
        finally:
            topic.joining -= 1
            self._rest(topic)

    def leave(self, game_id: str, listener: GameListener) -> None:
        """Stop listening; harmless for one that does not."""
        topic = self._topics.get(game_id)
        if topic is not None and listener in topic.listeners:
            del topic.listeners[listener]
            self.listeners -= 1
            self._rest(topic)

    def held(self, game_id: str) -> HeldGame | None:
        """The game, if it is held now."""
        topic = self._topics.get(game_id)
        return topic.game if topic else None

    def change(self, game_id: str, version: int) -> Change | None:
        """The event that made a version, if it is among those kept."""
        game = self.held(game_id)
        known = game.changes_after(version - 1) if game else None
        return known[0] if known else None

    def committed(self, command: game_pb2.Command, accepted: game_pb2.Accepted) -> None:
        """Hand on what a command of this gateway has just committed, before it comes back by Redis."""
        topic = self._topics.get(command.game_id)
        kind = _KINDS.get(command.WhichOneof("action") or "")
        if topic is None or topic.game is None or kind is None or accepted.repeated:
            return
        by = topic.game.colour_of(command.player_id)
        self._take(topic, events_pb2.GameEvent(kind=kind, state=accepted.state, by=by))

    def heard(self, game_id: str, payload: bytes) -> None:
        """Take a message from the game's channel."""
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
        elif topic.game is not None:
            self._take(topic, message.event)
        elif len(topic.unread) < self._settings.hub_early_max:
            topic.unread.append(message.event)

    def subscribed(self, game_id: str) -> None:
        """The game's channel is heard from now on."""
        topic = self._topics.get(game_id)
        if topic is not None:
            self._fetch_soon(topic, "subscribed" if topic.game else "load")

    def doubt(self, reason: Reason) -> None:
        """Something may have been missed: ask for every game that is held."""
        for topic in self._topics.values():
            self._fetch_soon(topic, reason)

    def tick(self, now_s: float, silence_s: float) -> None:
        """Ask for running games that have been silent for `silence_s`, and let go of those that nobody wants."""
        while self._quiet and next(iter(self._quiet.values())) + silence_s <= now_s:
            game_id, _ = self._quiet.popitem(last=False)
            self._quiet[game_id] = now_s
            self._fetch_soon(self._topics[game_id], "silence")
        while self._idle and next(iter(self._idle.values())) + self._settings.hub_linger_ms / 1000 <= now_s:
            self._forget(self._topics[next(iter(self._idle))])

    async def close(self, reason: Exception) -> None:
        """End all listeners and what is under way."""
        for topic in list(self._topics.values()):
            for listener in tuple(topic.listeners):
                listener.ended(reason)
            self._forget(topic)
        self.listeners = 0
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _topic(self, game_id: str) -> _Topic:
        topic = self._topics.get(game_id)
        if topic is not None:
            self._idle.pop(game_id, None)
            return topic
        if len(self._topics) >= self._settings.hub_games_max:
            if not self._idle:
                raise full_up("games")
            self._forget(self._topics[next(iter(self._idle))])
        topic = self._topics[game_id] = _Topic(game_id, self._settings.hub_early_max)
        HUB_GAMES.set(len(self._topics))
        self._channels.want(game_channel(game_id))
        if self._channels.up:
            # The first fetch waits for the subscription, so that nothing can fall between them; but not for long.
            self._loop.call_later(self._settings.hub_subscribed_ms / 1000, self._load, topic)
        else:
            self._load(topic)
        return topic

    def _load(self, topic: _Topic) -> None:
        if topic.game is None and topic.refusal is None and not topic.fetching:
            self._fetch_soon(topic, "load")

    def _rest(self, topic: _Topic) -> None:
        if not topic.used and self._topics.get(topic.id) is topic:
            self._idle[topic.id] = self._loop.time()

    def _forget(self, topic: _Topic) -> None:
        if self._topics.get(topic.id) is not topic:
            return
        del self._topics[topic.id]
        self._idle.pop(topic.id, None)
        self._quiet.pop(topic.id, None)
        self._due.pop(topic.id, None)
        if topic.gap_timer is not None:
            topic.gap_timer.cancel()
        self._channels.drop(game_channel(topic.id))
        HUB_GAMES.set(len(self._topics))

    async def _loaded(self, topic: _Topic) -> HeldGame:
        try:
            async with asyncio.timeout(self._settings.hub_load_ms / 1000):
                await topic.loaded.wait()
        except TimeoutError:
            raise unavailable() from None
        if topic.refusal is not None:
            raise HubRefused(topic.refusal)
        if topic.game is None:
            raise unavailable()
        return topic.game

    def _lacks(self, game: HeldGame, since: int) -> bool:
        """Whether events after `since` are unknown here and few enough to ask for."""
        few = game.version - since <= self._settings.hub_resume_events_max
        return few and game.changes_after(since) is None

    async def _cover(self, topic: _Topic, since: int) -> None:
        async with topic.cover:
            game = topic.game
            if game is None or game.changes_after(since) is not None:
                return
            HUB_FETCHES.labels("resume").inc()
            try:
                fetched = await self._reader.fetch(game_pb2.FetchItem(game_id=topic.id, since_version=since))
            except UNREACHABLE as error:
                log.info("game %s: resumes with the whole game: %s", topic.id, why(error))
                return
            if topic.game is not game:
                return
            changes = [game.change(event) for event in fetched.events.events]
            game.remember([change for change in changes if change.version <= game.version])
            for change in changes:
                self._take(topic, change.event)

    def _fetch_soon(self, topic: _Topic, reason: Reason) -> None:
        HUB_FETCHES.labels(reason).inc()
        if topic.fetching:
            topic.again = True
            return
        self._due[topic.id] = None
        if topic.game is None:
            self._due.move_to_end(topic.id, last=False)
        self._depart()

    def _depart(self) -> None:
        while self._due and not self._paused and len(self._tasks) < self._settings.hub_fetches_max:
            topic = self._topics[self._due.popitem(last=False)[0]]
            topic.fetching, topic.again = True, False
            task = asyncio.ensure_future(self._fetch(topic))
            self._tasks.add(task)
            task.add_done_callback(partial(self._back, topic))

    def _back(self, topic: _Topic, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        topic.fetching = False
        if task.cancelled():
            return
        if error := task.exception():
            log.error("fetching game %s failed", topic.id, exc_info=error)
            topic.again = True
            self._pause(error)
        if topic.again and self._topics.get(topic.id) is topic:
            self._due[topic.id] = None
        self._depart()

    def _pause(self, error: BaseException) -> None:
        if not self._paused:
            log.warning("games cannot be fetched now: %s", why(error))
            self._paused = True
            self._loop.call_later(PAUSE_S, self._go_on)

    def _go_on(self) -> None:
        self._paused = False
        self._depart()

    async def _fetch(self, topic: _Topic) -> None:
        since = 0 if topic.game is None or topic.whole else topic.game.version
        try:
            fetched = await self._reader.fetch(game_pb2.FetchItem(game_id=topic.id, since_version=since))
        except UNREACHABLE as error:
            topic.again = True
            self._pause(error)
            return
        if self._topics.get(topic.id) is not topic:
            return
        match fetched.WhichOneof("result"):
            case "events":
                for event in fetched.events.events:
                    self._take(topic, event)
            case "snapshot":
                self._take_whole(topic, fetched.snapshot)
            case "refusal":
                self._refused(topic, refusal_from_pb(fetched.refusal))
        self._listen_for_silence(topic)
        self._mind_gap(topic, PAUSE_S)

    def _refused(self, topic: _Topic, refusal: Refusal) -> None:
        if topic.game is not None:
            log.warning("held game %s: %s %s", topic.id, refusal.code, refusal.message)
            return
        topic.refusal = refusal
        topic.loaded.set()
        self._forget(topic)

    def _take_whole(self, topic: _Topic, snapshot: game_pb2.Snapshot) -> None:
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
            topic.again = topic.again or topic.whole  # it was overtaken while it travelled
            return
        topic.whole = False

    def _take(self, topic: _Topic, event: events_pb2.GameEvent) -> None:
        game = topic.game
        if game is None:
            return
        if event.state.version <= topic.order.last:
            HUB_DUPLICATES.inc()
            return
        for change in topic.order.take(event.state.version, game.change(event)) or ():
            self._apply(topic, game, change)
        self._mind_gap(topic, self._settings.hub_gap_grace_ms / 1000)

    def _mind_gap(self, topic: _Topic, grace_s: float) -> None:
        if topic.order.gap and topic.gap_timer is None:
            topic.gap_timer = self._loop.call_later(grace_s, self._gap, topic)

    def _gap(self, topic: _Topic) -> None:
        topic.gap_timer = None
        if topic.order.gap and self._topics.get(topic.id) is topic:
            self._fetch_soon(topic, "gap")

    def _apply(self, topic: _Topic, game: HeldGame, change: Change) -> None:
        fits = game.apply(change)
        self._listen_for_silence(topic)
        for listener in tuple(topic.listeners):
            listener.changed(change)
        if not fits:
            topic.whole = True
            self._fetch_soon(topic, "torn")

    def _listen_for_silence(self, topic: _Topic) -> None:
        if topic.game is not None and topic.game.running and self._topics.get(topic.id) is topic:
            self._quiet[topic.id] = self._loop.time()
            self._quiet.move_to_end(topic.id)
        else:
            self._quiet.pop(topic.id, None)
