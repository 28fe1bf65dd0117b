"""The disputed points of Chaturanga. Each is an option of a game; `chaturanga_sources` names the sources."""

from dataclasses import dataclass
from enum import StrEnum


class Stalemate(StrEnum):
    """The result for a side that has no legal move and is not in check."""

    LOSES = "loses"
    WINS = "wins"
    DRAWS = "draws"


class BareKing(StrEnum):
    """The result of capturing the opponent's last piece besides the king."""

    NONE = "none"
    WINS_AT_ONCE = "winsAtOnce"
    WINS_UNLESS_BARED_BACK = "winsUnlessBaredBack"


class Elephant(StrEnum):
    """How the elephant moves."""

    ALFIL = "alfil"
    """Two squares diagonally; it jumps over a piece between."""
    LAME_ALFIL = "lameAlfil"
    """Two squares diagonally, if the square between is empty."""
    ONE_STEP = "oneStep"
    """One square diagonally or straight forward."""
    ROOKWISE_LEAP = "rookwiseLeap"
    """Two squares along a rank or file; it jumps over a piece between."""
    CORNER_ROOKWISE_LEAP = "cornerRookwiseLeap"
    """Moves like `rookwiseLeap`; the elephants start in the corners."""


class Kings(StrEnum):
    """Where the kings stand in the starting position."""

    FACING_ON_E = "facingOnE"
    FACING_ON_D = "facingOnD"
    CROSSED = "crossed"


class PawnBecomes(StrEnum):
    """What a pawn becomes on the last rank."""

    FIRZ = "firz"
    FILE_PIECE = "filePiece"
    """The piece that stood on this file in the starting position; on the king's file a firz."""
    FILE_PIECE_IF_LOST = "filePieceIfLost"
    """The same piece, if this side has lost a piece of that kind; otherwise the pawn may not move there."""


@dataclass(frozen=True, slots=True)
class ChaturangaRules:
    """One choice for each disputed point."""

    stalemate: Stalemate = Stalemate.LOSES
    bare_king: BareKing = BareKing.NONE
    elephant: Elephant = Elephant.ALFIL
    kings: Kings = Kings.FACING_ON_E
    pawn_becomes: PawnBecomes = PawnBecomes.FIRZ
    king_leap: bool = False
    """Whether a king that was never in check may move once like a knight."""


CHATURANGA = ChaturangaRules()
"""The default options."""
