"""Converts answers to what clients get."""

from typing import Any

import orjson

from services.gateway.answers.answer import encoded


def sent(answer: object) -> Any:
    """An answer as the JSON that a client reads."""
    return orjson.loads(encoded(answer))
