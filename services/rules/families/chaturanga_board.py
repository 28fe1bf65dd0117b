"""The boards of Chaturanga: Shatranj's board with other elephants, other promotions and a leap of the king.

There is one class of boards for each choice of options. `services/domain/chaturanga_sources.py` explains the options
and their sources.
"""

from functools import cache
from typing import ClassVar

import chess

from services.domain.arrays import chaturanga_array, chaturanga_ranks
from services.domain.chaturanga import ChaturangaRules, Elephant, PawnBecomes
from services.rules.families.elephants import elephant_moves
from services.rules.families.shatranj_board import LAST_RANKS, ShatranjBoard
from services.rules.text.castling import LEAP_RIGHTS

_KINDS = {"r": chess.ROOK, "n": chess.KNIGHT, "b": chess.BISHOP, "q": chess.QUEEN, "k": chess.QUEEN}
"""What a pawn becomes on the file where this piece started: the same piece, on the king's file a firz."""


class ChaturangaBoard(ShatranjBoard):
    """A position of Chaturanga."""

    aliases: ClassVar[list[str]] = ["Chaturanga"]
    uci_variant: ClassVar[str | None] = "chaturanga"
    xboard_variant: ClassVar[str | None] = None

    rules: ClassVar[ChaturangaRules] = ChaturangaRules()

    def last_squares(self) -> chess.Bitboard:
        """The last ranks, or (an option) only files on which a pawn becomes a piece of which the side has lost one."""
        if self.rules.pawn_becomes is not PawnBecomes.FILE_PIECE_IF_LOST:
            return LAST_RANKS
        own = self.occupied_co[self.turn]
        files = chess.BB_EMPTY
        for kind, pieces, at_first in (
            (chess.ROOK, self.rooks, 2),
            (chess.KNIGHT, self.knights, 2),
            (chess.BISHOP, self.bishops, 2),
            (chess.QUEEN, self.queens, 1),
        ):
            if (own & pieces).bit_count() < at_first:
                files |= sum(
                    mask for mask, becomes in zip(chess.BB_FILES, self.promotions, strict=True) if becomes == kind
                )
        return LAST_RANKS & files

    def king_targets(self, square: chess.Square) -> chess.Bitboard:
        """As in Shatranj, with the empty squares a knight's move away while the king may leap."""
        found = super().king_targets(square)
        if self.castling_rights & LEAP_RIGHTS[self.turn]:
            found |= chess.BB_KNIGHT_ATTACKS[square] & ~self.occupied
        return found

    def push(self, move: chess.Move) -> None:
        """Make a move. A king loses its right to leap by the leap, and by a check."""
        rights, turn = self.castling_rights, self.turn
        super().push(move)
        if not rights:
            return
        leap = chess.BB_KNIGHT_ATTACKS[move.from_square] & chess.BB_SQUARES[move.to_square]
        if rights & LEAP_RIGHTS[turn] and leap & self.kings:
            self.castling_rights &= ~LEAP_RIGHTS[turn]
        if rights & LEAP_RIGHTS[not turn] and self.is_check():
            self.castling_rights &= ~LEAP_RIGHTS[not turn]

    def clean_castling_rights(self) -> chess.Bitboard:
        """The remaining rights to leap; a king in check has none."""
        if not self.rules.king_leap:
            return chess.BB_EMPTY
        rights = self.castling_rights & (LEAP_RIGHTS[chess.WHITE] | LEAP_RIGHTS[chess.BLACK])
        return rights & ~LEAP_RIGHTS[self.turn] if self.is_check() else rights

    def castling_xfen(self) -> str:
        """The rights to leap as K and k."""
        rights = self.castling_rights
        letters = ("K", LEAP_RIGHTS[chess.WHITE]), ("k", LEAP_RIGHTS[chess.BLACK])
        return "".join(letter for letter, right in letters if rights & right) or "-"

    def _set_castling_fen(self, castling_fen: str) -> None:
        white, black = "K" in castling_fen, "k" in castling_fen
        self.castling_rights = LEAP_RIGHTS[chess.WHITE] * white | LEAP_RIGHTS[chess.BLACK] * black

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """Whether there are only kings. The family decides about other material, since it knows how a side wins."""
        return self.occupied == self.kings


@cache
def chaturanga_board(rules: ChaturangaRules) -> type[ChaturangaBoard]:
    """The class of boards for these options."""
    by_file = tuple(_KINDS[letter] for letter in chaturanga_ranks(rules)[0])
    firz_alone = rules.pawn_becomes is PawnBecomes.FIRZ
    all_rules = rules

    class Board(ChaturangaBoard):
        rules = all_rules
        elephants = elephant_moves(all_rules.elephant)
        lame = all_rules.elephant is Elephant.LAME_ALFIL
        promotions = (chess.QUEEN,) * 8 if firz_alone else by_file
        starting_fen = chaturanga_array(all_rules)

    return Board
