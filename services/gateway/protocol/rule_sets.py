"""Rule sets as JSON for clients: the name of a preset, and single fields in camelCase."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, get_type_hints

from services.domain.chaturanga import ChaturangaRules
from services.domain.rule_set import PRESETS, RuleSet
from services.gateway.names import camel

NAME = "ruleSet"
PRESET = f"{NAME}.preset"
CHATURANGA = f"{NAME}.chaturanga."

RULES: Mapping[str, type[StrEnum]] = {
    name: kind for name, kind in get_type_hints(RuleSet).items() if kind is not ChaturangaRules
}
"""The fields of a rule set by their names in Python, with the type of each."""
OPTIONS: Mapping[str, type[StrEnum] | type[bool]] = get_type_hints(ChaturangaRules)
"""The same for Chaturanga's options."""

RULE_NAMES: Mapping[str, str] = {f"{NAME}.{camel(field)}": field for field in RULES}
OPTION_NAMES: Mapping[str, str] = {f"{CHATURANGA}{camel(field)}": field for field in OPTIONS}

"""Both tables go from a field's name in a request to its name in Python."""

RULE_FIELDS = (NAME, PRESET, *RULE_NAMES, *OPTION_NAMES)
"""The names of all request fields that describe a rule set."""
VALUES: Mapping[str, type[StrEnum] | type[bool]] = {
    **{name: RULES[field] for name, field in RULE_NAMES.items()},
    **{name: OPTIONS[field] for name, field in OPTION_NAMES.items()},
}
"""The type of each single field, by its name in a request."""


def shown(rule_set: RuleSet) -> dict[str, Any]:
    """All fields as JSON, by their names in requests; Chaturanga's options are under `chaturanga`."""
    return {
        **{camel(field): getattr(rule_set, field) for field in RULES},
        "chaturanga": {camel(field): getattr(rule_set.chaturanga, field) for field in OPTIONS},
    }


def is_a_preset(rule_set: RuleSet) -> bool:
    """Whether the name alone describes this rule set, because it equals the preset of that name."""
    return PRESETS.get(rule_set.name) == rule_set
