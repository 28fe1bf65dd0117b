"""Events as the commit path passes them on: made here, read here, and opaque to it.

An event is one protobuf message that is filled in place and never copied on its way from the decision to the row, the
subscribers and the answer.
"""

import logging
from collections.abc import Sequence
from typing import Self

from google.protobuf.message import DecodeError

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.game.play.change import Change
from services.game.play.game import Both, Game, Limits
from services.game.wire.messages import event_message, summary_message
from services.pb.flagfall.v1.events_pb2 import GameEvent, PlayerEvent
from services.pb.flagfall.v1.game_pb2 import Accepted
from services.runtime.event_stream import NotPublished, Publisher

log = logging.getLogger(__name__)


class UnreadableEvent(Exception):
    """The stored bytes of an event cannot be read: they are damaged, or a newer replica wrote them."""


class VersionEvent:
    """The event of one version of a game.

    The bytes of its row are taken first. Legal moves and the trace are added after the commit: subscribers and the
    caller get them, the row does not have them.
    """

    __slots__ = ("_message",)

    def __init__(self, message: GameEvent) -> None:
        self._message = message

    @classmethod
    def of(cls, change: Change, limits: Limits, outages: Outages) -> Self:
        """The event of a change, without legal moves: only the newest version needs them."""
        return cls(event_message(change, limits, outages))

    @classmethod
    def read(cls, payload: bytes, legal: str = "") -> Self:
        """A stored event, with the legal moves of its version. Raises UnreadableEvent."""
        try:
            event = cls(GameEvent.FromString(payload))
        except DecodeError as error:
            raise UnreadableEvent(str(error)) from error
        event.add_legal(legal)
        return event

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self._message.state.game_id

    @property
    def version(self) -> int:
        """The version of the game that this event made."""
        return self._message.state.version

    @property
    def traceparent(self) -> str:
        """The trace that this event belongs to; empty if it is not traced."""
        return self._message.traceparent

    @traceparent.setter
    def traceparent(self, traceparent: str) -> None:
        self._message.traceparent = traceparent

    def to_bytes(self) -> bytes:
        """The event as bytes."""
        return self._message.SerializeToString()

    def clock_ms(self, side: Colour) -> int:
        """The time in ms that the event shows for a side."""
        state = self._message.state
        return state.white_ms if side is Colour.WHITE else state.black_ms

    def add_legal(self, legal: str) -> None:
        """Add the legal moves of this version."""
        self._message.state.legal = legal

    def add_rating_diff(self, difference: Both[int]) -> None:
        """Add what the end of a rated game did to the ratings."""
        state = self._message.state
        state.white_rating_diff, state.black_rating_diff = difference.white, difference.black

    def fill(self, accepted: Accepted) -> None:
        """Put the version, its state and its event into an answer. The state is in it once, beside the event."""
        message, told = self._message, accepted.event
        accepted.version = message.state.version
        accepted.state.CopyFrom(message.state)
        told.kind, told.by, told.by_computer = message.kind, message.by, message.by_computer
        if message.HasField("info"):
            told.info.CopyFrom(message.info)


class PersonEvent:
    """One event for one player. It has a number (`seq`) once it is stored."""

    __slots__ = ("_message",)

    def __init__(self, message: PlayerEvent) -> None:
        self._message = message

    @classmethod
    def read(cls, payload: bytes) -> Self:
        """A stored event. Raises UnreadableEvent."""
        try:
            return cls(PlayerEvent.FromString(payload))
        except DecodeError as error:
            raise UnreadableEvent(str(error)) from error

    @property
    def player_id(self) -> str:
        """The id of the player."""
        return self._message.player_id

    @property
    def seq(self) -> int:
        """The number of the event among those of its player; 0 before it is stored."""
        return self._message.seq

    def numbered(self, seq: int) -> "PersonEvent":
        """This event with its number."""
        copy = PlayerEvent()
        copy.CopyFrom(self._message)
        copy.seq = seq
        return PersonEvent(copy)

    def to_bytes(self) -> bytes:
        """The event as bytes."""
        return self._message.SerializeToString()


def game_events(game: Game, limits: Limits, outages: Outages, now_ms: int) -> list[PersonEvent]:
    """For each person in a game: `game_start` if it goes on, `game_finish` if it is over. Clocks at `now_ms`."""
    summary = summary_message(game, limits, outages, now_ms)
    people = [seat.player_id for seat in (game.terms.white, game.terms.black) if seat.computer_level == 0]
    if game.outcome is None:
        return [PersonEvent(PlayerEvent(player_id=player_id, game_start=summary)) for player_id in people]
    return [PersonEvent(PlayerEvent(player_id=player_id, game_finish=summary)) for player_id in people]


class EventSender:
    """Sends committed events through Redis."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    async def send(
        self, games: Sequence[VersionEvent], players: Sequence[PersonEvent]
    ) -> tuple[Sequence[VersionEvent], Sequence[PersonEvent]]:
        """Send events in one pipeline. Returns those that Redis refused; raises RedisError if it is away."""
        try:
            await self._publisher.publish([event._message for event in games], [event._message for event in players])
        except NotPublished as error:
            log.warning("left to the relay: %s", error)
            return [VersionEvent(event) for event in error.games], [PersonEvent(event) for event in error.players]
        return (), ()
