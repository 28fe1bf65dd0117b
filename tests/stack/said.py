"""Makes a text for tests that is in no catalogue."""

from services.domain.text import Text, say


def said(sentence: str) -> Text:
    """A text that reads as given."""
    return say("request.said", sentence=sentence)
