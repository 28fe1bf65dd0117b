"""The public positions of known worth: no false claim, and how much is found.

The bars are a little under what was measured; `python -m bench.dead_positions` prints the figures.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import pytest

from services.domain.colour import Colour
from services.rules.dead.dead_position import can_mate, quick_can_mate, quick_is_dead
from services.rules.dead.possible_mate import CanMate
from services.rules.moves import forget_idle_en_passant

pytestmark = pytest.mark.needs("conformance")

NODES_MAX = 20_000
QUICK_RECALL = 0.74
"""Of the sides that cannot mate, found at once. Measured: 0.752."""
DEAD_RECALL = 0.75
"""Of the dead positions, found after a move. Measured: 0.767."""
DECIDED = 0.90
"""Of all questions, answered by the full search. Measured: 0.934, and no part of them below 0.92."""
TIMEOUTS_PROVED = 0.97
"""Of the real timeouts, proved winnable."""


@dataclass(frozen=True, slots=True)
class Query:
    """Can this side mate?"""

    fen: str
    side: Colour
    winnable: bool

    @property
    def board(self) -> chess.Board:
        board = chess.Board(self.fen)
        forget_idle_en_passant(board)
        return board

    def contradicts(self, answer: CanMate) -> bool:
        """Whether an answer claims what is not so."""
        return answer is (CanMate.NO if self.winnable else CanMate.YES)


def vectors(folder: Path) -> list[tuple[str, str]]:
    """The code (`W-`: only White can mate) and the FEN of each."""
    lines = (folder / "unwinnable" / "vectors.txt").read_text().splitlines()
    assert len(lines) == 901
    return [(code, fen) for code, fen in (line.split(maxsplit=1) for line in lines)]


def queries(folder: Path) -> Iterator[Query]:
    for code, fen in vectors(folder):
        for side, letter in zip(Colour, code, strict=True):
            yield Query(fen, side, letter != "-")


def timeouts(folder: Path) -> list[Query]:
    """The flag fell of the side to move. A handful of them cannot be won, by what is proved."""
    lines = (folder / "unwinnable" / "timeouts.txt").read_text().splitlines()
    assert len(lines) == 1_000
    return [Query(fen, Colour.BLACK if chess.Board(fen).turn else Colour.WHITE, True) for fen in lines]


def test_quick_answers(conformance_folder: Path) -> None:
    wrong, unwinnable, found = [], 0, 0
    for query in queries(conformance_folder):
        answer = quick_can_mate(query.board, query.side)
        if query.contradicts(answer):
            wrong.append((query, answer))
        unwinnable += not query.winnable
        found += answer is CanMate.NO
    assert wrong == []
    assert found >= QUICK_RECALL * unwinnable


def test_dead_after_a_move(conformance_folder: Path) -> None:
    wrong, dead, found = [], 0, 0
    for code, fen in vectors(conformance_folder):
        board = Query(fen, Colour.WHITE, True).board
        claimed = quick_is_dead(board, board.legal_moves.count())
        assert claimed is quick_is_dead(board)
        if claimed and code != "--":
            wrong.append(fen)
        dead += code == "--"
        found += claimed
    assert wrong == []
    assert found >= DEAD_RECALL * dead


def full_answers(asked: list[Query], decided_at_least: float) -> None:
    wrong, decided = [], 0
    for query in asked:
        answer = can_mate(query.board, query.side, NODES_MAX)
        if query.contradicts(answer):
            wrong.append((query, answer))
        decided += answer is not CanMate.UNKNOWN
    assert wrong == []
    assert decided >= decided_at_least * len(asked)


def test_a_share_of_the_full_answers(conformance_folder: Path) -> None:
    """Every fortieth query, from a place that has some of all kinds, with a fifth of the positions."""
    asked = list(queries(conformance_folder))[7::40]
    wrong = [query for query in asked if query.contradicts(can_mate(query.board, query.side, NODES_MAX // 5))]
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("part", range(4))
def test_full_answers(conformance_folder: Path, part: int) -> None:
    full_answers(list(queries(conformance_folder))[part::4], DECIDED)


@pytest.mark.thorough
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("part", range(2))
def test_real_timeouts(conformance_folder: Path, part: int) -> None:
    full_answers(timeouts(conformance_folder)[part::2], TIMEOUTS_PROVED)
