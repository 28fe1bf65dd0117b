"""Rule sets as clients write and read them: a preset by name, and fields in camelCase one by one."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, get_type_hints

from services.domain.chaturanga import ChaturangaRules
from services.domain.rule_set import DEFAULT_PRESET, PRESETS, RuleSet
from services.domain.variant import Variant
from services.gateway.errors import malformed
from services.gateway.names import camel
from services.gateway.rest.requests import Fields

NAME = "ruleSet"
PRESET = f"{NAME}.preset"
_CHATURANGA = f"{NAME}.chaturanga."

RULES: Mapping[str, type[StrEnum]] = {
    name: kind for name, kind in get_type_hints(RuleSet).items() if kind is not ChaturangaRules
}
"""The fields of a rule set by their own names, and what each may be."""
OPTIONS: Mapping[str, type[StrEnum] | type[bool]] = get_type_hints(ChaturangaRules)
"""The same of Chaturanga's options."""

_RULE_NAMES = {f"{NAME}.{camel(field)}": field for field in RULES}
_OPTION_NAMES = {f"{_CHATURANGA}{camel(field)}": field for field in OPTIONS}

RULE_FIELDS = (NAME, PRESET, *_RULE_NAMES, *_OPTION_NAMES)
"""The names of all fields of a request that `chosen` reads."""
VALUES: Mapping[str, type[StrEnum] | type[bool]] = {
    **{name: RULES[field] for name, field in _RULE_NAMES.items()},
    **{name: OPTIONS[field] for name, field in _OPTION_NAMES.items()},
}
"""What the fields that are set one by one may be, by their names in a request."""


def chosen(fields: Fields, variant: str, unless_named: RuleSet = PRESETS[DEFAULT_PRESET]) -> RuleSet:
    """The rule set that was asked for; Refused with the name of the field that is wrong and what it may be.

    `ruleSet` and `ruleSet.preset` are the same; without either the other fields change `unless_named`. Options of
    Chaturanga are refused in other variants.
    """
    preset = _preset(fields)
    base = PRESETS[preset] if preset else unless_named
    rules: dict[str, Any] = {
        field: RULES[field](fields.choice(name, RULES[field]))
        for name, field in _RULE_NAMES.items()
        if fields.has(name)
    }
    options: dict[str, Any] = {
        field: _option(fields, name, OPTIONS[field]) for name, field in _OPTION_NAMES.items() if fields.has(name)
    }
    if options and variant != Variant.CHATURANGA:
        name = next(name for name in _OPTION_NAMES if fields.has(name))
        raise malformed(f"{name} belongs to Chaturanga alone, and this is {variant}.", name)
    return replace(base, **rules, chaturanga=replace(base.chaturanga, **options))


def shown(rule_set: RuleSet) -> dict[str, Any]:
    """Every field by its name in interfaces, with its value; the options of Chaturanga under `chaturanga`."""
    return {
        **{camel(field): getattr(rule_set, field) for field in RULES},
        "chaturanga": {camel(field): getattr(rule_set.chaturanga, field) for field in OPTIONS},
    }


def is_a_preset(rule_set: RuleSet) -> bool:
    """Whether the name tells all of it."""
    return PRESETS.get(rule_set.name) == rule_set


def _preset(fields: Fields) -> str | None:
    short, long = (fields.choice(name, PRESETS) if fields.has(name) else None for name in (NAME, PRESET))
    if short and long and short != long:
        raise malformed(f"{NAME} and {PRESET} name different presets.", PRESET)
    return short or long


def _option(fields: Fields, name: str, kind: type[StrEnum] | type[bool]) -> StrEnum | bool:
    return kind(fields.choice(name, kind)) if issubclass(kind, StrEnum) else fields.boolean(name)
