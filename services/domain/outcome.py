"""How a game ends: who won, and the reason apart from it."""

from dataclasses import dataclass
from enum import StrEnum

from services.domain.colour import Colour


class EndReason(StrEnum):
    """Why a game is over. The value is the word used in interfaces of Flagfall's own."""

    CHECKMATE = "checkmate"
    RESIGNATION = "resignation"
    STALEMATE = "stalemate"
    REPETITION = "repetition"
    MOVE_COUNT = "moveCount"
    DEAD_POSITION = "deadPosition"
    AGREEMENT = "agreement"
    FLAG = "flag"
    EXPIRY = "expiry"
    ABORT = "abort"
    NO_FIRST_MOVE = "noFirstMove"
    BARE_KING = "bareKing"
    """Shatranj and Chaturanga: the loser has nothing left but the king."""
    THIRD_CHECK = "thirdCheck"
    HILL = "hill"
    """A king on one of the four central squares."""
    EXPLOSION = "explosion"
    """A king that was blown up."""
    ALL_TAKEN = "allTaken"
    """A side has no men left: in Antichess it has won, in Horde it has lost."""
    RACE = "race"
    """A king, or both, on the eighth rank in Racing Kings."""
    UNKNOWN = "unknown"
    """An imported game whose file gives the result and no reason."""
    ABSENCE = "absence"
    """The opponent claimed it from a player who had left."""
    ABANDONED = "abandoned"
    """Both players had left."""

    @property
    def aborts(self) -> bool:
        """Whether this end leaves no result at all."""
        return self in (EndReason.ABORT, EndReason.NO_FIRST_MOVE, EndReason.ABANDONED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `winner` None means a draw, or no result when the reason aborts."""

    winner: Colour | None
    reason: EndReason


class Claim(StrEnum):
    """A draw that a player may claim (FIDE 9.2, 9.3)."""

    THREEFOLD = "threefold"
    FIFTY = "fifty"
