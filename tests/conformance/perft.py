"""Counting move trees through the path that judges moves: text in, move, text out, again."""

from dataclasses import dataclass
from pathlib import Path

from services.rules.families.family import Family
from services.rules.keys import position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.notation_in import read_legal
from services.rules.notation.position_check import check_position

NODES_MAX = 100_000


@dataclass(frozen=True)
class Row:
    """A position and how many leaves its tree has at each depth, for depths of at most NODES_MAX leaves."""

    name: str
    fen: str
    counts: tuple[int, ...]


def read_rows(path: Path) -> list[Row]:
    """The rows of a .perft file: `id`, `epd`, `perft DEPTH NODES`."""
    rows: list[Row] = []
    name = fen = ""
    counts: list[int] = []
    for line in [*path.read_text().splitlines(), "id end"]:
        word, _, rest = line.partition(" ")
        if word == "id":
            if counts:
                rows.append(Row(name, fen, tuple(counts)))
            name, counts = rest, []
        elif word == "epd":
            fen = rest
        elif word == "perft":
            depth, nodes = map(int, rest.split())
            if nodes <= NODES_MAX and depth == len(counts) + 1:
                counts.append(nodes)
    return rows


def count_leaves(fen: str, depth: int, family: Family, known: dict[tuple[bytes, int], int]) -> int:
    """How many games of `depth` half-moves there are; none go on from where one side has won.

    `known` remembers subtrees by the position's key.
    """
    board = read_fen(fen, LIMITS, family)
    if family.goal(board) is not None:
        return 0
    check_position(board, family)
    moves = family.legal_text(board, family.is_check(board))
    if depth == 1:
        return len(moves)
    key = position_key(board, family), depth
    if key not in known:
        leaves = 0
        for text in moves:
            after = board.copy(stack=False)
            family.apply(after, read_legal(after, text, family))
            leaves += count_leaves(write_fen(after, family), depth - 1, family, known)
        known[key] = leaves
    return known[key]


def check_row(name: str, fen: str, counts: tuple[int, ...], family: Family) -> None:
    """Assert that the tree has as many leaves at each depth."""
    known: dict[tuple[bytes, int], int] = {}
    found = tuple(count_leaves(fen, depth, family, known) for depth in range(1, len(counts) + 1))
    assert found == counts, name
