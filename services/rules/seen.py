"""Positions that this process has judged lately: the move that follows need not read and check its position again.

A shortcut and nothing else: what it gives is what reading the same FEN would give, and a question may always miss it.
"""

from collections import OrderedDict
from collections.abc import Sequence

import chess


class Seen:
    """The latest positions, as many as `kept_max`, by variant and FEN as `write_fen` wrote it."""

    def __init__(self, kept_max: int) -> None:
        self._kept_max = kept_max
        self._positions: OrderedDict[tuple[str, str], tuple[chess.Board, Sequence[str]]] = OrderedDict()

    def find(self, variant: str, fen: str) -> tuple[chess.Board, Sequence[str]] | None:
        """A board of one's own and its legal moves in UCI."""
        found = self._positions.get((variant, fen))
        return None if found is None else (found[0].copy(stack=False), found[1])

    def keep(self, variant: str, fen: str, board: chess.Board, legal: Sequence[str]) -> None:
        """Remember a position; nobody may change `board` any more."""
        self._positions[variant, fen] = board, legal
        self._positions.move_to_end((variant, fen))
        if len(self._positions) > self._kept_max:
            self._positions.popitem(last=False)
