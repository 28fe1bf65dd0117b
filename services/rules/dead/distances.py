"""How many moves a single piece is away from a square, if only fixed pieces are in its way."""

import chess

from services.rules.dead import square_sets
from services.rules.dead.reach import Reach
from services.rules.dead.square_sets import ALL, LAST_RANKS, ahead, knight, pawn_attacks, squares

FAR = 99
"""There is no way, or no such piece."""
_CAPTURE_STEPS = 3
"""The cost of a pawn's capture: another piece must come to be captured."""
_THROUGH_STEPS = 1
"""The extra cost of a way through pawns, which must leave."""

Table = list[int]


class Distances:
    """Tables of distances in the structure of one position. Each table is made on first use."""

    def __init__(self, board: chess.Board, reach: Reach) -> None:
        self._reach = reach
        self._fixed_of = [reach.fixed & board.occupied_co[white] for white in (False, True)]
        self._pawns = board.pawns
        self._tables: dict[tuple[bool, chess.PieceType, chess.Square], Table] = {}
        self._pawn_tables: dict[tuple[bool, chess.PieceType, chess.Square], Table] = {}

    def nearest(
        self, board: chess.Board, white: bool, kind: chess.PieceType, square: chess.Square, used: int
    ) -> tuple[int, int]:
        """Steps and square of the nearest piece of a side that is of this kind or can promote to it.

        `used` are the squares of pieces that are needed elsewhere.
        """
        own = board.occupied_co[white] & ~used
        steps, piece = FAR, 0
        at = (white, kind, square)
        if kind != chess.PAWN and (pieces := own & _pieces(board, kind)):
            table = self._tables.get(at) or self._table(at)
            while pieces:
                lowest = pieces & -pieces
                pieces ^= lowest
                if (found := table[lowest.bit_length() - 1]) < steps:
                    steps, piece = found, lowest
        if kind != chess.KING and (pieces := own & board.pawns):
            table = self._pawn_tables.get(at) or self._pawn_table(at)
            while pieces:
                lowest = pieces & -pieces
                pieces ^= lowest
                if (found := table[lowest.bit_length() - 1]) < steps:
                    steps, piece = found, lowest
        return steps, piece

    def _table(self, at: tuple[bool, chess.PieceType, chess.Square]) -> Table:
        """The steps of a piece to the square, from every square."""
        white, kind, square = at
        open_to = ALL & ~self._fixed_of[white]
        if kind == chess.KING:
            open_to &= self._reach.kings[white]
        fixed = self._reach.fixed
        table = [FAR] * 64
        for pieces, more in ((fixed | self._pawns, 0), (fixed, _THROUGH_STEPS)):
            frontier = reached = chess.BB_SQUARES[square]
            steps = more
            while frontier:
                for place in squares(frontier):
                    table[place] = min(table[place], steps)
                steps += 1
                frontier = _moves(kind, frontier, pieces) & open_to & ~reached
                reached |= frontier
            if kind in (chess.KING, chess.KNIGHT):
                break
        self._tables[at] = table
        return table

    def _pawn_table(self, at: tuple[bool, chess.PieceType, chess.Square]) -> Table:
        """The steps of a pawn, from every square, until it is on the square as a piece of the kind."""
        white, kind, square = at
        table = [FAR] * 64
        if kind == chess.PAWN:
            table[square] = 0
            levels = {0: chess.BB_SQUARES[square]}
        else:
            piece = self._tables.get(at) or self._table(at)
            levels = {}
            for place in squares(LAST_RANKS & (chess.BB_RANK_8 if white else chess.BB_RANK_1)):
                if piece[place] < FAR:
                    levels[piece[place]] = levels.get(piece[place], 0) | chess.BB_SQUARES[place]
        prey = self._reach.pieces(not white)
        seen = 0
        steps = 0
        while levels:
            now = levels.pop(steps, 0) & ~seen
            seen |= now
            for place in squares(now & ~LAST_RANKS if kind != chess.PAWN else now):
                table[place] = steps
            behind = ahead(now & ~self._reach.fixed, not white) & ~LAST_RANKS
            aside = pawn_attacks(now & prey, not white) & ~LAST_RANKS
            for cost, places in ((1, behind), (_CAPTURE_STEPS, aside)):
                if places := places & ~seen:
                    levels[steps + cost] = levels.get(steps + cost, 0) | places
            steps += 1
        self._pawn_tables[at] = table
        return table


def _pieces(board: chess.Board, kind: chess.PieceType) -> int:
    match kind:
        case chess.KNIGHT:
            return board.knights
        case chess.BISHOP:
            return board.bishops
        case chess.ROOK:
            return board.rooks
        case chess.QUEEN:
            return board.queens
        case _:
            return board.kings


def _moves(kind: chess.PieceType, places: int, occupied: int) -> int:
    """The squares that a piece can move to from any of these squares."""
    if kind == chess.KING:
        return square_sets.king(places)
    if kind == chess.KNIGHT:
        return knight(places)
    found = 0
    for square in squares(places):
        if kind != chess.ROOK:
            found |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
        if kind != chess.BISHOP:
            found |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            found |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    return found
