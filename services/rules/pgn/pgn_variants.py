"""The names of variants in the tag Variant, as common programs write them; no standard defines them."""

import re

from services.domain.refusal import RefusalCode
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.refused import Rejected, quoted

_SEPARATORS = re.compile(r"[\s_-]+")


def _tidy(name: str) -> str:
    return _SEPARATORS.sub("", name.casefold())


_READ = {name: variant for variant in Variant for name in (_tidy(variant.label), *variant.aliases)}


def variant_named(name: str) -> Variant:
    """The variant that a tag names, in any case and with any blanks and hyphens. Raises Rejected if it is unknown."""
    variant = _READ.get(_tidy(name))
    if variant is None:
        known = ", ".join(each.label for each in Variant)
        text = say("rules.pgn_tag_variant", given=quoted(name), known=known)
        raise Rejected(RefusalCode.UNSUPPORTED_VARIANT, text, "tag[Variant]")
    return variant
