"""Shatranj, the game of the Arabic masters: checkmate, stalemating and baring the king all win.

The kings face each other on d1 and d8; on e1 and e8 it would be the mirrored game. The board has the moves
(`shatranj_board`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.shatranj_board import ShatranjBoard
from services.rules.text.castling import Castling


class Shatranj(Family):
    """The rules of Shatranj."""

    variant = Variant.SHATRANJ
    board_class = ShatranjBoard
    castling = Castling.NONE
    double_step = False
    letters: ClassVar[Mapping[str, int]] = {"F": chess.QUEEN, "A": chess.BISHOP, "E": chess.BISHOP}
    values: ClassVar[Mapping[chess.PieceType, int]] = {
        chess.PAWN: 80,
        chess.KNIGHT: 300,
        chess.BISHOP: 100,
        chess.ROOK: 500,
        chess.QUEEN: 150,
    }
    """Firz, alfil and elephant, as books write them; here they are Q and B."""
    exact_dead_positions = False
    one_minor_can_win = True
    attacked_king_may_stand = True

    @property
    def start_fen(self) -> str:
        """The starting position: both kings on the d-file."""
        return ShatranjBoard.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win by a bare king, unless the bare side can bare the other king at once; or None."""
        return bare_king(board, answered=True)

    def line_pieces(self, board: chess.Board) -> chess.Bitboard:
        """Rooks, and elephants that can be blocked."""
        assert isinstance(board, ShatranjBoard)
        return board.rooks | board.bishops if board.lame else board.rooks

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """The legal moves from the board (`ShatranjBoard.legal_rows`)."""
        assert isinstance(board, ShatranjBoard)
        return board.legal_rows(check)

    def stuck(self, board: chess.Board, check: bool) -> Outcome:
        """The side without a legal move loses, in check or not."""
        return Outcome(colour(not board.turn), EndReason.CHECKMATE if check else EndReason.STALEMATE)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Only kings: with any other piece a side may still bare a king."""
        return is_bare(board, chess.WHITE) and is_bare(board, chess.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """A bare king: at best it draws by baring the other king. With any other piece a side may still win."""
        return is_bare(board, side is Colour.WHITE)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Any piece besides the king, since one remaining piece wins against a bare king."""
        return not is_bare(board, side is Colour.WHITE)

    def count_pieces(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """As in the base class; the firz is also a minor piece."""
        own = board.occupied_co[side is Colour.WHITE]
        return own.bit_count() - 1, (own & (board.bishops | board.knights | board.queens)).bit_count()


def is_bare(board: chess.Board, white: bool) -> bool:
    """Whether a side has only its king."""
    pieces = board.occupied_co[white]
    return not pieces & (pieces - 1)


def bare_king(board: chess.Board, answered: bool) -> Outcome | None:
    """The win over a side that has only its king; None if neither side or both sides have only a king.

    `answered`: the game goes on while the bare side is to move and can capture the other side's last piece. After any
    other move it has lost.
    """
    turn = board.turn
    if is_bare(board, turn):
        if is_bare(board, not turn) or (answered and _can_answer(board)):
            return None
        return Outcome(colour(not turn), EndReason.BARE_KING)
    return Outcome(colour(turn), EndReason.BARE_KING) if is_bare(board, not turn) else None


def _can_answer(board: chess.Board) -> bool:
    """Whether the bare king to move may legally capture the other side's only piece."""
    pieces = board.occupied_co[not board.turn] & ~board.kings
    return not pieces & (pieces - 1) and any(board.generate_legal_moves(board.kings, pieces))


def colour(white: bool) -> Colour:
    """The colour for python-chess's boolean."""
    return Colour.WHITE if white else Colour.BLACK


SHATRANJ = Shatranj()
