"""Crazyhouse: drops, what comes back as what, and which positions come again (cases V01 and V03)."""

import chess
import chess.variant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason, Outcome
from services.domain.refusal import RefusalCode
from services.domain.rule_set import AUTOMATIC, CLAIMED, EVERYDAY, FIDE, FRIENDLY, RuleSet
from services.rules.families.crazyhouse import CRAZYHOUSE, CrazyhouseBoard, Pocket
from services.rules.forfeit import ForfeitKind
from services.rules.judge import Forfeit, Play, Played, Position, Start, forfeit, inspect, play
from services.rules.keys import KEY_BYTES, position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.refused import Rejected
from services.rules.standing import Standing

ONE_PAWN = "8/8/4k3/8/8/3K4/8/8[P] w - - 0 1"


def standing(fen: str) -> Standing:
    return inspect(Start("crazyhouse", fen), FIDE, LIMITS)


def played(fen: str, *moves: str) -> Played:
    """What the last of these moves led to."""
    position, last = Position("crazyhouse", fen), None
    for move in moves:
        last = play(Play(position, move), CLAIMED, LIMITS)
        position = Position("crazyhouse", last.standing.fen, last.standing.keys)
    assert last is not None
    return last


def drops(fen: str) -> list[str]:
    return [move for move in standing(fen).legal if "@" in move]


def keys_of(fen: str) -> bytes:
    return position_key(read_fen(fen, LIMITS, CRAZYHOUSE), CRAZYHOUSE)


@pytest.mark.parametrize(
    ("fen", "outcome"),
    [
        ("8/8/4k3/8/8/3K4/8/8[QRBNPqrbnp] w - - 0 1", None),
        (ONE_PAWN, None),
        ("8/8/4k3/8/8/3K4/8/8[N] w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/8/8[b] w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/8/6N1[] w - - 0 1", None),
        ("8/8/4k3/8/8/3K4/8/8[] w - - 0 1", Outcome(None, EndReason.DEAD_POSITION)),
    ],
)
def test_nothing_is_dead_while_anything_can_be_dropped_or_captured(fen: str, outcome: Outcome | None) -> None:
    assert standing(fen).outcome == outcome


@pytest.mark.parametrize("rule_set", [FIDE, CLAIMED, EVERYDAY, AUTOMATIC, FRIENDLY], ids=lambda rule_set: rule_set.name)
@pytest.mark.parametrize("loser", list(Colour))
def test_a_fallen_flag_loses_whoever_owns_the_last_pawn(rule_set: RuleSet, loser: Colour) -> None:
    end = forfeit(Forfeit(Position("crazyhouse", ONE_PAWN), loser, ForfeitKind.FLAG), rule_set, LIMITS)
    assert end.outcome == Outcome(loser.other, EndReason.FLAG)


def test_a_bare_king_may_come_to_mate() -> None:
    # White drops its pawn to be taken; Black drops it again and lets it become a queen.
    moves = ["P@b4", "Kxb4", "Kb1", "Kb3", "Ka1", "P@h2", "Kb1", "h1=Q"]
    led_to = played("8/8/8/8/8/2k5/8/K7[P] w - - 0 1", *moves)
    assert led_to.standing.outcome == Outcome(Colour.BLACK, EndReason.CHECKMATE)


def test_a_dropped_rook_brings_no_castling_back() -> None:
    led_to = played("4k3/8/8/8/8/8/8/4K2R[R] w K - 0 1", "h1h2", "e8e7", "R@h1", "e7e8")
    assert led_to.standing.fen == "4k3/8/8/8/8/8/7R/4K2R[] w - - 4 3"
    assert "e1g1" not in led_to.standing.legal


def test_no_pawn_is_dropped_on_the_first_or_last_rank() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1"
    assert len(drops(fen)) == 48
    assert not [text for text in drops(fen) if text[-1] in "18"]
    for text in ("P@a1", "P@h8"):
        with pytest.raises(Rejected) as refused:
            played(fen, text)
        assert refused.value.refusal.code is RefusalCode.ILLEGAL_MOVE


def test_a_drop_ends_the_right_to_capture_en_passant() -> None:
    led_to = played("rnb1kb1r/pppp2pp/8/4Pp2/8/8/PPPP1PPP/RNBQKBNR[Qq] w KQkq f6 0 3", "Q@f7")
    assert led_to.standing.fen == "rnb1kb1r/pppp1Qpp/8/4Pp2/8/8/PPPP1PPP/RNBQKBNR[q] b KQkq - 1 3"
    assert led_to.standing.legal == ("e8d8", "e8f7")


@pytest.mark.parametrize(
    ("fen", "squares"),
    [
        # a line piece gives check: between, and nowhere else
        ("4r2k/8/8/8/8/8/8/4K3[N] w - - 0 1", "e2 e3 e4 e5 e6 e7"),
        ("7k/8/8/8/7b/8/8/4K3[P] w - - 0 1", "f2 g3"),
        # nothing comes between a knight or a neighbour and the king, or ends two checks
        ("7k/8/8/8/8/3n4/8/4K3[Q] w - - 0 1", ""),
        ("7k/8/8/8/8/8/8/3rK3[Q] w - - 0 1", ""),
        ("4r2k/8/8/8/7b/8/8/4K3[Q] w - - 0 1", ""),
        # a pawn blocks no check along the first rank
        ("7k/8/8/8/8/8/8/r2QK3[P] w - - 0 1", None),
        ("7k/8/8/8/8/8/8/r3K3[P] w - - 0 1", ""),
        ("7k/8/8/8/8/8/8/r3K3[N] w - - 0 1", "b1 c1 d1"),
    ],
)
def test_in_check_a_drop_must_come_between(fen: str, squares: str | None) -> None:
    if squares is None:
        assert len(drops(fen)) == 48
    else:
        assert [text[2:] for text in drops(fen)] == squares.split()


def test_a_drop_may_give_check_and_mate() -> None:
    assert played("7k/8/8/8/8/8/8/K7[R] w - - 0 1", "R@h1").san == "R@h1+"
    led_to = played("6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1", "N@f7")
    assert (led_to.uci, led_to.san) == ("N@f7", "N@f7#")
    assert led_to.standing.outcome == Outcome(Colour.WHITE, EndReason.CHECKMATE)


@pytest.mark.parametrize(
    ("fen", "move", "board"),
    [
        # a man changes colour; a promoted one is a pawn again, also after it has moved
        ("4k3/8/8/3q4/4P3/8/8/4K3[] w - - 0 1", "e4d5", "4k3/8/8/3P4/8/8/8/4K3[Q]"),
        ("4k3/8/8/3q~4/4P3/8/8/4K3[] w - - 0 1", "e4d5", "4k3/8/8/3P4/8/8/8/4K3[P]"),
        ("4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2", "e5d6", "4k3/8/3P4/8/8/8/8/4K3[P]"),
        ("1n2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "a7b8q", "1Q~2k3/8/8/8/8/8/8/4K3[N]"),
        ("4k3/8/8/3Q~4/8/8/8/4K3[] w - - 0 1", "d5d1", "4k3/8/8/8/8/8/8/3Q~K3[]"),
    ],
)
def test_what_comes_into_the_pocket(fen: str, move: str, board: str) -> None:
    assert played(fen, move).standing.fen.split()[0] == board


def test_captures_and_pawn_moves_leave_earlier_positions_within_reach() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R[Pp] w - - 0 1"
    moves = ["P@d4", "P@e5", "d4e5", "e8d7", "e5e6", "d7e6", "h1h2", "P@h4", "h2h4"]
    assert len(played(fen, *moves).standing.keys) == KEY_BYTES * (len(moves) + 1)


def test_a_position_that_returns_over_captures_is_seen_to_repeat() -> None:
    # The knight changes hands twice and is where it was.
    fen = "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"
    moves = ["N@e7", "e8e7", "e1d1", "N@e1", "d1e1", "e7e8"]
    once, twice = played(fen, *moves), played(fen, *moves, *moves)
    assert once.standing.fen.split()[:4] == twice.standing.fen.split()[:4] == fen.split()[:4]
    assert not once.standing.claims
    assert twice.standing.claims == {Claim.THREEFOLD}


def test_the_history_keeps_the_latest_positions_and_the_game_goes_on() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"
    oldest, rest = b"\1" * KEY_BYTES, b"\2" * KEY_BYTES * (LIMITS.keys_max - 2)
    position = Position("crazyhouse", fen, oldest + rest + keys_of(fen))
    led_to = play(Play(position, "N@e7"), CLAIMED, LIMITS).standing
    assert led_to.keys == rest + keys_of(fen) + keys_of(led_to.fen)
    again = play(Play(Position("crazyhouse", led_to.fen, led_to.keys), "Kxe7"), CLAIMED, LIMITS).standing
    assert len(again.keys) == KEY_BYTES * LIMITS.keys_max


def test_losing_a_castling_right_is_irreversible() -> None:
    fen = "r3k3/8/8/8/8/8/8/4K2R[] w Kq - 0 1"
    assert len(played(fen, "h1g1").standing.keys) == KEY_BYTES
    assert len(played(fen, "h1g1", "e8e7").standing.keys) == KEY_BYTES
    assert len(played(fen, "h1g1", "e8e7", "e1e2").standing.keys) == KEY_BYTES * 2


def test_a_drop_counts_like_any_other_move() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3[Pp] w - - 98 80"
    led_to = played(fen, "P@e4", "P@e6")
    assert led_to.standing.fen.endswith(" 100 81")
    assert led_to.standing.claims


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("4k3/8/8/8/8/8/8/4K3[QPp] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[pPQ] w - - 9 30", True),
        ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[p] w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[PP] w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[B] w - - 0 1", False),
        ("4k3/8/8/8/3Q4/8/8/4K3[] w - - 0 1", "4k3/8/8/8/3Q~4/8/8/4K3[] w - - 0 1", False),
    ],
)
def test_pockets_in_any_order_and_promoted_marks_make_the_position(one: str, other: str, same: bool) -> None:
    assert (keys_of(one) == keys_of(other)) is same


SQUARES = st.integers(0, 63)
LETTERS = st.sampled_from("NBRQPnbrqp")


@given(st.lists(st.integers(0, 999), max_size=100), st.text("QRBNPqrbnp", max_size=6))
def test_lists_pockets_and_marks_are_the_librarys(choices: list[int], pockets: str) -> None:
    library = chess.variant.CrazyhouseBoard(f"r3k2r/1P1p4/8/4P3/3p4/8/2P3p1/R3K2R[{pockets}] w KQkq - 0 1")
    board = CrazyhouseBoard(library.fen())
    for choice in choices:
        moves = list(library.generate_legal_moves())
        check = CRAZYHOUSE.is_check(board)
        assert check is library.is_check()
        assert CRAZYHOUSE.legal_text(board, check) == sorted(move.uci() for move in moves)
        if not moves:
            return
        captures = [move for move in moves if library.is_capture(move)]
        move = captures[choice % len(captures)] if captures and choice % 3 == 0 else moves[choice % len(moves)]
        rights = library.castling_rights
        library.push(move)
        assert CRAZYHOUSE.apply(board, move) is (library.castling_rights != rights)
        assert board.fen() == library.fen()
        board = board.copy(stack=False)


@given(SQUARES, SQUARES, st.dictionaries(SQUARES, LETTERS, max_size=14), st.text("QRBNP", max_size=4))
def test_lists_are_the_librarys_in_any_position(king: int, other: int, men: dict[int, str], pocket: str) -> None:
    board = chess.Board(None)
    for square, letter in men.items():
        if letter not in "Pp" or 8 <= square < 56:
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(other, chess.Piece(chess.KING, chess.BLACK))
    if king != other and not board.was_into_check():
        library = chess.variant.CrazyhouseBoard(f"{board.board_fen()}[{pocket}] w - - 0 1")
        expected = sorted(move.uci() for move in library.generate_legal_moves())
        assert CRAZYHOUSE.legal_text(CrazyhouseBoard(library.fen()), library.is_check()) == expected


def test_undo_gives_back_board_and_pockets() -> None:
    board = read_fen("4k3/8/8/3q~4/4P3/8/8/4K3[R] w - - 0 1", LIMITS, CRAZYHOUSE)
    before = board.fen()
    for move in ("e4d5", "e8e7", "R@a1"):
        CRAZYHOUSE.apply(board, chess.Move.from_uci(move))
    assert board.fen() == "8/4k3/8/3P4/8/8/8/R3K3[P] b - - 2 2"
    for _ in range(3):
        board.pop()
    assert board.fen() == before


def test_a_copy_is_a_board_of_its_own() -> None:
    for stack in (True, False):
        board = read_fen("4k3/8/8/3q4/4P3/8/8/4K3[Rn] w - - 0 1", LIMITS, CRAZYHOUSE)
        CRAZYHOUSE.apply(board, chess.Move.from_uci("e1e2"))
        copy, before = board.copy(stack=stack), board.fen()
        assert (copy.fen(), len(copy.move_stack)) == (before, int(stack))
        for move in ("N@a3", "e4d5", "e8e7", "Q@e6"):
            CRAZYHOUSE.apply(copy, chess.Move.from_uci(move))
        assert (board.fen(), len(board.move_stack)) == (before, 1)
        for _ in range(4):
            copy.pop()
        assert copy.fen() == before


def test_a_pocket_gives_only_what_it_holds() -> None:
    pocket = Pocket("qp")
    copy = pocket.copy()
    pocket.remove(chess.QUEEN)
    assert (str(pocket), len(pocket), str(copy), len(copy)) == ("p", 1, "qp", 2)
    with pytest.raises(ValueError, match="no queen"):
        pocket.remove(chess.QUEEN)
