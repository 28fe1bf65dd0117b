"""Counting move trees through the path that judges moves: text in, move, text out, again."""

from dataclasses import dataclass
from pathlib import Path

from services.rules.fen import read_fen, write_fen
from services.rules.keys import position_key
from services.rules.legal_text import legal_text
from services.rules.limits import LIMITS
from services.rules.moves import apply_move
from services.rules.notation_in import read_move
from services.rules.position_check import check_position

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


def count_leaves(fen: str, depth: int, known: dict[tuple[bytes, int], int]) -> int:
    """How many games of `depth` half-moves there are. `known` remembers subtrees by the position's key."""
    board = read_fen(fen, LIMITS)
    check_position(board)
    moves = legal_text(board, board.is_check())
    if depth == 1:
        return len(moves)
    key = position_key(board), depth
    if key not in known:
        leaves = 0
        for text in moves:
            after = board.copy(stack=False)
            apply_move(after, read_move(after, text, LIMITS))
            leaves += count_leaves(write_fen(after), depth - 1, known)
        known[key] = leaves
    return known[key]
