"""A cache of recently judged positions: the next move need not read and check its position again.

It only saves time: the result is the same as reading the FEN, and a question may always miss the cache.
"""

from collections import OrderedDict
from collections.abc import Sequence

import chess

from services.rules.families.family import Family


class Seen:
    """The latest positions, at most `kept_max`, by family and FEN (from `write_fen`)."""

    def __init__(self, kept_max: int) -> None:
        self._kept_max = kept_max
        self._positions: OrderedDict[tuple[Family, str], tuple[chess.Board, Sequence[str]]] = OrderedDict()

    def find(self, family: Family, fen: str) -> tuple[chess.Board, Sequence[str]] | None:
        """A copy of the board and its legal moves in UCI; None if the position is not cached."""
        found = self._positions.get((family, fen))
        return None if found is None else (found[0].copy(stack=False), found[1])

    def keep(self, family: Family, fen: str, board: chess.Board, legal: Sequence[str]) -> None:
        """Store a position. The caller must not change `board` after this."""
        self._positions[family, fen] = board, legal
        self._positions.move_to_end((family, fen))
        if len(self._positions) > self._kept_max:
            self._positions.popitem(last=False)
