"""Rule sets in requests and answers: presets, fields one by one, and a name for whatever is wrong."""

from dataclasses import fields as dataclass_fields
from typing import Any

import orjson
import pytest

from services.domain.chaturanga import CHATURANGA, BareKing, ChaturangaRules, Elephant
from services.domain.refusal import RefusalCode
from services.domain.rule_set import AUTOMATIC, FIDE, PRESETS, MoveCount, Repetition, RuleSet
from services.gateway.errors import Refused
from services.gateway.protocol.rule_sets import OPTIONS, RULE_FIELDS, RULES, VALUES, shown
from services.gateway.protocol.shapes import rules
from services.gateway.rest.requests import Fields
from services.gateway.rest.rule_fields import chosen
from services.gateway.rest.terms import GAME_FIELDS
from services.runtime.wire import rule_set_to_pb
from services.words.catalogue import sentence


def wish(variant: str = "standard", **fields: Any) -> RuleSet:
    """The rule set of these fields; `_` stands for a dot."""
    named = {
        "ruleSet" + (f".{name.replace('_', '.')}" if name != "it" else ""): value for name, value in fields.items()
    }
    return chosen(Fields(named, 100), variant)


def refusal(variant: str = "standard", **fields: Any) -> tuple[str, str]:
    """Where the same is wrong, and what is said of it."""
    with pytest.raises(Refused) as caught:
        wish(variant, **fields)
    assert caught.value.refusal.code is RefusalCode.MALFORMED
    return caught.value.refusal.at, sentence(caught.value.refusal.text)


def test_every_field_of_the_domain_can_be_set() -> None:
    assert set(RULES) == {field.name for field in dataclass_fields(RuleSet)} - {"chaturanga"}
    assert set(OPTIONS) == {field.name for field in dataclass_fields(ChaturangaRules)}
    assert len(VALUES) == 12 + 6
    assert set(VALUES) < set(RULE_FIELDS) <= set(GAME_FIELDS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_named_in_either_way(name: str) -> None:
    assert wish(it=name) == wish(preset=name) == wish(it=name, preset=name) == PRESETS[name]


def test_nothing_said_is_the_laws_to_the_letter() -> None:
    assert wish() == FIDE


def test_fields_differ_from_the_preset_one_by_one() -> None:
    rule_set = wish(
        preset="automatic", repetition="claimThreeAutomaticFive", moveCount="claimFiftyAutomaticSeventyFive"
    )
    assert rule_set.repetition is Repetition.CLAIM_THREE_AUTOMATIC_FIVE
    assert rule_set.move_count is MoveCount.CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE
    assert (rule_set.win_on_time, rule_set.name) == (AUTOMATIC.win_on_time, "custom")
    assert wish(repetition="automaticThree", moveCount="automaticFifty") != wish(repetition="automaticThree")


def test_every_value_of_every_field_is_read_back_as_it_is_shown() -> None:
    for name, kind in VALUES.items():
        for value in kind if kind is not bool else (True, False):
            rule_set = chosen(Fields({name: value}, 100), "chaturanga")
            place: Any = {"ruleSet": shown(rule_set)}
            for step in name.split("."):
                place = place[step]
            assert place == value


def test_chaturangas_options_are_its_own() -> None:
    rule_set = wish("chaturanga", it="party", chaturanga_elephant="lameAlfil", chaturanga_kingLeap="true")
    assert rule_set.chaturanga == ChaturangaRules(elephant=Elephant.LAME_ALFIL, king_leap=True)
    assert rule_set.name == "party"
    at, said = refusal("shatranj", chaturanga_elephant="alfil")
    assert at == "ruleSet.chaturanga.elephant"
    assert "shatranj" in said


@pytest.mark.parametrize(
    ("fields", "at", "allowed"),
    [
        ({"it": "blitz"}, "ruleSet", PRESETS),
        ({"it": "custom"}, "ruleSet", PRESETS),
        ({"preset": ""}, "ruleSet.preset", PRESETS),
        ({"repetition": "never"}, "ruleSet.repetition", Repetition),
        ({"repetition": 3}, "ruleSet.repetition", Repetition),
        ({"repetition": ["automaticThree"]}, "ruleSet.repetition", ()),
        ({"chaturanga_bareKing": "wins"}, "ruleSet.chaturanga.bareKing", BareKing),
        ({"chaturanga_kingLeap": "maybe"}, "ruleSet.chaturanga.kingLeap", ("true", "false")),
        ({"it": "fide", "preset": "party"}, "ruleSet.preset", ()),
    ],
)
def test_a_wrong_value_is_refused_with_its_name_and_what_there_is(
    fields: dict[str, Any], at: str, allowed: Any
) -> None:
    place, said = refusal("chaturanga", **fields)
    assert place == at
    assert all(value in said for value in allowed)


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("ruleSet.repetitions", "ruleSet.repetition"),
        ("ruleSet.win_on_time", "ruleSet.winOnTime"),
        ("ruleSet.chaturanga.elefant", "ruleSet.chaturanga.elephant"),
        ("clock.limits", "clock.limit"),
    ],
)
def test_an_unknown_field_is_refused_with_those_beside_it(name: str, beside: str) -> None:
    with pytest.raises(Refused) as caught:
        Fields({name: "x"}, 100).only(GAME_FIELDS)
    assert caught.value.refusal.at == name
    assert beside in sentence(caught.value.refusal.text)
    assert "color" not in sentence(caught.value.refusal.text)


def test_answers_name_a_preset_and_tell_the_rest_whole() -> None:
    assert rules(rule_set_to_pb(PRESETS["friendly"])) == {"ruleSet": "friendly"}
    custom = orjson.loads(orjson.dumps(rules(rule_set_to_pb(wish(repetition="automaticThree")))))
    assert custom["ruleSet"] == "custom"
    assert custom["rules"]["repetition"] == "automaticThree"
    assert custom["rules"]["chaturanga"]["kingLeap"] is CHATURANGA.king_leap
    options = rules(rule_set_to_pb(wish("chaturanga", chaturanga_kings="crossed")))
    assert (options["ruleSet"], options["rules"]["chaturanga"]["kings"]) == ("fide", "crossed")
