"""Reads the rule set that a request asks for."""

from dataclasses import replace
from enum import StrEnum
from typing import Any

from services.domain.rule_set import DEFAULT_PRESET, PRESETS, RuleSet
from services.domain.text import say
from services.domain.variant import Variant
from services.gateway.errors import malformed
from services.gateway.protocol.rule_sets import NAME, OPTION_NAMES, OPTIONS, PRESET, RULE_NAMES, RULES
from services.gateway.rest.requests import Fields


def chosen(fields: Fields, variant: str, unless_named: RuleSet = PRESETS[DEFAULT_PRESET]) -> RuleSet:
    """The requested rule set. Raises Refused with the name of the invalid field and its possible values.

    `ruleSet` and `ruleSet.preset` are the same. Without either, the other fields change `unless_named`. Options of
    Chaturanga are refused in other variants.
    """
    preset = _preset(fields)
    base = PRESETS[preset] if preset else unless_named
    rules: dict[str, Any] = {
        field: RULES[field](fields.choice(name, RULES[field])) for name, field in RULE_NAMES.items() if fields.has(name)
    }
    options: dict[str, Any] = {
        field: _option(fields, name, OPTIONS[field]) for name, field in OPTION_NAMES.items() if fields.has(name)
    }
    if options and variant != Variant.CHATURANGA:
        name = next(name for name in OPTION_NAMES if fields.has(name))
        raise malformed(say("request.only_in_chaturanga", name=name, variant=variant), name)
    return replace(base, **rules, chaturanga=replace(base.chaturanga, **options))


def _preset(fields: Fields) -> str | None:
    short, long = (fields.choice(name, PRESETS) if fields.has(name) else None for name in (NAME, PRESET))
    if short and long and short != long:
        raise malformed(say("request.two_presets", name=NAME, other=PRESET), PRESET)
    return short or long


def _option(fields: Fields, name: str, kind: type[StrEnum] | type[bool]) -> StrEnum | bool:
    return kind(fields.choice(name, kind)) if issubclass(kind, StrEnum) else fields.boolean(name)
