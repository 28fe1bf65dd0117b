"""The squares that the pieces of Shatranj attack, on python-chess's bitboards.

Queens are firzes (one step diagonally), bishops are alfils (two squares diagonally; they jump over a piece between).
There is no castling and no en passant. A class attribute has the elephants' moves; Chaturanga's boards change it.
"""

from collections.abc import Iterator
from typing import ClassVar

import chess

from services.domain.chaturanga import Elephant
from services.rules.families.elephants import DIAGONAL, ElephantMoves, elephant_moves, reached

FIRZ_ATTACKS = tuple(reached(square, DIAGONAL) for square in chess.SQUARES)

_KING, _KNIGHT, _PAWN = chess.BB_KING_ATTACKS, chess.BB_KNIGHT_ATTACKS, chess.BB_PAWN_ATTACKS
_RANK, _RANK_MASK = chess.BB_RANK_ATTACKS, chess.BB_RANK_MASKS
_FILE, _FILE_MASK = chess.BB_FILE_ATTACKS, chess.BB_FILE_MASKS


def rook_attacks(square: chess.Square, occupied: chess.Bitboard) -> chess.Bitboard:
    """The squares that a rook attacks."""
    return _RANK[square][_RANK_MASK[square] & occupied] | _FILE[square][_FILE_MASK[square] & occupied]


class ShatranjAttacks(chess.Board):
    """A board with the attacks of Shatranj's pieces; `ShatranjBoard` adds their moves."""

    elephants: ClassVar[ElephantMoves] = elephant_moves(Elephant.ALFIL)
    lame: ClassVar[bool] = False
    """Whether a piece may block an elephant, and so be pinned by it or interpose."""

    def attacks_mask(self, square: chess.Square) -> chess.Bitboard:
        """The squares that the piece on this square attacks, including those with its own side's pieces."""
        piece = chess.BB_SQUARES[square]
        if piece & self.pawns:
            return _PAWN[bool(piece & self.occupied_co[chess.WHITE])][square]
        if piece & self.rooks:
            return rook_attacks(square, self.occupied)
        if piece & self.knights:
            return _KNIGHT[square]
        if piece & self.kings:
            return _KING[square]
        if piece & self.queens:
            return FIRZ_ATTACKS[square]
        if piece & self.bishops:
            return self.elephant_attacks(bool(piece & self.occupied_co[chess.WHITE]), square, self.occupied)
        return chess.BB_EMPTY

    def attackers_mask(
        self, color: chess.Color, square: chess.Square, occupied: chess.Bitboard | None = None
    ) -> chess.Bitboard:
        """The pieces of one side that attack a square. `occupied` are the squares that block lines."""
        occupied = self.occupied if occupied is None else occupied
        return self.occupied_co[color] & (
            _KING[square] & self.kings
            | _KNIGHT[square] & self.knights
            | FIRZ_ATTACKS[square] & self.queens
            | rook_attacks(square, occupied) & self.rooks
            | self.elephant_attacks(not color, square, occupied) & self.bishops
            | _PAWN[not color][square] & self.pawns
        )

    def attacked_mask(self, color: chess.Color, occupied: chess.Bitboard) -> chess.Bitboard:
        """All squares that one side attacks."""
        own = self.occupied_co[color]
        attacked = chess.BB_EMPTY
        for square in chess.scan_forward(own & self.kings):
            attacked |= _KING[square]
        for square in chess.scan_forward(own & self.rooks):
            attacked |= rook_attacks(square, occupied)
        for square in chess.scan_forward(own & self.knights):
            attacked |= _KNIGHT[square]
        for square in chess.scan_forward(own & self.bishops):
            attacked |= self.elephant_attacks(color, square, occupied)
        for square in chess.scan_forward(own & self.queens):
            attacked |= FIRZ_ATTACKS[square]
        pawns = own & self.pawns
        west, east = pawns & ~chess.BB_FILE_A, pawns & ~chess.BB_FILE_H
        return attacked | (west << 7 | east << 9 if color else west >> 9 | east >> 7)

    def elephant_attacks(self, white: bool, square: chess.Square, occupied: chess.Bitboard) -> chess.Bitboard:
        """The squares that an elephant attacks."""
        elephants = self.elephants
        return elephants.reach[white][square][elephants.legs[square] & occupied]

    def clean_castling_rights(self) -> chess.Bitboard:
        """No castling rights."""
        return chess.BB_EMPTY

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """None."""
        return iter(())

    def generate_pseudo_legal_ep(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """None."""
        return iter(())

    def is_castling(self, move: chess.Move) -> bool:
        """Never."""
        return False

    def is_en_passant(self, move: chess.Move) -> bool:
        """Never."""
        return False

    def has_insufficient_material(self, color: chess.Color) -> bool:
        """Whether this side has a bare king. With any other piece it can still bare the other king."""
        own = self.occupied_co[color]
        return not own & (own - 1)
