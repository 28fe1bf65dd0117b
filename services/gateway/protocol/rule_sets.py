"""Rule sets as clients read them: a preset by name, and fields in camelCase one by one."""

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
"""The fields of a rule set by their own names, and what each may be."""
OPTIONS: Mapping[str, type[StrEnum] | type[bool]] = get_type_hints(ChaturangaRules)
"""The same of Chaturanga's options."""

RULE_NAMES: Mapping[str, str] = {f"{NAME}.{camel(field)}": field for field in RULES}
OPTION_NAMES: Mapping[str, str] = {f"{CHATURANGA}{camel(field)}": field for field in OPTIONS}

"""The fields by their names in a request."""

RULE_FIELDS = (NAME, PRESET, *RULE_NAMES, *OPTION_NAMES)
"""The names of all fields of a request that tell of a rule set."""
VALUES: Mapping[str, type[StrEnum] | type[bool]] = {
    **{name: RULES[field] for name, field in RULE_NAMES.items()},
    **{name: OPTIONS[field] for name, field in OPTION_NAMES.items()},
}
"""What the fields that are set one by one may be, by their names in a request."""


def shown(rule_set: RuleSet) -> dict[str, Any]:
    """Every field by its name in interfaces, with its value; the options of Chaturanga under `chaturanga`."""
    return {
        **{camel(field): getattr(rule_set, field) for field in RULES},
        "chaturanga": {camel(field): getattr(rule_set.chaturanga, field) for field in OPTIONS},
    }


def is_a_preset(rule_set: RuleSet) -> bool:
    """Whether the name tells all of it."""
    return PRESETS.get(rule_set.name) == rule_set
