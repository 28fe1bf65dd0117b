"""Rule sets: the table of presets, their names, and every field through its message."""

from dataclasses import fields, replace

import pytest

from services.domain.chaturanga import BareKing, ChaturangaRules, Elephant, Kings, PawnBecomes, Stalemate
from services.domain.rule_set import CLAIMED, DEFAULT_PRESET, FIDE, PRESETS, RuleSet
from services.pb.flagfall.v1 import common_pb2
from services.runtime.wire import rule_set_from_pb, rule_set_to_pb

# one row a field: what fide, claimed, everyday, automatic, friendly and party have
TABLE = {
    "repetition": ("claimThreeAutomaticFive",) * 2 + ("automaticThree",) * 4,
    "move_count": ("claimFiftyAutomaticSeventyFive",) * 2 + ("automaticFifty",) * 4,
    "dead_position": ("exact",) + ("byMaterial",) * 5,
    "fallen_flag": ("decidesAtOnce",) * 4 + ("opponentDecides", "decidesAtOnce"),
    "win_on_time": (
        "possibleMate",
        "moreThanBareKingNotDead",
        "forcingMaterial",
        "moreThanBareKing",
        "moreThanOneMinor",
        "moreThanBareKingNotDead",
    ),
    "resignation": ("drawIfCannotWin", "loss", "loss", "drawIfCannotWin", "loss", "loss"),
    "agreement": ("afterBothMoved", "anyTime", "anyTime", "afterBothMoved", "anyTime", "anyTime"),
    "absent_player": ("clockRuns",) * 5 + ("computerPlays",),
    "late_correspondence": ("closedAtOnce",) * 4 + ("opponentClaims", "closedAtOnce"),
    "takeback": ("never",) * 6,
    "rated_draw": ("halfPoint",) * 5 + ("leavesRatings",),
    "rematch": ("coloursSwap",) * 6,
}
NAMES = ("fide", "claimed", "everyday", "automatic", "friendly", "party")


def test_the_presets() -> None:
    assert tuple(PRESETS) == NAMES
    assert DEFAULT_PRESET == "fide"
    assert {field.name for field in fields(RuleSet)} == {*TABLE, "chaturanga"}
    for field, row in TABLE.items():
        assert tuple(str(getattr(preset, field)) for preset in PRESETS.values()) == row, field


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_knows_its_name_and_travels(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert rule_set_from_pb(rule_set_to_pb(preset)) == preset


def test_one_field_makes_it_custom_but_options_of_chaturanga_do_not() -> None:
    changed = replace(FIDE, rematch=type(FIDE.rematch).RANDOM)
    assert changed.name == "custom"
    assert replace(FIDE, chaturanga=ChaturangaRules(king_leap=True)).name == "fide"


@pytest.mark.parametrize("field", TABLE)
def test_every_value_of_a_field_travels(field: str) -> None:
    for value in type(getattr(FIDE, field)):
        changed = replace(FIDE, **{field: value})
        assert rule_set_from_pb(rule_set_to_pb(changed)) == changed


@pytest.mark.parametrize("field", TABLE)
def test_a_field_that_is_not_set_is_named(field: str) -> None:
    message = common_pb2.RuleSet()
    message.CopyFrom(rule_set_to_pb(FIDE))
    message.ClearField(field)
    with pytest.raises(ValueError, match=f"^rule_set.{field}: not set$"):
        rule_set_from_pb(message)


def test_three_fields_are_a_rule_set_of_the_time_when_there_were_no_more() -> None:
    message = common_pb2.RuleSet(
        repetition=common_pb2.REPETITION_CLAIM_THREE_AUTOMATIC_FIVE,
        move_count=common_pb2.MOVE_COUNT_CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE,
        win_on_time=common_pb2.WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD,
    )
    assert rule_set_from_pb(message) == CLAIMED
    for field in ("repetition", "move_count", "win_on_time"):
        broken = common_pb2.RuleSet()
        broken.CopyFrom(message)
        broken.ClearField(field)
        with pytest.raises(ValueError, match=f"^rule_set.{field}: not set$"):
            rule_set_from_pb(broken)
    message.takeback = common_pb2.TAKEBACK_NEVER  # one of the later fields: then all are wanted
    with pytest.raises(ValueError, match=r"^rule_set\.dead_position: not set$"):
        rule_set_from_pb(message)


def test_options_of_chaturanga_travel() -> None:
    for options in (
        ChaturangaRules(stalemate=Stalemate.WINS, bare_king=BareKing.WINS_UNLESS_BARED_BACK),
        ChaturangaRules(elephant=Elephant.CORNER_ROOKWISE_LEAP, kings=Kings.CROSSED, king_leap=True),
        ChaturangaRules(pawn_becomes=PawnBecomes.FILE_PIECE_IF_LOST),
    ):
        rules = replace(FIDE, chaturanga=options)
        assert rule_set_from_pb(rule_set_to_pb(rules)) == rules
    broken = common_pb2.RuleSet()
    broken.CopyFrom(rule_set_to_pb(rules))
    broken.chaturanga.ClearField("stalemate")
    with pytest.raises(ValueError, match=r"^rule_set\.chaturanga\.stalemate: not set$"):
        rule_set_from_pb(broken)
