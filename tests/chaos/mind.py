"""The decisions of a simulated player: random, and by the newest state."""

import random
from dataclasses import dataclass
from typing import Any

import chess

from tests.chaos.facts import MOVE

State = dict[str, Any]
LINES_MAX = 20
"""Conditional moves that may be set."""


@dataclass(frozen=True, slots=True)
class Style:
    """The behaviour of a player: thinking time, and probabilities for each own turn."""

    think_s: tuple[float, float]
    resigns: float = 0.0
    offers: float = 0.0
    repeats: float = 0.1
    """The chance that an answered command is sent again."""
    takebacks: float = 0.0
    gives: float = 0.0
    undoes: float = 0.0
    hints: float = 0.0
    revives: float = 0.0
    """The chance that an end against the computer is undone, once a game."""
    claims: bool = False
    """Whether it repeatedly tries to win by absence."""
    foresees: bool = False
    """Whether it sets conditional moves."""
    sleeps_after: int | None = None
    """After this number of own moves it plays no more."""
    leaves: int = 0
    """After this number of own moves it closes the page once, for `away_s`."""
    away_s: float = 0.0


def has_to_decide(state: State, colour: str, style: Style) -> bool:
    """Whether the player has a decision to make."""
    if "paused" in state:
        return state["paused"]["flagged"] != colour or bool(state["paused"]["goingOnOffered"])
    asked = other_than(colour, state["drawOffer"]) or other_than(colour, state.get("takebackOffer"))
    return state["turn"] == colour or asked or style.foresees


def choose(state: State, colour: str, style: Style, chance: random.Random) -> tuple[str, str] | None:
    """The kind of a command and its move; None to do nothing."""
    roll = chance.random()
    if "paused" in state:
        return _in_pause(state["paused"], colour, roll)
    if state["turn"] != colour:
        if other_than(colour, state.get("takebackOffer")):
            return ("takeback" if roll < 0.7 else "notakeback"), ""
        if other_than(colour, state["drawOffer"]):
            return ("draw" if roll < 0.3 else "nodraw"), ""
        return None
    moved = int(state["ply"]) >= 2
    asks = moved and state.get("takebackOffer") is None
    for kind, share in (
        ("resign", style.resigns),
        ("draw", style.offers if state["drawOffer"] is None else 0.0),
        ("takeback", style.takebacks if asks else 0.3 if other_than(colour, state.get("takebackOffer")) else 0.0),
        ("givetime", style.gives),
        ("undo", style.undoes if moved else 0.0),
        ("hint", style.hints),
    ):
        if roll < share:
            return kind, ""
        roll -= share
    return MOVE, chance.choice(state["legal"])


def _in_pause(pause: State, colour: str, roll: float) -> tuple[str, str] | None:
    """The one with time left takes the win, offers to go on, or waits; the other one accepts or resigns."""
    if pause["flagged"] == colour:
        return ("goon" if roll < 0.8 else "resign"), ""
    if pause["goingOnOffered"]:
        return None
    return ("win", "") if roll < 0.3 else ("goon", "") if roll < 0.8 else None


def foreseen(state: State, chance: random.Random) -> dict[str, str]:
    """An answer to each move that the opponent could make, as far as the game goes on after it."""
    board = chess.Board(state["fen"])
    answers = {}
    for move in list(board.legal_moves)[:LINES_MAX]:
        board.push(move)
        replies = [reply.uci() for reply in board.legal_moves]
        if replies and not board.is_insufficient_material():
            answers[move.uci()] = chance.choice(replies)
        board.pop()
    return answers


def other_than(colour: str, who: str | None) -> bool:
    """Whether a side is given and is not this one."""
    return who not in (None, colour)
