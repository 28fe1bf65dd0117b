"""The catalogues, and sentences made of them."""

import json
import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from services.domain.text import Argument, Text

if TYPE_CHECKING:
    from icu4py.messageformat import MessageFormat

ENGLISH = "en"

log = logging.getLogger(__name__)


@cache
def messages(language: str) -> dict[str, str]:
    """All messages of a language by key, as ICU writes them. Raises FileNotFoundError for a language without a file."""
    catalogue: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name(f"{language}.json").read_text("utf-8"))
    return {f"{area}.{name}": message for area, part in catalogue.items() for name, message in part.items()}


def knows(text: Text, language: str = ENGLISH) -> bool:
    """Whether the catalogue has this text, and all texts that are put into it."""
    inner = (value for _, value in text.arguments if isinstance(value, Text))
    return text.key in messages(language) and all(knows(value, language) for value in inner)


@cache
def _format(key: str, language: str) -> "MessageFormat | None":
    from icu4py.messageformat import MessageFormat  # its libraries take 10 MB: only a process that makes sentences

    message = messages(language).get(key)
    return None if message is None else MessageFormat(message, language)


def sentence(text: Text, language: str = ENGLISH) -> str:
    """The sentence in a language. An unknown key, or arguments that do not fit, are logged and shown as they are."""
    message = _format(text.key, language)
    if message is None:
        log.error("no message %r in %s", text.key, language)
        return str(text)
    try:
        return message.format({name: _shown(value, language) for name, value in text.arguments})
    except (RuntimeError, TypeError, ValueError) as error:  # ICU refuses them; another release may have sent them
        log.error("the message %r in %s does not take its arguments: %s: %s", text.key, language, text, error)
        return str(text)


def _shown(value: Argument, language: str) -> str | int:
    return sentence(value, language) if isinstance(value, Text) else value
