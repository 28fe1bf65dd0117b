"""Positions in which only the kings can move: all squares they can walk to, and what they can capture there.

All other pieces must have no move, wherever the kings are. Then there are only king moves until a king captures. The
pairs of squares that the kings can reach, each with the side to move, are few enough to find all of them exactly: the
kings are never adjacent, never on attacked squares, and a side without a move is stalemated. For each square of one
king, the squares of the other are one set, so hundreds of positions take little time.
"""

import chess

from services.rules.dead import square_sets
from services.rules.dead.square_sets import ALL, ahead, diagonal, knight, orthogonal, pawn_attacks, squares

_ROUNDS_MAX = 300
"""The most steps of the walk; with more it gives up."""
_CAPTURES_MAX = 24
"""The most positions after captures; with more it gives up."""


def positions_after_captures(board: chess.Board) -> list[chess.Board] | None:
    """The positions at the end of the walk, after a king's capture; None if the walk proves nothing.

    The side to move must have a legal move. There is no mate before a capture.
    """
    if board.castling_rights or board.ep_square is not None or not _only_kings_move(board):
        return None
    captures = _Walk(board).captures()
    if captures is None:
        return None
    return [_after(board, *capture) for capture in captures]


def _only_kings_move(board: chess.Board) -> bool:
    """Whether no other piece could move even if the kings were not on the board."""
    pieces = board.occupied & ~board.kings
    for white in (False, True):
        own = pieces & board.occupied_co[white]
        pawns = own & board.pawns
        if ahead(pawns, white) & ~pieces or pawn_attacks(pawns, white) & pieces & ~own:
            return False
        if (
            knight(own & board.knights) & ~own
            or diagonal(own & (board.bishops | board.queens)) & ~own
            or orthogonal(own & (board.rooks | board.queens)) & ~own
        ):
            return False
    return True


def _after(board: chess.Board, capturer: bool, square: int, other_square: int) -> chess.Board:
    after = board.copy(stack=False)
    for king in squares(board.kings):
        after.remove_piece_at(king)
    after.set_piece_at(square, chess.Piece(chess.KING, capturer))
    after.set_piece_at(other_square, chess.Piece(chess.KING, not capturer))
    after.turn = not capturer
    return after


class _Walk:
    """The walk of the two kings. The *inner* king is the one with fewer squares."""

    def __init__(self, board: chess.Board) -> None:
        pieces = board.occupied & ~board.kings
        self._pieces = [pieces & board.occupied_co[white] for white in (False, True)]
        self._guarded = [self._attacks(board, white) for white in (False, True)]
        self._open = [ALL & ~pieces & ~self._guarded[not white] for white in (False, True)]
        kings = [board.kings & own for own in board.occupied_co]
        sizes = [self._flood(kings[white], self._open[white]) for white in (False, True)]
        self._inner = sizes[True] < sizes[False]
        self._start = kings[self._inner].bit_length() - 1, board.turn is self._inner, kings[not self._inner]

    def captures(self) -> set[tuple[bool, int, int]] | None:
        """The captures: side, square, and the other king's square; None if there are too many."""
        inner, outer = self._inner, not self._inner
        square, inner_moves, others = self._start
        seen: dict[tuple[int, bool], int] = {}
        todo = {(square, inner_moves): others}
        found: set[tuple[bool, int, int]] = set()
        for _ in range(_ROUNDS_MAX):
            if not todo or len(found) > _CAPTURES_MAX:
                break
            (square, inner_moves), others = todo.popitem()
            new = others & ~seen.get((square, inner_moves), 0)
            if not new:
                continue
            seen[square, inner_moves] = new | seen.get((square, inner_moves), 0)
            around = chess.BB_KING_ATTACKS[square]
            if inner_moves:
                for to in squares(around & self._open[inner]):
                    _add(todo, (to, False), new & ~chess.BB_KING_ATTACKS[to])
                for to in squares(around & self._pieces[outer] & ~self._guarded[outer]):
                    found.update((inner, to, other) for other in squares(new & ~chess.BB_KING_ATTACKS[to]))
            else:
                steps = square_sets.king(new) & ~around
                _add(todo, (square, True), steps & self._open[outer])
                found.update((outer, to, square) for to in squares(steps & self._pieces[inner] & ~self._guarded[inner]))
        return None if todo or len(found) > _CAPTURES_MAX else found

    @staticmethod
    def _attacks(board: chess.Board, white: bool) -> int:
        """The squares that one side attacks, without its king. Bishops, rooks and queens have no open line."""
        own = board.occupied_co[white]
        return (
            pawn_attacks(own & board.pawns, white)
            | knight(own & board.knights)
            | diagonal(own & (board.bishops | board.queens))
            | orthogonal(own & (board.rooks | board.queens))
        )

    @staticmethod
    def _flood(reached: int, open_to: int) -> int:
        while (wider := reached | (square_sets.king(reached) & open_to)) != reached:
            reached = wider
        return reached.bit_count()


def _add(todo: dict[tuple[int, bool], int], place: tuple[int, bool], others: int) -> None:
    if others:
        todo[place] = todo.get(place, 0) | others
