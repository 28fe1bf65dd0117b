"""Horde: White has 36 pawns and no king. White wins by checkmate, Black by capturing all of White's pieces.

A white pawn on the first rank may make a double step; it cannot be captured en passant after it. If the side to move is
not in check and has no legal move, the game is drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family, PiecesOfSide
from services.rules.families.legal_text import legal_rows, promotion_row, row
from services.rules.families.material import minors
from services.rules.families.targets import pseudo_targets

HORDE_PIECES = 36


class Horde(Family):
    """The rules of Horde: the pieces of standard chess (Black) against 36 pawns (White)."""

    variant = Variant.HORDE
    board_class = chess.variant.HordeBoard
    pieces_of_side: ClassVar[Mapping[chess.Color, PiecesOfSide]] = {
        chess.WHITE: PiecesOfSide(
            kings=range(1), pawns_max=HORDE_PIECES, pieces_max=HORDE_PIECES, no_pawns_on=chess.BB_RANK_8
        ),
        chess.BLACK: PiecesOfSide(),
    }
    exact_dead_positions = False

    @property
    def start_fen(self) -> str:
        """The FEN of the starting position: White's pawns on five ranks, Black's pieces as in standard chess."""
        return chess.variant.HordeBoard.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win of Black when White has no pieces left, or None."""
        return None if board.occupied_co[chess.WHITE] else Outcome(Colour.BLACK, EndReason.ALL_TAKEN)

    def is_check(self, board: chess.Board) -> bool:
        """Whether Black is in check; White has no king."""
        return not board.turn and board.is_check()

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """The legal moves. Black's are those of standard chess; White has no king, so no check makes a move illegal."""
        return _rows_of_horde(board) if board.turn else legal_rows(board, check)

    def dead_by_material(self, board: chess.Board) -> bool:
        """False: Black's king alone may capture all of White's pieces."""
        return False

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` can never win. Black always can. White cannot if it has too few pieces for any mate.

        The library decides for White: for example, one piece or two minor pieces never mate a king without other black
        pieces; with four pieces a mate is always possible.
        """
        return side is Colour.WHITE and board.has_insufficient_material(chess.WHITE)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` has enough to win. Black always has. White needs pieces that can mate a king without others.

        One piece, two minor pieces, or a rook and a bishop are not enough. A pawn counts as a queen.
        """
        if side is Colour.BLACK:
            return True
        against_king = board.copy(stack=False)
        for square in chess.scan_forward(board.occupied_co[chess.BLACK] & ~board.kings):
            against_king.remove_piece_at(square)
        return not against_king.has_insufficient_material(chess.WHITE)

    def count_pieces(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """The number of all pieces of `side`, Black's king included since it can win alone, and of its minor pieces."""
        return board.occupied_co[side is Colour.WHITE].bit_count(), minors(board, side)


def _rows_of_horde(board: chess.Board) -> Iterator[Sequence[str]]:
    """The legal moves of White, sorted."""
    empty, promoting = ~board.occupied, board.pawns & chess.BB_RANK_7
    on_first_rank = board.pawns & chess.BB_RANK_1
    for piece, source, there in pseudo_targets(board, board.occupied_co[chess.WHITE]):
        if piece & on_first_rank:
            yield row(source, there | (piece << 8 & empty) << 8 & empty)
        else:
            yield promotion_row(source, there) if piece & promoting else row(source, there)


HORDE = Horde()
