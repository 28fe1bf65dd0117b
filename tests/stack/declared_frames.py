"""Checks frames to the client against their declarations."""

from typing import Any

import msgspec
import orjson

from services.gateway.protocol.server_frames import ServerFrame


class Undeclared(AssertionError):
    """A frame that differs from its declaration."""


def declared(frame: bytes | str) -> dict[str, Any]:
    """The frame, after checking that its fields are declared, have the right type, and none is missing."""
    value: dict[str, Any] = orjson.loads(frame)
    try:
        read: object = msgspec.convert(value, ServerFrame)
    except msgspec.ValidationError as error:
        raise Undeclared(f"{error}: {value}") from None
    again = msgspec.to_builtins(read)
    if again != value:
        raise Undeclared(f"fields that are not declared: {value}, of which is read {again}")
    return value
