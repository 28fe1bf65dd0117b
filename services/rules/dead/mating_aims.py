"""Mate patterns ("pictures") to aim at: which piece must stand where, and how far away that is.

A picture has the square of the mated king, of the checking piece, of the mating king or a guard of the checking piece
if needed, and of the mated king's own pieces that block unattacked flight squares. The distance of a position from a
picture is counted in moves of single pieces. It is an estimate: it only orders a search.
"""

from bisect import insort

import chess

from services.rules.dead.distances import FAR, Distances
from services.rules.dead.reach import Reach
from services.rules.dead.square_sets import king, squares

PICTURES_MAX = 6
"""The number of pictures to aim at at the same time."""
_KEPT_MAX = 60
_PICTURES_A_SQUARE = 2
_BLOCKERS_MAX = 4
_TAKER_STEPS = 2
"""The cost for each piece that could capture the checking piece. A square where a piece could interpose costs 1."""
_KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)

Role = tuple[bool, chess.PieceType, chess.Square]
"""A piece of a side and kind that must stand on a square."""
Picture = tuple[Role, ...]


class Aims:
    """The pictures of one side's mates, nearest to a position first."""

    def __init__(self, board: chess.Board, reach: Reach, white: bool) -> None:
        self._board = board
        self._reach = reach
        self._white = white
        self._distances = Distances(board, reach)
        self._places = {side: self._places_of(side) for side in (False, True)}
        self._held = reach.fixed & board.occupied_co[not white] & ~board.kings
        self._guarded = self._fixed_attacks()
        self._fixed_pieces = self._only_fixed_pieces()
        self._found: list[tuple[int, Picture]] = []
        self._find()
        self.pictures: list[Picture] = []
        """The current pictures."""
        self.next()

    def next(self) -> bool:
        """Aim at the next pictures. Return False if there are no more."""
        chosen: list[tuple[int, Picture]] = []
        for item in self._found:
            if sum(other[1][0] == item[1][0] for other in chosen) < _PICTURES_A_SQUARE:
                chosen.append(item)
        del chosen[PICTURES_MAX:]
        self._found = [item for item in self._found if item not in chosen]
        self.pictures = [picture for _, picture in chosen]
        return bool(chosen)

    def distance(self, board: chess.Board, picture: Picture) -> int:
        """The number of moves of single pieces to the picture."""
        total = used = 0
        for white, kind, square in picture:
            steps, piece = self._distances.nearest(board, white, kind, square, used)
            total += steps
            used |= piece
        return total

    def _places_of(self, white: bool) -> dict[chess.PieceType, int]:
        """The squares that pieces of each kind can reach, including promoted pawns."""
        reach = self._reach
        promoted = reach.queens[white] if reach.promotes[white] else 0
        return {
            chess.PAWN: reach.pawns[white] | reach.strayed[white],
            chess.KNIGHT: reach.knights[white],
            chess.BISHOP: reach.bishops[white] | promoted,
            chess.ROOK: reach.rooks[white] | promoted,
            chess.QUEEN: reach.queens[white],
        }

    def _only_fixed_pieces(self) -> chess.Board:
        """The board with only the fixed pieces (no kings); the side to be mated is to move."""
        board = self._board.copy(stack=False)
        board.castling_rights, board.ep_square = chess.BB_EMPTY, None
        for square in squares(board.occupied & (~self._reach.fixed | board.kings)):
            board.remove_piece_at(square)
        board.turn = not self._white
        return board

    def _fixed_attacks(self) -> int:
        """The squares that the mating side's fixed pieces always attack."""
        board, attacked = self._board, 0
        for square in squares(self._reach.fixed & board.occupied_co[self._white]):
            attacked |= self._attacks(board.piece_type_at(square) or chess.KING, square, self._white, self._reach.fixed)
        return attacked

    @staticmethod
    def _attacks(kind: chess.PieceType, square: chess.Square, white: bool, occupied: int) -> int:
        if kind == chess.PAWN:
            return chess.BB_PAWN_ATTACKS[white][square]
        if kind == chess.KNIGHT:
            return chess.BB_KNIGHT_ATTACKS[square]
        if kind == chess.KING:
            return chess.BB_KING_ATTACKS[square]
        attacked = 0
        if kind != chess.ROOK:
            attacked = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
        if kind != chess.BISHOP:
            attacked |= (
                chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
                | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
            )
        return attacked

    def _find(self) -> None:
        """Keep the nearest pictures; try the nearest squares of the king to be mated first."""
        board, reach, white = self._board, self._reach, self._white
        attacked = reach.attacks(white)
        near: list[tuple[int, int]] = []
        for square in squares(reach.kings[not white] & attacked):
            steps, _ = self._distances.nearest(board, not white, chess.KING, square, 0)
            near.append((steps, square))
        for steps, square in sorted(near):
            if steps < self._worst():
                self._find_on(square, steps)

    def _worst(self) -> int:
        return self._found[-1][0] if len(self._found) == _KEPT_MAX else FAR

    def _find_on(self, square: chess.Square, king_steps: int) -> None:
        board, reach, white = self._board, self._reach, self._white
        around = chess.BB_KING_ATTACKS[square]
        flights = around & ~self._held & ~self._guarded
        near = reach.kings[white] & ~around & ~chess.BB_SQUARES[square] & king(around)
        kings: list[tuple[int, chess.Square | None]] = [(0, None)]
        kings += [(self._distances.nearest(board, white, chess.KING, place, 0)[0], place) for place in squares(near)]
        kings.sort(key=lambda item: item[0])
        for kind in _KINDS:
            from_squares = self._attacks(kind, square, not white, reach.fixed) & self._places[white][kind]
            for checker in squares(from_squares):
                steps, piece = self._distances.nearest(board, white, kind, checker, 0)
                takers = board.attackers_mask(not white, checker) & ~board.kings
                gap = chess.between(checker, square).bit_count()
                total = king_steps + steps + _TAKER_STEPS * takers.bit_count() + gap
                if total >= self._worst():
                    continue
                contact = bool(chess.BB_SQUARES[checker] & around & ~self._guarded)
                guard = self._guard(checker, piece, self._worst() - total) if contact else None
                open_flights = flights & ~self._attacks(kind, checker, white, reach.fixed) & ~chess.BB_SQUARES[checker]
                roles: Picture = ((not white, chess.KING, square), (white, kind, checker))
                for place_steps, place in kings:
                    cost, picture = total + place_steps, roles
                    if cost >= self._worst() or place == checker:
                        continue
                    covered = self._guarded
                    if place is not None:
                        covered |= chess.BB_KING_ATTACKS[place]
                        picture += ((white, chess.KING, place),)
                    if contact and not chess.BB_SQUARES[checker] & covered:
                        if guard is None:
                            continue  # the king captures it
                        cost += guard[0]
                        picture += (guard[1],)
                    if (blocked := self._block(open_flights & ~covered, square, checker, cost)) is not None:
                        self._keep(blocked[0], picture + blocked[1])

    def _guard(self, checker: chess.Square, used: int, below: int) -> tuple[int, Role] | None:
        """The nearest piece that can guard the checking piece, if it is nearer than `below`."""
        white, best = self._white, None
        for kind in _KINDS:
            places = self._attacks(kind, checker, not white, self._reach.fixed) & self._places[white][kind]
            for place in squares(places):
                steps, _ = self._distances.nearest(self._board, white, kind, place, used)
                if steps < below:
                    below, best = steps, (steps, (white, kind, place))
        return best

    def _block(
        self, flights: int, square: chess.Square, checker: chess.Square, total: int
    ) -> tuple[int, Picture] | None:
        """The cheapest pieces of the mated side to block the flight squares; none of them can capture the checker."""
        if flights.bit_count() > _BLOCKERS_MAX:
            return None
        side, used = not self._white, 0
        blockers: list[Role] = []
        occupied = self._reach.fixed | flights | chess.BB_SQUARES[square]
        for flight in squares(flights):
            best: tuple[int, int, chess.PieceType] | None = None
            for kind in _KINDS:
                if not self._places[side][kind] >> flight & 1:
                    continue
                if self._attacks(kind, flight, side, occupied) >> checker & 1:
                    continue
                steps, piece = self._distances.nearest(self._board, side, kind, flight, used)
                if steps < FAR and (best is None or steps < best[0]):
                    best = steps, piece, kind
            if best is None:
                return None
            total += best[0]
            if total >= self._worst():
                return None
            used |= best[1]
            blockers.append((side, best[2], flight))
        return total, tuple(blockers)

    def _keep(self, total: int, picture: Picture) -> None:
        """Keep the picture if it is near enough and is a mate together with the fixed pieces."""
        if total < self._worst() and self._is_mate(picture):
            insort(self._found, (total, picture), key=lambda item: item[0])
            del self._found[_KEPT_MAX:]

    def _is_mate(self, picture: Picture) -> bool:
        board = self._fixed_pieces.copy(stack=False)
        for white, kind, square in picture:
            board.set_piece_at(square, chess.Piece(kind, white))
        if board.king(self._white) is None:
            if not self._reach.kings[self._white] & ~board.occupied:
                return False
            board.set_piece_at(self._out_of_the_way(board), chess.Piece(chess.KING, self._white))
        return not board.was_into_check() and board.is_checkmate()

    def _out_of_the_way(self, board: chess.Board) -> chess.Square:
        """A square for a mating king that is not needed: far from the other king, and unattacked if possible."""
        mated = board.king(not self._white) or 0
        free = list(squares(self._reach.kings[self._white] & ~board.occupied))
        quiet = [square for square in free if not board.is_attacked_by(not self._white, square)]
        return max(quiet or free, key=lambda square: chess.square_distance(square, mated))
