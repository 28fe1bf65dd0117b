"""How much one call may ask for."""

from collections.abc import Sized

from services.runtime.rpc import BadRequest


def bounded(items: Sized, name: str, most: int) -> None:
    """BadRequest when there are more than `most` items; `name` is the field that they stand in."""
    if len(items) > most:
        raise BadRequest(f"{name}: {len(items)} of them; at most {most}")
