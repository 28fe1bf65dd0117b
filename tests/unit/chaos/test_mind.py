"""The players of `make chaos` do what a state asks of them, and what they foresee can be played."""

import random
from typing import Any

import chess

from tests.chaos.mind import Style, choose, foreseen, has_to_decide

STYLE = Style((0.0, 0.0))
STATE: dict[str, Any] = {"turn": "white", "ply": 6, "drawOffer": None, "legal": ["e2e4", "d2d4"]}


def kinds(state: dict[str, Any], colour: str, style: Style = STYLE) -> set[str | None]:
    """All that may be chosen."""
    chosen = [choose(state, colour, style, random.Random(seed)) for seed in range(200)]
    return {None if each is None else each[0] for each in chosen}


def test_who_is_to_move_moves_and_does_what_the_style_says() -> None:
    assert has_to_decide(STATE, "white", STYLE)
    assert not has_to_decide(STATE, "black", STYLE)
    assert kinds(STATE, "white") == {"move"}
    style = Style((0.0, 0.0), resigns=0.1, offers=0.1, takebacks=0.1, gives=0.1, undoes=0.1, hints=0.1)
    assert kinds(STATE, "white", style) == {"move", "resign", "draw", "takeback", "givetime", "undo", "hint"}
    # Nothing can be taken back, and a draw is on offer already.
    assert kinds(STATE | {"ply": 0, "drawOffer": "white"}, "white", style) == {"move", "resign", "givetime", "hint"}


def test_offers_of_the_other_side_are_answered() -> None:
    assert kinds(STATE | {"drawOffer": "white"}, "black") == {"draw", "nodraw"}
    asked = STATE | {"takebackOffer": "white"}
    assert has_to_decide(asked, "black", STYLE)
    assert kinds(asked, "black") == {"takeback", "notakeback"}
    assert not has_to_decide(STATE | {"takebackOffer": "black"}, "black", STYLE)


def test_a_pause_is_for_the_side_with_time_left() -> None:
    paused = STATE | {"paused": {"flagged": "white", "goingOnOffered": False}}
    assert not has_to_decide(paused, "white", STYLE)
    assert kinds(paused, "black") == {"win", "goon", None}
    offered = STATE | {"paused": {"flagged": "white", "goingOnOffered": True}}
    assert kinds(offered, "white") == {"goon", "resign"}
    assert kinds(offered, "black") == {None}


def test_what_is_foreseen_can_be_played_and_leaves_out_what_ends_the_game() -> None:
    board = chess.Board()
    for move in ("f3", "e5", "g4"):
        board.push_san(move)
    answers = foreseen({"fen": board.fen()}, random.Random(1))
    assert "d8h4" not in answers  # mate: nobody answers
    assert len(answers) > 10
    for move, answer in answers.items():
        board.push_uci(move)
        assert chess.Move.from_uci(answer) in board.legal_moves
        board.pop()
