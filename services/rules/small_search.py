"""A small alpha-beta search for a move, in every variant and with every option of Chaturanga.

It sees the ends of the variant's rules, hanging pieces and little else. A number of positions and a callback bound it.
It is used if no stronger engine plays these rules (`uci`).
"""

import random
from collections.abc import Callable, Sequence

import chess

from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.rules.draws import HALF_MOVES_CLAIM
from services.rules.families.family import Family
from services.rules.notation.notation_in import read_legal

WIN = 100_000
"""The score of a won game, minus one for each half-move to the win."""
DEPTH_MAX = 12
QUIET_DEPTH = -4
"""How far captures are followed beyond the depth."""
CENTRE = 12
"""The extra value of a piece on one of the four central squares."""


class _Enough(Exception):
    """A bound is reached: the result of the last complete depth is used."""


def best_move(
    family: Family,
    board: chess.Board,
    nodes_max: int,
    chance: random.Random,
    enough: Callable[[], bool] = bool,
    depth_max: int = DEPTH_MAX,
) -> str:
    """A legal move in UCI after a search of about `nodes_max` positions. Among equal moves `chance` decides.

    The game must not be over. The search calls `enough` at every position; True ends it. It looks at most `depth_max`
    half-moves ahead, captures apart.
    """
    texts = family.legal_text(board, family.is_check(board))
    chance.shuffle(texts)
    search = _Search(family, nodes_max, enough)
    texts.sort(key=lambda text: search.promise(board, text), reverse=True)
    if len(texts) == 1:
        return texts[0]
    try:
        for depth in range(1, min(depth_max, DEPTH_MAX) + 1):
            best = search.root(board, texts, depth)
            texts.remove(best)
            texts.insert(0, best)
    except _Enough:
        pass
    return texts[0]


class _Search:
    def __init__(self, family: Family, nodes_max: int, enough: Callable[[], bool]) -> None:
        self._family = family
        self._values = family.values
        self._nodes_left = nodes_max
        self._enough = enough

    def root(self, board: chess.Board, texts: Sequence[str], depth: int) -> str:
        """The best of the moves `texts` at this depth. They are tried in their order."""
        best, alpha = texts[0], -2 * WIN
        for text in texts:
            score = -self._value(self._after(board, text), depth - 1, -2 * WIN, -alpha, 1)
            if score > alpha:
                best, alpha = text, score
        return best

    def promise(self, board: chess.Board, text: str) -> int:
        """The order value of a move: the value of the captured piece minus that of the capturing one."""
        victim = board.piece_type_at(chess.parse_square(text[2:4]))
        gain = self._values.get(victim, 0) + 1 if victim else 0
        source = None if text[1] == "@" else board.piece_type_at(chess.parse_square(text[:2]))
        return 10 * gain - (self._values.get(source, 0) if source else 0) + (9_000 if text[4:] == "q" else 0)

    def _value(self, board: chess.Board, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score for the side to move."""
        self._nodes_left -= 1
        if self._nodes_left < 0 or self._enough():
            raise _Enough
        family = self._family
        if (goal := family.goal(board)) is not None:
            return _score(board, goal, ply)
        check = family.is_check(board)
        texts = family.legal_text(board, check)
        if not texts:
            return _score(board, family.stuck(board, check), ply)
        if board.halfmove_clock >= HALF_MOVES_CLAIM or family.dead_by_material(board):
            return 0
        best = -2 * WIN
        if depth <= 0:
            best = self._standing(board, len(texts))
            if best >= beta or depth <= QUIET_DEPTH:
                return best
            alpha = max(alpha, best)
            others = board.occupied_co[not board.turn]
            texts = [text for text in texts if others & chess.BB_SQUARES[chess.parse_square(text[2:4])]]
        texts.sort(key=lambda text: self.promise(board, text), reverse=True)
        for text in texts:
            score = -self._value(self._after(board, text), depth - 1, -beta, -alpha, ply + 1)
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best

    def _after(self, board: chess.Board, text: str) -> chess.Board:
        after = board.copy(stack=False)
        self._family.apply(after, read_legal(board, text, self._family))
        return after

    def _standing(self, board: chess.Board, mobility: int) -> int:
        """The static score: pieces, the centre, the variant's goal, and a little for mobility."""
        score = mobility
        for side, sign in ((board.turn, 1), (not board.turn, -1)):
            own = board.occupied_co[side]
            score += sign * CENTRE * (own & chess.BB_CENTER).bit_count()
            score += sign * self._family.goal_score(board, side)
            for kind, value in self._values.items():
                score += sign * value * (board.pieces_mask(kind, side)).bit_count()
        return score


def _score(board: chess.Board, outcome: Outcome, ply: int) -> int:
    if outcome.winner is None:
        return 0
    return WIN - ply if (outcome.winner is Colour.WHITE) is board.turn else ply - WIN
