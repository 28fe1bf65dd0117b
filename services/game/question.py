"""What the game service asks of the rules service, and what it hears, as values."""

from dataclasses import dataclass

from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import RuleSet
from services.game.game import Standing


@dataclass(frozen=True, slots=True)
class Play:
    """Is this move legal here, and what arises?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    move: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """`flagged` ran out of time here: who wins?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    flagged: Colour


@dataclass(frozen=True, slots=True)
class Start:
    """Can a game start from here?"""

    variant: str
    rule_set: RuleSet
    fen: str


@dataclass(frozen=True, slots=True)
class Ping:
    """Is anybody there?"""


Question = Play | Forfeit | Start | Ping


@dataclass(frozen=True, slots=True)
class Played:
    """A legal move and the standing after it."""

    uci: str
    san: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Pong:
    """Somebody is there."""


Verdict = Played | Standing | Outcome | Refusal | Pong
"""Played answers Play, Standing answers Start, Outcome answers Forfeit, Pong answers Ping; Refusal answers any."""
