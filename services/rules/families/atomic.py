"""Atomic: a capture explodes. It removes the capturing piece, the captured one and all pieces but pawns around.

A side that explodes the other king wins, also while in check. A capture that explodes the own king is illegal. A king
cannot capture. Kings may touch, and then there is no check.
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
    """The library's board with correct en passant: the library ignores the explosion's effect on the kings."""

    def generate_legal_ep(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """The legal captures en passant."""
        return (move for move in self.generate_pseudo_legal_ep(from_mask, to_mask) if self.is_legal(move))


class Atomic(Family):
    """The rules of Atomic chess: a capture explodes, and an exploded king loses."""

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
        """The win by an exploded king, or None."""
        for colour, winner in ((chess.BLACK, Colour.WHITE), (chess.WHITE, Colour.BLACK)):
            if not board.kings & board.occupied_co[colour]:
                return Outcome(winner, EndReason.EXPLOSION)
        return None

    def is_check(self, board: chess.Board) -> bool:
        """Whether the king is attacked; never while the kings touch."""
        royal, enemy = board.kings & board.occupied_co[board.turn], board.kings & board.occupied_co[not board.turn]
        return bool(royal) and not KING[royal.bit_length() - 1] & enemy and in_check(board)

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """The legal moves, with our own test for explosions."""
        return atomic_legal_rows(board, check)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Whether neither side can win by material."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """A bare king, or pieces that never mate the others and cannot capture their king now. True is proved."""
        own = board.occupied_co[side is Colour.WHITE] & ~board.kings
        others = board.occupied_co[side is Colour.BLACK] & ~board.kings
        if not own:
            return True
        if not _never_mates(board, own, others):
            return False
        # a king attacked while the other side is to move: only if a game started so
        return board.turn is not (side is Colour.WHITE) or not board.was_into_check()

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """True if `side` can win: of two pieces that meet, one explodes the other and the king next to it."""
        return not self.cannot_win(board, side)


def _never_mates(board: chess.Board, own: chess.Bitboard, others: chess.Bitboard) -> bool:
    """Whether this material never mates: one rook or two knights against a bare king; bishops on one colour.

    A bare king cannot explode, since nothing next to it can be captured. It may stand next to the other king, which
    guards nothing, but it cannot capture a piece in its way. So more than one rook, one bishop or two knights mate it,
    but these do not: the tests try every square.

    Bishops on one colour, any number: the king in check is on this colour, at least two squares next to it have the
    other colour, and these bishops never attack or capture there. So a mate needs two bishops of the other side that
    block these squares; any other piece of that side might be captured.
    """
    if not own & ~board.bishops:
        colour = chess.BB_DARK_SQUARES if own & chess.BB_DARK_SQUARES else chess.BB_LIGHT_SQUARES
        return not own & ~colour and not others & (colour | ~board.bishops) and others.bit_count() < 2
    if others:
        return False
    lone_rook = not own & ~board.rooks and own.bit_count() == 1
    return lone_rook or (not own & ~board.knights and own.bit_count() <= 2)


ATOMIC = Atomic()
