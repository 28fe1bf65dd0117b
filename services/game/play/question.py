"""What the game service asks of the rules service, and what it hears, as values."""

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
    """Is this move legal here, and what arises?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    move: str
    trace: str = field(default="", compare=False)
    """The traceparent of the command that it is asked for; empty for none."""

    @classmethod
    def here(cls, game: Game, move: str) -> Self:
        """Of the position on the board."""
        return cls(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, move)


class ForfeitKind(Enum):
    """Why a side has lost unless the other could not win; the names are those of the message's."""

    FLAG = "FLAG"
    RESIGNATION = "RESIGNATION"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """`loser` ran out of time or resigns here: does the other side get the win?"""

    variant: str
    rule_set: RuleSet
    fen: str
    keys: bytes
    loser: Colour
    kind: ForfeitKind
    trace: str = field(default="", compare=False)
    """As of a Play."""

    @classmethod
    def here(cls, game: Game, loser: Colour, kind: ForfeitKind) -> Self:
        """Of the position on the board."""
        return cls(game.terms.variant, game.terms.rule_set, game.standing.fen, game.standing.keys, loser, kind)


@dataclass(frozen=True, slots=True)
class Start:
    """Can a game start from here? `number` says which of the 960 positions of Chess960, where no FEN does.

    With `moves` (UCI): how does it stand after these?
    """

    variant: str
    rule_set: RuleSet
    fen: str
    number: int | None = None
    moves: tuple[str, ...] = ()


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


class CanMate(Enum):
    """Whether a side can still mate by some series of legal moves, as far as it was found out."""

    YES = "YES"
    NO = "NO"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Forfeited:
    """How the game ends by a forfeit.

    `undetermined`: a search could still find that the winner cannot mate. Until then the winner has won.
    """

    outcome: Outcome
    can_mate: CanMate
    undetermined: bool = False


@dataclass(frozen=True, slots=True)
class Pong:
    """Somebody is there."""


Verdict = Played | Standing | Forfeited | Refusal | Pong
"""Played answers Play, Standing answers Start, Forfeited answers Forfeit, Pong answers Ping; Refusal answers any."""


class RulesUnavailable(Exception):
    """The rules service did not answer. `refusal` is what the client hears; `reason` is a word for the log.

    `away`: it cannot be reached, and a new one starts soon.
    """

    def __init__(self, refusal: Refusal, reason: str, *, away: bool = False) -> None:
        super().__init__(f"{reason}: {refusal.message}")
        self.refusal = refusal
        self.reason = reason
        self.away = away
