"""Antichess: who has no men left, or no legal move, has won. A side that can capture must; which capture is free.

A king is a man like any other: it may be captured, a pawn may become one, and there is no check and no castling.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.family import Family, MenOfSide
from services.rules.families.legal_text import promotion_row, row
from services.rules.families.targets import pseudo_targets
from services.rules.text.castling import Castling

_PROMOTIONS = ("q", "r", "b", "n", "k")


class Antichess(Family):
    """Losing everything wins."""

    variant = Variant.ANTICHESS
    board_class = chess.variant.AntichessBoard
    castling = Castling.NONE
    letters: ClassVar[Mapping[str, int]] = {"K": chess.KING}
    men_of_side: ClassVar[Mapping[chess.Color, MenOfSide]] = {
        chess.WHITE: MenOfSide(kings=range(17)),
        chess.BLACK: MenOfSide(kings=range(17)),
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
        """The array of standard chess; nobody may castle."""
        return chess.variant.AntichessBoard.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """A side without men."""
        for colour, winner in ((chess.WHITE, Colour.WHITE), (chess.BLACK, Colour.BLACK)):
            if not board.occupied_co[colour]:
                return Outcome(winner, EndReason.ALL_TAKEN)
        return None

    def is_check(self, board: chess.Board) -> bool:
        """Never."""
        return False

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """Captures where there are any, else all moves."""
        turn, pawns = board.turn, board.pawns
        prey = board.occupied_co[not turn]
        passing = chess.BB_EMPTY if board.ep_square is None else chess.BB_SQUARES[board.ep_square]
        promoting = pawns & (chess.BB_RANK_7 if turn else chess.BB_RANK_2)
        found = list(pseudo_targets(board, board.occupied_co[turn]))
        captures = [
            (man, source, taken)
            for man, source, there in found
            if (taken := there & (prey | passing if man & pawns else prey))
        ]
        for man, source, targets in captures or found:
            if man & promoting:
                yield promotion_row(source, targets, _PROMOTIONS)
            elif targets:
                yield row(source, targets)

    def stuck(self, board: chess.Board, check: bool) -> Outcome:
        """The side without a legal move has won."""
        return Outcome(Colour.WHITE if board.turn else Colour.BLACK, EndReason.STALEMATE)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Neither side can get rid of its men: bishops alone, White's on one colour and Black's on the other."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Bishops alone, of which one of `side` is on a colour where the others have none; or one knight each.

        Such a bishop is never captured, and bishops without pawns always have a move: to have none they would have to
        fill all squares of their colour. A knight changes the colour of its square with each move, so that of two
        knights only one can ever capture the other: the one that is to move while they stand on different colours. Who
        captures the last man has lost.
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
        """Whatever can win: few men are no sign of weakness here."""
        return not self.cannot_win(board, side)

    def men(self, board: chess.Board, side: Colour) -> tuple[int, int]:
        """All men; a king counts like the others, and minor pieces are nothing special."""
        return board.occupied_co[side is Colour.WHITE].bit_count(), 0


ANTICHESS = Antichess()
