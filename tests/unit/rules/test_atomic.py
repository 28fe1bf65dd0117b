"""Atomic: what an explosion takes with it, kings that touch, and which material can still win (cases V07 and V09)."""

from collections.abc import Iterator
from itertools import combinations

import chess
import chess.variant
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE, FRIENDLY, RuleSet
from services.rules.families.atomic import ATOMIC, AtomicBoard
from services.rules.forfeit import ForfeitKind
from services.rules.judge import Forfeit, Play, Played, Position, Start, forfeit, inspect, play
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.refused import Rejected
from services.rules.standing import Standing

WHITE_WINS = Outcome(Colour.WHITE, EndReason.EXPLOSION)
BLACK_WINS = Outcome(Colour.BLACK, EndReason.EXPLOSION)
DEAD = Outcome(None, EndReason.DEAD_POSITION)


def standing(fen: str) -> Standing:
    return inspect(Start("atomic", fen), FIDE, LIMITS)


def played(fen: str, move: str) -> Played:
    return play(Play(Position("atomic", fen), move), FIDE, LIMITS)


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        # Black explodes h8: White keeps both rights, Black the one of a8
        (
            "rnb1k2Q/p5q1/4pp2/1ppp3p/3PP3/2N5/P1P2PPP/R3KBNR b KQq - 5 10",
            "g7h8",
            "rnb1k3/p7/4pp2/1ppp3p/3PP3/2N5/P1P2PPP/R3KBNR w KQq - 0 11",
        ),
        # the a1 rook vanishes with the knight beside it
        ("1r2k3/8/8/8/8/8/8/RN2K2R b KQ - 0 1", "b8b1", "4k3/8/8/8/8/8/8/4K2R w K - 0 2"),
        # en passant: the centre is d6; c7 and e7 are pawns and stay
        (
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "e5d6",
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
        ),
        # en passant takes men beside d6 along, but none that stand beside d5 alone
        ("4k3/2n1n3/8/3pP3/2R1R3/8/8/4K3 w - d6 0 3", "e5d6", "4k3/8/8/8/2R1R3/8/8/4K3 b - - 0 3"),
        # a promotion by capture leaves nothing of the new man
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        # own men beside the victim go too, own pawns stay
        ("4k3/8/8/2NpP3/2B1P3/8/8/4K2R w - - 0 1", "e4d5", "4k3/8/8/4P3/8/8/8/4K2R b - - 0 1"),
    ],
)
def test_what_an_explosion_leaves(fen: str, move: str, after: str) -> None:
    assert played(fen, move).standing.fen == after


@pytest.mark.parametrize(
    ("fen", "move", "outcome"),
    [
        ("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7", WHITE_WINS),
        ("3rk3/8/8/8/8/8/3P4/4K3 b - - 0 1", "d8d2", BLACK_WINS),
        # out of check, and out of double check
        ("4k3/3p4/8/8/4r3/8/8/3RK3 w - - 0 1", "d1d7", WHITE_WINS),
        ("4k3/3p4/8/8/4r2b/8/8/3RK3 w - - 0 1", "d1d7", WHITE_WINS),
        # by a capture en passant beside the king
        ("8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 3", "e5d6", WHITE_WINS),
        # not the king next but one
        ("5k2/3p4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7", DEAD),
    ],
)
def test_a_king_beside_an_explosion_is_lost(fen: str, move: str, outcome: Outcome) -> None:
    led_to = played(fen, move)
    assert led_to.standing.outcome == outcome
    assert led_to.standing.legal == ()
    assert led_to.san.endswith("#") is (outcome.winner is not None)


@pytest.mark.parametrize(
    ("fen", "illegal", "legal"),
    [
        # who would blow up the own king may not, though the other one dies as well
        ("8/8/8/8/8/2kp4/4K3/3Q4 w - - 0 1", ["d1d3"], ["e2f1"]),
        ("8/8/8/8/8/8/3pk3/3QK3 w - - 0 1", ["d1d2"], []),
        # nor en passant
        ("7k/2K5/8/3pP3/8/8/8/8 w - d6 0 3", ["e5d6"], ["e5e6"]),
        # and the pawn that was passed leaves its square as well
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 3", ["e5d6"], ["e5e6"]),
        # a king captures nothing
        ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", ["e1d2"], ["e1f1"]),
        # the shield that explodes leaves the king in check
        ("4r2k/8/8/8/4N3/2p5/8/4K3 w - - 0 1", ["e4c3"], []),
        ("4r2k/8/8/8/4N3/5p2/8/4K3 w - - 0 1", ["e4c3"], []),
        ("k3r3/8/8/6p1/4N2R/8/8/4K3 w - - 0 1", ["e4g5"], ["h4h1"]),
        # capturing beside the checking man ends the check with it
        ("7k/8/8/8/3pr3/8/8/3RK3 w - - 0 1", ["d1d2"], ["d1d4"]),
        # check is answered as ever
        ("4r2k/8/8/8/8/8/N7/4K3 w - - 0 1", ["a2b4"], ["e1d1"]),
        # a pinned man may step along its line
        ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", ["e2a2"], ["e2e7", "e2e8"]),
    ],
)
def test_what_is_legal(fen: str, illegal: list[str], legal: list[str]) -> None:
    now = standing(fen).legal
    assert not set(illegal) & set(now)
    assert set(legal) <= set(now)


def test_kings_may_touch() -> None:
    now = standing("8/8/8/8/5k2/8/6K1/6q1 w - - 0 1")
    assert now.check
    assert now.legal == ("g2f3", "g2g3", "g2h3")
    assert not played(now.fen, "g2g3").standing.check


def test_while_kings_touch_nothing_gives_check_and_nothing_is_pinned() -> None:
    now = standing("8/8/8/8/8/8/4rk2/r2RK2q w - - 0 1")
    assert not now.check
    assert "d1d8" in now.legal


def test_when_kings_part_check_is_back() -> None:
    assert played("8/8/8/8/8/8/4rk2/4K3 b - - 0 1", "f2g3").standing.check
    assert "e1d1" not in standing("8/8/8/8/8/5k2/3r4/4K3 w - - 0 1").legal


def test_checkmate_and_stalemate() -> None:
    assert standing("7k/8/8/8/8/8/6PP/q6K w - - 0 1").outcome == Outcome(Colour.BLACK, EndReason.CHECKMATE)
    # the queen beside the king cannot be taken; the king beside it guards nothing, the rook does
    assert standing("k7/1Q6/1R6/8/8/8/8/7K b - - 0 1").outcome == Outcome(Colour.WHITE, EndReason.CHECKMATE)
    assert standing("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1").outcome is None
    # no check, and no square to go to
    assert standing("7k/5Q2/8/8/8/8/8/K7 b - - 0 1").outcome == Outcome(None, EndReason.STALEMATE)
    assert standing("k7/8/1Q6/8/8/8/8/7K b - - 0 1").outcome == Outcome(None, EndReason.STALEMATE)


def test_an_idle_en_passant_square_is_forgotten() -> None:
    # the only capture would blow up the own king
    double_step = "7k/2Kp4/8/4P3/8/8/8/8 b - - 0 2"
    assert played(double_step, "d7d5").standing.fen == "7k/2K5/8/3pP3/8/8/8/8 w - - 0 3"
    # this one blows up the other king, though it leaves the own one in check
    double_step = "4r3/2kp4/8/4P3/8/8/8/4K3 b - - 0 2"
    now = played(double_step, "d7d5").standing
    assert now.fen.split()[3] == "d6"
    assert "e5d6" in now.legal


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", DEAD),
        ("8/8/4k3/8/8/3K4/8/4Q3 w - - 0 1", None),
        ("8/4n3/4k3/8/8/3K4/8/4N3 w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/3BB3/3bb3 w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/8/5R2 w - - 0 1", DEAD),
        ("8/8/4k3/8/8/3K4/8/3NN3 w - - 0 1", DEAD),
        ("8/8/4k3/8/8/3K4/8/3N1N1N w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", None),
        # one bishop each, on different colours; on the same
        ("8/8/4k3/8/8/3K4/3B4/3b4 w - - 0 1", DEAD),
        ("8/8/4k3/8/8/3K4/3B4/4b3 w - - 0 1", None),
    ],
)
def test_dead_by_material(fen: str, outcome: Outcome | None) -> None:
    assert standing(fen).outcome == outcome


def test_a_king_that_can_be_taken_is_not_safe_by_material() -> None:
    fen = "8/8/4k3/8/8/3K4/8/4R3 {} - - 0 1"
    assert standing(fen.format("w")).outcome is None
    assert played(fen.format("w"), "e1e6").standing.outcome == WHITE_WINS
    assert standing(fen.format("b")).outcome == DEAD


@pytest.mark.parametrize("rule_set", [FIDE, CLAIMED, EVERYDAY, AUTOMATIC, FRIENDLY], ids=lambda rule_set: rule_set.name)
def test_a_lone_king_never_wins_on_time_and_a_lone_knight_may(rule_set: RuleSet) -> None:
    for fen, winner in (
        ("8/8/4k3/8/8/3K4/8/4Q3 w - - 0 1", None),
        ("8/4n3/4k3/8/8/3K4/8/4Q3 w - - 0 1", Colour.BLACK),
    ):
        end = forfeit(Forfeit(Position("atomic", fen), Colour.WHITE, ForfeitKind.FLAG), rule_set, LIMITS)
        assert end.outcome == Outcome(winner, EndReason.FLAG)


DARK, LIGHT = chess.BB_DARK_SQUARES, chess.BB_LIGHT_SQUARES
TRIANGLE = [chess.A1, chess.B1, chess.C1, chess.D1, chess.B2, chess.C2, chess.D2, chess.C3, chess.D3, chess.D4]
"""The king's squares up to the symmetries of the board, which bring DARK and LIGHT over each other."""
REACH = {
    chess.KNIGHT: chess.BB_KNIGHT_ATTACKS,
    chess.BISHOP: [reach[0] for reach in chess.BB_DIAG_ATTACKS],
    chess.ROOK: [row[0] | file[0] for row, file in zip(chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS, strict=True)],
}


def mated(
    kind: chess.PieceType, count: int, squares: chess.Bitboard = chess.BB_ALL, shields: tuple[chess.Bitboard, ...] = ()
) -> Iterator[AtomicBoard]:
    """Every position, up to symmetry, in which White's king and so many men of a kind have mated Black.

    White's men stand on `squares`. Black has its king, and a bishop on each of `shields`.
    """
    reach = REACH[kind]
    for king in TRIANGLE:
        around = chess.BB_KING_ATTACKS[king]
        for own_king in chess.scan_forward(chess.BB_ALL & ~around & ~chess.BB_SQUARES[king]):
            safe = around & chess.BB_KING_ATTACKS[own_king]
            kings = chess.BB_SQUARES[king] | chess.BB_SQUARES[own_king]
            for shield in chess.scan_forward(shields[0] & ~kings) if shields else [None]:
                blocked = kings if shield is None else kings | chess.BB_SQUARES[shield]
                for men in combinations(chess.scan_forward(squares & ~blocked), count):
                    standing = covered = 0
                    for square in men:
                        standing |= chess.BB_SQUARES[square]
                        covered |= reach[square]
                    # White's king guards nothing; a man of either side is in the way; attacks are taken too large
                    flights = around & ~standing & ~blocked
                    if not covered & chess.BB_SQUARES[king] or flights & (safe | ~covered):
                        continue
                    board = AtomicBoard(None)
                    board.turn = chess.BLACK
                    board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
                    board.set_piece_at(own_king, chess.Piece(chess.KING, chess.WHITE))
                    if shield is not None:
                        board.set_piece_at(shield, chess.Piece(chess.BISHOP, chess.BLACK))
                    for square in men:
                        board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
                    if ATOMIC.is_check(board) and not ATOMIC.legal_text(board, True):
                        yield board


@pytest.mark.parametrize(
    ("kind", "count", "squares", "shields", "fen"),
    [
        (chess.KNIGHT, 1, chess.BB_ALL, (), "8/8/4k3/8/8/3K4/8/3N4 w - - 0 1"),
        (chess.BISHOP, 1, chess.BB_ALL, (), "8/8/4k3/8/8/3K4/8/3B4 w - - 0 1"),
        (chess.ROOK, 1, chess.BB_ALL, (), "8/8/4k3/8/8/3K4/8/3R4 w - - 0 1"),
        (chess.KNIGHT, 2, chess.BB_ALL, (), "8/8/4k3/8/8/3K4/8/3NN3 w - - 0 1"),
        (chess.BISHOP, 2, DARK, (), "8/8/4k3/8/8/3K4/8/B1B5 w - - 0 1"),
        (chess.BISHOP, 2, LIGHT, (), "8/8/4k3/8/8/3K4/8/1B1B4 w - - 0 1"),
        (chess.BISHOP, 1, DARK, (LIGHT,), "8/8/4k3/8/8/3K4/3b4/3B4 w - - 0 1"),
        (chess.BISHOP, 1, LIGHT, (DARK,), "8/8/4k3/8/8/3K4/3b4/3B4 w - - 0 1"),
    ],
)
def test_what_never_mates(
    kind: chess.PieceType, count: int, squares: chess.Bitboard, shields: tuple[chess.Bitboard, ...], fen: str
) -> None:
    assert ATOMIC.cannot_win(read_fen(fen, LIMITS, ATOMIC), Colour.WHITE)
    assert next(mated(kind, count, squares, shields), None) is None


def test_the_search_for_mates_finds_those_that_are() -> None:
    for kind, count in ((chess.KNIGHT, 3), (chess.ROOK, 2), (chess.BISHOP, 2)):
        board = next(mated(kind, count))
        assert not ATOMIC.cannot_win(board, Colour.WHITE)
        assert board.is_checkmate()


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/8/kQ1K4 b - - 0 1",
        "8/8/8/8/8/2N5/1B6/k2K4 b - - 0 1",
        "8/8/8/8/8/8/8/kRNK4 b - - 0 1",
        "8/8/8/8/8/8/B7/kR1K4 b - - 0 1",
        "8/8/8/8/8/8/1R6/kRK5 b - - 0 1",
        "8/8/8/8/8/2N5/1NN5/k2K4 b - - 0 1",
        "8/8/8/8/8/8/1B6/kBK5 b - - 0 1",
        # a bishop mates a king between two bishops of its own on the other colour
        "8/8/8/8/8/8/bB6/kbK5 b - - 0 1",
    ],
)
def test_what_mates_with_the_least_material(fen: str) -> None:
    assert standing(fen).outcome == Outcome(Colour.WHITE, EndReason.CHECKMATE)
    board = read_fen(fen, LIMITS, ATOMIC)
    assert not ATOMIC.cannot_win(board, Colour.WHITE)
    assert ATOMIC.can_force_mate(board, Colour.WHITE)


@pytest.mark.parametrize("man", "NBRQP")
@pytest.mark.parametrize("victim", "nbrqp")
def test_any_man_blows_up_a_king_beside_any_other(man: str, victim: str) -> None:
    fens = [f"8/8/8/8/k7/1{victim}6/{men}/7K w - - 0 1" for men in ("P7", "3N4", "2B5", "1R6", "1Q6")]
    fen = next(fen for fen in fens if man in fen)
    board = read_fen(fen, LIMITS, ATOMIC)
    assert not ATOMIC.cannot_win(board, Colour.WHITE)
    winning = next(move for move in standing(fen).legal if move.endswith("b3"))
    assert played(fen, winning).standing.outcome == WHITE_WINS


SQUARES = st.integers(0, 63)
LETTERS = st.sampled_from("NBRQPnbrqp")


def check_lists(board: AtomicBoard, library: chess.variant.AtomicBoard) -> list[chess.Move]:
    moves = list(library.generate_legal_moves())
    if ATOMIC.goal(board) is not None:
        assert not moves
        return []
    check = ATOMIC.is_check(board)
    assert check is library.is_check()
    assert ATOMIC.legal_text(board, check) == sorted(move.uci() for move in moves)
    return moves


# A pinned pawn may capture en passant where that blows up the other king.
PINNED_AND_EXPLOSIVE = [
    *[499, 711, 1, 3, 158, 191, 619, 257, 309, 621, 267, 1, 213, 576, 7, 296, 13, 999, 265, 92, 143, 787, 266, 448],
    *[230, 74],
]


@settings(max_examples=30)  # the library plays every move to see whether it is legal
@example(PINNED_AND_EXPLOSIVE, True)
@given(st.lists(st.integers(0, 999), max_size=60), st.booleans())
def test_lists_are_the_librarys_in_games(choices: list[int], tactical: bool) -> None:
    fen = "r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R w KQkq - 0 1" if tactical else chess.STARTING_FEN
    library, board = chess.variant.AtomicBoard(fen), AtomicBoard(fen)
    for choice in choices:
        moves = check_lists(board, library)
        if not moves:
            return
        quiet = [move for move in moves if not library.is_capture(move)]
        move = quiet[choice % len(quiet)] if quiet and choice % 3 else moves[choice % len(moves)]
        rights = library.castling_rights
        library.push(move)
        irreversible = not library.halfmove_clock or library.castling_rights != rights
        assert ATOMIC.apply(board, move) is irreversible
        passing = [move for move in library.generate_legal_moves() if library.is_en_passant(move)]
        assert (board.ep_square is not None) is bool(passing)
        library.ep_square = board.ep_square
        # as it is set, not as the library tells whether the capture is legal: it does not see what explodes
        assert board.fen(en_passant="fen") == library.fen(en_passant="fen")


@given(SQUARES, SQUARES, st.dictionaries(SQUARES, LETTERS, max_size=16), st.integers(-1, 7), st.booleans())
def test_lists_are_the_librarys_in_any_position(
    king: int, other: int, men: dict[int, str], passing: int, turn: bool
) -> None:
    board = AtomicBoard(None)
    for square, letter in men.items():
        if letter not in "Pp" or 8 <= square < 56:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = turn
    if passing >= 0:
        pawn = chess.square(passing, 4 if turn else 3)
        board.set_piece_at(pawn, chess.Piece(chess.PAWN, not turn))
        for beyond in (8, 16) if turn else (-8, -16):
            board.remove_piece_at(pawn + beyond)
        for beside in (pawn - 1, pawn + 1):
            if chess.square_distance(pawn, beside) == 1:
                board.set_piece_at(beside, chess.Piece(chess.PAWN, turn))
        board.ep_square = pawn + (8 if turn else -8)
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(other, chess.Piece(chess.KING, chess.BLACK))
    valid = king != other and not board.was_into_check() and board.ep_square in (None, board._valid_ep_square())
    if valid:
        library = chess.variant.AtomicBoard(None)
        library.set_piece_map(board.piece_map())
        library.turn, library.ep_square = turn, board.ep_square
        check_lists(board, library)


def test_undo_gives_back_what_exploded() -> None:
    board = read_fen("1r2k3/8/8/8/8/8/8/RN2K2R b KQ - 0 1", LIMITS, ATOMIC)
    before = board.fen()
    ATOMIC.apply(board, chess.Move.from_uci("b8b1"))
    assert board.fen() == "4k3/8/8/8/8/8/8/4K2R w K - 0 2"
    board.pop()
    assert board.fen() == before


def test_a_move_after_the_end_is_refused() -> None:
    end = played("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7").standing
    with pytest.raises(Rejected) as refused:
        played(end.fen, "e1e2")
    assert refused.value.refusal.code is RefusalCode.BAD_POSITION
