"""A small search of our own, for where no engine can start: material and mobility, alpha-beta, bounded by nodes.

It plays legally and not quite foolishly; it is the last resort, and the health page says when it stands in.
"""

from dataclasses import dataclass, field
from random import Random

import chess

MATE = 100_000
DEPTH_MAX = 6
_VALUE = {chess.PAWN: 100, chess.KNIGHT: 310, chess.BISHOP: 325, chess.ROOK: 500, chess.QUEEN: 930, chess.KING: 0}


class _NodesSpent(Exception):
    """The bound on nodes was reached; what was found before counts."""


@dataclass(slots=True)
class SmallSearch:
    """One search. `nodes_max` bounds the positions that it looks at."""

    nodes_max: int
    random: Random
    _nodes: int = field(default=0, init=False)

    def choose(self, board: chess.Board) -> chess.Move:
        """A legal move of a position that has one; the board is as before afterwards."""
        moves = list(board.legal_moves)
        self.random.shuffle(moves)
        best = max(moves, key=lambda move: _gain(board, move))
        length = len(board.move_stack)
        for depth in range(1, DEPTH_MAX + 1):
            try:
                best = self._best(board, moves, depth)
            except _NodesSpent:
                while len(board.move_stack) > length:
                    board.pop()
                break
            moves.remove(best)
            moves.insert(0, best)
        return best

    def _best(self, board: chess.Board, moves: list[chess.Move], depth: int) -> chess.Move:
        best, alpha = moves[0], -MATE - 1
        for move in moves:
            board.push(move)
            score = -self._search(board, depth - 1, -MATE - 1, -alpha)
            board.pop()
            if score > alpha:
                best, alpha = move, score
        return best

    def _search(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        self._nodes += 1
        if self._nodes > self.nodes_max:
            raise _NodesSpent
        moves = sorted(board.legal_moves, key=lambda move: _gain(board, move), reverse=True)
        if not moves:
            return -MATE - depth if board.is_check() else 0
        if board.is_insufficient_material():
            return 0
        if depth <= 0:
            standing = _evaluate(board, len(moves))
            if standing >= beta:
                return standing
            alpha = max(alpha, standing)
            moves = [move for move in moves if board.is_capture(move) or move.promotion]
            if depth < -4:
                return standing
            best = standing
        else:
            best = -MATE - 1
        for move in moves:
            board.push(move)
            score = -self._search(board, depth - 1, -beta, -alpha)
            board.pop()
            best, alpha = max(best, score), max(alpha, score)
            if alpha >= beta:
                break
        return best


def _gain(board: chess.Board, move: chess.Move) -> int:
    """What a move seems to win at first sight."""
    taken = board.piece_type_at(move.to_square)
    mover = board.piece_type_at(move.from_square)
    gain = 0 if taken is None else 10 * _VALUE[taken] - _VALUE.get(mover or chess.PAWN, 0)
    return gain + (_VALUE[move.promotion] if move.promotion else 0)


def _evaluate(board: chess.Board, mobility: int) -> int:
    """Material, a little mobility and a hand in the centre, from the side to move."""
    score = 0
    for kind, value in _VALUE.items():
        mine = board.pieces(kind, board.turn)
        theirs = board.pieces(kind, not board.turn)
        score += value * (len(mine) - len(theirs))
        score += 8 * (len(mine & chess.SquareSet(chess.BB_CENTER)) - len(theirs & chess.SquareSet(chess.BB_CENTER)))
    return score + 2 * mobility
