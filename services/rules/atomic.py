"""Atomic: a capture blows up the capturing man, the captured one and every man but pawns on the squares around.

Who blows up the other king has won, also out of check; who would blow up the own may not. A king cannot capture. Kings
may touch, and while they do there is no check.
"""

from collections.abc import Iterator

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.atomic_legal import atomic_legal_text
from services.rules.family import Family
from services.rules.targets import KING, in_check


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
    exact_dead_positions = False
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

    def legal_text(self, board: chess.Board, check: bool) -> list[str]:
        """By an own test for explosions."""
        return atomic_legal_text(board, check)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Neither side can win."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """A bare king; against a bare king, which cannot be blown up, what cannot mate it."""
        own = board.occupied_co[side is Colour.WHITE] & ~board.kings
        others = board.occupied_co[side is Colour.BLACK] & ~board.kings
        if not own:
            return True
        if others or own & (board.queens | board.pawns):
            return False
        return own.bit_count() == 1 or (not own & ~board.knights and own.bit_count() == 2)

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """What can in standard chess, unless it cannot win here."""
        return super().can_force_mate(board, side) and not self.cannot_win(board, side)


ATOMIC = Atomic()
