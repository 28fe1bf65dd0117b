"""How the rules refuse a question: one exception, which carries the refusal to whoever asked."""

from collections.abc import Sequence

from services.domain.outcome import Outcome
from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Argument, Text, say

QUOTED_CHARS_MAX = 24


class Rejected(Exception):
    """The question is refused, with a code, a text for people and a place in the input (`at`)."""

    def __init__(self, code: RefusalCode, text: Text, at: str) -> None:
        super().__init__(text)
        self.text = text
        self.refusal = Refusal(code, text, at)


def bad_position(at: str, text: Text) -> Rejected:
    """The refusal of an invalid position; `at` is the field of the FEN (`fen.castling`)."""
    return Rejected(RefusalCode.BAD_POSITION, text, at)


def quoted(text: str) -> str:
    """A piece of the input for a text: in quotation marks, shortened, all characters printable."""
    return repr(text if len(text) <= QUOTED_CHARS_MAX else text[:QUOTED_CHARS_MAX] + "…")


def end_text(outcome: Outcome) -> Text:
    """The reason of an end, as words for a text."""
    return say("rules.end_reason", reason=str(outcome.reason))


def one_of(choices: Sequence[Argument]) -> Argument:
    """A list of choices, "a, b or c", as one argument of a text."""
    if len(choices) == 1:
        return choices[0]
    *others, before, last = choices
    listed = say("rules.list_or", first=before, last=last)
    for choice in reversed(others):
        listed = say("rules.list_more", first=choice, others=listed)
    return listed
