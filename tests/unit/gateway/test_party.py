"""Parties at the gateway: what a request makes of the settings, and what a member is sent."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from services.domain.rule_set import EVERYDAY, FIDE, PARTY
from services.gateway.errors import Refused
from services.gateway.protocol import affairs, shapes
from services.gateway.rest.party import DEFAULTS, wanted_settings
from services.gateway.rest.requests import Fields
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.events_pb2 import Party, PartySettings, Player, PlayerEvent
from services.runtime.wire import rule_set_from_pb, rule_set_to_pb
from tests.stack.sent import sent


def wanted(values: Mapping[str, Any], current: PartySettings = DEFAULTS) -> PartySettings:
    return wanted_settings(Fields(values, 1_000), current)


def gathering(*ids: str, watching: str = "") -> Party:
    party = Party(id="abcdefghijkl", host_id=ids[0], settings=DEFAULTS, version=3, created_ms=1_000)
    for place, id in enumerate(ids):
        party.members.add(player=Player(id=id, name=id.title(), guest=True), joined_ms=place, spectator=id == watching)
    return party


def test_nothing_asked_for_is_what_a_party_is_by_default() -> None:
    settings = wanted({})
    assert settings == DEFAULTS
    assert (settings.turn_ms, settings.legal_marks, settings.swap_colors, settings.variant) == (
        0,
        True,
        True,
        "standard",
    )
    assert rule_set_from_pb(settings.rule_set) == PARTY


@pytest.mark.parametrize(("seconds", "turn_ms"), [(0, 0), ("30", 30_000), (60, 60_000)])
def test_a_turn_limit_is_asked_for_in_seconds(seconds: object, turn_ms: int) -> None:
    assert wanted({"turnLimit": seconds}).turn_ms == turn_ms


def test_what_does_not_come_stays() -> None:
    current = wanted({"turnLimit": 60, "legalMarks": False, "variant": "atomic", "ruleSet": "fide"})
    changed = wanted({"swapColors": "off"}, current)
    assert (changed.turn_ms, changed.legal_marks, changed.swap_colors, changed.variant) == (
        60_000,
        False,
        False,
        "atomic",
    )
    assert rule_set_from_pb(changed.rule_set) == FIDE


def test_a_field_of_the_rule_set_changes_the_one_that_is_and_a_preset_replaces_it() -> None:
    current = wanted({"ruleSet.agreement": "afterBothMoved"})
    rule_set = rule_set_from_pb(current.rule_set)
    assert (rule_set.agreement, rule_set.absent_player) == (FIDE.agreement, PARTY.absent_player)
    both = rule_set_from_pb(wanted({"ruleSet.resignation": "drawIfCannotWin"}, current).rule_set)
    assert (both.agreement, both.resignation) == (FIDE.agreement, FIDE.resignation)
    assert rule_set_from_pb(wanted({"ruleSet": "everyday"}, current).rule_set) == EVERYDAY


def test_options_of_chaturanga_end_with_it() -> None:
    current = wanted({"variant": "chaturanga", "ruleSet.chaturanga.stalemate": "draws"})
    assert rule_set_from_pb(current.rule_set).name == "party"
    assert current.rule_set.HasField("chaturanga")
    assert wanted({"variant": "standard"}, current).rule_set == rule_set_to_pb(PARTY)
    assert wanted({"turnLimit": 30}, current).rule_set.HasField("chaturanga")


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ({"turnLimit": 45}, "turnLimit"),
        ({"turnLimit": 61}, "turnLimit"),
        ({"turnLimit": "soon"}, "turnLimit"),
        ({"legalMarks": "perhaps"}, "legalMarks"),
        ({"variant": "draughts"}, "variant"),
        ({"variant": "fromPosition"}, "variant"),
        ({"ruleSet": "house"}, "ruleSet"),
        ({"ruleSet.chaturanga.stalemate": "draws"}, "ruleSet.chaturanga.stalemate"),
    ],
)
def test_what_is_wrong_is_named(values: dict[str, object], at: str) -> None:
    with pytest.raises(Refused) as raised:
        wanted(values)
    assert (raised.value.refusal.code, raised.value.refusal.at) == ("malformed", at)


def test_a_member_is_sent_the_whole_party() -> None:
    event = PlayerEvent(player_id="ann", seq=7, party=gathering("ann", "bob", "eve", watching="ann"))
    event.party.game_id = "game0001"
    frame = orjson.loads(affairs.player_event(event))
    assert (frame["t"], frame["kind"], frame["seq"]) == ("player", "party", 7)
    assert frame["party"] == {
        "id": "abcdefghijkl",
        "v": 3,
        "host": "ann",
        "settings": {
            "turnLimit": 0,
            "legalMarks": True,
            "swapColors": True,
            "variant": "standard",
            "ruleSet": "party",
        },
        "members": [
            {"id": "ann", "name": "Ann", "guest": True, "spectator": True, "joinedAt": 0},
            {"id": "bob", "name": "Bob", "guest": True, "spectator": False, "joinedAt": 1},
            {"id": "eve", "name": "Eve", "guest": True, "spectator": False, "joinedAt": 2},
        ],
        "next": ["bob", "eve"],
        "game": "game0001",
        "createdAt": 1_000,
        "closed": False,
    }


def test_the_link_of_a_party_is_told_to_the_players_of_its_games_alone() -> None:
    """Anybody may watch and look for games; whoever has the link may come in."""
    info = events_pb2.GameInfo(id="game0001", variant="standard", rule_set=DEFAULTS.rule_set, party_id="abcdefghijkl")
    info.time_control.unlimited.SetInParent()
    state = events_pb2.GameState(game_id="game0001", status=events_pb2.GAME_STATUS_STARTED)
    summary = events_pb2.GameSummary(info=info, state=state)
    for colour in (common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK):
        assert orjson.loads(shapes.full(info, state, b"[]", colour, False))["info"]["party"] == "abcdefghijkl"
    started = PlayerEvent(player_id="ann", seq=1, game_start=summary)
    assert orjson.loads(affairs.player_event(started))["game"]["info"]["party"] == "abcdefghijkl"
    watched = shapes.full(info, state, b"[]", common_pb2.COLOR_UNSPECIFIED, False)
    assert b"abcdefghijkl" not in watched
    assert b"abcdefghijkl" not in orjson.dumps(affairs.summary(summary))


def test_one_alone_has_nobody_to_play_and_no_game() -> None:
    shape = sent(affairs.party(gathering("ann", "bob", watching="bob")))
    assert (shape["next"], shape["game"]) == ([], None)
