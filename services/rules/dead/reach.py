"""Where each man can ever stand, whatever both sides play: never too little, often exact in locked positions.

The squares are the least sets closed under these rules, found by repeating them until nothing changes:
- a man moves as its kind does, but not through or onto a *fixed* man of its own side, and not through one of the other;
- a man is fixed until a rule lets it leave its square, or lets one of the other side capture it there;
- a king does not enter what a fixed man of the other side attacks, nor what the other king attacks from wherever it is;
- a pawn captures only where a man of the other side can stand (en passant included: a pawn that makes a double step
  counts as standing on the square between);
- on its file a pawn never passes one of the other side that can neither be captured nor leave the file.
By induction over any game from here each move obeys them, so that no man ever stands elsewhere.
Checks, pins, turns and parity are ignored, which only makes the sets larger.

Lists have two entries, Black's and White's, as `chess.BLACK` and `chess.WHITE` index them.
"""

import chess

from services.rules.dead import square_sets
from services.rules.dead.square_sets import ALL, LAST_RANKS, ahead, diagonal, knight, orthogonal, pawn_attacks, squares

_KINGS_FEW = 4
"""With so few squares for a king it is asked what it attacks from all of them."""


class Reach:
    """The squares that can ever be stood on, by side and kind of man."""

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
        """Queens, and what a pawn becomes beside a knight."""
        self.pawns = [black & board.pawns, white & board.pawns]
        """Pawns on the files that they are on now."""
        self.strayed = [0, 0]
        """Pawns after a capture."""
        self.loose_pawns = [0, 0]
        """The pawns that can be captured or leave their file, on the squares where they are now."""
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
        """Men that stay where they are for ever; a king that cannot move is one of them."""

    def men(self, white: bool) -> int:
        """Where a man of one side other than its king can stand."""
        return (
            self.knights[white] | self.bishops[white] | self.rooks[white] | self.queens[white]
            | self.pawns[white] | self.strayed[white] | self._extra[white]
        )  # fmt: skip

    def attacks(self, white: bool) -> int:
        """What the men of one side other than its king can ever attack, a king in the way counting as nothing."""
        bishops, rooks = self.bishops[white], self.rooks[white]
        return (
            pawn_attacks(self.pawns[white] | self.strayed[white], white)
            | knight(self.knights[white])
            | bishops | diagonal(bishops)
            | rooks | orthogonal(rooks)
            | square_sets.king(self.queens[white])
        )  # fmt: skip

    def file_squares(self, pawn: int, white: bool) -> int:
        """Where the pawn on a square can stand without having captured; the argument is a set of that square."""
        found = pawn
        while pawn := ahead(pawn, white) & self.pawns[white]:
            found |= pawn
        return found

    def _castling(self, board: chess.Board) -> None:
        """Castling is possible for ever where the right exists: more than true, so never too little."""
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
        """Let each man go as far as the fixed men let it. Whether that is further than before."""
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
        prey = self.men(not white)
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
        """Clear the squares of men that can leave them or be captured there. Whether there are more than before."""
        before = self._cleared, self.loose_pawns[0], self.loose_pawns[1]
        fixed = self._occupied & ~self._cleared
        men, captures = (self.men(False), self.men(True)), (self._captures(False), self._captures(True))
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
                | pawns & (ahead(advanced, not white) | pawn_attacks(men[not white], not white))
                | knights & knight(open_to)
                | bishops & diagonal(open_to)
                | rooks & orthogonal(open_to)
            )
        fixed = self._occupied & ~self._cleared
        for white in (False, True):
            for square in squares(self._locals[white][0] & ~fixed & ~self.loose_pawns[white]):
                pawn = chess.BB_SQUARES[square]
                span = self.file_squares(pawn, white)
                leaves = pawn_attacks(span, white) & men[not white] or ahead(span, white) & LAST_RANKS & ~fixed
                if leaves or span & captures[not white]:
                    self.loose_pawns[white] |= pawn
        return before != (self._cleared, self.loose_pawns[0], self.loose_pawns[1])

    def _captures(self, white: bool) -> int:
        """Where men of one side, its king included, can capture what stands there."""
        return (
            self.kings[white] | self.knights[white] | self.bishops[white] | self.rooks[white] | self.queens[white]
            | pawn_attacks(self.pawns[white] | self.strayed[white], white)
        )  # fmt: skip
