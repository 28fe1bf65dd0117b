"""Streams for spectators: the moves of one game, and the games among some people.

With a spectator delay, the hub delivers their events later.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.errors import Refused
from services.gateway.game_calls.game_client import GameClient
from services.gateway.hub.hub import Hub
from services.gateway.hub.listeners import GameWatch, HubClosed, OthersWatch, SlowListener
from services.gateway.hub.metrics import HTTP_STREAMS
from services.gateway.hub.onlookers import Onlookers
from services.gateway.public_api.watched_json import among, described, first_position, past_positions, position
from services.gateway.settings import GatewaySettings
from services.gateway.streams.line_stream import EMPTY, Lines, line
from services.pb.flagfall.v1.events_pb2 import GameEvent, GameSummary
from services.pb.flagfall.v1.game_pb2 import Fetched

ENDINGS = (SlowListener, HubClosed)
"""Why such a stream ends early. The reader opens a new one, which starts with the whole current state."""
JOINED_AT_ONCE = 32
"""How many people one stream starts to follow at the same time."""


class WatchedStreams:
    """All spectators' streams of this process."""

    def __init__(self, settings: GatewaySettings, hub: Hub, game: GameClient, onlookers: Onlookers) -> None:
        self._settings = settings
        self._keep_alive_s = settings.line_keep_alive_ms / 1000
        self._hub = hub
        self._game = game
        self._onlookers = onlookers
        self._open: Counter[str] = Counter()

    @asynccontextmanager
    async def of_game(self, game_id: str, viewer_id: str, address: str) -> AsyncIterator[Lines]:
        """Lines of one game from first position to end. Raises Refused with too many streams of `address`."""
        with self._counted(address):
            async with self._hub.watch_game(game_id, viewer_id=viewer_id) as watch:
                version = watch.game.version
                past = await self._onlookers.past(game_id, viewer_id)
                yield self._game_lines(watch, past, version)

    @asynccontextmanager
    async def among(self, ids: Sequence[str], viewer_id: str, address: str, *, current: bool) -> AsyncIterator[Lines]:
        """Lines of games between two of these people that begin or end. `current`: running games come first."""
        with self._counted(address):
            watch = OthersWatch(self._settings.hub_queue_max)
            async with AsyncExitStack() as stack:
                for first in range(0, len(ids), JOINED_AT_ONCE):
                    some = ids[first : first + JOINED_AT_ONCE]
                    for player_id in some:
                        stack.callback(self._hub.leave_player, player_id, watch)
                    await asyncio.gather(*(self._hub.join_player(player_id, watch) for player_id in some))
                games = await self._current(ids, viewer_id) if current else []
                yield self._among_lines(watch, frozenset(ids), games)

    @contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        if self._open[address] >= self._settings.watch_streams_per_address:
            raise Refused(Refusal(RefusalCode.LIMIT_REACHED, say("gateway.streams_of_address")))
        if self._open.total() >= self._settings.streams_max:
            raise Refused(Refusal(RefusalCode.UNAVAILABLE, say("gateway.no_more_streams")))
        self._open[address] += 1
        try:
            with HTTP_STREAMS.labels("watched").track_inprogress():
                yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _current(self, ids: Sequence[str], viewer_id: str) -> list[GameSummary]:
        found: dict[str, GameSummary] = {}
        for player_id in ids:
            for game in await self._game.list_games(player_id, ongoing=True):
                if _among(game, frozenset(ids)):
                    found[game.info.id] = game
        return await self._onlookers.summaries(list(found.values()), viewer_id)

    async def _game_lines(self, watch: GameWatch, past: Fetched, version: int) -> Lines:
        info = watch.game.info
        first = watch.game.state
        yield line(described(info, first))
        events = [event for event in past.events.events if event.state.version <= version]
        if version == 1:
            yield line(first_position(info))
        elif len(events) == version - 1:
            for shape in past_positions(info, events):
                yield line(shape)
        else:  # too many events to send
            yield line(position(info, first))
        fen = first.fen
        while watch.game.running or watch.game.version > version:
            try:
                async with asyncio.timeout(self._keep_alive_s):
                    update = await anext(watch)
            except TimeoutError:
                yield EMPTY
                continue
            except ENDINGS:
                return
            if isinstance(update, GameEvent) and update.state.version > version:
                version = update.state.version
                if update.state.fen != fen:
                    fen = update.state.fen
                    yield line(position(info, update.state))
        yield line(described(info, watch.game.state))

    async def _among_lines(self, watch: OthersWatch, ids: frozenset[str], games: Sequence[GameSummary]) -> Lines:
        begun: dict[str, None] = {}
        for game in games:
            begun[game.info.id] = None
            yield line(among(game.info, game.state))
        ended: dict[str, None] = {}
        while True:
            try:
                async with asyncio.timeout(self._keep_alive_s):
                    event = await anext(watch)
            except TimeoutError:
                yield EMPTY
                continue
            except ENDINGS:
                return
            for kind, told in (("game_start", begun), ("game_finish", ended)):
                if not event.HasField(kind):
                    continue
                game = getattr(event, kind)
                if game.info.id not in told and _among(game, ids):
                    told[game.info.id] = None
                    if len(told) > self._settings.among_remembered_max:
                        del told[next(iter(told))]
                    yield line(among(game.info, game.state))


def _among(game: GameSummary, ids: frozenset[str]) -> bool:
    """Whether both players are among these people. Both of them get the event, but the line is sent once."""
    return game.info.white.id in ids and game.info.black.id in ids
