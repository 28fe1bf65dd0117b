"""Finds the family of a variant."""

from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.families.antichess import ANTICHESS
from services.rules.families.atomic import ATOMIC
from services.rules.families.chaturanga import chaturanga_family
from services.rules.families.chess960 import CHESS960
from services.rules.families.crazyhouse import CRAZYHOUSE
from services.rules.families.family import STANDARD, Family
from services.rules.families.horde import HORDE
from services.rules.families.king_of_the_hill import KING_OF_THE_HILL
from services.rules.families.racing_kings import RACING_KINGS
from services.rules.families.shatranj import SHATRANJ
from services.rules.families.three_check import THREE_CHECK
from services.rules.refused import Rejected, quoted

_FAMILIES: dict[str, Family] = {
    family.variant: family
    for family in (
        *(STANDARD, CHESS960, THREE_CHECK, KING_OF_THE_HILL, CRAZYHOUSE, ATOMIC),
        *(ANTICHESS, HORDE, RACING_KINGS, SHATRANJ),
    )
}


def family_of(variant: str, rule_set: RuleSet) -> Family:
    """The family of a variant, with the rule set's options. Raises Rejected for an unknown variant."""
    if variant == Variant.CHATURANGA:
        return chaturanga_family(rule_set.chaturanga)
    family = _FAMILIES.get(variant)
    if family is None:
        text = say("rules.variant_unknown", given=quoted(variant), known=", ".join(Variant))
        raise Rejected(RefusalCode.UNSUPPORTED_VARIANT, text, "variant")
    return family
