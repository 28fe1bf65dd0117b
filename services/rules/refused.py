"""How the core refuses: one exception that carries the refusal to the caller of the question."""

from services.domain.refusal import Refusal, RefusalCode

QUOTED_CHARS_MAX = 24


class Rejected(Exception):
    """The question is refused: it has a code, a message for people and a place in the input."""

    def __init__(self, code: RefusalCode, message: str, at: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message, at)


def bad_position(at: str, message: str) -> Rejected:
    """The refusal of an invalid position; `at` is the field of the FEN (`fen.castling`)."""
    return Rejected(RefusalCode.BAD_POSITION, message, at)


def quoted(text: str) -> str:
    """Input text, shortened and made printable for a message."""
    return repr(text if len(text) <= QUOTED_CHARS_MAX else text[:QUOTED_CHARS_MAX] + "…")
