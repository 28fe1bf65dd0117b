"""Lines of moves to play: legal games, made from a seed before anything is measured."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import chess

QUIET_STRETCH = 100
"""Half-moves after which a quiet line makes one irreversible move: the draw by 75 moves is at 150."""

ALIKE_PLIES = 80
"""Over so many plies lines are compared by `alike`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A game from the array: its moves in UCI, and for each the number of legal moves before it and of positions that
    could still come again (since the last irreversible move, this one included)."""

    moves: tuple[str, ...]
    legal: tuple[int, ...]
    repeatable: tuple[int, ...]
    over: bool
    """Whether the rules end the game after the last move; otherwise somebody has to resign."""

    def mean_legal(self, first: int, last: int) -> float:
        """Legal moves of a position, in the mean over plies `first` to `last` (without it)."""
        chosen = self.legal[first:last]
        return sum(chosen) / len(chosen)

    def mean_repeatable(self, first: int, last: int) -> float:
        """Positions that could still come again, in the mean over the same plies."""
        chosen = self.repeatable[first:last]
        return sum(chosen) / len(chosen)


def open_line(seed: int, plies_max: int) -> Line:
    """Random moves to a natural end, or `plies_max` of them."""
    chance = random.Random(seed)
    return _line(chance, plies_max, lambda board, legal: chance.choice(legal))


def quiet_line(seed: int, plies: int) -> Line:
    """Exactly `plies` moves without a capture, a pawn's move only every 100 plies or so, and without an end.

    Nearly all pieces stay on the board, so that positions late in the game have as many moves as early ones, while the
    positions that could come again are up to a hundred.
    """
    chance = random.Random(seed)

    def choose(board: chess.Board, legal: list[chess.Move]) -> chess.Move:
        takes_nothing = [move for move in legal if not board.is_capture(move)]
        still = [move for move in takes_nothing if not board.is_zeroing(move)]
        if board.halfmove_clock >= QUIET_STRETCH:
            still = [move for move in takes_nothing if board.is_zeroing(move)] or still
        return chance.choice(still or takes_nothing or legal)

    while True:
        line = _line(chance, plies, choose)
        if len(line.moves) == plies and not line.over:
            return line


def alike(lines: Iterable[Line], count: int, first: int, legal: float) -> list[Line]:
    """Those `count` of the lines that come nearest to `legal` moves of a position from ply `first` on."""
    return sorted(lines, key=lambda line: abs(line.mean_legal(first, first + ALIKE_PLIES) - legal))[:count]


def _line(chance: random.Random, plies_max: int, choose: Callable[[chess.Board, list[chess.Move]], chess.Move]) -> Line:
    board = chess.Board()
    moves: list[str] = []
    counts: list[int] = []
    repeatable: list[int] = []
    over = False
    while len(moves) < plies_max and not over:
        legal = list(board.legal_moves)
        move = choose(board, legal)
        moves.append(move.uci())
        counts.append(len(legal))
        repeatable.append(board.halfmove_clock + 1)
        board.push(move)
        over = board.is_game_over()  # mate, stalemate, dead material, 75 moves, fivefold
    return Line(tuple(moves), tuple(counts), tuple(repeatable), over)
