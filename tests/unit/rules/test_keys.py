"""Keys are equal exactly when positions are the same (FIDE 9.2.3), in every process and version."""

from dataclasses import replace

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domain.chaturanga import CHATURANGA
from services.domain.rule_set import CLAIMED
from services.rules.families.family import STANDARD
from services.rules.families.variants import family_of
from services.rules.judge import Play, Played, Position, Start, judge
from services.rules.keys import KEY_BYTES, occurrences, position_key
from services.rules.limits import LIMITS
from services.rules.moves import apply_move, forget_idle_en_passant, legal_moves
from services.rules.notation.fen import read_fen
from services.rules.standing import Standing


def key_of(fen: str) -> bytes:
    board = read_fen(fen, LIMITS, STANDARD)
    forget_idle_en_passant(board)
    return position_key(board, STANDARD)


def identity(board: chess.Board) -> tuple[str, ...]:
    """What makes a position the same, by the library's own words: FEN without counters, en passant only if legal."""
    return tuple(board.fen(en_passant="legal").split()[:4])


# Few kinds of moves, so that positions come back often.
WALKS = st.lists(st.integers(0, 3), min_size=1, max_size=60)
STARTS = st.sampled_from(
    [
        chess.STARTING_FEN,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
    ]
)


@given(STARTS, st.lists(WALKS, min_size=1, max_size=4))
def test_keys_are_equal_exactly_when_positions_are(fen: str, walks: list[list[int]]) -> None:
    seen: dict[bytes, tuple[str, ...]] = {}
    keys: dict[tuple[str, ...], bytes] = {}
    for walk in walks:
        board = read_fen(fen, LIMITS, STANDARD)
        for choice in walk:
            key, same = position_key(board, STANDARD), identity(board)
            assert seen.setdefault(key, same) == same
            assert keys.setdefault(same, key) == key
            moves = legal_moves(board)
            if not moves:
                break
            apply_move(board, moves[choice % len(moves)])


@given(STARTS, WALKS)
def test_the_carried_keys_count_what_the_whole_game_counts(fen: str, walk: list[int]) -> None:
    standing = judge(Start("standard", fen), CLAIMED, LIMITS)
    assert isinstance(standing, Standing)
    history = [identity(read_fen(standing.fen, LIMITS, STANDARD))]
    for choice in walk:
        if standing.outcome is not None:
            return
        move = standing.legal[choice % len(standing.legal)]
        played = judge(Play(Position("standard", standing.fen, standing.keys), move), CLAIMED, LIMITS)
        assert isinstance(played, Played)
        standing = played.standing
        history.append(identity(read_fen(standing.fen, LIMITS, STANDARD)))
        assert occurrences(standing.keys) == history.count(history[-1])


def test_keys_never_change() -> None:
    # Keys are stored with games, so a key is a contract: these figures were written once.
    assert key_of(chess.STARTING_FEN).hex() == "aea27df618cd0b80"
    assert key_of("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 40").hex() == "0f972a92b25e0db8"


def test_what_makes_another_position() -> None:
    here = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"
    others = [here.replace(" b ", " w ").replace("e3", "-"), here.replace("e3", "-"), here.replace("KQkq", "KQk")]
    others.append(here.replace("/PPPP1PPP/", "/PPPP2PP/"))
    assert len({key_of(fen) for fen in [here, *others]}) == 5


@pytest.mark.parametrize(
    ("variant", "fens"),
    [
        (
            # pockets of either side, and what was a pawn
            "crazyhouse",
            [
                *(
                    "k7/8/8/8/8/8/8/KQ6[] w - - 0 1",
                    "k7/8/8/8/8/8/8/KQ6[N] w - - 0 1",
                    "k7/8/8/8/8/8/8/KQ6[n] w - - 0 1",
                ),
                *("k7/8/8/8/8/8/8/KQ6[NN] w - - 0 1", "k7/8/8/8/8/8/8/KQ6[B] w - - 0 1"),
                "k7/8/8/8/8/8/8/KQ~6[] w - - 0 1",
            ],
        ),
        ("threeCheck", [f"k7/8/8/8/8/8/8/KQ6 w - - 0 1 {given}" for given in ("+0+0", "+1+0", "+2+0", "+0+1", "+1+1")]),
        # which rook may castle
        ("chess960", [f"4k3/8/8/8/8/8/8/4K1RR w {rights} - 0 1" for rights in ("G", "H", "-")]),
    ],
)
def test_what_makes_another_position_in_variants(variant: str, fens: list[str]) -> None:
    family = family_of(variant, CLAIMED)
    assert len({position_key(read_fen(fen, LIMITS, family), family) for fen in fens}) == len(fens)


def test_who_may_leap_makes_another_position() -> None:
    family = family_of("chaturanga", replace(CLAIMED, chaturanga=replace(CHATURANGA, king_leap=True)))
    fens = [f"4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1" for rights in ("K", "k", "Kk", "-")]
    assert len({position_key(read_fen(fen, LIMITS, family), family) for fen in fens}) == 4


def test_the_order_of_a_pocket_makes_no_other_position() -> None:
    family = family_of("crazyhouse", CLAIMED)
    fens = [f"k7/8/8/8/8/8/8/K7{pocket} w - - 0 1" for pocket in ("[QNpb]", "[bNpQ]", "/pbQN")]
    assert len({position_key(read_fen(fen, LIMITS, family), family) for fen in fens}) == 1


def test_what_makes_no_other_position() -> None:
    here = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert key_of(here) == key_of(here.replace("- 0 1", "e3 0 1")) == key_of(here.replace("0 1", "7 99"))


def test_an_unknown_history_begins_with_the_position_itself() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 4 40"
    played = judge(Play(Position("standard", fen), "Ra2"), CLAIMED, LIMITS)
    assert isinstance(played, Played)
    assert played.standing.keys[:KEY_BYTES] != key_of(fen)  # the castling right is lost, and so is the history
    again = judge(Play(Position("standard", played.standing.fen), "Kd8"), CLAIMED, LIMITS)
    assert isinstance(again, Played)
    assert again.standing.keys[:KEY_BYTES] == key_of(played.standing.fen)
    assert len(again.standing.keys) == 2 * KEY_BYTES
