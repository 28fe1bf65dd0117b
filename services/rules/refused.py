"""How the core says no: one exception that carries the refusal to the edge of the question."""

from services.domain.refusal import Refusal, RefusalCode

QUOTED_CHARS_MAX = 24


class Rejected(Exception):
    """A question that has no answer but a refusal."""

    def __init__(self, code: RefusalCode, message: str, at: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message, at)


def bad_position(at: str, message: str) -> Rejected:
    """A position that cannot be read or played, with the field of the FEN (`fen.castling`)."""
    return Rejected(RefusalCode.BAD_POSITION, message, at)


def quoted(text: str) -> str:
    """What somebody sent, short enough and plain enough for a message."""
    return repr(text if len(text) <= QUOTED_CHARS_MAX else text[:QUOTED_CHARS_MAX] + "…")
