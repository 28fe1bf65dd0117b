"""Move trees of known size in the variants on the library's boards: published figures, and the public tables."""

from pathlib import Path

import pytest

from services.rules.families.antichess import ANTICHESS
from services.rules.families.atomic import ATOMIC, Atomic
from services.rules.families.chess960 import CHESS960
from services.rules.families.crazyhouse import CRAZYHOUSE
from services.rules.families.family import Family
from services.rules.families.horde import HORDE
from services.rules.families.king_of_the_hill import KING_OF_THE_HILL
from services.rules.families.racing_kings import RACING_KINGS
from services.rules.families.three_check import THREE_CHECK
from services.rules.notation.fen import Castling
from tests.conformance.perft import check_row, count_leaves, read_rows


class Atomic960(Atomic):
    """Atomic from the arrays of Chess960: not played here, but its castling is what Atomic's list has to get right."""

    castling = Castling.CHESS960


ATOMIC960 = Atomic960()

# Of Chess960 those of the Chess Programming Wiki; the others are published with several engines and libraries.
PUBLISHED: list[tuple[Family, str, tuple[int, ...]]] = [
    (CHESS960, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528, 12_189)),
    (CHESS960, "2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", (17, 242, 3_931)),
    (CHESS960, "8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", (34, 318, 9_002)),
    (THREE_CHECK, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1", (48, 2_039, 97_848)),
    (THREE_CHECK, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1 0 1", (26, 562, 13_410)),
    (KING_OF_THE_HILL, "8/5k2/1pp2p2/8/3P1PP1/P3K3/1P6/8 b - - 0 1", (10, 120, 1_000, 12_460)),
    (CRAZYHOUSE, "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", (301, 75_353)),
    (CRAZYHOUSE, "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1", (20, 360, 5_445)),
    (CRAZYHOUSE, "2rn1b1r/1pp2n1p/B1PBk1pP/5p1P/P5p1/2P2RP1/RP1QNP2/1NBK4[QPp] w - - 0 1", (99, 3_932)),
    (ATOMIC, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8_902)),
    (ATOMIC, "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", (40, 1_238, 45_237)),
    (ATOMIC, "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", (28, 833, 23_353)),
    (ANTICHESS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", (20, 400, 8_067)),
    (ANTICHESS, "8/1p6/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 3, 1, 0)),
    (ANTICHESS, "8/2p5/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 4, 4, 4, 4, 4, 12, 36, 312, 2_557)),
    (HORDE, "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", (8, 128, 1_274, 23_310)),
    (HORDE, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", (30, 241, 6_633)),
    (HORDE, "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1", (13, 172, 2_205)),
    (RACING_KINGS, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", (21, 421, 11_264)),
    (RACING_KINGS, "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", (6, 33, 178, 3_151, 12_981)),
    # rooks take rooks beside the king, and kings that touch castle through attacks
    (ATOMIC960, "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1", (18, 180, 4_364)),
    (ATOMIC960, "Rr2k1rR/3K4/3p4/8/8/8/7P/8 w kq - 0 1", (21, 465, 10_631)),
]


@pytest.mark.parametrize(
    ("family", "fen", "counts"), PUBLISHED, ids=[f"{row[0].variant} {number}" for number, row in enumerate(PUBLISHED)]
)
def test_published_figures(family: Family, fen: str, counts: tuple[int, ...]) -> None:
    check_row(fen, fen, counts, family)


def test_a_check_that_does_not_end_the_game_would_be_seen() -> None:
    # with a check more to give, the tree goes on where it ended
    _, fen, counts = PUBLISHED[4]
    assert count_leaves(fen.replace("1+1", "2+2"), 3, THREE_CHECK, {}) > counts[2]


@pytest.mark.needs("conformance")
@pytest.mark.parametrize(
    ("family", "table", "rows"),
    [
        (THREE_CHECK, "3check", 2),
        (KING_OF_THE_HILL, "kingofthehill", 1),
        (CRAZYHOUSE, "crazyhouse", 5),
        (ATOMIC, "atomic", 7),
    ],
    ids=["threeCheck", "kingOfTheHill", "crazyhouse", "atomic"],
)
@pytest.mark.thorough
def test_the_public_table(conformance_folder: Path, family: Family, table: str, rows: int) -> None:
    found = read_rows(conformance_folder / "perft" / f"{table}.perft")
    assert len(found) == rows
    for row in found:
        check_row(row.name, row.fen, row.counts, ATOMIC960 if row.name.startswith("atomic960") else family)


@pytest.mark.needs("conformance")
@pytest.mark.parametrize("part", range(8))
@pytest.mark.thorough
def test_the_public_table_of_chess960(conformance_folder: Path, part: int) -> None:
    rows = read_rows(conformance_folder / "perft" / "chess960.perft")
    assert len(rows) == 160
    for row in rows[part::8]:
        check_row(row.name, row.fen, row.counts, CHESS960)


@pytest.mark.needs("conformance")
def test_the_tricky_positions_that_only_chess960_allows(conformance_folder: Path) -> None:
    rows = [row for row in read_rows(conformance_folder / "perft" / "tricky.perft") if "xfen" in row.name]
    assert len(rows) == 5
    for row in rows:
        check_row(row.name, row.fen, row.counts[:3], CHESS960)
