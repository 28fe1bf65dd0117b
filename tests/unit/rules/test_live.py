"""A live board: what is classified there without reading or writing is what a message would be told."""

import random
from dataclasses import replace

import chess
import pytest

from services.domain.outcome import EndReason
from services.domain.rule_set import AUTOMATIC, FIDE
from services.domain.variant import Variant
from services.rules.families.family import STANDARD
from services.rules.families.variants import family_of
from services.rules.judge import Play, Played, Position, judge
from services.rules.keys import KEY_BYTES, position_key
from services.rules.limits import LIMITS
from services.rules.notation.fen import read_fen
from services.rules.notation.notation_in import read_legal
from services.rules.standing import FEW, advance, classify, stand

GAMES, PLIES = 3, 150
SHORT = replace(LIMITS, keys_max=4)


@pytest.mark.parametrize("variant", list(Variant))
def test_every_move_of_a_game_is_ruled_on_as_in_a_whole_verdict(variant: Variant) -> None:
    chance = random.Random(f"live {variant}")
    family = family_of(variant, AUTOMATIC)
    judged = 0
    for _ in range(GAMES):
        board = read_fen(family.start_fen, LIMITS, family)
        standing, keys = stand(board, family, b"", AUTOMATIC), position_key(board, family)
        while standing.outcome is None and judged < GAMES * PLIES:
            text = chance.choice(standing.legal)
            ruling = advance(board, read_legal(board, text, family), family, keys, AUTOMATIC, SHORT)
            played = judge(Play(Position(variant, standing.fen, keys), text), AUTOMATIC, SHORT)
            assert isinstance(played, Played)
            standing, keys, judged = played.standing, ruling.keys, judged + 1
            assert (ruling.keys, ruling.check, ruling.outcome, ruling.claims) == (
                standing.keys,
                standing.check,
                standing.outcome,
                standing.claims,
            )
            assert tuple(ruling.legal) == standing.legal[:FEW]
            assert len(ruling.keys) <= KEY_BYTES * SHORT.keys_max
            if board.halfmove_clock == 0 and not family.has_pockets:
                assert len(ruling.keys) == KEY_BYTES
    assert judged > PLIES / 2


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", EndReason.CHECKMATE),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", EndReason.STALEMATE),
        ("8/8/8/4k3/8/8/2B5/K7 w - - 0 1", EndReason.DEAD_POSITION),
        # the only legal move takes the last man but the kings
        ("8/8/8/8/8/8/5k1q/7K w - - 0 1", EndReason.DEAD_POSITION),
        # locked pawns
        ("4k3/8/5p2/p2p1Pp1/P2P2P1/8/8/4K3 w - - 0 1", EndReason.DEAD_POSITION),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 150 200", EndReason.MOVE_COUNT),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 149 200", None),
    ],
)
def test_ends_are_seen_with_few_moves_found(fen: str, reason: EndReason | None) -> None:
    board = chess.Board(fen)
    ruling = classify(board, STANDARD, b"", FIDE)
    assert (ruling.outcome and ruling.outcome.reason) == reason
    assert ruling.outcome == stand(board, STANDARD, b"", FIDE).outcome
    assert len(ruling.legal) == (0 if reason else FEW)
