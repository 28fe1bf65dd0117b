"""Move trees of known size in standard chess: the published figures below, and the public tables."""

from pathlib import Path

import chess
import pytest

from services.rules.families.family import STANDARD
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from tests.conformance.perft import check_row, count_leaves, read_rows

# Published again and again, first on the Chess Programming Wiki's page of perft results.
PUBLISHED = [
    ("array", chess.STARTING_FEN, (20, 400, 8_902)),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2_039, 97_862)),
    ("pins and en passant", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812, 43_238)),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9_467)),
    ("promoting with check", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379)),
    ("middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2_079, 89_890)),
]

# Castling rights of Chess960: their kings or rooks stand elsewhere, and standard chess refuses them.
CHESS960_ROWS = {"xfen-00", "xfen-01", "xfen-02", "xfen-03", "xfen-04", "asymmetrical-and-king-on-h"}


@pytest.mark.parametrize(("name", "fen", "counts"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_figures(name: str, fen: str, counts: tuple[int, ...]) -> None:
    check_row(name, fen, counts, STANDARD)


def test_a_wrong_count_would_be_seen() -> None:
    # without its castling rights the same position has fewer games
    bare = PUBLISHED[1][1].replace("KQkq", "-")
    assert count_leaves(bare, 2, STANDARD, {}) != PUBLISHED[1][2][1]


@pytest.mark.needs("conformance")
def test_the_public_table_of_tricky_positions(conformance_folder: Path) -> None:
    refused = set()
    for row in read_rows(conformance_folder / "perft" / "tricky.perft"):
        try:
            check_position(read_fen(row.fen, LIMITS, STANDARD), STANDARD)
        except Rejected:
            refused.add(row.name)
            continue
        check_row(row.name, row.fen, row.counts, STANDARD)
    assert refused == CHESS960_ROWS


@pytest.mark.needs("conformance")
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 12))])
def test_the_public_table_of_random_positions(conformance_folder: Path, part: int) -> None:
    rows = read_rows(conformance_folder / "perft" / "random.perft")
    assert len(rows) > 250
    for row in rows[part::12]:
        check_row(row.name, row.fen, row.counts, STANDARD)
