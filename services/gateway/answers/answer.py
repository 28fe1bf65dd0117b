"""What all answers of the HTTP API share: their kind of object, times, and how they are sent."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Moment = Annotated[int, Meta(description="Ms since 1970.", extra_json_schema={"format": "int64"})]
Seconds = Annotated[int, Meta(description="Seconds.")]
Sides = Literal["white", "black", "random"]
"""The colour that somebody asks for."""

Body = Struct | Sequence[Struct] | Mapping[str, Struct | None]
"""What can be answered: nothing that is not declared."""

encoded = msgspec.json.Encoder().encode
"""An answer as JSON in UTF-8."""

T = TypeVar("T")


class Answer(Struct, frozen=True, kw_only=True, rename="camel"):
    """An object of the HTTP API. A field that is not set is left out; None is null."""


class Ok(Answer, frozen=True, kw_only=True):
    """It is done."""

    ok: bool = True


def if_any(value: T | None) -> T | UnsetType:
    """The value of a field that is left out where there is none."""
    return UNSET if value is None else value
