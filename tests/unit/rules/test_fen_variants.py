"""FEN of the variants: every usual spelling is read, one is written, and what cannot be played is refused."""

from dataclasses import replace

import chess
import pytest

from services.domain.chaturanga import CHATURANGA, Elephant
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import FIDE
from services.domain.variant import Variant
from services.rules.families.family import Family
from services.rules.families.variants import family_of
from services.rules.judge import Start, judge
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen, write_fen
from services.rules.notation.position_check import check_position, check_start
from services.rules.refused import Rejected
from services.words.catalogue import sentence

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
SHATRANJ = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"
LEAPING = family_of("chaturanga", replace(FIDE, chaturanga=replace(CHATURANGA, king_leap=True)))


def board_of(family: Family, fen: str) -> chess.Board:
    board = read_fen(fen, LIMITS, family)
    check_start(board, family)
    check_position(board, family)
    return board


def clean(variant: str, fen: str) -> str:
    family = family_of(variant, FIDE)
    return write_fen(board_of(family, fen), family)


def refused(variant: str, fen: str) -> tuple[str, str]:
    with pytest.raises(Rejected) as raised:
        board_of(family_of(variant, FIDE), fen)
    refusal = raised.value.refusal
    assert refusal.code is RefusalCode.BAD_POSITION
    return refusal.at, sentence(refusal.text)


@pytest.mark.parametrize("variant", list(Variant))
def test_every_first_array_is_written_as_it_is_read(variant: Variant) -> None:
    family = family_of(variant, FIDE)
    written = clean(variant, family.start_fen)
    assert clean(variant, written) == written
    assert written.split()[1:4] in (["w", "KQkq", "-"], ["w", "kq", "-"], ["w", "-", "-"])


@pytest.mark.parametrize(
    ("fen", "pockets"),
    [
        (f"{START} w KQkq - 0 1", "[]"),
        (f"{START}[] w KQkq - 0 1", "[]"),
        (f"{START}[-] w KQkq - 0 1", "[]"),
        (f"{START}/ w KQkq - 0 1", "[]"),
        (f"{START}/- w KQkq - 0 1", "[]"),
        (f"{START}", "[]"),
        # in any order and mix; the strongest come first, White's before Black's
        ("4k3/8/8/8/8/8/8/4K3[pQNrPq] w - - 0 1", "[QNPqrp]"),
        ("4k3/8/8/8/8/8/8/4K3/ppQ w - - 0 1", "[Qpp]"),
        ("4k3/8/8/8/8/8/8/4K3/ppQ w - -", "[Qpp]"),
        ("8/8/4k3/8/8/3K4/8/8[QRBNPqrbnp] w - - 0 1", "[QRBNPqrbnp]"),
    ],
)
def test_pockets_are_read_in_every_spelling(fen: str, pockets: str) -> None:
    board = fen.split()[0].split("[")[0]
    assert clean("crazyhouse", fen).split()[0] == "/".join(board.split("/")[:8]) + pockets


def test_promoted_men_keep_their_marks() -> None:
    fen = "rnb1kbnr/ppp~ppppp/8/8/8/8/PPPPPPP1/RNBQ~KBNR[] w KQkq - 0 1"
    assert refused("crazyhouse", fen)[0] == "fen.board"  # a pawn is nothing promoted
    fen = "rnbQ~k1nr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Bb] b KQkq - 0 9"
    assert clean("crazyhouse", fen) == fen
    board = board_of(family_of("crazyhouse", FIDE), fen)
    assert board.promoted == chess.BB_D8


@pytest.mark.parametrize(
    ("fen", "at"),
    [
        (f"{START}[ w KQkq - 0 1", "fen.pockets"),
        (f"{START}[Q w KQkq - 0 1", "fen.pockets"),
        (f"{START}[K] w KQkq - 0 1", "fen.pockets"),
        (f"{START}[Q1] w KQkq - 0 1", "fen.pockets"),
        (f"{START}[Q]] w KQkq - 0 1", "fen.pockets"),
        (f"{START}[{'p' * 65}] w KQkq - 0 1", "fen.pockets"),
        (f"{START}[\u0430] w KQkq - 0 1", "fen.pockets"),
        (f"{START}]Q[ w KQkq - 0 1", "fen.pockets"),
        (f"{START}/Q/ w KQkq - 0 1", "fen.board"),
        (f"{START}//Q w KQkq - 0 1", "fen.board"),
        (f"{START}/[Q] w KQkq - 0 1", "fen.board"),
        # thirty-three men, seventeen pawns or promoted men
        (f"{START}[Q] w KQkq - 0 1", "fen.board"),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[p] w - - 0 1", "fen.board"),
        ("4k3/8/pppppppp/8/Q~7/8/PPPPPPPP/4K3[] w - - 0 1", "fen.board"),
        # a rook that was a pawn has no right to castle
        ("4k3/8/8/8/8/8/8/4K2R~[] w K - 0 1", "fen.castling"),
        ("4k~3/8/8/8/8/8/8/4K3[] w - - 0 1", "fen.board"),
        ("4k3/~8/8/8/8/8/8/4K3[] w - - 0 1", "fen.board"),
        ("4k3/Q~~7/8/8/8/8/8/4K3[] w - - 0 1", "fen.board"),
    ],
)
def test_unclear_pockets_are_refused(fen: str, at: str) -> None:
    assert refused("crazyhouse", fen)[0] == at


@pytest.mark.parametrize("variant", sorted(set(Variant) - {Variant.CRAZYHOUSE}))
@pytest.mark.parametrize("men", ["[]", "[Q]", "/", "/Q"])
def test_pockets_belong_to_crazyhouse(variant: Variant, men: str) -> None:
    assert refused(variant, f"{START}{men} w - - 0 1")[0] == "fen.board"
    assert refused(variant, "4k3/Q~7/8/8/8/8/8/4K3 w - - 0 1")[0] == "fen.board"


@pytest.mark.parametrize(
    ("rest", "given"),
    [
        ("w KQkq - 0 1", "+0+0"),
        ("w KQkq - 0 1 +1+2", "+1+2"),
        ("w KQkq - 3+3 0 1", "+0+0"),
        ("w KQkq - 1+3 0 1", "+2+0"),
        ("w KQkq - +1+0 0 1", "+1+0"),
        ("w KQkq - 0 1 2+1", "+1+2"),
        ("w KQkq - 2+3", "+1+0"),
        ("w KQkq - +1+0", "+1+0"),
    ],
)
def test_check_counters_are_read_in_both_spellings(rest: str, given: str) -> None:
    assert clean("threeCheck", f"{START} {rest}") == f"{START} w KQkq - 0 1 {given}"


@pytest.mark.parametrize(
    "rest",
    [
        "w KQkq - 0 1 +4+0",
        "w KQkq - 4+3 0 1",
        "w KQkq - 0 1 +1",
        "w KQkq - 0 1 1+1+1",
        "w KQkq - 0 1 +-1+0",
        "w KQkq - 3+3 0 1 +0+0",
        "w KQkq - 0 +0+0 1",
        "w KQkq - 0 1 +\u0661+0",
        f"w KQkq - 0 1 +{'1' * 40}+0",
    ],
)
def test_unclear_check_counters_are_refused(rest: str) -> None:
    assert refused("threeCheck", f"{START} {rest}")[0] == "fen.checks"


@pytest.mark.parametrize("variant", sorted(set(Variant) - {Variant.THREE_CHECK}))
def test_check_counters_belong_to_three_check(variant: Variant) -> None:
    assert refused(variant, f"{START} w - - 0 1 +0+0")[0] == "fen"
    assert refused(variant, f"{START} w - - 3+3 0 1")[0] == "fen"


@pytest.mark.parametrize(
    ("variant", "fen", "reason"),
    [
        ("threeCheck", f"{START} w KQkq - 0 1 +3+0", "third check"),
        ("threeCheck", f"{START} w KQkq - 3+0 0 1", "third check"),
        ("kingOfTheHill", "4k3/8/8/8/4K3/8/8/8 b - - 0 1", "king on the hill"),
        ("crazyhouse", "8/8/4k3/8/8/3K4/8/8[] w - - 0 1", "dead position"),
        ("shatranj", "k7/8/8/8/8/8/8/K6R w - - 0 1", "bare king"),
        ("atomic", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", "dead position"),
    ],
)
def test_no_game_starts_that_is_won_or_dead(variant: str, fen: str, reason: str) -> None:
    refusal = judge(Start(variant, fen), FIDE, LIMITS)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.at) == (RefusalCode.BAD_POSITION, "fen")
    assert reason in sentence(refusal.text)


@pytest.mark.parametrize("variant", ["shatranj", "chaturanga"])
@pytest.mark.parametrize(
    ("fen", "written"),
    [
        (f"{SHATRANJ} w - - 0 1", f"{SHATRANJ} w - - 0 1"),
        # without the fields of what does not exist, as some engines write it
        (f"{SHATRANJ} b 7 20", f"{SHATRANJ} b - - 7 20"),
        (f"{SHATRANJ} b - -", f"{SHATRANJ} b - - 0 1"),
        # what would be right in standard chess, as editors of standard chess write it
        ("4k3/pppppppp/8/8/8/8/8/R3K2R w KQ - 0 1", "4k3/pppppppp/8/8/8/8/8/R3K2R w - - 0 1"),
    ],
)
def test_old_games_have_no_castling(variant: str, fen: str, written: str) -> None:
    assert clean(variant, fen) == written


@pytest.mark.parametrize("variant", ["shatranj", "chaturanga"])
@pytest.mark.parametrize(
    ("fen", "at", "words"),
    [
        (f"{SHATRANJ} w KQkq - 0 1", "fen.castling", "no castling"),
        (f"{SHATRANJ} w HAha - 0 1", "fen.castling", "letters"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "fen.enPassant", "double step"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "fen.board", "a pawn stands"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "fen.board", "a pawn stands"),
        ("4k3/8/2B3B1/8/8/8/8/4K3 b - - 0 1", "fen.board", "no last move"),  # two elephants, neither uncovered
    ],
)
def test_old_games_refuse_what_they_do_not_have(variant: str, fen: str, at: str, words: str) -> None:
    found_at, message = refused(variant, fen)
    assert found_at == at
    assert words in message


@pytest.mark.parametrize("variant", ["shatranj", "chaturanga"])
@pytest.mark.parametrize(
    "fen",
    [
        "4k3/3Q4/8/8/8/8/8/4K3 w - - 0 1",  # the firz's one step
        "4k3/8/2B5/8/8/8/8/4K3 w - - 0 1",  # the elephant's two
    ],
)
def test_in_old_games_an_attacked_king_may_be_looked_at_but_no_game_begins_so(variant: str, fen: str) -> None:
    assert clean(variant, fen) == fen
    verdict = judge(Start(variant, fen), FIDE, LIMITS)
    assert isinstance(verdict, Refusal)
    assert (verdict.at, sentence(verdict.text)) == ("fen.turn", "the side that is not to move is in check")


def test_a_lame_elephants_check_may_be_uncovered() -> None:
    lame = family_of("chaturanga", replace(FIDE, chaturanga=replace(CHATURANGA, elephant=Elephant.LAME_ALFIL)))
    from_d7 = "4k3/8/2B2N2/8/8/8/8/4K3 b - - 0 1"
    assert board_of(lame, from_d7).checkers_mask().bit_count() == 2
    assert refused("shatranj", from_d7)[0] == "fen.board"


def test_a_queens_line_is_no_check_where_it_is_a_firz() -> None:
    fen = "4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1"
    assert clean("shatranj", fen) == fen
    assert refused("standard", fen)[0] == "fen.turn"


@pytest.mark.parametrize(("field", "written"), [("Kk", "Kk"), ("kK", "Kk"), ("K", "K"), ("k", "k"), ("-", "-")])
def test_a_kings_leap_is_a_letter(field: str, written: str) -> None:
    board = board_of(LEAPING, f"{START} w {field} - 0 1")
    assert write_fen(board, LEAPING) == f"{START} w {written} - 0 1"


@pytest.mark.parametrize("field", ["KQkq", "Q", "KK", "H", "Kkk", "x"])
def test_other_letters_are_no_leap(field: str) -> None:
    with pytest.raises(Rejected) as raised:
        board_of(LEAPING, f"{START} w {field} - 0 1")
    assert raised.value.refusal.at == "fen.castling"


def test_a_king_in_check_has_lost_its_leap() -> None:
    with pytest.raises(Rejected) as raised:
        board_of(LEAPING, "4k3/8/8/8/8/8/4R3/4K3 b k - 0 1")
    assert raised.value.refusal.at == "fen.castling"
    assert board_of(LEAPING, "4k3/8/8/8/8/8/4R3/4K3 b K - 0 1").castling_rights


@pytest.mark.parametrize("variant", ["standard", "chess960", "threeCheck", "kingOfTheHill", "crazyhouse"])
def test_touching_kings_are_for_atomic(variant: str) -> None:
    fen = "8/8/8/8/5k2/8/6K1/6q1 w - - 0 1"
    assert refused(variant, "8/8/8/8/8/5k2/6K1/6q1 w - - 0 1")[0] == "fen.turn"
    assert clean("atomic", "8/8/8/8/8/5k2/6K1/6q1 w - - 0 1") == "8/8/8/8/8/5k2/6K1/6q1 w - - 0 1"
    assert clean("atomic", fen) == fen


def test_atomic_kings_apart_are_in_check() -> None:
    # a king that can be taken may be taken (case V09)
    assert clean("atomic", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1") == "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
    # many checks at once are possible: kings that touched have parted
    assert clean("atomic", "4k3/2N3N1/8/8/4R3/8/8/4K3 b - - 0 1") == "4k3/2N3N1/8/8/4R3/8/8/4K3 b - - 0 1"
    assert refused("atomic", "8/8/8/8/4R3/8/8/4K3 b - - 0 1") == ("fen.board", "there is no black king")


def test_en_passant_that_would_blow_up_the_own_king_is_forgotten() -> None:
    fen = "4k3/8/4K3/3pP3/8/8/8/8 w - d6 0 2"
    assert clean("atomic", fen).split()[3] == "-"
    assert clean("atomic", fen.replace("4K3/3pP3", "8/3pP2K")).split()[3] == "d6"


@pytest.mark.parametrize("variant", sorted(set(Variant) - {Variant.CRAZYHOUSE, Variant.HORDE, Variant.RACING_KINGS}))
def test_sixteen_men_a_side(variant: Variant) -> None:
    at, message = refused(variant, "4k3/pppppppp/pppppppp/8/8/8/8/4K3 w - - 0 1")
    assert (at, message) == ("fen.board", "Black has more than 8 pawns")
    at, message = refused(variant, "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1")
    assert (at, message) == ("fen.board", "White has more than 16 pieces")
