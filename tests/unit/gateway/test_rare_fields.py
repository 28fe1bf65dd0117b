"""What few games say of themselves in the frames of docs/protocol.md: there where it is so, and nowhere else."""

from typing import Any, cast

import orjson
import pytest

from services.domain.rule_set import FRIENDLY
from services.domain.time_control import ClockControl, PerMove, TimeControl, Unlimited
from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol import shapes
from services.gateway.protocol.shapes import EventFrame
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.wire import rule_set_to_pb, time_control_to_pb

WHITE, BLACK, NOBODY = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK, common_pb2.COLOR_UNSPECIFIED
THREE_MINUTES = ClockControl(180_000, 2_000)
ORDINARY = {
    *("status", "winner", "reason", "ply", "fen", "turn", "check", "lastMove", "clock", "at", "deadline"),
    *("drawOffer", "claims", "legal"),
}


def info(control: TimeControl = THREE_MINUTES, **more: Any) -> events_pb2.GameInfo:
    fields: dict[str, Any] = {
        "id": "g1",
        "variant": "standard",
        "rule_set": rule_set_to_pb(FRIENDLY),
        "time_control": time_control_to_pb(control),
        "white": events_pb2.Player(id="anna", name="Anna"),
        "black": events_pb2.Player(id="computer", name="Computer level 4", computer_level=4),
        "source": "ai",
    }
    return events_pb2.GameInfo(**(fields | more))


def state(version: int = 5, **more: Any) -> events_pb2.GameState:
    """After `version - 1` half-moves."""
    fields: dict[str, Any] = {
        "game_id": "g1",
        "version": version,
        "status": events_pb2.GAME_STATUS_STARTED,
        "ply": version - 1,
        "fen": "fen",
        "turn": WHITE if version % 2 else BLACK,
        "last_uci": f"uci{version - 1}",
        "last_san": f"san{version - 1}",
        "white_ms": 170_000,
        "black_ms": 160_000,
        "at_ms": 1_000 * version,
        "running": True,
        "legal": "e2e4",
    }
    return events_pb2.GameState(**(fields | more))


def event(kind: str, of: events_pb2.GameState, by: common_pb2.Color = WHITE, **more: Any) -> events_pb2.GameEvent:
    number = cast(events_pb2.GameEventKind, events_pb2.GameEventKind.Value(f"GAME_EVENT_KIND_{kind}"))
    return events_pb2.GameEvent(kind=number, state=of, by=by, **more)


def frame(of: events_pb2.GameEvent) -> dict[str, Any]:
    said: dict[str, Any] = orjson.loads(EventFrame(of, "clock").frame)
    return said


def test_an_ordinary_state_says_nothing_of_it() -> None:
    assert set(shapes.state(state(), True)) == ORDINARY
    played = frame(event("MOVE", state()))
    assert set(played) == {"t", "game", "v", "kind", "by", "state"}
    assert shapes.move(game_pb2.PlayedMove(uci="e2e4", san="e4")) == {"uci": "e2e4", "san": "e4", "clock": 0}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"takeback_offer": WHITE}, {"takebackOffer": "white"}),
        ({"takeback_offer": BLACK}, {"takebackOffer": "black"}),
        ({"unrated": True}, {"unrated": True}),
        ({"white_held_level": 5}, {"seats": {"white": 5, "black": None}}),
        ({"black_held_level": 3}, {"seats": {"white": None, "black": 3}}),
        ({"helped": True}, {"helped": True}),
        ({"takebacks": 2}, {"takebacks": 2}),
        ({"claimable": True}, {"claimable": True}),
        ({"white_rating_diff": 8, "black_rating_diff": -8}, {"ratingDiff": {"white": 8, "black": -8}}),
        ({"white_rating_diff": 0, "black_rating_diff": 0}, {"ratingDiff": {"white": 0, "black": 0}}),
        ({"black_rating_diff": -3}, {"ratingDiff": {"white": None, "black": -3}}),
    ],
)
def test_a_field_is_there_where_it_is_so(fields: dict[str, Any], said: dict[str, Any]) -> None:
    shape = shapes.state(state(**fields), True)
    assert {name: value for name, value in shape.items() if name not in ORDINARY} == said


@pytest.mark.parametrize(("winner", "said"), [(BLACK, "black"), (NOBODY, None)])
@pytest.mark.parametrize("offered", [False, True])
def test_a_pause_says_who_decides_and_what_is_taken(winner: common_pb2.Color, said: str | None, offered: bool) -> None:
    pause = events_pb2.Pause(flagged=WHITE, since_ms=9_000, going_on_offered=offered)
    pause.outcome.winner, pause.outcome.reason = winner, common_pb2.END_REASON_FLAG
    shape = shapes.state(state(pause=pause, running=False, white_ms=0, legal=""), True)
    assert shape["paused"] == {"flagged": "white", "since": 9_000, "goingOnOffered": offered, "winner": said}
    assert (shape["status"], shape["winner"], shape["reason"]) == ("started", None, None)
    assert shape["clock"] == {"white": 0, "black": 160_000, "running": None}
    assert "legal" not in shape, "nobody can move, and the game is not over"


def test_a_game_that_goes_on_without_its_clock_shows_none() -> None:
    shape = shapes.state(state(without_clock=True, white_ms=0, black_ms=0, running=False), True)
    assert (shape["withoutClock"], shape["clock"]) == (True, None)


def test_every_kind_of_event_has_its_word() -> None:
    kinds = [name.removeprefix("GAME_EVENT_KIND_") for name in events_pb2.GameEventKind.keys()[1:]]
    words = {kind: frame(event(kind, state()))["kind"] for kind in kinds}
    for kind, word in words.items():
        first, *rest = kind.lower().split("_")
        assert word == first + "".join(map(str.capitalize, rest))


def test_a_change_of_level_carries_the_info() -> None:
    strong = info(black=events_pb2.Player(id="computer", name="Computer level 9", computer_level=9))
    said = frame(event("LEVEL_CHANGED", state(1), info=strong))
    assert said["info"]["black"]["level"] == 9
    assert "info" not in frame(event("CREATED", state(1), info=strong))


def test_a_move_of_a_computer_in_somebodys_seat_says_so() -> None:
    assert frame(event("MOVE", state(), by_computer=True))["byComputer"] is True
    told = shapes.move(game_pb2.PlayedMove(uci="e2e4", san="e4", by_computer=True))
    assert told["byComputer"] is True


def test_info_has_ratings_and_where_a_game_comes_from() -> None:
    told = shapes.info(
        info(
            white=events_pb2.Player(id="anna", name="Anna", rating=1712),
            black=events_pb2.Player(id="bob", name="Bob", rating=1500, provisional=True),
            rematch_of="g0",
        )
    )
    assert told["white"] == {"id": "anna", "name": "Anna", "guest": False, "rating": 1712}
    assert told["black"] == {"id": "bob", "name": "Bob", "guest": False, "rating": 1500, "provisional": True}
    assert told["rematchOf"] == "g0"
    assert {"rematchOf", "party"}.isdisjoint(shapes.info(info()))
    assert "rating" not in orjson.loads(shapes.welcome(events_pb2.Player(id="anna", name="Anna", rating=1712), 1))


def test_a_time_for_each_turn() -> None:
    told = shapes.info(info(PerMove(30_000)))
    assert told["timeControl"] == {"type": "perMove", "turn": 30_000}
    held = game(PerMove(30_000))
    assert [entry["clock"] for entry in whole(held)["moves"]] == [0] * 4, "nothing is left of a turn"
    assert whole(held)["state"]["clock"] == {"white": 170_000, "black": 160_000, "running": "white"}


def game(control: TimeControl = THREE_MINUTES) -> HeldGame:
    """Anna against the computer after four half-moves."""
    held = HeldGame(game_pb2.Snapshot(info=info(control), state=state(1)), 64)
    for version in range(2, 6):
        assert held.apply(held.change(event("MOVE", state(version), BLACK if version % 2 else WHITE)))
    return held


def whole(held: HeldGame) -> dict[str, Any]:
    said: dict[str, Any] = orjson.loads(held.full(NOBODY))
    return said


def back(held: HeldGame, version: int, ply: int) -> bool:
    taken = state(version, ply=ply, last_uci=f"uci{ply}", last_san=f"san{ply}", takebacks=1)
    return held.apply(held.change(event("TAKEN_BACK", taken)))


def test_moves_that_were_taken_back_are_gone() -> None:
    held = game()
    assert back(held, 6, 2)
    assert [move.uci for move in held.moves] == ["uci1", "uci2"]
    assert [move["uci"] for move in whole(held)["moves"]] == ["uci1", "uci2"]
    other = state(7, ply=3, last_uci="other", last_san="other")
    assert held.apply(held.change(event("MOVE", other)))
    assert [move["uci"] for move in whole(held)["moves"]] == ["uci1", "uci2", "other"]
    assert back(held, 8, 0)
    assert whole(held)["moves"] == []


def test_more_moves_taken_back_than_are_known_are_noticed() -> None:
    held = game()
    assert not back(held, 6, 7)


def test_an_end_that_is_undone_lets_the_game_run_again() -> None:
    held = game()
    over = state(6, ply=4, status=events_pb2.GAME_STATUS_ENDED, running=False, legal="")
    over.outcome.winner, over.outcome.reason = BLACK, common_pb2.END_REASON_RESIGNATION
    assert held.apply(held.change(event("ENDED", over)))
    ran = [held.running, back(held, 7, 2), held.running]
    assert ran == [False, True, True]
    assert (whole(held)["state"]["status"], whole(held)["state"]["reason"]) == ("started", None)


def test_who_was_away_resumes_over_a_takeback() -> None:
    """The events alone say where to cut."""
    held = game()
    moves = [move.uci for move in held.moves]
    assert back(held, 6, 2)
    assert held.apply(held.change(event("MOVE", state(7, ply=3, last_uci="other"))))
    missed = held.changes_after(5)
    assert missed is not None
    for told in orjson.loads(shapes.events("g1", missed))["events"]:
        if told["kind"] == "takenBack":
            del moves[told["state"]["ply"] :]
        elif told["kind"] == "move":
            moves.append(told["state"]["lastMove"]["uci"])
    assert moves == [move.uci for move in held.moves] == ["uci1", "uci2", "other"]


def test_the_held_game_knows_the_new_level_and_who_made_a_move() -> None:
    held = game()
    strong = info(black=events_pb2.Player(id="computer", name="Computer level 9", computer_level=9))
    assert held.apply(held.change(event("LEVEL_CHANGED", state(6, ply=4), info=strong)))
    assert whole(held)["info"]["black"]["level"] == 9
    assert held.apply(held.change(event("MOVE", state(7, ply=5), by_computer=True)))
    assert [move.get("byComputer") for move in whole(held)["moves"]] == [None] * 4 + [True]


def test_unlimited_games_have_no_clock_whatever_happens() -> None:
    held = game(Unlimited())
    assert whole(held)["state"]["clock"] is None
    assert {entry["clock"] for entry in whole(held)["moves"]} == {0}
