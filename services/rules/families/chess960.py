"""Chess960 (FIDE Laws, Guidelines II): 960 starting positions; castling always ends on the usual squares."""

import chess

from services.domain.refusal import RefusalCode
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.refused import Rejected
from services.rules.text.castling import Castling

STANDARD_NUMBER = 518
"""The number of the starting position of standard chess."""
NUMBERS = range(960)


class Chess960(Family):
    """Standard chess with other starting positions and castling, which is written as king takes rook."""

    variant = Variant.CHESS960
    castling = Castling.CHESS960

    @property
    def start_fen(self) -> str:
        """The starting position with number 518."""
        return start_fen_of(STANDARD_NUMBER)


def start_fen_of(number: int) -> str:
    """The starting position with this number (Scharnagl), in X-FEN. Raises Rejected for an unknown number."""
    if number not in NUMBERS:
        raise Rejected(RefusalCode.MALFORMED, say("rules.start_number", given=str(number)), "number")
    return chess.Board.from_chess960_pos(number).fen()


CHESS960 = Chess960()
