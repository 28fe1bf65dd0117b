"""The one place of the gateway that turns a text into a sentence, and chooses the language: English for everybody."""

from services.domain.text import Text
from services.words.catalogue import ENGLISH, sentence


def told(text: Text, language: str = ENGLISH) -> str:
    """The sentence for a client. Who knows the client's language gives it here."""
    return sentence(text, language)
