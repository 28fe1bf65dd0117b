"""Positions that were judged lately: they save work and change no verdict."""

import random

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from services.domain.colour import Colour
from services.domain.outcome import EndReason, Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import AUTOMATIC, CLAIMED, RuleSet
from services.rules.families.atomic import ATOMIC
from services.rules.families.family import STANDARD
from services.rules.forfeit import Forfeited, ForfeitKind
from services.rules.judge import Forfeit, Play, Played, Position, Start, judge
from services.rules.limits import LIMITS
from services.rules.seen import Seen
from services.rules.standing import Standing

CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1"
PROMOTES = "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1"


def spellings(board: chess.Board, move: chess.Move, chance: random.Random) -> list[str]:
    """A move as people and programs write it, and others that are wrong."""
    rook = {chess.G1: "e1h1", chess.C1: "e1a1", chess.G8: "e8h8", chess.C8: "e8a8"}
    castling = rook[move.to_square] if board.is_castling(move) else move.uci()
    wrong = chess.SQUARE_NAMES[chance.randrange(64)] + chess.SQUARE_NAMES[chance.randrange(64)]
    return [move.uci(), board.san(move), castling, f" {move.uci()} ", wrong, move.uci()[:4]]


@settings(max_examples=20)
@given(
    st.randoms(use_true_random=False),
    st.sampled_from([chess.STARTING_FEN, CASTLES, EN_PASSANT, PROMOTES]),
    st.sampled_from([CLAIMED, AUTOMATIC]),
    st.sampled_from([2, 100]),
)
def test_verdicts_are_the_same_with_and_without(
    chance: random.Random, fen: str, rule_set: RuleSet, kept_max: int
) -> None:
    seen, position, board = Seen(kept_max), Position("standard", fen), chess.Board(fen)
    for _ in range(40):
        move = chance.choice(list(board.legal_moves))
        for text in spellings(board, move, chance):
            question = Play(position, text)
            assert judge(question, rule_set, LIMITS, seen) == judge(question, rule_set, LIMITS)
        played = judge(Play(position, move.uci()), rule_set, LIMITS, seen)
        assert isinstance(played, Played)
        if played.standing.outcome is not None:
            break
        position = Position("standard", played.standing.fen, played.standing.keys)
        board.push(move)
        if kept_max > 2:
            assert seen.find(STANDARD, position.fen) is not None


def test_what_is_given_out_may_be_changed() -> None:
    seen = Seen(10)
    played = judge(Play(Position("standard", chess.STARTING_FEN), "e4"), CLAIMED, LIMITS, seen)
    assert isinstance(played, Played)
    first = seen.find(STANDARD, played.standing.fen)
    assert first is not None
    first[0].clear()
    again = seen.find(STANDARD, played.standing.fen)
    assert again is not None
    assert again[0].fen(en_passant="legal") == played.standing.fen


def test_wrong_keys_are_refused_all_the_same() -> None:
    seen = Seen(10)
    played = judge(Play(Position("standard", chess.STARTING_FEN), "e4"), CLAIMED, LIMITS, seen)
    assert isinstance(played, Played)
    refusal = judge(Play(Position("standard", played.standing.fen, b"short"), "e7e5"), CLAIMED, LIMITS, seen)
    assert isinstance(refusal, Refusal)
    assert refusal.at == "keys"


def test_the_latest_are_kept() -> None:
    seen = Seen(2)
    for name in ("a", "b", "c"):
        seen.keep(STANDARD, name, chess.Board(), ())
    assert seen.find(STANDARD, "a") is None
    assert seen.find(STANDARD, "b") is not None
    assert seen.find(ATOMIC, "b") is None
    Seen(0).keep(STANDARD, "a", chess.Board(), ())


def test_a_game_does_not_play_itself_out_of_what_can_be_read() -> None:
    seen = Seen(10)
    standing = judge(Start("standard", "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 99999"), CLAIMED, LIMITS)
    assert isinstance(standing, Standing)
    for text in ("h1h2", "h8h7", "h2h3", "Kd7"):
        position = Position("standard", standing.fen, standing.keys)
        played = judge(Play(position, text), CLAIMED, LIMITS, seen)
        assert played == judge(Play(position, text), CLAIMED, LIMITS)
        assert isinstance(played, Played)
        standing = played.standing
    assert standing.fen.endswith(" 100001")
    flagged = Forfeit(Position("standard", standing.fen, standing.keys), Colour.WHITE, ForfeitKind.FLAG)
    forfeited = judge(flagged, CLAIMED, LIMITS)
    assert isinstance(forfeited, Forfeited)
    assert forfeited.outcome == Outcome(Colour.BLACK, EndReason.FLAG)
