"""The limit of items in one call."""

from collections.abc import Sized

from services.runtime.rpc import BadRequest


def bounded(items: Sized, name: str, most: int) -> None:
    """Raises BadRequest if there are more than `most` items; `name` is their field, for the message."""
    if len(items) > most:
        raise BadRequest(f"{name}: {len(items)} of them; at most {most}")
