"""Racing Kings: the first king on the eighth rank wins. No move may give check; there are no pawns and no castling.

White moves first. So if White's king reaches the eighth rank and Black's king can reach it with the next move, Black
still has this move: the game is drawn if Black's king gets there, otherwise White wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import chess
import chess.variant

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.text import say
from services.domain.variant import Variant
from services.rules.families.family import Family, PiecesOfSide
from services.rules.families.legal_text import row
from services.rules.families.targets import KING, KNIGHT, pinned, pseudo_targets, unattacked
from services.rules.refused import bad_position
from services.rules.text.castling import Castling

STEP_TO_GOAL = 60
"""The value of each rank that a king has climbed, for the small search."""


class RacingKings(Family):
    """The rules of Racing Kings."""

    variant = Variant.RACING_KINGS
    board_class = chess.variant.RacingKingsBoard
    castling = Castling.NONE
    double_step = False
    pieces_of_side: ClassVar[Mapping[chess.Color, PiecesOfSide]] = {
        chess.WHITE: PiecesOfSide(pawns_max=0),
        chess.BLACK: PiecesOfSide(pawns_max=0),
    }
    exact_dead_positions = False
    one_move_checks = False  # no king is ever in check
    bare_king_can_win = True

    @property
    def start_fen(self) -> str:
        """The FEN of the starting position: both sides on the first two ranks, White on the right."""
        return chess.variant.RacingKingsBoard.starting_fen

    def check_playable(self, board: chess.Board) -> None:
        """Raise Rejected if there is a pawn or a king in check: no game leads to such a position."""
        if board.pawns:
            raise bad_position("fen.board", say("rules.position_no_pawns"))
        if board.is_check():
            raise bad_position("fen.board", say("rules.position_no_check"))

    def goal(self, board: chess.Board) -> Outcome | None:
        """The end of the race, or None."""
        white, black = _arrived(board, chess.WHITE), _arrived(board, chess.BLACK)
        if black:
            return Outcome(None if white else Colour.BLACK, EndReason.RACE)
        if not white or (not board.turn and _can_arrive(board)):
            return None
        return Outcome(Colour.WHITE, EndReason.RACE)

    def is_check(self, board: chess.Board) -> bool:
        """False: no move may give check."""
        return False

    def legal_rows(self, board: chess.Board, check: bool) -> Iterator[Sequence[str]]:
        """The moves after which no king is attacked, neither the own nor the other one."""
        turn, occupied = board.turn, board.occupied
        own, others = board.occupied_co[turn], board.occupied_co[not turn]
        king = (own & board.kings).bit_length() - 1
        other_king = (others & board.kings).bit_length() - 1
        bound, hiding = pinned(board, king), _hiding(board, other_king)
        straight = chess.BB_RANK_ATTACKS[other_king][chess.BB_RANK_MASKS[other_king] & occupied]
        straight |= chess.BB_FILE_ATTACKS[other_king][chess.BB_FILE_MASKS[other_king] & occupied]
        diagonal = chess.BB_DIAG_ATTACKS[other_king][chess.BB_DIAG_MASKS[other_king] & occupied]
        for piece, source, there in pseudo_targets(board, own):
            targets = there
            if piece & board.kings:
                targets = unattacked(board, targets, others, occupied ^ piece)
            if piece & board.knights:
                targets &= ~KNIGHT[other_king]
            if piece & (board.rooks | board.queens):
                targets &= ~straight
            if piece & (board.bishops | board.queens):
                targets &= ~diagonal
            if piece & bound:
                targets &= chess.ray(king, source)
            if piece & hiding:
                targets &= chess.ray(other_king, source)
            if targets:
                yield row(source, targets)

    def dead_by_material(self, board: chess.Board) -> bool:
        """False: a king alone can reach the eighth rank."""
        return False

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """Whether `side` can never win. This is so only after White's king has reached the eighth rank.

        Then Black can at most draw, and White cannot win if every legal move of Black draws.
        """
        if not _arrived(board, chess.WHITE) or _arrived(board, chess.BLACK):
            return False
        if side is Colour.BLACK:
            return True
        if board.turn or self.goal(board) is not None:
            return False
        king = chess.SQUARE_NAMES[(board.kings & board.occupied_co[chess.BLACK]).bit_length() - 1]
        return all(text.startswith(king) and text[3] == "8" for text in self.legal_text(board, check=False))

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """True: a king alone can win."""
        return True

    def goal_score(self, board: chess.Board, side: chess.Color) -> int:
        """The value of the ranks that the king of `side` has climbed."""
        return STEP_TO_GOAL * chess.square_rank((board.kings & board.occupied_co[side]).bit_length() - 1)


def _arrived(board: chess.Board, side: chess.Color) -> bool:
    return bool(board.kings & board.occupied_co[side] & chess.BB_RANK_8)


def _can_arrive(board: chess.Board) -> bool:
    """Whether Black, which is to move, can move its king to the eighth rank.

    This move cannot give a discovered check: White's king, which is on the eighth rank, would have to be on the line
    that Black's king leaves, and so next to it.
    """
    own, others = board.occupied_co[chess.BLACK], board.occupied_co[chess.WHITE]
    king = own & board.kings
    steps = KING[king.bit_length() - 1] & chess.BB_RANK_8 & ~own
    return bool(unattacked(board, steps, others, board.occupied ^ king))


def _hiding(board: chess.Board, other_king: chess.Square) -> chess.Bitboard:
    """Pieces of the side to move that stand alone between one of its line pieces and the other king."""
    occupied, own = board.occupied, board.occupied_co[board.turn]
    lines = (chess.BB_RANK_ATTACKS[other_king][0] | chess.BB_FILE_ATTACKS[other_king][0]) & (board.rooks | board.queens)
    snipers = (lines | chess.BB_DIAG_ATTACKS[other_king][0] & (board.bishops | board.queens)) & own
    found = chess.BB_EMPTY
    for sniper in chess.scan_forward(snipers):
        between = chess.between(other_king, sniper) & occupied
        if between and not between & (between - 1):
            found |= between & own
    return found


RACING_KINGS = RacingKings()
