"""Whether a mate is possible on any square, by the squares that each piece can ever reach (`reach`).

These conditions are necessary for a mate on a square: the king can get there; a piece of the other side besides its
king can attack it; and each square around is attacked by the other side or blocked by the king's own pieces. The mating
king is on one square at a time, and each of the mated king's pieces blocks one square at a time.
"""

import chess

from services.rules.dead.reach import Reach
from services.rules.dead.square_sets import king, squares


def can_mate_somewhere(board: chess.Board, reach: Reach, white: bool) -> bool:
    """Whether these conditions allow a mate by this side. False is proved; True is not."""
    attacked = reach.attacks(white)
    own_king = reach.kings[white]
    covered = attacked | king(own_king) | reach.pieces(not white)
    candidates = [
        square for square in squares(reach.kings[not white] & attacked) if not chess.BB_KING_ATTACKS[square] & ~covered
    ]
    if not candidates:
        return False
    blockers = _blockers(board, reach, not white)
    held = reach.fixed & board.occupied_co[not white] & ~board.kings
    return any(_can_mate_on(square, ~(attacked | held), own_king, blockers) for square in candidates)


def _can_mate_on(square: int, open_flights: int, own_king: int, blockers: list[int]) -> bool:
    """Whether the mating king, on some square, covers enough of the flight squares that nothing else covers."""
    around = chess.BB_KING_ATTACKS[square]
    open_flights &= around
    if not open_flights:
        return True
    places = own_king & ~around & ~chess.BB_SQUARES[square]
    near = places & king(around)
    if places != near and _all_blocked(open_flights, blockers):
        return True
    left = {open_flights & ~chess.BB_KING_ATTACKS[place] for place in squares(near)}
    return any(_all_blocked(flights, blockers) for flights in left)


def _blockers(board: chess.Board, reach: Reach, white: bool) -> list[int]:
    """The squares of each piece of one side that is not fixed, without the king."""
    loose = board.occupied_co[white] & ~reach.fixed & ~board.kings
    found = [reach.knights[white]] * (loose & board.knights).bit_count()
    found += [reach.rooks[white]] * (loose & board.rooks).bit_count()
    found += [reach.queens[white]] * (loose & board.queens).bit_count()
    for shade in (chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES):
        found += [reach.bishops[white] & shade] * (loose & board.bishops & shade).bit_count()
    for square in squares(loose & board.pawns):
        pawn = chess.BB_SQUARES[square]
        places = reach.file_squares(pawn, white)
        if pawn & reach.loose_pawns[white]:
            places |= reach.strayed[white] | reach.queens[white] | reach.knights[white]
        found.append(places)
    return found


def _all_blocked(flights: int, blockers: list[int]) -> bool:
    """Whether all flight squares can be blocked at once, each by a different piece."""
    if not flights:
        return True
    if flights.bit_count() > len(blockers):
        return False
    pieces = [[piece for piece, places in enumerate(blockers) if places >> square & 1] for square in squares(flights)]
    placed: dict[int, int] = {}

    def place(flight: int, tried: set[int]) -> bool:
        for piece in pieces[flight]:
            if piece not in tried:
                tried.add(piece)
                if piece not in placed or place(placed[piece], tried):
                    placed[piece] = flight
                    return True
        return False

    return all(place(flight, set()) for flight in range(len(pieces)))
