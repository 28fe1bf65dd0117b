"""How a game ends: the winner, and separately the reason."""

from dataclasses import dataclass
from enum import StrEnum

from services.domain.colour import Colour


class EndReason(StrEnum):
    """Why a game is over. The value is the word in Flagfall's own interfaces."""

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
    """Shatranj and Chaturanga: the loser has only the king left."""
    THIRD_CHECK = "thirdCheck"
    HILL = "hill"
    """The winner's king reached one of the four central squares."""
    EXPLOSION = "explosion"
    """A king that was blown up."""
    ALL_TAKEN = "allTaken"
    """A side has no men left: in Antichess it has won, in Horde it has lost."""
    RACE = "race"
    """A king, or both, on the eighth rank in Racing Kings."""
    UNKNOWN = "unknown"
    """An imported game: its file has a result but no reason."""
    ABSENCE = "absence"
    """A player left and the opponent claimed the win."""
    ABANDONED = "abandoned"
    """Both players left."""

    @property
    def aborts(self) -> bool:
        """Whether a game that ends for this reason has no result."""
        return self in (EndReason.ABORT, EndReason.NO_FIRST_MOVE, EndReason.ABANDONED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. If `winner` is None, it is a draw, or there is no result if the reason aborts."""

    winner: Colour | None
    reason: EndReason


class Claim(StrEnum):
    """A draw that a player may claim (FIDE 9.2, 9.3)."""

    THREEFOLD = "threefold"
    FIFTY = "fifty"
