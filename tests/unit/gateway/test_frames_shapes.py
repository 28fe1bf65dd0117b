"""Frames to the client have exactly the shapes of docs/protocol.md."""

import pytest
from msgspec import UNSET

from services.domain.refusal import RefusalCode
from services.domain.rule_set import EVERYDAY
from services.gateway.hub.held_game import HeldGame
from services.gateway.protocol import affairs, shapes
from services.gateway.protocol.shapes import EventFrame
from services.pb.flagfall.v1 import common_pb2, events_pb2, game_pb2
from services.runtime.wire import rule_set_to_pb
from tests.stack.declared_frames import declared

RULES = rule_set_to_pb(EVERYDAY)
CLOCK = common_pb2.TimeControl(clock=common_pb2.ClockControl(initial_ms=60_000, increment_ms=1_000))
UNLIMITED = common_pb2.TimeControl(unlimited=common_pb2.Unlimited())
DAYS = common_pb2.TimeControl(correspondence=common_pb2.CorrespondenceControl(days=3))


def info(control: common_pb2.TimeControl = CLOCK) -> events_pb2.GameInfo:
    return events_pb2.GameInfo(
        id="g1",
        variant="standard",
        rule_set=RULES,
        time_control=control,
        white=events_pb2.Player(id="anna", name="Anna", title="BOT"),
        black=events_pb2.Player(id="computer", name="Computer", computer_level=4),
        source="ai",
        created_ms=5,
    )


def state(version: int, **fields: object) -> events_pb2.GameState:
    message = events_pb2.GameState(
        game_id="g1",
        version=version,
        status=events_pb2.GAME_STATUS_STARTED,
        ply=version - 1,
        fen="fen",
        turn=common_pb2.COLOR_BLACK,
        last_uci="e2e4",
        last_san="e4",
        white_ms=61_000,
        black_ms=60_000,
        at_ms=1_000,
        running=True,
        deadline_ms=61_000,
        legal="e7e5 e7e6",
    )
    for name, value in fields.items():
        setattr(message, name, value)
    return message


def move(version: int, **fields: object) -> events_pb2.GameEvent:
    return events_pb2.GameEvent(
        kind=events_pb2.GAME_EVENT_KIND_MOVE, state=state(version, **fields), by=common_pb2.COLOR_WHITE
    )


def held(control: common_pb2.TimeControl = CLOCK) -> HeldGame:
    start = state(1, last_uci="", last_san="", running=False)
    return HeldGame(game_pb2.Snapshot(info=info(control), state=start), events_kept=4)


def test_event() -> None:
    frame = declared(EventFrame(move(2), "clock").frame)
    assert frame == {
        "t": "event",
        "game": "g1",
        "v": 2,
        "kind": "move",
        "by": "white",
        "state": {
            "status": "started",
            "winner": None,
            "reason": None,
            "ply": 1,
            "fen": "fen",
            "turn": "black",
            "check": False,
            "lastMove": {"uci": "e2e4", "san": "e4"},
            "clock": {"white": 61_000, "black": 60_000, "running": "black"},
            "at": 1_000,
            "deadline": 61_000,
            "drawOffer": None,
            "claims": [],
            "legal": ["e7e5", "e7e6"],
        },
    }


def test_state_of_an_ended_game() -> None:
    message = state(9, status=events_pb2.GAME_STATUS_ENDED, running=False, legal="", deadline_ms=0)
    message.outcome.CopyFrom(common_pb2.Outcome(winner=common_pb2.COLOR_BLACK, reason=common_pb2.END_REASON_CHECKMATE))
    shape = shapes.state(message, True)
    assert (shape["status"], shape["winner"], shape["reason"]) == ("ended", "black", "checkmate")
    assert (shape["legal"], shape["deadline"], shape["clock"]["running"]) == ([], None, None)


def test_draws_and_claims() -> None:
    message = state(9, draw_offer=common_pb2.COLOR_WHITE)
    message.claims.extend([common_pb2.CLAIM_FIFTY, common_pb2.CLAIM_THREEFOLD])
    shape = shapes.state(message, True)
    assert (shape["drawOffer"], shape["claims"]) == ("white", ["fifty", "threefold"])


def test_overtaken_state_has_no_legal_moves() -> None:
    assert "legal" not in shapes.state(state(3, legal=""), True)


@pytest.mark.parametrize(
    ("control", "shape", "clock"),
    [
        (CLOCK, {"type": "clock", "initial": 60_000, "increment": 1_000}, True),
        (DAYS, {"type": "correspondence", "days": 3}, True),
        (UNLIMITED, {"type": "unlimited"}, False),
    ],
)
def test_full(control: common_pb2.TimeControl, shape: dict[str, object], clock: bool) -> None:
    frame = declared(held(control).full(common_pb2.COLOR_WHITE))
    assert list(frame) == ["t", "game", "v", "info", "state", "moves", "you"]
    assert frame["info"] == {
        "id": "g1",
        "variant": "standard",
        "ruleSet": "everyday",
        "timeControl": shape,
        "white": {"id": "anna", "name": "Anna", "guest": False, "title": "BOT"},
        "black": {"id": "computer", "name": "Computer", "guest": False, "level": 4},
        "rated": False,
        "source": "ai",
        "initialFen": None,
        "createdAt": 5,
    }
    assert (frame["v"], frame["moves"], frame["you"]) == (1, [], "white")
    assert (frame["state"]["clock"] is not None) is clock


def test_full_follows_the_moves_and_the_viewer() -> None:
    game = held()
    assert declared(game.full(common_pb2.COLOR_UNSPECIFIED))["v"] == 1
    assert game.apply(game.change(move(2)))
    assert game.apply(game.change(move(3)))
    frame = declared(game.full(common_pb2.COLOR_UNSPECIFIED))
    assert frame["moves"] == [{"uci": "e2e4", "san": "e4", "clock": 61_000}] * 2
    assert (frame["v"], frame["you"]) == (3, None)
    assert declared(game.full(common_pb2.COLOR_BLACK))["you"] == "black"


def test_held_game_knows_its_latest_events_only() -> None:
    game = held()
    for version in range(2, 9):
        game.apply(game.change(move(version)))
    assert [change.version for change in game.changes_after(4) or []] == [5, 6, 7, 8]
    assert game.changes_after(8) == []
    assert game.changes_after(3) is None  # four are kept
    assert game.changes_after(9) is None


def test_held_game_takes_older_events_that_lead_to_it() -> None:
    game = held()
    game.apply(game.change(move(2)))
    fresh = HeldGame(
        game_pb2.Snapshot(info=info(), state=state(5), moves=[game_pb2.PlayedMove(uci="x", san="x")] * 4), 4
    )
    fresh.remember([fresh.change(move(version)) for version in (2, 4, 5)])  # 3 is missing: 2 is of no use
    assert [change.version for change in fresh.changes_after(3) or []] == [4, 5]
    assert fresh.changes_after(2) is None


def test_moves_that_do_not_follow_are_noticed() -> None:
    game = held()
    assert not game.apply(game.change(move(2, ply=7)))


def test_events_of_a_resume() -> None:
    frame = declared(shapes.events("g1", [EventFrame(move(2, legal=""), "clock"), EventFrame(move(3), "clock")]))
    assert (frame["t"], frame["game"], [event["v"] for event in frame["events"]]) == ("events", "g1", [2, 3])
    assert list(frame["events"][0]) == ["v", "kind", "by", "state"]
    assert "legal" not in frame["events"][0]["state"]
    assert frame["events"][1]["state"]["legal"] == ["e7e5", "e7e6"]


def test_answers() -> None:
    change = EventFrame(move(2), "clock")
    ack = declared(shapes.ack("c1", "g1", 2, change.state_json, False))
    assert list(ack) == ["t", "id", "game", "v", "state"]
    assert ack["state"]["fen"] == "fen"
    assert declared(shapes.ack("c1", "g1", 2, change.state_json, True))["repeated"] is True
    assert declared(shapes.nack("c1", "g1", RefusalCode.GAME_OVER, "Over.")) == {
        "t": "nack",
        "id": "c1",
        "game": "g1",
        "code": "game_over",
        "message": "Over.",
    }
    assert declared(shapes.pong(4, 9)) == {"t": "p", "n": 4, "now": 9}
    assert declared(shapes.pong(UNSET, 9)) == {"t": "p", "now": 9}
    assert declared(shapes.error(RefusalCode.MALFORMED, "No.", "v", "c1")) == {
        "t": "error",
        "code": "malformed",
        "message": "No.",
        "at": "v",
        "id": "c1",
    }


def test_welcome() -> None:
    person = events_pb2.Player(id="guest-1", name="Guest", guest=True)
    assert declared(shapes.welcome(person, 7)) == {
        "t": "welcome",
        "player": {"id": "guest-1", "name": "Guest", "guest": True},
        "now": 7,
        "protocol": 1,
    }
    assert declared(shapes.welcome(None, 7))["player"] is None


def test_following() -> None:
    assert declared(shapes.following(7)) == {"t": "following", "seq": 7}


def test_players_events() -> None:
    challenge = events_pb2.Challenge(
        id="c1",
        status=events_pb2.CHALLENGE_STATUS_CREATED,
        challenger=events_pb2.Player(id="anna", name="Anna"),
        variant="standard",
        rule_set=RULES,
        time_control=DAYS,
        created_ms=1,
        expires_ms=2,
    )
    frame = declared(affairs.player_event(events_pb2.PlayerEvent(player_id="bob", seq=3, challenge=challenge)))
    assert (frame["t"], frame["kind"], frame["seq"]) == ("player", "challenge", 3)
    assert (frame["challenge"]["id"], frame["challenge"]["dest"], frame["challenge"]["color"]) == ("c1", None, "random")
    summary = events_pb2.GameSummary(info=info(), state=state(1))
    frame = declared(affairs.player_event(events_pb2.PlayerEvent(player_id="bob", seq=4, game_start=summary)))
    assert (frame["kind"], frame["game"]["id"], frame["game"]["v"]) == ("gameStart", "g1", 1)
    with pytest.raises(ValueError, match="content"):
        affairs.player_event(events_pb2.PlayerEvent(player_id="bob", seq=5))


def test_chat() -> None:
    line = events_pb2.ChatLine(
        game_id="g1", room=events_pb2.CHAT_ROOM_SPECTATOR, player_id="bob", player_name="Bob", text="hi", at_ms=4
    )
    assert declared(shapes.chat(line)) == {
        "t": "chat",
        "game": "g1",
        "room": "spectator",
        "by": {"id": "bob", "name": "Bob"},
        "text": "hi",
        "at": 4,
    }
