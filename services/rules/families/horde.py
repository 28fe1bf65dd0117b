"""Horde: White has thirty-six pawns and no king. White wins by mate, Black by capturing every man of White's.

A pawn of White's on the first rank may make a double step, and cannot be captured en passant then. Whoever has no legal
move and is not in check has drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family, MenOfSide
from services.rules.families.legal_text import legal_rows, promotion_row, row
from services.rules.families.material import minors
from services.rules.families.targets import pseudo_targets

HORDE_MEN = 36


class Horde(Family):
    """A king and its army against pawns."""

    variant = Variant.HORDE
    board_class = chess.variant.HordeBoard
    men_of_side: ClassVar[Mapping[chess.Color, MenOfSide]] = {
        chess.WHITE: MenOfSide(kings=range(1), pawns_max=HORDE_MEN, men_max=HORDE_MEN, no_pawns_on=chess.BB_RANK_8),
        chess.BLACK: MenOfSide(),
    }
    exact_dead_positions = False

    @property
    def start_fen(self) -> str:
        """White's pawns on five ranks; Black's array is that of standard chess."""
        return chess.variant.HordeBoard.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """White has no men left."""
        return None if board.occupied_co[chess.WHITE] else Outcome(Colour.BLACK, EndReason.ALL_TAKEN)

    def is_check(self, board: chess.Board) -> bool:
        """Whether Black is in check; White has no king."""
        return not board.turn and board.is_check()

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """Black's as in standard chess; of White's moves none is ever illegal for a check."""
        return _rows_of_horde(board) if board.turn else legal_rows(board, check)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Never: Black's king alone may capture whatever White has."""
        return False

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Black always can. White cannot mate with few men and nothing of Black's in the king's way.

        The table for White is the library's: a lone man never mates a lone king, two minor pieces do not either, and so
        on, up to four men, which always can.
        """
        return side is Colour.WHITE and board.has_insufficient_material(chess.WHITE)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Black's king is enough. White needs what can mate a lone king, where nothing of Black's helps.

        So not one man, not two minor pieces, not a rook and a bishop; a pawn counts as the queen that it may become.
        """
        if side is Colour.BLACK:
            return True
        against_king = board.copy(stack=False)
        for square in chess.scan_forward(board.occupied_co[chess.BLACK] & ~board.kings):
            against_king.remove_piece_at(square)
        return not against_king.has_insufficient_material(chess.WHITE)

    def men(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """All men of a side: White has no king to leave out, and Black's wins games, so that it counts too."""
        return board.occupied_co[side is Colour.WHITE].bit_count(), minors(board, side)


def _rows_of_horde(board: chess.Board) -> Iterator[Sequence[str]]:
    """White's moves."""
    empty, promoting = ~board.occupied, board.pawns & chess.BB_RANK_7
    on_first_rank = board.pawns & chess.BB_RANK_1
    for man, source, there in pseudo_targets(board, board.occupied_co[chess.WHITE]):
        if man & on_first_rank:
            yield row(source, there | (man << 8 & empty) << 8 & empty)
        else:
            yield promotion_row(source, there) if man & promoting else row(source, there)


HORDE = Horde()
