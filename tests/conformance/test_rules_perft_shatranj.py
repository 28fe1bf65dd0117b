"""Move trees of Shatranj and Chaturanga: published figures, and the public table where its folder is."""

from pathlib import Path

import chess
import pytest

from services.domain.chaturanga import CHATURANGA
from services.rules.families.chaturanga import chaturanga_family
from services.rules.families.family import Family
from services.rules.families.shatranj import SHATRANJ
from services.rules.keys import position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.notation_in import read_legal

FAMILIES: dict[str, Family] = {"shatranj": SHATRANJ, "chaturanga": chaturanga_family(CHATURANGA)}

# Fairy-Stockfish and cutechess have them in their own tests, under shatranj. With the kings on e1 and e8 it is the same
# game in a mirror, as long as nobody is bared.
PUBLISHED = [
    ("shatranj", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1", (16, 256, 4_176, 68_122)),
    ("chaturanga", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", (16, 256, 4_176)),
]


def count_leaves(board: chess.Board, family: Family, depth: int, known: dict[tuple[bytes, int], int]) -> int:
    """How many games of `depth` half-moves there are from here; none go on where one side has won.

    The first position goes on in any case: the table counts its moves, whatever it is.
    """
    texts = family.legal_text(board, family.is_check(board))
    if depth == 1:
        return len(texts)
    key = position_key(board, family), depth
    if key not in known:
        known[key] = 0
        for text in texts:
            after = board.copy(stack=False)
            family.apply(after, read_legal(after, text, family))
            if family.goal(after) is None:
                known[key] += count_leaves(after, family, depth - 1, known)
    return known[key]


def check_row(variant: str, fen: str, counts: tuple[int, ...]) -> None:
    family = FAMILIES[variant]
    known: dict[tuple[bytes, int], int] = {}
    found = [count_leaves(read_fen(fen, LIMITS, family), family, depth, known) for depth in range(1, len(counts) + 1)]
    assert tuple(found) == counts, (variant, fen)


@pytest.mark.parametrize(("variant", "fen", "counts"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_figures(variant: str, fen: str, counts: tuple[int, ...]) -> None:
    check_row(variant, fen, counts)


def test_a_wrong_count_would_be_seen() -> None:
    # by the rules of the other game the tree is larger, since nobody wins by baring
    fen = "8/1r6/k7/8/8/8/8/1R2K3 w - - 0 1"
    counted = [count_leaves(read_fen(fen, LIMITS, family), family, 3, {}) for family in FAMILIES.values()]
    assert counted[0] < counted[1]


@pytest.mark.needs("conformance")
def test_the_public_table(conformance_folder: Path) -> None:
    lines = (conformance_folder / "perft" / "shatranj_chaturanga.tsv").read_text().splitlines()
    assert lines[0].split("\t") == ["variant", "fen", "d1", "d2", "d3"]
    assert len(lines) == 89
    for line in lines[1:]:
        variant, fen, *counts = line.split("\t")
        check_row(variant, fen, tuple(map(int, counts)))
