"""Events and results of commands on their way to rows, subscribers and callers."""

from typing import cast

import pytest

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.refusal import BUSY
from services.game.play.change import Change, ChangeKind
from services.game.play.game import Both
from services.game.play.result import Committed, NotCommitted
from services.game.wire.events import EventSender, PersonEvent, UnreadableEvent, VersionEvent, game_events
from services.pb.flagfall.v1.common_pb2 import COLOR_WHITE
from services.pb.flagfall.v1.events_pb2 import GAME_EVENT_KIND_MOVE, GameEvent, PlayerEvent
from services.runtime.event_stream import NotPublished, Publisher
from services.runtime.wire import refusal_to_pb
from tests.stack.replies import reply_message
from tests.unit.game.deciding import COMPUTER, LIMITS, SECOND, game

MOVED = game(1)
CHANGE = Change(MOVED, ChangeKind.MOVE, Colour.WHITE, SECOND)


def event() -> VersionEvent:
    return VersionEvent.of(CHANGE, LIMITS, Outages())


def test_a_row_has_neither_legal_moves_nor_a_trace_and_a_caller_has_the_moves() -> None:
    made = event()
    row = made.to_bytes()
    made.add_legal("e7e5 d7d5")
    made.traceparent = "00-trace"
    stored, sent = GameEvent.FromString(row), GameEvent.FromString(made.to_bytes())
    assert (stored.state.legal, stored.traceparent) == ("", "")
    assert (sent.state.legal, sent.traceparent) == ("e7e5 d7d5", "00-trace")
    assert reply_message(Committed(MOVED, made)).accepted.state.legal == "e7e5 d7d5"
    assert (made.game_id, made.version, made.clock_ms(Colour.WHITE)) == ("game0001", 2, stored.state.white_ms)


def test_an_answer_has_the_state_once_beside_the_event() -> None:
    accepted = reply_message(Committed(MOVED, event())).accepted
    assert (accepted.version, accepted.state.version, accepted.mode, accepted.repeated) == (2, 2, "clock", False)
    assert (accepted.event.kind, accepted.event.by) == (GAME_EVENT_KIND_MOVE, COLOR_WHITE)
    assert not accepted.event.HasField("state")
    assert not accepted.event.HasField("info"), "only events that change it have the players"
    assert reply_message(Committed(MOVED, event(), repeated=True)).accepted.repeated
    created = VersionEvent.of(Change(game(), ChangeKind.CREATED, None, 0), LIMITS, Outages())
    assert reply_message(Committed(game(), created)).accepted.event.info.white.id == "anna"


@pytest.mark.parametrize("searching", [False, True])
def test_a_refusal_says_whether_a_search_is_under_way(searching: bool) -> None:
    reply = reply_message(NotCommitted(BUSY, searching))
    assert (reply.refusal, reply.searching) == (refusal_to_pb(BUSY), searching)
    assert not reply.HasField("accepted")


def test_an_event_is_read_with_its_legal_moves_or_not_at_all() -> None:
    read = VersionEvent.read(event().to_bytes(), "e7e5")
    assert GameEvent.FromString(read.to_bytes()).state.legal == "e7e5"
    for kind in (VersionEvent, PersonEvent):
        with pytest.raises(UnreadableEvent):
            kind.read(b"\xff")


def test_rating_differences_are_in_the_event() -> None:
    rated = event()
    rated.add_rating_diff(Both(8, -8))
    state = GameEvent.FromString(rated.to_bytes()).state
    assert (state.white_rating_diff, state.black_rating_diff) == (8, -8)


def test_a_number_is_given_to_a_copy() -> None:
    told = PersonEvent(PlayerEvent(player_id="anna"))
    assert (told.numbered(7).player_id, told.numbered(7).seq, told.seq) == ("anna", 7, 0)


def test_only_people_hear_of_a_game() -> None:
    heard = game_events(game(black=COMPUTER), LIMITS, Outages(), 0)
    assert [(one.player_id, PlayerEvent.FromString(one.to_bytes()).WhichOneof("content")) for one in heard] == [
        ("anna", "game_start")
    ]


class _Refusing:
    """Refuses the first game event and all events of players."""

    async def publish(self, games: list[GameEvent], players: list[PlayerEvent]) -> None:
        raise NotPublished(games[:1], players, ValueError("full"))


async def test_what_redis_refuses_is_named() -> None:
    sender = EventSender(cast(Publisher, _Refusing()))
    told = PersonEvent(PlayerEvent(player_id="anna", seq=3))
    games, players = await sender.send([event(), event()], [told])
    assert [(one.game_id, one.version) for one in games] == [("game0001", 2)]
    assert [(one.player_id, one.seq) for one in players] == [("anna", 3)]
