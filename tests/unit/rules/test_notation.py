"""Moves as they are typed and as they are printed."""

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.refusal import RefusalCode
from services.rules.families.family import STANDARD
from services.rules.limits import LIMITS
from services.rules.moves import legal_moves
from services.rules.notation.fen import read_fen
from services.rules.notation.notation_in import read_move
from services.rules.refused import Rejected
from services.rules.text.moves_out import sign, write_san, write_uci
from services.words.catalogue import sentence

PROMOTION = "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1"
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
EN_PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
TWO_KNIGHTS = "rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5"
PINNED_TWIN = "rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1"


def board_of(fen: str) -> chess.Board:
    return read_fen(fen, LIMITS, STANDARD)


def reads(fen: str, text: str) -> str:
    return write_uci(read_move(board_of(fen), text, LIMITS, STANDARD))


def refuses(fen: str, text: str) -> tuple[RefusalCode, str]:
    with pytest.raises(Rejected) as raised:
        read_move(board_of(fen), text, LIMITS, STANDARD)
    refusal = raised.value.refusal
    assert refusal.at == "move"
    return refusal.code, sentence(refusal.text)


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (chess.STARTING_FEN, "e2e4", "e2e4"),
        (chess.STARTING_FEN, " e2e4\n", "e2e4"),
        (chess.STARTING_FEN, "e4", "e2e4"),
        (chess.STARTING_FEN, "e2-e4", "e2e4"),
        (chess.STARTING_FEN, "Nf3", "g1f3"),
        (chess.STARTING_FEN, "Nf3+", "g1f3"),
        (chess.STARTING_FEN, "Nf3#", "g1f3"),
        (chess.STARTING_FEN, "Nxf3", "g1f3"),
        (chess.STARTING_FEN, "Ng1f3", "g1f3"),
        (chess.STARTING_FEN, "Ng1-f3", "g1f3"),
        # both squares, for every piece (S11)
        (chess.STARTING_FEN, "g1-f3", "g1f3"),
        (chess.STARTING_FEN, "g1-f3+", "g1f3"),
        (CASTLING, "e1-g1", "e1g1"),
        (CASTLING, "e1-h1", "e1g1"),
        (CASTLING, "Ke1-c1", "e1c1"),
        (CASTLING, "Ke1xa1", "e1c1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ke1-f1", "e1f1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1-d2", "e1d2"),
        (PROMOTION, "e7xd8=Q", "e7d8q"),
        (PROMOTION, "e7-e8(N)+", "e7e8n"),
        # the Laws' mark of an en passant capture (S12)
        (EN_PASSANT, "exf6 e.p.", "e5f6"),
        (EN_PASSANT, "exf6e.p.", "e5f6"),
        (EN_PASSANT, "exf6ep", "e5f6"),
        (EN_PASSANT, "exf6 ep", "e5f6"),
        (EN_PASSANT, "ef6 e. p.", "e5f6"),
        (EN_PASSANT, "e5xf6 e.p.+", "e5f6"),
        (EN_PASSANT, "e5f6 e.p.", "e5f6"),
        # German letters
        (chess.STARTING_FEN, "Sf3", "g1f3"),
        ("4k3/8/8/8/8/8/8/RB1QK3 w Q - 0 1", "Dd4", "d1d4"),
        ("4k3/8/8/8/8/8/8/RB1QK3 w Q - 0 1", "Ta7", "a1a7"),
        ("4k3/8/8/8/8/8/8/RB1QK3 w Q - 0 1", "Lf5", "b1f5"),
        ("4k3/8/8/8/8/8/8/RB1QK3 w Q - 0 1", "Ke2", "e1e2"),
        (PROMOTION, "e8D", "e7e8q"),
        (PROMOTION, "exd8=S", "e7d8n"),
        # castling
        (CASTLING, "O-O", "e1g1"),
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "o-o", "e1g1"),
        (CASTLING, "O-O-O", "e1c1"),
        (CASTLING, "0-0-0+", "e1c1"),
        (CASTLING, "e1g1", "e1g1"),
        (CASTLING, "e1c1", "e1c1"),
        (CASTLING, "e1h1", "e1g1"),
        (CASTLING, "e1a1", "e1c1"),
        (CASTLING.replace(" w ", " b "), "O-O-O", "e8c8"),
        # promotion
        (PROMOTION, "e8=Q", "e7e8q"),
        (PROMOTION, "e8Q", "e7e8q"),
        (PROMOTION, "e8=q", "e7e8q"),
        (PROMOTION, "e8(Q)", "e7e8q"),
        (PROMOTION, "e8", "e7e8q"),
        (PROMOTION, "e8+", "e7e8q"),
        (PROMOTION, "e8=R", "e7e8r"),
        (PROMOTION, "ed8Q", "e7d8q"),
        (PROMOTION, "exd8=N", "e7d8n"),
        (PROMOTION, "exd8", "e7d8q"),
        (PROMOTION, "e7e8q", "e7e8q"),
        (PROMOTION, "e7e8Q", "e7e8q"),
        (PROMOTION, "e7d8n", "e7d8n"),
        # captures, en passant
        (EN_PASSANT, "exf6", "e5f6"),
        (EN_PASSANT, "ef6", "e5f6"),
        (EN_PASSANT, "e5:f6", "e5f6"),
        (EN_PASSANT, "e5f6", "e5f6"),
        # the pinned knight is no candidate; more may be said than needed
        (PINNED_TWIN, "Ne2", "g1e2"),
        (PINNED_TWIN, "Nge2", "g1e2"),
        (TWO_KNIGHTS, "N2f3", "d2f3"),
        (TWO_KNIGHTS, "Nd2f3", "d2f3"),
    ],
)
def test_moves_are_read(fen: str, text: str, uci: str) -> None:
    assert reads(fen, text) == uci


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (chess.STARTING_FEN, "e2e5", "not legal"),
        (chess.STARTING_FEN, "e5", "not legal"),
        (chess.STARTING_FEN, "e7e5", "not of the side to move"),
        (chess.STARTING_FEN, "e4e5", "nothing on e4"),
        (chess.STARTING_FEN, "Kxe2", "not legal"),
        (chess.STARTING_FEN, "O-O", "castling"),
        (chess.STARTING_FEN, "e2e4q", "not legal"),
        (chess.STARTING_FEN, "e4=Q", "only a pawn"),
        (chess.STARTING_FEN, "Nf3=Q", "only a pawn"),
        (CASTLING, "Kg1", "not legal"),  # castling is no plain king move
        (CASTLING.replace("KQkq", "Qkq"), "e1g1", "not legal"),
        (PINNED_TWIN, "Nce2", "not legal"),
        (PINNED_TWIN, "c3e2", "leave the king in check"),
        (TWO_KNIGHTS, "Nf3", "N2f3 or N4f3"),
        (PROMOTION, "e7e8", "does not say what the pawn becomes"),
        (PROMOTION, "e7e8k", "a queen, a rook, a bishop or a knight"),
        (PROMOTION, "e7e8p", "a queen, a rook, a bishop or a knight"),
        (PROMOTION, "e8=K", "a queen, a rook, a bishop or a knight"),
        (PROMOTION, "e8=P", "a queen, a rook, a bishop or a knight"),
        (EN_PASSANT, "a3 e.p.", "not an en passant capture"),
        (EN_PASSANT, "e5-e6 ep", "not an en passant capture"),
        (chess.STARTING_FEN, "g1-e2", "not legal"),
        (chess.STARTING_FEN, "g8-f6", "not of the side to move"),
        # a pawn without its file moves straight on, so this is no capture
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "not legal"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(fen: str, text: str, words: str) -> None:
    code, message = refuses(fen, text)
    assert code is RefusalCode.ILLEGAL_MOVE
    assert words in message


@pytest.mark.parametrize("text", ["0000", "--", "Z0", "@@@@", "null", "NULL", "pass"])
def test_null_moves_are_no_moves(text: str) -> None:
    code, message = refuses(chess.STARTING_FEN, text)
    assert code is RefusalCode.MALFORMED
    assert "null move" in message


@pytest.mark.parametrize(
    "text",
    [
        *["", "   ", "None", "e7e9q", "e7e8qq", "N@f3", "i2i4", "Nf9", "e2 e4", "e2e4;", "e4e4e4", "O-O-O-O", "nf3"],
        *["\x00", "e2e\u0664", "\uff2ef3", "e2e4\u200b", "e" * 33, "Nf3" * 350_000],
    ],
    ids=lambda text: f"{len(text)} characters" if len(text) > 20 else None,
)
def test_what_is_no_move_is_malformed(text: str) -> None:
    code, message = refuses(chess.STARTING_FEN, text)
    assert code is RefusalCode.MALFORMED
    assert len(message) < 200


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (PINNED_TWIN, "g1e2", "Ne2"),
        ("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "a1e1", "Rae1"),
        ("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "e5e1", "Ree1"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a1a3", "R1a3"),
        ("rnbqkbnr/p1p2p2/3p2p1/R3p2p/7P/8/1PPPPPP1/RNBQKBN1 w kq - 0 8", "a5a3", "R5a3"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
        (PROMOTION, "e7d8n", "exd8=N"),
        (EN_PASSANT, "e5f6", "exf6"),
        (CASTLING, "e1c1", "O-O-O"),
    ],
)
def test_san_says_no_more_than_needed(fen: str, uci: str, san: str) -> None:
    assert write_san(board_of(fen), chess.Move.from_uci(uci), STANDARD.is_capture) == san


def test_san_signs_check_and_mate() -> None:
    assert [sign(False, False), sign(True, False), sign(True, True)] == ["", "+", "#"]


@given(st.lists(st.integers(0, 255), max_size=100))
def test_printed_moves_equal_the_librarys_and_are_read_back(choices: list[int]) -> None:
    board = chess.Board()
    for choice in choices:
        moves = legal_moves(board)
        if not moves:
            return
        move = moves[choice % len(moves)]
        san = write_san(board, move, STANDARD.is_capture)
        assert write_uci(move) == move.uci()
        assert san == board.san(move).rstrip("+#")
        assert read_move(board, san, LIMITS, STANDARD) == move
        assert read_move(board, move.uci(), LIMITS, STANDARD) == move
        board.push(move)


MOVE_LETTERS = "abcdefgh12345678KQRBNDTLSOx=+#-:0@qrbnZ"


@given(st.text(max_size=40) | st.text(alphabet=MOVE_LETTERS, min_size=1, max_size=7))
def test_any_text_is_a_legal_move_or_refused(text: str) -> None:
    board = board_of(CASTLING)
    try:
        move = read_move(board, text, LIMITS, STANDARD)
    except Rejected as refused:
        code = refused.refusal.code
    else:
        assert move in legal_moves(board)
        return
    assert code in (RefusalCode.ILLEGAL_MOVE, RefusalCode.MALFORMED)
