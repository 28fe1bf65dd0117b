"""Atomic: a capture blows up the capturing man, the captured one and every man but pawns on the squares around.

Who blows up the other king has won, also out of check; who would blow up the own may not. A king cannot capture. Kings
may touch, and while they do there is no check.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.atomic_legal import atomic_legal_rows
from services.rules.families.family import Family
from services.rules.families.targets import KING, in_check


class AtomicBoard(chess.variant.AtomicBoard):
    """The library's board, whose own en passant overlooks what an explosion does to the kings."""

    def generate_legal_ep(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """The legal captures en passant."""
        return (move for move in self.generate_pseudo_legal_ep(from_mask, to_mask) if self.is_legal(move))


class Atomic(Family):
    """Captures explode."""

    variant = Variant.ATOMIC
    board_class = AtomicBoard
    king_can_be_taken = True
    attacked_king_may_stand = True
    exact_dead_positions = False
    one_minor_can_win = True
    values: ClassVar[Mapping[chess.PieceType, int]] = {
        chess.PAWN: 100,
        chess.KNIGHT: 200,
        chess.BISHOP: 210,
        chess.ROOK: 380,
        chess.QUEEN: 800,
    }
    one_move_checks = False  # kings that touched may part and be in any number of checks

    def goal(self, board: chess.Board) -> Outcome | None:
        """A king that was blown up."""
        for colour, winner in ((chess.BLACK, Colour.WHITE), (chess.WHITE, Colour.BLACK)):
            if not board.kings & board.occupied_co[colour]:
                return Outcome(winner, EndReason.EXPLOSION)
        return None

    def is_check(self, board: chess.Board) -> bool:
        """Whether the king could be taken, which it cannot while the kings touch."""
        royal, enemy = board.kings & board.occupied_co[board.turn], board.kings & board.occupied_co[not board.turn]
        return bool(royal) and not KING[royal.bit_length() - 1] & enemy and in_check(board)

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """By an own test for explosions."""
        return atomic_legal_rows(board, check)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Neither side can win."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """A bare king; men that never mate the others, if they cannot take their king at once. True is sure."""
        own = board.occupied_co[side is Colour.WHITE] & ~board.kings
        others = board.occupied_co[side is Colour.BLACK] & ~board.kings
        if not own:
            return True
        if not _never_mates(board, own, others):
            return False
        # a king that is attacked while the other side is to move: only where a game began so
        return board.turn is not (side is Colour.WHITE) or not board.was_into_check()

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """Whatever can win: of two men that come together one blows up the other, and the king beside it."""
        return not self.cannot_win(board, side)


def _never_mates(board: chess.Board, own: chess.Bitboard, others: chess.Bitboard) -> bool:
    """One rook or two knights against a bare king; bishops on one colour, as below.

    A bare king cannot be blown up, since nothing beside it can be captured. It may stand beside the other king, which
    guards nothing, but cannot take what blocks its way. So it is mated by more than one rook, one bishop or two
    knights, but not by these: the tests try every square.

    Bishops on one colour, any number: the king in check stands on that colour, at least two squares beside it are of
    the other one, and no such bishop ever attacks or captures there. So they need two bishops of the other side that
    stand in the way; any other man of that side might be captured.
    """
    if not own & ~board.bishops:
        colour = chess.BB_DARK_SQUARES if own & chess.BB_DARK_SQUARES else chess.BB_LIGHT_SQUARES
        return not own & ~colour and not others & (colour | ~board.bishops) and others.bit_count() < 2
    if others:
        return False
    lone_rook = not own & ~board.rooks and own.bit_count() == 1
    return lone_rook or (not own & ~board.knights and own.bit_count() <= 2)


ATOMIC = Atomic()
