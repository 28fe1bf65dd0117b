"""The streams of the public API: a player's own events, and a game for its players.

Each line has the newest state: a slow reader skips states and never sees an old one last. A game's stream ends with the
game; its last line has the final status.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Literal, Protocol

from msgspec.structs import replace

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.gateway.answers.games import RoomLine
from services.gateway.answers.invitations import (
    Challenge,
    ChallengeCanceled,
    Challenged,
    ChallengeDeclined,
    ChallengeDone,
    GameFinish,
    GameStart,
    PlayerEvent,
)
from services.gateway.errors import Refused
from services.gateway.game_calls.game_client import GameClient
from services.gateway.hub.delivery import delivered
from services.gateway.hub.held_game import HeldGame
from services.gateway.hub.hub import Hub
from services.gateway.hub.listeners import GameWatch, HubClosed, PlayerWatch, SlowListener
from services.gateway.hub.metrics import HTTP_STREAMS
from services.gateway.presence.boards import Boards
from services.gateway.presence.presence import Presence
from services.gateway.protocol.absence import Absence
from services.gateway.public_api import public_json, public_people
from services.gateway.settings import GatewaySettings
from services.gateway.streams.line_stream import EMPTY, Lines, line
from services.pb.flagfall.v1 import events_pb2

_GAMES: Mapping[str, type[GameStart | GameFinish]] = {"game_start": GameStart, "game_finish": GameFinish}
_CHALLENGES: Mapping[str, type[Challenged | ChallengeCanceled | ChallengeDeclined]] = {
    "challenge": Challenged,
    "challenge_canceled": ChallengeCanceled,
    "challenge_declined": ChallengeDeclined,
}
"""The line for each content of an event that the public API knows."""


class Replaced(Exception):
    """The same player has opened the same stream again, so this one ends."""


ENDINGS = (SlowListener, HubClosed, Replaced)
"""Why a stream ends early. The reader opens a new one, which starts with the whole current state."""


class _Endable(Protocol):
    def ended(self, reason: Exception) -> None:
        """Nothing comes after this."""


def now_ms() -> int:
    """This machine's Unix time in ms."""
    return time.time_ns() // 1_000_000


class Streams:
    """All streams of this process."""

    def __init__(
        self, settings: GatewaySettings, hub: Hub, game: GameClient, presence: Presence, boards: Boards
    ) -> None:
        self._keep_alive_s = settings.line_keep_alive_ms / 1000
        self._streams_max = settings.streams_max
        self._hub = hub
        self._game = game
        self._presence = presence
        self._boards = boards
        self._open: dict[tuple[str, str], _Endable] = {}

    @asynccontextmanager
    async def of_game(self, game_id: str, player_id: str, *, both_rooms: bool) -> AsyncIterator[Lines]:
        """Lines of a game for one of its players; else Refused. `both_rooms`: with the spectators' chat (for bots)."""
        async with self._hub.watch_game(game_id, newest_wins=True, viewer_id=player_id) as watch:
            if not watch.game.colour_of(player_id):
                raise Refused(Refusal(RefusalCode.NOT_A_PLAYER, say("gateway.stream_players_only")))
            async with self._alone(player_id, game_id, watch, "game"):
                self._boards.enter(watch.game, watch.game.colour_of(player_id), watch)
                try:
                    yield self._game_lines(watch, player_id, both_rooms)
                finally:
                    self._boards.leave(game_id, watch)

    @asynccontextmanager
    async def of_player(self, player_id: str, origin: str) -> AsyncIterator[Lines]:
        """Lines of a player's own events. All running games and open challenges come first."""
        async with self._hub.watch_player(player_id) as watch, self._alone(player_id, "", watch, "events"):
            games = await self._game.list_games(player_id, ongoing=True)
            challenges = await self._game.list_challenges(player_id)
            yield self._player_lines(watch, player_id, origin, games, [*challenges.incoming, *challenges.outgoing])

    @asynccontextmanager
    async def of_challenge(
        self, challenge: events_pb2.Challenge, watch: PlayerWatch, shown: Challenge
    ) -> AsyncIterator[Lines]:
        """Lines of a challenge that lives as long as its stream. `watch` is its maker's, opened before it was made."""
        maker_id = challenge.challenger.id
        async with self._alone(maker_id, challenge.id, watch, "challenge"):
            yield self._challenge_lines(watch, shown)

    @asynccontextmanager
    async def _alone(self, player_id: str, what: str, stream: _Endable, kind: str) -> AsyncIterator[None]:
        """End the player's older stream of the same thing. While the body runs, the player counts as online."""
        key = (player_id, what)
        older = self._open.pop(key, None)
        if older is not None:
            older.ended(Replaced())
        elif len(self._open) >= self._streams_max:
            raise Refused(Refusal(RefusalCode.UNAVAILABLE, say("gateway.no_more_streams")))
        self._open[key] = stream
        try:
            with self._presence.of(player_id), HTTP_STREAMS.labels(kind).track_inprogress():
                yield
        finally:
            if self._open.get(key) is stream:
                del self._open[key]

    async def _game_lines(self, watch: GameWatch, player_id: str, both_rooms: bool) -> Lines:
        sent = watch.game.version
        full = public_json.game_full(*_seen(watch.game))
        if watch.game.rematch_id:
            full = replace(full, state=replace(full.state, rematch=watch.game.rematch_id))
        yield line(full)
        while watch.game.running or watch.game.version > sent:
            try:
                async with asyncio.timeout(self._keep_alive_s):
                    update = await anext(watch)
            except TimeoutError:
                yield EMPTY
                continue
            except ENDINGS:
                return
            if isinstance(update, events_pb2.ChatLine):
                if both_rooms or update.room == events_pb2.CHAT_ROOM_PLAYER:
                    yield line(_chat(update))
            elif isinstance(update, events_pb2.Hint):
                if update.player_id == player_id:
                    yield line(public_json.hint(update))
            elif isinstance(update, Absence):
                yield line(public_json.opponent_gone(update))
            elif watch.game.version > sent:
                # The held game may be newer than this event. Then the reader gets the newest state.
                sent = watch.game.version
                yield line(public_json.game_state(*_seen(watch.game)))
                if isinstance(update, events_pb2.GameEvent) and update.by != watch.game.colour_of(player_id):
                    delivered(update, watch.game.mode)  # a line is requested when the one before is written

    async def _player_lines(
        self,
        watch: PlayerWatch,
        player_id: str,
        origin: str,
        games: Sequence[events_pb2.GameSummary],
        challenges: Sequence[events_pb2.Challenge],
    ) -> Lines:
        for summary in games:
            yield line(_game_event("game_start", summary, player_id))
        for challenge in challenges:
            yield line(_challenge_event("challenge", challenge, player_id, origin))
        told = {("game_start", summary.info.id) for summary in games}
        told |= {("challenge", challenge.id) for challenge in challenges}
        async for event in self._updates(watch):
            if event is None:
                yield EMPTY
                continue
            content = event.WhichOneof("content")
            if content is None:
                continue  # from a newer game service
            about = getattr(event, content)
            if content in _CHALLENGES:
                if (content, about.id) not in told:
                    yield line(_challenge_event(content, about, player_id, origin))
            elif content in _GAMES and (content, about.info.id) not in told:
                yield line(_game_event(content, about, player_id))
                if content == "game_finish":
                    told.discard(("game_start", about.info.id))  # an undo can start the game again

    async def _challenge_lines(self, watch: PlayerWatch, shown: Challenge) -> Lines:
        yield line(shown)
        async for event in self._updates(watch):
            done = None if event is None else _done(event, shown.id)
            if done is not None:
                yield line(ChallengeDone(done=done))
                return
            if event is None:
                yield EMPTY

    async def _updates(self, watch: PlayerWatch) -> AsyncIterator[events_pb2.PlayerEvent | None]:
        """The events of a watch until it ends; None whenever the keep-alive time passes without one."""
        while True:
            try:
                async with asyncio.timeout(self._keep_alive_s):
                    event = await anext(watch)
            except TimeoutError:
                yield None
            except ENDINGS:
                return
            else:
                yield event


def _done(event: events_pb2.PlayerEvent, challenge_id: str) -> Literal["accepted", "declined", "canceled"] | None:
    """How a challenge was answered, if this event says so; else None."""
    if event.HasField("game_start") and event.game_start.info.id == challenge_id:
        return "accepted"
    if event.HasField("challenge_declined") and event.challenge_declined.id == challenge_id:
        return "declined"
    if event.HasField("challenge_canceled") and event.challenge_canceled.id == challenge_id:
        return "canceled"
    return None


def _game_event(content: str, summary: events_pb2.GameSummary, player_id: str) -> PlayerEvent:
    return _GAMES[content](game=public_json.game_info(summary, player_id, now_ms()))


def _challenge_event(content: str, challenge: events_pb2.Challenge, player_id: str, origin: str) -> PlayerEvent:
    shown = public_people.challenge(challenge, player_id, origin)
    return _CHALLENGES[content](challenge=shown, compat=public_json.COMPAT)


def _seen(game: HeldGame) -> tuple[events_pb2.GameInfo, events_pb2.GameState, str, int, int]:
    moves = " ".join(move.uci for move in game.moves)
    return game.info, game.state, moves, public_json.turn_began_ms(game.info, game.moves), now_ms()


def _chat(entry: events_pb2.ChatLine) -> RoomLine:
    room: Literal["player", "spectator"] = "player" if entry.room == events_pb2.CHAT_ROOM_PLAYER else "spectator"
    return RoomLine(room=room, username=entry.player_name, text=entry.text)
