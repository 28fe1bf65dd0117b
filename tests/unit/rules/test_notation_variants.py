"""Moves of the variants as they are typed and printed: drops, castling of Chess960, the letters of old games."""

from dataclasses import replace

import chess
import pytest

from services.domain.chaturanga import CHATURANGA, PawnBecomes
from services.domain.refusal import RefusalCode
from services.domain.rule_set import FIDE
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.notation_in import read_legal, read_move
from services.rules.notation.position_check import check_position
from services.rules.refused import Rejected
from services.rules.text.moves_out import write_san, write_uci_960
from services.words.catalogue import sentence

DROPS = "4k3/8/8/8/8/8/8/4K3[QRBNPq] w - - 0 1"
IN_CHECK = "4k3/8/8/8/4r3/8/8/4K3[NP] w - - 0 1"
RETURNED = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
BESIDE = "4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1"
KING_ON_B = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"
KING_ON_G = "4k3/8/8/8/8/8/8/R5KR w HA - 0 1"


def board_of(family: Family, fen: str) -> chess.Board:
    board = read_fen(fen, LIMITS, family)
    check_position(board, family)
    return board


def reads(variant: str, fen: str, text: str) -> str:
    family = family_of(variant, FIDE)
    board = board_of(family, fen)
    return family.write_uci(board, read_move(board, text, LIMITS, family))


def refuses(variant: str, fen: str, text: str) -> tuple[RefusalCode, str]:
    family = family_of(variant, FIDE)
    with pytest.raises(Rejected) as raised:
        read_move(board_of(family, fen), text, LIMITS, family)
    refusal = raised.value.refusal
    assert refusal.at == "move"
    return refusal.code, sentence(refusal.text)


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("N@f3", "N@f3"),
        ("P@e4", "P@e4"),
        ("@e4", "P@e4"),
        (" Q@d8+ ", "Q@d8"),
        ("Q@d8#", "Q@d8"),
        ("n@f3", "N@f3"),
        ("p@e4", "P@e4"),
        # German letters; B stays the bishop
        ("S@f3", "N@f3"),
        ("D@d4", "Q@d4"),
        ("T@d4", "R@d4"),
        ("L@d4", "B@d4"),
        ("B@d4", "B@d4"),
    ],
)
def test_drops_are_read(text: str, uci: str) -> None:
    assert reads("crazyhouse", DROPS, text) == uci


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (DROPS, "P@a1", "no pawn is dropped"),
        (DROPS, "P@h8", "no pawn is dropped"),
        (DROPS, "@h8", "no pawn is dropped"),
        (DROPS, "N@e1", "e1 is not empty"),
        (DROPS, "K@e4", "no king in the pocket"),
        (DROPS.replace("QRBNPq", "q"), "Q@e4", "no queen in the pocket"),  # Black's is not White's
        (IN_CHECK, "N@a8", "leave the king in check"),
        (IN_CHECK, "P@a3", "leave the king in check"),
    ],
)
def test_illegal_drops_are_refused_with_a_reason(fen: str, text: str, words: str) -> None:
    code, message = refuses("crazyhouse", fen, text)
    assert code is RefusalCode.ILLEGAL_MOVE
    assert words in message


def test_a_drop_may_stand_in_between() -> None:
    assert reads("crazyhouse", IN_CHECK, "N@e3") == "N@e3"


@pytest.mark.parametrize("text", ["N@", "@", "@@@@", "N@f9", "X@f3", "N@@f3", "N@f3=Q", "NN@f3", "e4@e4", "@e4@"])
def test_no_drops_are_malformed(text: str) -> None:
    assert refuses("crazyhouse", DROPS, text)[0] is RefusalCode.MALFORMED


def test_a_square_to_itself_is_no_drop() -> None:
    assert refuses("crazyhouse", DROPS, "e4e4")[0] is RefusalCode.ILLEGAL_MOVE
    assert refuses("crazyhouse", DROPS.replace("QRBNPq", "N"), "e4e4")[0] is RefusalCode.ILLEGAL_MOVE
    assert refuses("crazyhouse", DROPS, "Ne4")[0] is RefusalCode.ILLEGAL_MOVE


@pytest.mark.parametrize("variant", ["standard", "chess960", "threeCheck", "kingOfTheHill", "atomic", "shatranj"])
def test_nothing_is_dropped_elsewhere(variant: str) -> None:
    code, message = refuses(variant, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "N@f3")
    assert (code, "dropped" in message) == (RefusalCode.MALFORMED, True)


@pytest.mark.parametrize("variant", ["standard", "chess960", "threeCheck", "kingOfTheHill", "crazyhouse", "atomic"])
@pytest.mark.parametrize("text", ["O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1"])
def test_castling_is_read_in_every_spelling(variant: str, text: str) -> None:
    assert reads(variant, RETURNED, text) == ("e1h1" if variant == "chess960" else "e1g1")


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        # one step beside is the plain move, king takes rook or O-O is castling
        (BESIDE, "O-O", "f1g1"),
        (BESIDE, "f1g1", "f1g1"),
        (BESIDE, "O-O-O", "f1a1"),
        (BESIDE, "f1c1", "f1a1"),
        (BESIDE, "f1a1", "f1a1"),
        (BESIDE, "Ke2", "f1e2"),
        (KING_ON_B, "O-O-O", "b1a1"),
        (KING_ON_B, "b1a1", "b1a1"),
        (KING_ON_B, "b1c1", "b1c1"),
        (KING_ON_B, "Kc1", "b1c1"),
        (KING_ON_B, "b1g1", "b1h1"),
        (KING_ON_B, "b1h1", "b1h1"),
        # the king stays and the rook passes it
        (KING_ON_G, "O-O", "g1h1"),
        (KING_ON_G, "g1h1", "g1h1"),
        (KING_ON_G, "g1c1", "g1a1"),
    ],
)
def test_castling_of_chess960(fen: str, text: str, uci: str) -> None:
    assert reads("chess960", fen, text) == uci
    family = family_of("chess960", FIDE)
    board = board_of(family, fen)
    assert write_uci_960(board, read_move(board, text, LIMITS, family)) == uci


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (BESIDE, "Kg1"),  # its own rook is there, and castling has its own spelling
        (BESIDE, "f1e1q"),
        (KING_ON_B, "b1f1"),  # two squares, but of another side's castling
        (KING_ON_B, "b1d1"),
        (KING_ON_G, "g1g1"),
        (KING_ON_G.replace("HA", "A"), "g1h1"),
        (KING_ON_G.replace("HA", "A"), "O-O"),
    ],
)
def test_what_is_no_castling_of_chess960(fen: str, text: str) -> None:
    assert refuses("chess960", fen, text)[0] is RefusalCode.ILLEGAL_MOVE


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (BESIDE, "f1g1", "O-O"),
        (BESIDE, "f1a1", "O-O-O"),
        (BESIDE, "f1e1", "Ke1"),
        (KING_ON_B, "b1a1", "O-O-O"),
        (KING_ON_B, "b1c1", "Kc1"),
        (KING_ON_B, "b1h1", "O-O"),
    ],
)
def test_castling_of_chess960_in_san(fen: str, uci: str, san: str) -> None:
    family = family_of("chess960", FIDE)
    board = board_of(family, fen)
    assert write_san(board, read_legal(board, uci, family), family.is_capture) == san


@pytest.mark.parametrize(
    ("variant", "uci", "uci_960"),
    [
        ("standard", "e1g1", "e1h1"),
        ("crazyhouse", "e1c1", "e1a1"),
        ("atomic", "e1d1", "e1d1"),
        ("chess960", "e1a1", "e1a1"),
    ],
)
def test_king_takes_rook_is_written_for_every_variant(variant: str, uci: str, uci_960: str) -> None:
    family = family_of(variant, FIDE)
    board = board_of(family, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    move = read_legal(board, uci, family)
    assert (family.write_uci(board, move), write_uci_960(board, move)) == (uci, uci_960)


def test_drops_in_san() -> None:
    family = family_of("crazyhouse", FIDE)
    board = board_of(family, DROPS)
    for text in ("P@e4", "N@f3", "Q@d8"):
        move = read_legal(board, text, family)
        assert [
            write_san(board, move, family.is_capture),
            write_uci_960(board, move),
            family.write_uci(board, move),
        ] == [text] * 3


PAWN_AND_FIRZ = "8/P6k/8/8/3Q4/2B5/8/K7 w - - 0 1"


@pytest.mark.parametrize("variant", ["shatranj", "chaturanga"])
@pytest.mark.parametrize(
    ("text", "uci"),
    [
        # there is one thing a pawn becomes, so that it need not be said
        ("a7a8", "a7a8q"),
        ("a7a8q", "a7a8q"),
        ("a7a8f", "a7a8q"),
        ("a8", "a7a8q"),
        ("a8=Q", "a7a8q"),
        ("a8=F", "a7a8q"),
        ("a8=D", "a7a8q"),
        ("a8Q", "a7a8q"),
        ("Qe5", "d4e5"),
        ("Fe5", "d4e5"),
        ("De5", "d4e5"),
        ("Be5", "c3e5"),
        ("Ee5", "c3e5"),
        ("Ae5", "c3e5"),
        ("Le5", "c3e5"),
    ],
)
def test_letters_of_old_games(variant: str, text: str, uci: str) -> None:
    assert reads(variant, PAWN_AND_FIRZ, text) == uci


@pytest.mark.parametrize(
    ("text", "words"),
    [("a7a8r", "becomes a queen"), ("a8=N", "becomes a queen"), ("Qd8", "not legal"), ("O-O", "castling")],
)
def test_old_games_refuse_what_they_do_not_have(text: str, words: str) -> None:
    code, message = refuses("shatranj", PAWN_AND_FIRZ, text)
    assert (code, words in message) == (RefusalCode.ILLEGAL_MOVE, True), message


@pytest.mark.parametrize("text", ["Fe5", "Ee5", "Ae5", "Xe5", "Ge5"])
def test_other_letters_mean_nothing_in_chess(text: str) -> None:
    assert refuses("standard", "8/P6k/8/8/3Q4/2B5/8/K7 w - - 0 1", text)[0] is RefusalCode.MALFORMED


def test_a_pawn_that_becomes_the_piece_of_its_file() -> None:
    family = family_of("chaturanga", replace(FIDE, chaturanga=replace(CHATURANGA, pawn_becomes=PawnBecomes.FILE_PIECE)))
    board = board_of(family, "8/PP5k/8/8/8/8/8/K7 w - - 0 1")
    found = {text: family.write_uci(board, read_move(board, text, LIMITS, family)) for text in ("a7a8", "b8", "b8=N")}
    assert found == {"a7a8": "a7a8r", "b8": "b7b8n", "b8=N": "b7b8n"}
    assert write_san(board, read_legal(board, "a7a8r", family), family.is_capture) == "a8=R"
    with pytest.raises(Rejected) as raised:
        read_move(board, "a8=Q", LIMITS, family)
    assert sentence(raised.value.text) == "a8=Q: a pawn becomes a rook"


def test_a_kings_leap_is_a_king_move() -> None:
    family = family_of("chaturanga", replace(FIDE, chaturanga=replace(CHATURANGA, king_leap=True)))
    board = board_of(family, "4k3/8/8/8/8/8/8/R3K2R w Kk - 0 1")
    for text, san in (("e1f3", "Kf3"), ("e1g2", "Kg2"), ("Kc2", "Kc2")):
        move = read_move(board, text, LIMITS, family)
        assert write_san(board, move, family.is_capture) == san
        assert write_uci_960(board, move) == family.write_uci(board, move)
    with pytest.raises(Rejected):
        read_move(board, "O-O", LIMITS, family)


def test_letters_of_pawns_may_be_written() -> None:
    assert reads("standard", chess.STARTING_FEN, "Pe4") == "e2e4"


@pytest.mark.parametrize("text", ["e2d2", "e1d2"])
def test_atomic_says_that_a_king_would_be_lost(text: str) -> None:
    code, message = refuses("atomic", "k7/8/8/8/8/8/3pR3/4K3 w - - 0 1", text)
    assert code is RefusalCode.ILLEGAL_MOVE
    assert "blow it up" in message
