"""The last resort where no engine runs: a small alpha-beta search on python-chess, bounded by positions.

It sees checkmates, hanging pieces and little else. It knows the variants that python-chess knows.
"""

import random

import chess
import chess.variant

from services.workers.turn import Position

VALUES = {chess.PAWN: 100, chess.KNIGHT: 310, chess.BISHOP: 325, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
CENTRE = chess.SquareSet(chess.BB_CENTER)
MATE = 100_000
PLIES_MAX = 12
BOARDS: dict[str, type[chess.Board]] = {
    "standard": chess.Board,
    "chess960": chess.Board,
    "threeCheck": chess.variant.ThreeCheckBoard,
    "kingOfTheHill": chess.variant.KingOfTheHillBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "atomic": chess.variant.AtomicBoard,
}


class _Enough(Exception):
    """The bound is reached; what the last whole depth found stands."""


class _Search:
    def __init__(self, board: chess.Board, nodes_max: int) -> None:
        self.board = board
        self.nodes_left = nodes_max

    def root(self, depth: int, moves: list[chess.Move]) -> chess.Move:
        """The best of the moves, which are tried in their order."""
        best, alpha = moves[0], -MATE * 2
        for move in moves:
            self.board.push(move)
            try:
                score = -self._value(depth - 1, -MATE * 2, -alpha, 1)
            finally:
                self.board.pop()
            if score > alpha:
                best, alpha = move, score
        return best

    def _value(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        self.nodes_left -= 1
        if self.nodes_left < 0:
            raise _Enough
        board = self.board
        if board.is_variant_end():
            return 0 if board.is_variant_draw() else (MATE - ply if board.is_variant_win() else ply - MATE)
        moves = list(board.legal_moves)
        if not moves:
            return ply - MATE if board.is_check() else 0
        if depth <= 0:
            quiet = _standing(board, len(moves))
            if quiet >= beta or depth <= -4:
                return quiet
            alpha = max(alpha, quiet)
            moves = [move for move in moves if board.is_capture(move)]
            best = quiet
        else:
            if board.is_fifty_moves() or board.is_repetition(2):
                return 0
            best = -MATE * 2
        moves.sort(key=lambda move: _promise(board, move), reverse=True)
        for move in moves:
            board.push(move)
            try:
                score = -self._value(depth - 1, -beta, -alpha, ply + 1)
            finally:
                board.pop()
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best


def _standing(board: chess.Board, mobility: int) -> int:
    """Material, a little for the centre and for having moves, from the side to move."""
    score = 0
    for kind, value in VALUES.items():
        score += value * (len(board.pieces(kind, board.turn)) - len(board.pieces(kind, not board.turn)))
    occupied = board.occupied_co
    score += 12 * len(CENTRE & occupied[board.turn]) - 12 * len(CENTRE & occupied[not board.turn])
    return score + mobility


def _promise(board: chess.Board, move: chess.Move) -> int:
    victim = board.piece_type_at(move.to_square) if board.is_capture(move) else None
    gain = VALUES[victim] + 1 if victim else (101 if board.is_capture(move) else 0)
    attacker = board.piece_type_at(move.from_square)
    return 10 * gain - (VALUES[attacker] if attacker else 0) + (9_000 if move.promotion == chess.QUEEN else 0)


def search(position: Position, nodes_max: int, chance: random.Random) -> str:
    """A legal move in UCI, after looking at about `nodes_max` positions at the most.

    Among moves that look alike chance decides. Blocks its thread; a variant without a board here gets any legal move.
    """
    board_class = BOARDS.get(position.variant)
    if board_class is None or len(position.legal) == 1:
        return chance.choice(position.legal)
    board = board_class(position.fen, chess960=position.variant == "chess960")
    moves = [chess.Move.from_uci(text) for text in position.legal]
    chance.shuffle(moves)
    moves.sort(key=lambda move: _promise(board, move), reverse=True)
    looking = _Search(board, nodes_max)
    try:
        for depth in range(1, PLIES_MAX):
            best = looking.root(depth, moves)
            moves.sort(key=lambda move, best=best: move != best)  # type: ignore[misc]
    except _Enough:
        pass
    return moves[0].uci()
