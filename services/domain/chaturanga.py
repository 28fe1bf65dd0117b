"""The disputed points of Chaturanga. Each is an option of a game; `chaturanga_sources` names the sources."""

from dataclasses import dataclass
from enum import StrEnum


class Stalemate(StrEnum):
    """What becomes of the side that has no legal move and is not in check."""

    LOSES = "loses"
    WINS = "wins"
    DRAWS = "draws"


class BareKing(StrEnum):
    """What taking the opponent's last man but the king is worth."""

    NONE = "none"
    WINS_AT_ONCE = "winsAtOnce"
    WINS_UNLESS_BARED_BACK = "winsUnlessBaredBack"


class Elephant(StrEnum):
    """How the elephant moves."""

    ALFIL = "alfil"
    """Two squares diagonally, over whatever stands between."""
    LAME_ALFIL = "lameAlfil"
    """Two squares diagonally, if the square between is empty."""
    ONE_STEP = "oneStep"
    """One square diagonally or straight forward."""
    ROOKWISE_LEAP = "rookwiseLeap"
    """Two squares along rank or file, over whatever stands between."""
    CORNER_ROOKWISE_LEAP = "cornerRookwiseLeap"
    """The same, with the elephants in the corners of the first array."""


class Kings(StrEnum):
    """Where the kings stand in the first array."""

    FACING_ON_E = "facingOnE"
    FACING_ON_D = "facingOnD"
    CROSSED = "crossed"


class PawnBecomes(StrEnum):
    """What a pawn becomes on the last rank."""

    FIRZ = "firz"
    FILE_PIECE = "filePiece"
    """The piece that stood on the file of arrival in the first array; on the king's file a firz."""
    FILE_PIECE_IF_LOST = "filePieceIfLost"
    """The same, if that side has lost one of its kind; otherwise the pawn may not go there."""


@dataclass(frozen=True, slots=True)
class ChaturangaRules:
    """One choice for each disputed point."""

    stalemate: Stalemate = Stalemate.LOSES
    bare_king: BareKing = BareKing.NONE
    elephant: Elephant = Elephant.ALFIL
    kings: Kings = Kings.FACING_ON_E
    pawn_becomes: PawnBecomes = PawnBecomes.FIRZ
    king_leap: bool = False
    """A king that was never in check may once move like a knight."""


CHATURANGA = ChaturangaRules()
"""The defaults."""
