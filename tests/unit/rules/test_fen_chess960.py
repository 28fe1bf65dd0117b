"""Castling rights of Chess960: X-FEN and Shredder letters in, X-FEN out, and each right to its own rook."""

import chess
import pytest

from services.domain.rule_set import FIDE
from services.rules.families.variants import family_of
from services.rules.judge import Play, Played, Position, Start, judge
from services.rules.keys import position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from services.rules.standing import Standing
from services.words.catalogue import sentence

CHESS960 = family_of("chess960", FIDE)


def rights_of(fen: str) -> set[str]:
    board = read_fen(fen, LIMITS, CHESS960)
    return {chess.SQUARE_NAMES[square] for square in chess.scan_forward(board.castling_rights)}


def played(fen: str, moves: list[str]) -> Standing:
    standing = judge(Start("chess960", fen), FIDE, LIMITS)
    assert isinstance(standing, Standing), standing
    for move in moves:
        verdict = judge(Play(Position("chess960", standing.fen, standing.keys), move), FIDE, LIMITS)
        assert isinstance(verdict, Played), verdict
        standing = verdict.standing
    return standing


@pytest.mark.parametrize(
    ("fen", "rooks", "written"),
    [
        # KQkq are the outermost rooks, a file's letter is an inner one
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", {"h1"}, "K"),
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", {"h1"}, "K"),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", {"g1"}, "G"),
        ("rr2k3/8/8/8/8/8/8/4K3 w q - 0 1", {"a8"}, "q"),
        ("rr2k3/8/8/8/8/8/8/4K3 w b - 0 1", {"b8"}, "b"),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", {"c1", "g1", "c8", "g8"}, "KQkq"),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1", {"c1", "g1", "c8", "g8"}, "KQkq"),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w cGgC - 0 1", {"c1", "g1", "c8", "g8"}, "KQkq"),
        ("rk5r/8/8/8/8/8/8/RK5R w Kkq - 0 1", {"h1", "h8", "a8"}, "Kkq"),
        # Black's rook on the first rank of White is no rook of White's
        ("4k3/8/8/8/8/8/8/4K1Rr w K - 0 1", {"g1"}, "K"),
        # both of White's rooks on one side, an outer and an inner one
        ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", {"a1"}, "Q"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", {"b1"}, "B"),
        ("4k3/8/8/8/8/8/8/RRK3R1 w BG - 0 1", {"b1", "g1"}, "KB"),
    ],
)
def test_each_right_has_its_rook(fen: str, rooks: set[str], written: str) -> None:
    assert rights_of(fen) == rooks
    board = read_fen(fen, LIMITS, CHESS960)
    text = write_fen(board, CHESS960)
    assert text.split()[2] == written
    again = read_fen(text, LIMITS, CHESS960)
    assert again.castling_rights == board.castling_rights
    assert position_key(again, CHESS960) == position_key(board, CHESS960)
    assert board.clean_castling_rights() == board.castling_rights  # the library agrees


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "K needs a white rook on its first rank on the h-side"),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "on the h-side of its king"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "on the a-side of its king"),
        ("4k3/8/8/8/8/8/8/4K2R w G - 0 1", "G needs a white rook on its first rank on the g-file"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "K needs the white king on its first rank"),
        ("4k3/8/8/8/8/8/4K3/7R w H - 0 1", "H needs the white king on its first rank"),
        ("8/4k2r/8/8/8/8/8/4K3 w k - 0 1", "k needs the black king on its first rank"),
        ("4k3/8/8/8/8/8/8/4K1RR w KG - 0 1", "two rights on one side"),
        ("4k3/8/8/8/8/8/8/4K1RR w KH - 0 1", "two rights on one side"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "two rights on one side"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1", "at most four letters"),
        ("4k3/8/8/8/8/8/8/4K2R w x - 0 1", "not 'x'"),
        ("4k3/8/8/8/8/8/8/4K2R w I - 0 1", "not 'I'"),
        ("4k3/8/8/8/8/8/8/4K2R w K- - 0 1", "not 'K-'"),
    ],
)
def test_rights_without_king_or_rook_are_refused(fen: str, words: str) -> None:
    with pytest.raises(Rejected) as raised:
        read_fen(fen, LIMITS, CHESS960)
    assert raised.value.refusal.at == "fen.castling"
    assert words in sentence(raised.value.refusal.text)


# scalachess 495, cutechess 62, chess-library 217, lila 15770: which rook a letter means
@pytest.mark.parametrize(
    ("fen", "moves", "castling"),
    [
        ("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", ["g1g3", "e8d8"], {"e1h1"}),
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", ["h1h3", "e8d8"], {"e1g1"}),
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", ["g1g3", "e8d8"], {"e1h1"}),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", [], {"d1c1"}),
        ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1", [], {"d1c1"}),
    ],
)
def test_reported_cases(fen: str, moves: list[str], castling: set[str]) -> None:
    standing = played(fen, moves)
    board = read_fen(standing.fen, LIMITS, CHESS960)
    own_rooks = {chess.SQUARE_NAMES[square] for square in board.pieces(chess.ROOK, board.turn)}
    king = chess.SQUARE_NAMES[board.king(board.turn) or 0]
    assert {move for move in standing.legal if move[:2] == king and move[2:] in own_rooks} == castling


def test_both_spellings_are_one_start() -> None:
    men = "bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w"
    assert played(f"{men} KQkq - 0 1", []) == played(f"{men} GCgc - 0 1", [])


@pytest.mark.parametrize("number", range(0, 960, 41))
def test_arrays_equal_the_librarys(number: int) -> None:
    theirs = chess.Board.from_chess960_pos(number)
    for fen in (theirs.fen(), theirs.fen(shredder=True)):
        ours = read_fen(fen, LIMITS, CHESS960)
        check_position(ours, CHESS960)
        assert ours.castling_rights == theirs.castling_rights
        assert write_fen(ours, CHESS960) == theirs.fen()
