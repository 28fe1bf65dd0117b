"""The board of Shatranj: legality and making a move.

Pawns move one step and become firzes. Only the rook moves along lines, so only the rook pins. Chaturanga's boards
override what a pawn becomes, and add moves of the king.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

import chess

from services.rules.families.elephants import reached
from services.rules.families.shatranj_attacks import FIRZ_ATTACKS, ShatranjAttacks, rook_attacks
from services.rules.families.targets import Targets, on_file

PAWN_STEPS = tuple(tuple(reached(square, ((0, 1),), white) for square in chess.SQUARES) for white in (False, True))
LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8

_ROWS_CACHED = 1 << 14
_NAMES = chess.SQUARE_NAMES
_LETTERS = ("", "", "n", "b", "r", "q", "")
_ALL = chess.BB_ALL
_KING, _KNIGHT, _PAWN = chess.BB_KING_ATTACKS, chess.BB_KNIGHT_ATTACKS, chess.BB_PAWN_ATTACKS
_LINES = tuple(chess.BB_RANK_ATTACKS[square][0] | chess.BB_FILE_ATTACKS[square][0] for square in chess.SQUARES)


class ShatranjBoard(ShatranjAttacks):
    """A position of Shatranj with its own attacks, legality and moves; the rest is from `chess.Board`."""

    aliases: ClassVar[list[str]] = ["Shatranj"]
    uci_variant: ClassVar[str | None] = "shatranj"
    xboard_variant: ClassVar[str | None] = "shatranj"
    starting_fen: ClassVar[str] = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"

    promotions: ClassVar[tuple[chess.PieceType, ...]] = (chess.QUEEN,) * 8
    """What a pawn becomes on each file."""

    def __init__(self, fen: str | None = "", *, chess960: bool = False) -> None:
        super().__init__(type(self).starting_fen if fen == "" else fen, chess960=chess960)

    def reset(self) -> None:
        """Set up the starting position."""
        self.set_fen(self.starting_fen)

    def targets(self, sources: chess.Bitboard = _ALL) -> Targets:
        """The pseudo-legal targets of each piece of the side to move on these squares.

        They are in the order of the squares' names, so their texts need no sorting.
        """
        turn, occupied = self.turn, self.occupied
        pieces, empty = self.occupied_co[turn] & sources, ~occupied
        free, others = ~self.occupied_co[turn], self.occupied_co[not turn]
        pawns, rooks, knights, queens, bishops = self.pawns, self.rooks, self.knights, self.queens, self.bishops
        steps, takes = PAWN_STEPS[turn], _PAWN[turn]
        for file in chess.BB_FILES:
            for piece, square in on_file(pieces & file):
                if piece & pawns:
                    reach = steps[square] & empty | takes[square] & others
                    if reach & LAST_RANKS:
                        reach &= self.last_squares()
                elif piece & rooks:
                    reach = rook_attacks(square, occupied) & free
                elif piece & knights:
                    reach = _KNIGHT[square] & free
                elif piece & queens:
                    reach = FIRZ_ATTACKS[square] & free
                elif piece & bishops:
                    reach = self.elephant_attacks(turn, square, occupied) & free
                else:
                    reach = self.king_targets(square)
                if reach:
                    yield piece, square, reach

    def last_squares(self) -> chess.Bitboard:
        """The squares on which a pawn of the side to move may promote."""
        return LAST_RANKS

    def king_targets(self, square: chess.Square) -> chess.Bitboard:
        """The squares the king of the side to move may go to, attacked or not."""
        return _KING[square] & ~self.occupied_co[self.turn]

    def legal_targets(self, sources: chess.Bitboard = _ALL, check: bool = True) -> Targets:
        """The legal targets of each piece of the side to move on these squares; pieces without a target are left out.

        `check` False: the caller knows that the side is not in check.
        """
        turn = self.turn
        king_mask = self.kings & self.occupied_co[turn]
        if not king_mask:
            yield from self.targets(sources)
            return
        king = king_mask.bit_length() - 1
        allowed = self._answers(king) if check else _ALL
        pins = self._pins(king)
        free = ~self.kings  # a king is never captured, not even an attacked one in an analysed position
        allowed &= free
        for piece, source, reach in self.targets(sources):
            if source == king:
                legal = reach & free & ~self.attacked_mask(not turn, self.occupied ^ king_mask)
            elif pins:
                legal = reach & allowed & pins.get(source, _ALL)
            else:
                legal = reach & allowed
            if legal:
                yield piece, source, legal

    def _answers(self, king: chess.Square) -> chess.Bitboard:
        """The squares on which pieces other than the king answer all checks; all squares if there is no check."""
        checkers = self.attackers_mask(not self.turn, king)
        if not checkers:
            return _ALL
        if checkers & (checkers - 1):
            return chess.BB_EMPTY
        hindered = self.rooks | self.bishops if self.lame else self.rooks
        return checkers | chess.between(king, checkers.bit_length() - 1) if checkers & hindered else checkers

    def _pins(self, king: chess.Square) -> dict[chess.Square, chess.Bitboard]:
        """The pinned pieces, and the squares that each may still go to."""
        others = self.occupied_co[not self.turn]
        snipers = others & self.rooks & _LINES[king]
        if self.lame:
            snipers |= others & self.bishops & self.elephant_attacks(self.turn, king, chess.BB_EMPTY)
        pins: dict[chess.Square, chess.Bitboard] = {}
        for sniper in chess.scan_forward(snipers):
            between = chess.between(king, sniper)
            pieces = between & self.occupied
            if pieces and not pieces & (pieces - 1) and pieces & self.occupied_co[self.turn]:
                pins[pieces.bit_length() - 1] = between | chess.BB_SQUARES[sniper]
        return pins

    def legal_rows(self, check: bool = True) -> Iterator[Sequence[str]]:
        """Yield the legal moves in UCI, sorted, piece by piece; `check` as in `legal_targets`."""
        pawns = self.pawns
        for piece, source, reach in self.legal_targets(check=check):
            if reach & LAST_RANKS and pawns & piece:
                yield self._promotion_row(source, reach)
            else:
                yield _row(source, reach)

    def _promotion_row(self, source: chess.Square, reach: chess.Bitboard) -> list[str]:
        name, promotions = _NAMES[source], self.promotions
        return [name + _NAMES[target] + _LETTERS[promotions[target & 7]] for target in chess.scan_forward(reach)]

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = _ALL, to_mask: chess.Bitboard = _ALL
    ) -> Iterator[chess.Move]:
        """Pseudo-legal moves: they may leave the king attacked."""
        return self._moves(self.targets(from_mask), to_mask)

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = _ALL, to_mask: chess.Bitboard = _ALL
    ) -> Iterator[chess.Move]:
        """The legal moves between these squares."""
        return self._moves(self.legal_targets(from_mask), to_mask)

    def _moves(self, found: Targets, to_mask: chess.Bitboard) -> Iterator[chess.Move]:
        for piece, source, reach in found:
            promoted = reach & LAST_RANKS and self.pawns & piece
            for target in chess.scan_forward(reach & to_mask):
                yield chess.Move(source, target, self.promotions[target & 7] if promoted else None)

    def is_pseudo_legal(self, move: chess.Move) -> bool:
        """Whether a move is pseudo-legal: a move of its piece, which may leave the king attacked."""
        if not move or move.drop:
            return False
        squares = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        return move in self.generate_pseudo_legal_moves(*squares)

    def is_into_check(self, move: chess.Move) -> bool:
        """Whether a pseudo-legal move leaves its own king attacked."""
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        own_king = self.kings & self.occupied_co[self.turn]
        king = target if source & own_king else own_king
        if not king:
            return False
        occupied = self.occupied & ~source | target
        return bool(self.attackers_mask(not self.turn, king.bit_length() - 1, occupied) & ~target)

    def push(self, move: chess.Move) -> None:
        """Make a pseudo-legal move; `pop` undoes it. A null move passes the turn."""
        self.move_stack.append(move)
        self._stack.append(chess._BoardState(self))
        turn = self.turn
        self.turn = not turn
        self.halfmove_clock += 1
        self.fullmove_number += not turn
        if move:
            self._move_man(move, turn)

    def _move_man(self, move: chess.Move, turn: chess.Color) -> None:
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        way = source | target
        if target & self.occupied:
            self.halfmove_clock = 0
            free = ~target
            self.pawns &= free
            self.knights &= free
            self.bishops &= free
            self.rooks &= free
            self.queens &= free
            self.kings &= free
            self.occupied_co[not turn] &= free
        if source & self.pawns:
            self.halfmove_clock = 0
            self.pawns ^= source if move.promotion else way
            if move.promotion:
                self._promote(move.promotion, target)
        elif source & self.rooks:
            self.rooks ^= way
        elif source & self.knights:
            self.knights ^= way
        elif source & self.bishops:
            self.bishops ^= way
        elif source & self.queens:
            self.queens ^= way
        else:
            self.kings ^= way
        self.occupied_co[turn] ^= way
        self.occupied = self.occupied_co[chess.WHITE] | self.occupied_co[chess.BLACK]

    def _promote(self, kind: chess.PieceType, target: chess.Bitboard) -> None:
        if kind == chess.QUEEN:
            self.queens |= target
        elif kind == chess.ROOK:
            self.rooks |= target
        elif kind == chess.BISHOP:
            self.bishops |= target
        else:
            self.knights |= target


@lru_cache(_ROWS_CACHED)
def _row(source: chess.Square, reach: chess.Bitboard) -> tuple[str, ...]:
    """The moves from a square to other squares, in UCI, sorted."""
    return tuple(sorted(_NAMES[source] + _NAMES[target] for target in chess.scan_forward(reach)))
