"""The result of a match between two levels: points, and their statistical uncertainty."""

import math
from dataclasses import dataclass
from enum import Enum, auto

from services.domain.colour import Colour
from services.domain.outcome import Outcome

DEVIATIONS = 1.96
"""Standard deviations of a normal distribution to either side that hold 95 % of it."""


class Result(Enum):
    """A game, as the upper level sees it."""

    WIN = auto()
    DRAW = auto()
    LOSS = auto()


@dataclass(frozen=True, slots=True)
class Score:
    """Games of the upper level against the lower one."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The upper level's points of all points, 0 to 1; a draw is half a point. ValueError when there is no game."""
        if not self.games:
            raise ValueError("no game was played")
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of very many games lies, with a certainty of 95 % (Wilson's interval).

        It is the interval for games without draws. Draws reduce the variance, so it is never too narrow.
        """
        share, games, square = self.share, self.games, DEVIATIONS**2
        middle = share + square / (2 * games)
        reach = DEVIATIONS * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
        whole = 1 + square / games
        return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)

    def plus(self, result: Result) -> "Score":
        """This and one game more."""
        return Score(
            self.wins + (result is Result.WIN),
            self.draws + (result is Result.DRAW),
            self.losses + (result is Result.LOSS),
        )


def result_for(side: Colour, outcome: Outcome | None) -> Result:
    """The result of a game for a side; an unfinished game (None) counts as drawn."""
    if outcome is None or outcome.winner is None:
        return Result.DRAW
    return Result.WIN if outcome.winner is side else Result.LOSS


def percent(share: float) -> float:
    """A share for people, to a tenth."""
    return round(100 * share, 1)
