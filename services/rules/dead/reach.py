"""The squares that each piece can ever reach, for any play of both sides: never too few, often exact if locked.

The squares are the smallest sets closed under these rules, which are repeated until nothing changes:
- a piece moves as its kind does, but not through or onto a *fixed* piece of its own side, nor through one of the other;
- a piece is fixed until a rule allows it to leave its square, or allows the other side to capture it there;
- a king never enters a square that a fixed piece of the other side attacks, or that the other king attacks from all of
  its possible squares;
- a pawn captures only where a piece of the other side can stand (with en passant: a pawn that makes a double step also
  counts as standing on the square between);
- on its file a pawn never passes an opposing pawn that can neither be captured nor leave the file.
By induction, each move of any game from here obeys these rules, so no piece ever reaches another square.
Checks, pins, turns and parity are ignored, which only makes the sets larger.

Lists have two entries, Black's and White's, with the indexes `chess.BLACK` and `chess.WHITE`.
"""

import chess

from services.rules.dead import square_sets
from services.rules.dead.square_sets import ALL, LAST_RANKS, ahead, diagonal, knight, orthogonal, pawn_attacks, squares

_KINGS_FEW = 4
"""If a king has at most so many squares, the squares that it attacks from all of them are computed."""


class Reach:
    """The squares that pieces can ever reach, by side and kind of piece."""

    __slots__ = (
        "_cleared", "_extra", "_king", "_locals", "_occupied", "_own", "_pieces",
        "bishops", "fixed", "kings", "knights", "loose_pawns", "pawns", "promotes", "queens", "rooks", "strayed",
    )  # fmt: skip

    def __init__(self, board: chess.Board) -> None:
        black, white = board.occupied_co
        self._own = (black, white)
        self._occupied = board.occupied
        self._king = (black & board.kings, white & board.kings)
        self._locals = [
            (
                own & board.pawns,
                own & board.knights,
                own & (board.bishops | board.queens),
                own & (board.rooks | board.queens),
            )
            for own in self._own
        ]
        self.kings = list(self._king)
        self.knights = [black & board.knights, white & board.knights]
        self.bishops = [black & board.bishops, white & board.bishops]
        self.rooks = [black & board.rooks, white & board.rooks]
        self.queens = [black & board.queens, white & board.queens]
        """Queens, and promoted pawns (a promotion to a knight is separate)."""
        self.pawns = [black & board.pawns, white & board.pawns]
        """Pawns on their current files."""
        self.strayed = [0, 0]
        """Pawns after a capture."""
        self.loose_pawns = [0, 0]
        """The pawns that can be captured or leave their file, on their current squares."""
        self.promotes = [False, False]
        self._pieces = (
            (knight, self.knights),
            (diagonal, self.bishops),
            (orthogonal, self.rooks),
            (square_sets.king, self.queens),
        )
        self._extra = [0, 0]
        self._cleared = 0
        self._castling(board)
        self._en_passant(board)
        while self._spread() | self._release():
            pass
        self.fixed = self._occupied & ~self._cleared
        """Pieces that never leave their squares, including kings that cannot move."""

    def pieces(self, white: bool) -> int:
        """The squares that pieces of one side, without its king, can reach."""
        return (
            self.knights[white] | self.bishops[white] | self.rooks[white] | self.queens[white]
            | self.pawns[white] | self.strayed[white] | self._extra[white]
        )  # fmt: skip

    def attacks(self, white: bool) -> int:
        """The squares that pieces of one side, without its king, can ever attack; kings do not block lines."""
        bishops, rooks = self.bishops[white], self.rooks[white]
        return (
            pawn_attacks(self.pawns[white] | self.strayed[white], white)
            | knight(self.knights[white])
            | bishops | diagonal(bishops)
            | rooks | orthogonal(rooks)
            | square_sets.king(self.queens[white])
        )  # fmt: skip

    def file_squares(self, pawn: int, white: bool) -> int:
        """The squares of a pawn before its first capture; `pawn` is the set of its current square."""
        found = pawn
        while pawn := ahead(pawn, white) & self.pawns[white]:
            found |= pawn
        return found

    def _castling(self, board: chess.Board) -> None:
        """If a castling right exists, castling counts as always possible. So the sets are never too small."""
        for white, back in ((0, chess.BB_RANK_8), (1, chess.BB_RANK_1)):
            if rooks := board.castling_rights & self._own[white]:
                self.kings[white] |= back & (chess.BB_FILE_C | chess.BB_FILE_G)
                self.rooks[white] |= back & (chess.BB_FILE_D | chess.BB_FILE_F)
                self._cleared |= rooks | self._king[white]

    def _en_passant(self, board: chess.Board) -> None:
        if board.ep_square is None:
            return
        square = chess.BB_SQUARES[board.ep_square]
        captured = ahead(square, not board.turn)
        self._extra[not board.turn] |= square
        self._cleared |= captured
        self.loose_pawns[not board.turn] |= captured

    def _spread(self) -> bool:
        """Move each piece as far as the fixed pieces allow. Return whether a set has grown."""
        fixed = self._occupied & ~self._cleared
        changed = False
        for white in (False, True):
            other_fixed = fixed & self._own[not white]
            open_to, through = ALL & ~(fixed & self._own[white]), ~other_fixed
            changed |= self._spread_king(white, open_to, other_fixed)
            for step, sets in self._pieces:
                before = reached = sets[white]
                while reached and (wider := reached | (step(reached & through) & open_to)) != reached:
                    reached = wider
                if reached != before:
                    sets[white] = reached
                    changed = True
            changed |= self._spread_pawns(white, ALL & ~fixed)
        return changed

    def _spread_king(self, white: bool, open_to: int, other_fixed: int) -> bool:
        pawns, knights, bishops, rooks = self._locals[not white]
        forbidden = (
            pawn_attacks(other_fixed & pawns, not white)
            | knight(other_fixed & knights)
            | diagonal(other_fixed & bishops)
            | orthogonal(other_fixed & rooks)
        )
        other_king = self.kings[not white]
        if other_king.bit_count() <= _KINGS_FEW:
            always = ALL
            for square in squares(other_king):
                always &= chess.BB_KING_ATTACKS[square]
            forbidden |= always
        before = reached = self.kings[white]
        open_to &= ~forbidden
        while (wider := reached | (square_sets.king(reached) & open_to)) != reached:
            reached = wider
        self.kings[white] = reached
        return reached != before

    def _spread_pawns(self, white: bool, open_to: int) -> bool:
        pawns, strayed, queens, knights = (
            self.pawns[white],
            self.strayed[white],
            self.queens[white],
            self.knights[white],
        )
        before = pawns, strayed, queens, knights
        passable = open_to & ~(self._locals[not white][0] & ~self.loose_pawns[not white])
        while (wider := pawns | (ahead(pawns, white) & passable)) != pawns:
            pawns = wider
        prey = self.pieces(not white)
        strayed |= pawn_attacks(pawns, white) & prey
        while strayed:
            wider = strayed | (ahead(strayed, white) & open_to) | (pawn_attacks(strayed, white) & prey)
            if wider == strayed:
                break
            strayed = wider
        if promoted := (pawns | strayed) & LAST_RANKS:
            self.promotes[white] = True
            self.queens[white] = queens = queens | promoted
            self.knights[white] = knights = knights | promoted
        self.pawns[white] = pawns = pawns & ~LAST_RANKS
        self.strayed[white] = strayed = strayed & ~LAST_RANKS
        return before != (pawns, strayed, queens, knights)

    def _release(self) -> bool:
        """Clear the squares of pieces that can leave or be captured. Return whether there are more than before."""
        before = self._cleared, self.loose_pawns[0], self.loose_pawns[1]
        fixed = self._occupied & ~self._cleared
        pieces, captures = (self.pieces(False), self.pieces(True)), (self._captures(False), self._captures(True))
        for white in (False, True):
            if self.kings[white] != self._king[white]:
                self._cleared |= self._king[white]
            own = fixed & self._own[white] & ~self._king[white]
            if not own:
                continue
            pawns, knights, bishops, rooks = self._locals[white]
            advanced = (self.pawns[white] | LAST_RANKS) & ~fixed
            open_to = ALL & ~own & ~(fixed & self._king[white])
            self._cleared |= own & (
                captures[not white]
                | pawns & (ahead(advanced, not white) | pawn_attacks(pieces[not white], not white))
                | knights & knight(open_to)
                | bishops & diagonal(open_to)
                | rooks & orthogonal(open_to)
            )
        fixed = self._occupied & ~self._cleared
        for white in (False, True):
            for square in squares(self._locals[white][0] & ~fixed & ~self.loose_pawns[white]):
                pawn = chess.BB_SQUARES[square]
                span = self.file_squares(pawn, white)
                leaves = pawn_attacks(span, white) & pieces[not white] or ahead(span, white) & LAST_RANKS & ~fixed
                if leaves or span & captures[not white]:
                    self.loose_pawns[white] |= pawn
        return before != (self._cleared, self.loose_pawns[0], self.loose_pawns[1])

    def _captures(self, white: bool) -> int:
        """The squares on which pieces of one side, including its king, can capture."""
        return (
            self.kings[white] | self.knights[white] | self.bishops[white] | self.rooks[white] | self.queens[white]
            | pawn_attacks(self.pawns[white] | self.strayed[white], white)
        )  # fmt: skip
