"""What counts as a repeated illegal move, whose delivery is timed, and what an old task lacks."""

import pytest
from prometheus_client import REGISTRY, CollectorRegistry, Counter

from services.domain.rule_set import FIDE
from services.gateway.game_calls.move_metrics import IllegalRepeats
from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol.shapes import EventFrame
from services.gateway.socket_settings import SocketSettings
from services.gateway.sockets.effects import Now, Viewer
from services.gateway.sockets.session import Session
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.metrics import from_zero
from services.runtime.wire import rule_set_to_pb
from services.workers.turn import from_payload, to_payload, turn_of


def repeats() -> float:
    """How many were counted."""
    value = REGISTRY.get_sample_value("flagfall_illegal_move_repeats_total")
    assert value is not None, "it is shown from the start"
    return value


def test_only_the_same_illegal_move_of_the_same_player_in_the_same_game_counts() -> None:
    seen, before = IllegalRepeats(8), repeats()
    for game, player, move in (("g", "a", "e2e5"), ("g", "b", "e2e5"), ("h", "a", "e2e5"), ("g", "a", "e2e6")):
        seen.refused(game, player, move)
    assert repeats() == before
    seen.refused("g", "a", "e2e6")
    seen.refused("g", "a", "e2e6")
    assert repeats() == before + 2


def test_no_more_moves_are_remembered_than_may_be() -> None:
    seen, before = IllegalRepeats(2), repeats()
    for player in ("a", "b", "c", "a"):
        seen.refused("g", player, "e2e5")
    assert repeats() == before


@pytest.mark.parametrize(
    ("viewer", "by", "kind", "timed"),
    [
        ("b", common_pb2.COLOR_WHITE, events_pb2.GAME_EVENT_KIND_MOVE, True),
        ("w", common_pb2.COLOR_WHITE, events_pb2.GAME_EVENT_KIND_MOVE, False),  # the mover's own
        ("x", common_pb2.COLOR_WHITE, events_pb2.GAME_EVENT_KIND_MOVE, False),  # who only watches
        ("b", common_pb2.COLOR_WHITE, events_pb2.GAME_EVENT_KIND_ENDED, False),
    ],
)
def test_a_moves_delivery_is_timed_at_the_opponent_alone(
    viewer: str, by: common_pb2.Color, kind: events_pb2.GameEventKind, timed: bool
) -> None:
    session = Session(SocketSettings.model_construct(), Now(0, 0))
    player = events_pb2.Player(id=viewer)
    session.opened(Viewer(player, True), None, Now(0, 0))
    info = events_pb2.GameInfo(id="g", white=events_pb2.Player(id="w"), black=events_pb2.Player(id="b"))
    info.rule_set.CopyFrom(rule_set_to_pb(FIDE))
    info.time_control.unlimited.SetInParent()
    game = HeldGame(
        game_pb2.Snapshot(
            info=info, state=events_pb2.GameState(game_id="g", version=1, status=events_pb2.GAME_STATUS_STARTED)
        ),
        8,
    )
    session.received('{"t":"sub","game":"g","v":0}', Now(0, 0))
    session.joined(game)
    event = events_pb2.GameEvent(kind=kind, by=by, state=events_pb2.GameState(game_id="g", version=2))
    assert session.waited_for("g", EventFrame(event, "unlimited")) is timed


def test_a_turn_knows_when_it_began_and_an_old_task_does_not() -> None:
    state = events_pb2.GameState(
        game_id="g", ply=3, fen="f", computer_turn_level=5, at_ms=1_234, status=events_pb2.GAME_STATUS_STARTED
    )
    turn = turn_of(state)
    assert turn is not None
    assert from_payload(to_payload(turn)).since_ms == 1_234
    old = {key: value for key, value in to_payload(turn).items() if key not in ("since_ms", "trace")}
    assert from_payload(old).since_ms == 0
    assert from_payload(old) == turn


def test_series_begin_at_0() -> None:
    registry = CollectorRegistry()
    counter = Counter("x_total", "x", ["a", "b"], registry=registry)
    from_zero(counter, ("1", "2"), ("3",))
    assert [registry.get_sample_value("x_total", {"a": a, "b": "3"}) for a in ("1", "2")] == [0.0, 0.0]


def test_an_illegal_move_is_none_again_once_another_was_played() -> None:
    seen, before = IllegalRepeats(8), repeats()
    seen.refused("g", "a", "e2e5")
    seen.accepted("g", "a")
    seen.refused("g", "a", "e2e5")
    assert repeats() == before
