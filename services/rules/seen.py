"""Positions that this process has judged lately: the move that follows need not read and check its position again.

A shortcut and nothing else: what it gives is what reading the same FEN would give, and a question may always miss it.
"""

from collections import OrderedDict
from collections.abc import Sequence

import chess

from services.rules.families.family import Family


class Seen:
    """The latest positions, as many as `kept_max`, by family and FEN as `write_fen` wrote it."""

    def __init__(self, kept_max: int) -> None:
        self._kept_max = kept_max
        self._positions: OrderedDict[tuple[Family, str], tuple[chess.Board, Sequence[str]]] = OrderedDict()

    def find(self, family: Family, fen: str) -> tuple[chess.Board, Sequence[str]] | None:
        """A board of one's own and its legal moves in UCI."""
        found = self._positions.get((family, fen))
        return None if found is None else (found[0].copy(stack=False), found[1])

    def keep(self, family: Family, fen: str, board: chess.Board, legal: Sequence[str]) -> None:
        """Remember a position; nobody may change `board` any more."""
        self._positions[family, fen] = board, legal
        self._positions.move_to_end((family, fen))
        if len(self._positions) > self._kept_max:
            self._positions.popitem(last=False)
