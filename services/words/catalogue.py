"""The catalogues, and sentences made of them."""

import json
import logging
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from services.domain.text import Text

if TYPE_CHECKING:
    from icu4py.messageformat import MessageFormat

ENGLISH = "en"

PLACE = re.compile(r"\{\w+\}")
NO_SENTENCE = (KeyError, RuntimeError, TypeError, ValueError)
"""How a key is missing, and how ICU refuses arguments."""

log = logging.getLogger(__name__)


@cache
def messages(language: str) -> dict[str, str]:
    """All messages of a language by key, as ICU writes them. Raises FileNotFoundError for a language without a file."""
    catalogue: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name(f"{language}.json").read_text("utf-8"))
    return {f"{area}.{name}": message for area, part in catalogue.items() for name, message in part.items()}


@cache
def _format(key: str, language: str) -> "MessageFormat":
    from icu4py.messageformat import MessageFormat  # its libraries take 10 MB: only a process that makes sentences

    return MessageFormat(messages(language)[key], language)


def sentence(text: Text, language: str = ENGLISH) -> str:
    """The sentence in a language. An unknown key, or arguments that do not fit, are logged and shown as they are."""
    try:
        return _made(text, language)
    except NO_SENTENCE as error:
        log.error("no sentence for %s in %s: %r", text, language, error)
        return str(text)


def knows(text: Text, language: str = ENGLISH) -> bool:
    """Whether the catalogue has a sentence for this text, perhaps of another release: key and arguments fit."""
    try:
        return not PLACE.search(_made(text, language))
    except NO_SENTENCE:
        return False


def _made(text: Text, language: str) -> str:
    """The sentence. Raises one of NO_SENTENCE; the place of a missing argument stays in it as `{name}`."""
    filled: dict[str, Any] = {
        name: _made(value, language) if isinstance(value, Text) else value for name, value in text.arguments
    }
    return _format(text.key, language).format(filled)
