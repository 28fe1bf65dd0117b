"""Names of fields as Flagfall's interfaces spell them."""

import re


def camel(name: str) -> str:
    """A name in camelCase: `win_on_time` becomes `winOnTime`."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
