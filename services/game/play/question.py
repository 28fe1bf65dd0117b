"""The questions of the game service to the rules service, and the answers, as values."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Self

from services.domain.colour import Colour
from services.domain.outcome import Outcome
from services.domain.refusal import Refusal
from services.domain.rule_set import RuleSet
from services.game.play.game import Game, Standing


@dataclass(frozen=True, slots=True)
class Play:
    """Is this move legal here, and what is the position after it?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    move: str
    trace: str = field(default="", compare=False)
    """The traceparent of the command that needs the answer; empty for none."""

    @classmethod
    def here(cls, game: Game, move: str) -> Self:
        """The question for `move` in the current position of `game`."""
        return cls(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, move)


class ForfeitKind(Enum):
    """Why a side loses, unless the other side cannot win. The names equal those of the message."""

    FLAG = "FLAG"
    RESIGNATION = "RESIGNATION"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """`loser` ran out of time or resigns in this position: does the other side win, or is it a draw?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    loser: Colour
    kind: ForfeitKind
    trace: str = field(default="", compare=False)
    """The traceparent of the command that needs the answer; empty for none."""

    @classmethod
    def here(cls, game: Game, loser: Colour, kind: ForfeitKind) -> Self:
        """The question for the current position of `game`."""
        return cls(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, loser, kind)


@dataclass(frozen=True, slots=True)
class Start:
    """Can a game start from this position? `number` selects one of the 960 positions of Chess960 if `fen` is empty.

    With `moves` (UCI): what is the position after these moves?
    """

    variant: str
    rule_set: RuleSet
    fen: str
    number: int | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ping:
    """Does the rules service answer?"""


Question = Play | Forfeit | Start | Ping


@dataclass(frozen=True, slots=True)
class Played:
    """A legal move and the position after it."""

    uci: str
    san: str
    standing: Standing


class CanMate(Enum):
    """Whether a side can still mate by some series of legal moves; UNKNOWN if the search did not decide."""

    YES = "YES"
    NO = "NO"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Forfeited:
    """The result of a flag fall or a resignation.

    `undetermined`: a longer search could still find that the winner cannot mate. Until then the winner has won.
    """

    outcome: Outcome
    can_mate: CanMate
    undetermined: bool = False


@dataclass(frozen=True, slots=True)
class Pong:
    """The rules service answers."""


Verdict = Played | Standing | Forfeited | Refusal | Pong
"""Played answers Play, Standing answers Start, Forfeited answers Forfeit, Pong answers Ping; Refusal answers any."""


class RulesUnavailable(Exception):
    """The rules service did not answer. `refusal` is sent to the client; `reason` is for the log.

    `away`: the service cannot be reached; a new process of it will start soon.
    """

    def __init__(self, refusal: Refusal, reason: str, *, away: bool = False) -> None:
        super().__init__(f"{reason}: {refusal.text}")
        self.refusal = refusal
        self.reason = reason
        self.away = away
