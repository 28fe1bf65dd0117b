"""The hub: events of games and of players, for all listeners in this process.

One pub/sub connection hears the channels that have listeners here. The topics keep the order and fetch what is missing
from the game service. Redis may lose or repeat messages, send wrong ones, or be away: listeners still see each version
once and in order, at most a second late.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Self

from redis.exceptions import RedisError

from services.domain.refusal import BUSY
from services.gateway.errors import HubRefused
from services.gateway.hub.game_topics import GameTopics
from services.gateway.hub.held_game import HeldGame
from services.gateway.hub.late_topics import LateTopics, SharedChannels
from services.gateway.hub.listeners import GameListener, GameWatch, HubClosed, PlayerListener, PlayerWatch
from services.gateway.hub.metrics import HUB_LISTENERS
from services.gateway.hub.player_topics import PlayerTopics
from services.gateway.hub.ports import Fetches, GameReader
from services.gateway.hub.redis_channels import RedisChannels
from services.gateway.protocol.shapes import EventFrame
from services.gateway.socket_settings import SocketSettings
from services.pb.flagfall.v1.events_pb2 import PlayerEvent
from services.pb.flagfall.v1.game_pb2 import Accepted, Command
from services.runtime.lifecycle import cancelled
from services.runtime.metrics import STREAM_REFETCHES
from services.runtime.redis_client import connect
from services.runtime.redis_keys import game_channel, player_channel
from services.runtime.stream_watch import identify

log = logging.getLogger(__name__)

_GAME = game_channel("")
_PLAYER = player_channel("")


class Hub:
    """One for each process, used as an async context. Methods raise HubRefused when they cannot follow something."""

    def __init__(self, settings: SocketSettings, reader: GameReader, late: Fetches | None = None) -> None:
        """`late` reads games for spectators when the settings delay what they see; None without a delay."""
        self._settings = settings
        self._reader = reader
        if settings.spectator_delay_ms and late is None:
            raise ValueError("watching is delayed, and nothing reads games as of a while ago")
        self._late_reader = late
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        settings = self._settings
        self._loop = asyncio.get_running_loop()
        self._channels = RedisChannels(settings, self)
        shared = SharedChannels(self._channels)
        self._games = GameTopics(settings, self._reader, shared)
        self._late: LateTopics | None = None
        self._closed = False
        if settings.spectator_delay_ms and self._late_reader is not None:
            self._late = LateTopics(settings, self._late_reader, shared)
        self._players = PlayerTopics(settings, self._reader, self._channels)
        self._start(self._channels.run(), "pub/sub")
        self._start(self._watch_epoch(), "epoch")
        self._start(self._tick(), "tick")
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            await cancelled(task)
        self._closed = True
        closed = HubClosed("this server is being replaced")
        for topics in self._of_games:
            await topics.close(closed)
        await self._players.close(closed)
        await self._channels.close()

    @property
    def _of_games(self) -> list[GameTopics]:
        return [self._games] if self._late is None else [self._games, self._late]

    def _check_open(self) -> None:
        """Refuse a listener who comes while this process stops: nothing would ever end it."""
        if self._closed:
            raise HubRefused(BUSY)

    @property
    def games(self) -> int:
        """How many games are held, with those that linger without listeners."""
        return sum(map(len, self._of_games))

    @property
    def players(self) -> int:
        """How many players are followed, with those that linger without listeners."""
        return len(self._players)

    @property
    def connected(self) -> list[str]:
        """Ids of the players who listen to their own events here, by a stream or a socket."""
        return self._players.listened

    @property
    def hearing(self) -> bool:
        """Whether the Redis connection is up, as far as is known."""
        return self._channels.up

    @property
    def listeners(self) -> int:
        """How many listeners games and players have."""
        return sum(topics.listeners for topics in self._of_games) + self._players.listeners

    async def check(self) -> None:
        """A readiness check: raises when a task of the hub has ended. Redis may be away; games continue without it."""
        for task in self._tasks:
            if task.done():
                raise RuntimeError(f"{task.get_name()} has ended")

    @asynccontextmanager
    async def watch_game(
        self, game_id: str, *, newest_wins: bool = False, viewer_id: str = ""
    ) -> AsyncIterator[GameWatch]:
        """A game and its updates, for one reader with its own queue, as the player `viewer_id` may see it."""
        watch = GameWatch(self._settings.hub_queue_max, newest_wins)
        watch.game = await self.join_game(game_id, watch, viewer_id=viewer_id)
        try:
            yield watch
        finally:
            self.leave_game(game_id, watch)

    @asynccontextmanager
    async def watch_player(self, player_id: str, *, since: int | None = None) -> AsyncIterator[PlayerWatch]:
        """A player's own events, for one reader; with `since`, from that number on."""
        watch = PlayerWatch(self._settings.hub_queue_max)
        watch.seq, missed = await self.join_player(player_id, watch, since)
        try:
            if missed:
                watch.seq = missed[0].seq - 1
                watch.put_first(missed)
            yield watch
        finally:
            self.leave_player(player_id, watch)

    async def join_game(self, game_id: str, listener: GameListener, since: int = 0, viewer_id: str = "") -> HeldGame:
        """Send each update of a game to `listener`; see GameTopics.join.

        `viewer_id` is the player who listens. With a spectator delay, only the game's own players get updates at once.
        """
        self._check_open()
        try:
            if self._late is None:
                return await self._games.join(game_id, listener, since)
            if viewer_id:
                game = await self._games.join(game_id, listener, since)
                if game.colour_of(viewer_id):
                    self._late.leave(game_id, listener)
                    return game
                self._games.leave(game_id, listener)  # no update came meanwhile, since nothing here waited
            return await self._late.join(game_id, listener, since)
        finally:
            self._count()

    def leave_game(self, game_id: str, listener: GameListener) -> None:
        """Stop sending updates to this listener."""
        for topics in self._of_games:
            topics.leave(game_id, listener)
        self._count()

    async def join_player(
        self, player_id: str, listener: PlayerListener, since: int | None = None
    ) -> tuple[int, list[PlayerEvent]]:
        """Send each event of a player to `listener`; see PlayerTopics.join."""
        self._check_open()
        try:
            return await self._players.join(player_id, listener, since)
        finally:
            self._count()

    def leave_player(self, player_id: str, listener: PlayerListener) -> None:
        """Stop sending events to this listener."""
        self._players.leave(player_id, listener)
        self._count()

    def held_game(self, game_id: str) -> HeldGame | None:
        """The game if it is held here now, else None. Never a delayed copy."""
        return self._games.held(game_id)

    def change(self, game_id: str, version: int) -> EventFrame | None:
        """The event that made this version; None when it is not kept here."""
        return self._games.change(game_id, version)

    def committed(self, command: Command, accepted: Accepted) -> None:
        """Send on what a command of this gateway has committed.

        The sender of the command calls this with the answer, so listeners here need not wait for Redis. They see each
        version once and in order, whichever copy comes first.
        """
        self._games.committed(command, accepted)

    def heard(self, channel: str, payload: bytes) -> None:
        """See Hearer."""
        if channel.startswith(_GAME):
            for topics in self._of_games:
                topics.heard(channel.removeprefix(_GAME), payload)
        else:
            self._players.heard(channel.removeprefix(_PLAYER), payload)

    def subscribed(self, channel: str) -> None:
        """See Hearer."""
        if channel.startswith(_GAME):
            for topics in self._of_games:
                topics.subscribed(channel.removeprefix(_GAME))
        else:
            self._players.subscribed(channel.removeprefix(_PLAYER))

    def away(self) -> None:
        """See Hearer. Only counted: `tick` fetches more often while Redis is away, `subscribed` follows its return."""
        STREAM_REFETCHES.labels("redis_away").inc()

    def _start(self, coroutine: Coroutine[Any, Any, None], name: str) -> None:
        def ended(done: asyncio.Task[None]) -> None:
            if not done.cancelled() and (error := done.exception()):
                log.critical("the hub's %s has failed", name, exc_info=error)

        task = asyncio.create_task(coroutine, name=f"hub {name}")
        task.add_done_callback(ended)
        self._tasks.append(task)

    def _count(self) -> None:
        HUB_LISTENERS.set(self.listeners)

    async def _tick(self) -> None:
        settings = self._settings
        while True:
            await asyncio.sleep(settings.hub_tick_ms / 1000)
            away_s = None if self._channels.up else settings.hub_silence_away_ms / 1000
            now_s = self._loop.time()
            for topics in self._of_games:
                topics.tick(now_s, away_s or settings.hub_silence_ms / 1000)
            self._players.tick(now_s, away_s)

    async def _watch_epoch(self) -> None:
        # Only this task uses the client, and cancels it only to close it.
        redis = connect(self._settings.redis_url, self._settings, connections_max=1)
        known: str | None = None
        try:
            while True:
                try:
                    found = await identify(redis)
                except (RedisError, OSError, TimeoutError) as error:
                    log.debug("epoch: %s", error)
                else:
                    if known is not None and found != known:
                        log.warning("this is another Redis, or it has lost its data: refetching all games")
                        STREAM_REFETCHES.labels("epoch").inc()
                        for topics in self._of_games:
                            topics.doubt("epoch")
                        self._players.doubt("epoch")
                    known = found
                await asyncio.sleep(self._settings.epoch_period_ms / 1000)
        finally:
            await redis.aclose()
