"""Names of fields as interfaces of Flagfall spell them."""

import re


def camel(name: str) -> str:
    """`win_on_time` as `winOnTime`."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
