"""Games as their watchers' streams describe them: what a clock, a source and the turn are there."""

from typing import Any

import pytest

from services.domain.rule_set import FIDE
from services.gateway.public_api.watched_json import described, position
from services.pb.flagfall.v1 import common_pb2 as common
from services.pb.flagfall.v1 import events_pb2 as events
from services.runtime.wire import rule_set_to_pb
from tests.stack.sent import sent

CLOCK = common.TimeControl(clock=common.ClockControl(initial_ms=60_000))


def info(**own: Any) -> events.GameInfo:
    fields: dict[str, Any] = {"variant": "standard", "rule_set": rule_set_to_pb(FIDE), "time_control": CLOCK}
    return events.GameInfo(**fields | {"source": "lobby"} | own)


def state(**own: Any) -> events.GameState:
    fields: dict[str, Any] = {"fen": "of some position", "white_ms": 5_900, "black_ms": 7_000}
    return events.GameState(**fields | {"status": events.GAME_STATUS_STARTED} | own)


def test_a_position_has_both_clocks_in_whole_seconds() -> None:
    assert sent(position(info(), state(last_uci="e2e4"))) == {"fen": "of some position", "lm": "e2e4", "wc": 5, "bc": 7}


@pytest.mark.parametrize(
    ("control", "own"),
    [
        (common.TimeControl(unlimited=common.Unlimited()), {}),
        (CLOCK, {"without_clock": True}),  # it went on after a flag
    ],
)
def test_where_no_clock_runs_none_is_shown(control: common.TimeControl, own: dict[str, Any]) -> None:
    assert sent(position(info(time_control=control), state(**own))) == {"fen": "of some position"}


@pytest.mark.parametrize(
    ("source", "told"), [("lobby", "lobby"), ("open", "friend"), ("rematch", "friend"), ("party", "friend")]
)
def test_where_a_game_came_from_is_in_the_public_apis_words(source: str, told: str) -> None:
    assert sent(described(info(source=source), state()))["source"] == told


@pytest.mark.parametrize(("turn", "told"), [(common.COLOR_WHITE, "white"), (common.COLOR_BLACK, "black")])
def test_the_side_to_move_is_named(turn: common.Color, told: str) -> None:
    assert sent(described(info(), state(turn=turn)))["player"] == told
