"""What happens in games and to players, for everybody connected to this process.

One pub/sub connection hears the channels that somebody listens to; the topics keep order and fill gaps from the game
service. Redis may lie, lose, repeat, or be away: listeners see each version once, in order, and late by a second at
the worst.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Self

from redis.exceptions import RedisError

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
    """One for each process, open from `async with` on. Methods raise HubRefused when there is nothing to listen to."""

    def __init__(self, settings: SocketSettings, reader: GameReader, late: Fetches | None = None) -> None:
        """`late` reads games as those may see them who only watch, where the settings delay that."""
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
        closed = HubClosed("this server is being replaced")
        for topics in self._of_games:
            await topics.close(closed)
        await self._players.close(closed)
        await self._channels.close()

    @property
    def _of_games(self) -> list[GameTopics]:
        return [self._games] if self._late is None else [self._games, self._late]

    @property
    def games(self) -> int:
        """Games that are held, those that linger included."""
        return sum(map(len, self._of_games))

    @property
    def players(self) -> int:
        """Players that are followed, those that linger included."""
        return len(self._players)

    @property
    def connected(self) -> list[str]:
        """The players whose own events somebody listens to here: they have a stream or a socket open."""
        return self._players.listened

    @property
    def hearing(self) -> bool:
        """Whether Redis is there, as far as is known."""
        return self._channels.up

    @property
    def listeners(self) -> int:
        """Listeners of games and players."""
        return sum(topics.listeners for topics in self._of_games) + self._players.listeners

    async def check(self) -> None:
        """A readiness check: the hub's own tasks run. Redis may be away, games go on."""
        for task in self._tasks:
            if task.done():
                raise RuntimeError(f"{task.get_name()} has ended")

    @asynccontextmanager
    async def watch_game(
        self, game_id: str, *, newest_wins: bool = False, viewer_id: str = ""
    ) -> AsyncIterator[GameWatch]:
        """A game and what happens to it, for one reader with a queue of its own, as `viewer_id` may see it."""
        watch = GameWatch(self._settings.hub_queue_max, newest_wins)
        watch.game = await self.join_game(game_id, watch, viewer_id=viewer_id)
        try:
            yield watch
        finally:
            self.leave_game(game_id, watch)

    @asynccontextmanager
    async def watch_player(self, player_id: str, *, since: int | None = None) -> AsyncIterator[PlayerWatch]:
        """A player's own events, for one reader; from after `since` on if that is given."""
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
        """Hand each update of a game to `listener`; see GameTopics.join.

        Where watching is delayed, only the players hear of everything at once: `viewer_id` says who listens.
        """
        try:
            if self._late is None:
                return await self._games.join(game_id, listener, since)
            if viewer_id:
                game = await self._games.join(game_id, listener, since)
                if game.colour_of(viewer_id):
                    self._late.leave(game_id, listener)
                    return game
                self._games.leave(game_id, listener)  # nothing was heard meanwhile: nothing here waited
            return await self._late.join(game_id, listener, since)
        finally:
            self._count()

    def leave_game(self, game_id: str, listener: GameListener) -> None:
        """Hand no more updates to it."""
        for topics in self._of_games:
            topics.leave(game_id, listener)
        self._count()

    async def join_player(
        self, player_id: str, listener: PlayerListener, since: int | None = None
    ) -> tuple[int, list[PlayerEvent]]:
        """Hand each event of a player to `listener`; see PlayerTopics.join."""
        try:
            return await self._players.join(player_id, listener, since)
        finally:
            self._count()

    def leave_player(self, player_id: str, listener: PlayerListener) -> None:
        """Hand no more events to it."""
        self._players.leave(player_id, listener)
        self._count()

    def held_game(self, game_id: str) -> HeldGame | None:
        """The game, if somebody here listens to it now."""
        return self._games.held(game_id)

    def change(self, game_id: str, version: int) -> EventFrame | None:
        """The event that made a version, if it is known here."""
        return self._games.change(game_id, version)

    def committed(self, command: Command, accepted: Accepted) -> None:
        """Tell what a command sent from here has committed.

        Whoever submits a command calls this with the answer: listeners here then need not wait for Redis. They see the
        same version once, in order, whichever copy comes first.
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
        """See Hearer. Nothing to do: `tick` looks oftener while Redis is away, and each channel tells of its return."""
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
        # This client is used here alone, and cancelled only when it is closed for good.
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
                        log.warning("Redis is another one, or has lost its memory: asking for all games again")
                        STREAM_REFETCHES.labels("epoch").inc()
                        for topics in self._of_games:
                            topics.doubt("epoch")
                        self._players.doubt("epoch")
                    known = found
                await asyncio.sleep(self._settings.epoch_period_ms / 1000)
        finally:
            await redis.aclose()
