"""Chaturanga, a reconstruction based on Shatranj. Each disputed rule is an option of the game.

`services/domain/chaturanga_sources.py` has the default and the sources of each option; the rules page shows them too.
The board has the moves (`chaturanga_board`). The leap of a king is a right like castling: it is part of the position
(FIDE 9.2.3), a K or k in the FEN, and a move that loses it is irreversible.
"""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

import chess

from services.domain.chaturanga import CHATURANGA, BareKing, ChaturangaRules, Elephant, PawnBecomes, Stalemate
from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.variant import Variant
from services.rules.families.chaturanga_board import chaturanga_board
from services.rules.families.family import Family
from services.rules.families.shatranj import Shatranj, bare_king, colour, is_bare
from services.rules.families.shatranj_board import ShatranjBoard
from services.rules.text.castling import Castling


class Chaturanga(Shatranj):
    """The rules of Chaturanga with one choice for each option."""

    variant = Variant.CHATURANGA
    values: ClassVar[Mapping[chess.PieceType, int]] = {**Shatranj.values, chess.BISHOP: 120}
    rules: ClassVar[ChaturangaRules] = CHATURANGA
    board_class: ClassVar[type[ShatranjBoard]] = chaturanga_board(CHATURANGA)

    @property
    def start_fen(self) -> str:
        """The starting position of these rules."""
        return self.board_class.starting_fen

    def goal(self, board: chess.Board) -> Outcome | None:
        """The win by a bare king, or None."""
        if self.rules.bare_king is BareKing.NONE:
            return None
        return bare_king(board, answered=self.rules.bare_king is BareKing.WINS_UNLESS_BARED_BACK)

    def stuck(self, board: chess.Board, check: bool) -> Outcome:
        """Checkmate, or a stalemate that is lost, won or drawn."""
        if check or self.rules.stalemate is Stalemate.LOSES:
            return super().stuck(board, check)
        winner = colour(board.turn) if self.rules.stalemate is Stalemate.WINS else None
        return Outcome(winner, EndReason.STALEMATE)

    def dead_by_material(self, board: chess.Board) -> bool:
        """Whether neither side can win."""
        return self.cannot_win(board, Colour.WHITE) and self.cannot_win(board, Colour.BLACK)

    def cannot_win(self, board: chess.Board, side: Colour) -> bool:
        """If baring wins: a bare king cannot win. Otherwise: a side that can neither mate nor win by a stalemate.

        A bare king never mates. One firz, knight or elephant never mates a bare king, but a one-step elephant can. If
        the stalemated side loses, the other side must be stalemated to win; if it wins, the own side must be.
        """
        white = side is Colour.WHITE
        if self.rules.bare_king is not BareKing.NONE:
            return is_bare(board, white)
        other_is_bare = is_bare(board, not white)
        if not is_bare(board, white) and not (other_is_bare and self._one_that_never_mates(board, white)):
            return False
        match self.rules.stalemate:
            case Stalemate.LOSES:
                return is_bare(board, white) and _never_stuck(board, not white)
            case Stalemate.WINS:
                return other_is_bare and _never_stuck(board, white)
            case Stalemate.DRAWS:
                return True

    def can_force_mate(self, board: chess.Board, side: Colour) -> bool:
        """If baring wins: any piece. Otherwise: material that beats a bare king by force, from solved endings.

        All single pieces were solved, and the pairs of firz, knight and alfil, and knight with a one-step elephant.
        Other pairs are assumed to be alike, and three pieces to win. A rook wins. Without a rook, a one-step elephant
        and a second piece are needed. If stalemating wins, less is enough: a one-step elephant alone, a knight with any
        piece, or two firzes win, but leaping elephants do not win alone, in pairs or with a firz.
        """
        if self.rules.bare_king is not BareKing.NONE:
            return super().can_force_mate(board, side)
        own = board.occupied_co[side is Colour.WHITE] & ~board.kings
        becomes_rook = self.rules.pawn_becomes is not PawnBecomes.FIRZ
        if own.bit_count() > 2 or own & board.rooks or (becomes_rook and own & board.pawns):
            return True
        pair = own.bit_count() == 2
        strong_elephant = self.rules.elephant is Elephant.ONE_STEP and bool(own & board.bishops)
        if self.rules.stalemate is not Stalemate.LOSES:
            return pair and strong_elephant
        return strong_elephant or (pair and (bool(own & board.knights) or not own & board.bishops))

    def _one_that_never_mates(self, board: chess.Board, white: bool) -> bool:
        pieces = board.occupied_co[white] & ~board.kings
        weak = board.queens | board.knights
        if self.rules.elephant is not Elephant.ONE_STEP:
            weak |= board.bishops
        return not pieces & (pieces - 1) and not pieces & ~weak


def _never_stuck(board: chess.Board, white: bool) -> bool:
    """Whether a side always has a move against a bare king: it has only a king, or a king and one piece, not a pawn."""
    pieces = board.occupied_co[white] & ~board.kings
    return not pieces & (pieces - 1) and not pieces & board.pawns


@cache
def chaturanga_family(rules: ChaturangaRules) -> Family:
    """The family of these rules; the same object for the same rules."""
    all_rules = rules

    class Played(Chaturanga):
        rules = all_rules
        board_class = chaturanga_board(all_rules)
        castling = Castling.KING_LEAP if all_rules.king_leap else Castling.NONE
        one_minor_can_win = all_rules.bare_king is not BareKing.NONE

    return Played()
