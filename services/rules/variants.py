"""Which family plays which variant."""

from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.variant import Variant
from services.rules.family import STANDARD, Family
from services.rules.refused import Refused, quoted

_FAMILIES: dict[str, Family] = {Variant.STANDARD: STANDARD}


def family_of(variant: str, rule_set: RuleSet) -> Family:
    """The rules of a variant, as the rule set's options have them; Refused when there is none of that name."""
    family = _FAMILIES.get(variant)
    if family is None:
        raise Refused(
            RefusalCode.UNSUPPORTED_VARIANT,
            f"there is no variant {quoted(variant)}; there are {', '.join(Variant)}",
            "variant",
        )
    return family
