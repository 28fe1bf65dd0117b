"""Antichess: a side without pieces, or without a legal move, has won.

A side that can capture must capture; it may choose which capture. A king is an ordinary piece: it may be captured, a
pawn may become one, and there is no check and no castling.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family, PiecesOfSide
from services.rules.families.legal_text import promotion_row, row
from services.rules.families.targets import pseudo_targets
from services.rules.text.castling import Castling

_PROMOTIONS = ("q", "r", "b", "n", "k")


class Antichess(Family):
    """The rules of Antichess: a side wins when it has lost all pieces or cannot move."""

    variant = Variant.ANTICHESS
    board_class = chess.variant.AntichessBoard
    castling = Castling.NONE
    letters: ClassVar[Mapping[str, int]] = {"K": chess.KING}
    pieces_of_side: ClassVar[Mapping[chess.Color, PiecesOfSide]] = {
        chess.WHITE: PiecesOfSide(kings=range(17)),
        chess.BLACK: PiecesOfSide(kings=range(17)),
    }
    exact_dead_positions = False
    one_minor_can_win = True
    one_move_checks = False
    values: ClassVar[Mapping[chess.PieceType, int]] = {
        chess.PAWN: -100,
        chess.KNIGHT: -150,
        chess.BISHOP: -110,
        chess.ROOK: -220,
        chess.QUEEN: -200,
        chess.KING: -130,
    }

    @property
    def start_fen(self) -> str:
        """The FEN of the starting position: that of standard chess, without castling rights."""
        return chess.variant.AntichessBoard.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win of a side without pieces, or None."""
        for colour, winner in ((chess.WHITE, Colour.WHITE), (chess.BLACK, Colour.BLACK)):
            if not board.occupied_co[colour]:
                return Outcome(winner, EndReason.ALL_TAKEN)
        return None

    def is_check(self, board: chess.Board) -> bool:
        """False: there is no check in Antichess."""
        return False

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """The captures, if there is one; otherwise all moves."""
        turn, pawns = board.turn, board.pawns
        prey = board.occupied_co[not turn]
        passing = chess.BB_EMPTY if board.ep_square is None else chess.BB_SQUARES[board.ep_square]
        promoting = pawns & (chess.BB_RANK_7 if turn else chess.BB_RANK_2)
        found = list(pseudo_targets(board, board.occupied_co[turn]))
        captures = [
            (piece, source, taken)
            for piece, source, there in found
            if (taken := there & (prey | passing if piece & pawns else prey))
        ]
        for piece, source, targets in captures or found:
            if piece & promoting:
                yield promotion_row(source, targets, _PROMOTIONS)
            elif targets:
                yield row(source, targets)

    def stuck(self, board: chess.Board, check: bool) -> Outcome:
        """The win of the side to move, which has no legal move."""
        return Outcome(Colour.WHITE if board.turn else Colour.BLACK, EndReason.STALEMATE)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Whether neither side can lose all pieces: only bishops, White's on one colour and Black's on the other."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` can never win. This is found in two cases: only bishops, and one knight on each side.

        Only bishops: `side` has one on squares of a colour where the opponent has none. It is never captured. Bishops
        without pawns always have a move: to have none they would have to fill all squares of their colour.

        Two knights: a knight changes the colour of its square with each move, so only one of them can ever capture the
        other, the one that is to move while they are on different colours. A capture of the last piece loses.
        """
        white = side is Colour.WHITE
        own, others = board.occupied_co[white], board.occupied_co[not white]
        if not own or not others:
            return not others  # the game is over
        if board.occupied == board.bishops:
            return any(
                own & colour and not others & colour for colour in (chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES)
            )
        if board.occupied == board.knights and own.bit_count() == others.bit_count() == 1:
            different = bool(own & chess.BB_LIGHT_SQUARES) is not bool(others & chess.BB_LIGHT_SQUARES)
            return (board.turn is white) is different
        return False

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` can win at all: in Antichess few pieces are no disadvantage."""
        return not self.cannot_win(board, side)

    def count_pieces(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """The number of all pieces of `side`, its kings included, and 0: no piece counts as a minor one."""
        return board.occupied_co[side is Colour.WHITE].bit_count(), 0


ANTICHESS = Antichess()
