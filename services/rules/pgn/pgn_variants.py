"""The names of variants in the tag Variant, as common programs write them; no standard defines them."""

import re

from services.domain.refusal import RefusalCode
from services.domain.variant import Variant
from services.rules.refused import Rejected, quoted

NAMES = {
    Variant.STANDARD: "Standard",
    Variant.CHESS960: "Chess960",
    Variant.THREE_CHECK: "Three-check",
    Variant.KING_OF_THE_HILL: "King of the Hill",
    Variant.CRAZYHOUSE: "Crazyhouse",
    Variant.ATOMIC: "Atomic",
    Variant.SHATRANJ: "Shatranj",
    Variant.CHATURANGA: "Chaturanga",
}
"""The names that Flagfall writes."""

_SEPARATORS = re.compile(r"[\s_-]+")
_READ = {_SEPARATORS.sub("", name.casefold()): variant for variant, name in NAMES.items()} | {
    "": Variant.STANDARD,
    "?": Variant.STANDARD,
    "chess": Variant.STANDARD,
    "normal": Variant.STANDARD,
    "fromposition": Variant.STANDARD,
    "fischerandom": Variant.CHESS960,
    "fischerrandom": Variant.CHESS960,
    "chess960/fischerrandom": Variant.CHESS960,
    "960": Variant.CHESS960,
    "3check": Variant.THREE_CHECK,
    "koth": Variant.KING_OF_THE_HILL,
    "zh": Variant.CRAZYHOUSE,
}


def variant_named(name: str) -> Variant:
    """The variant of a tag; case, blanks and hyphens do not matter. Raises Rejected for an unknown variant."""
    variant = _READ.get(_SEPARATORS.sub("", name.casefold()))
    if variant is None:
        known = ", ".join(NAMES.values())
        message = f"the tag Variant says {quoted(name)}, which is not played here; there are {known}"
        raise Rejected(RefusalCode.UNSUPPORTED_VARIANT, message, "tag[Variant]")
    return variant
