"""A text of the tests' own, which is in no catalogue."""

from services.domain.text import Text, say


def said(sentence: str) -> Text:
    """The text that reads like this."""
    return say("request.said", sentence=sentence)
