"""What the commit path needs from others: who judges, and the features that a commit brings along.

A commit does more than save a version: it rates an end, keeps progress, plays conditional moves. What these are is the
features' own affair (`ratings`, `computer`, `correspondence`); they stand above the commit path, so `main` hands
them in.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.time_control import TimeControl
from services.game.commit.adjudication import Adjudicator
from services.game.play.game import Game, Seat
from services.game.play.moment import Answers
from services.game.play.question import Question, Verdict
from services.game.store.sql_store import Save


class Rules(Protocol):
    """Who judges."""

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """A verdict for each question; raises RulesUnavailable when there is no answer."""


class SearchingRules(Rules, Adjudicator, Protocol):
    """Who also searches where a quick look is not enough."""


class SettledSaves(Protocol):
    """A batch whose ended games carry their rating differences, which are not yet written."""

    @property
    def saves(self) -> Sequence[Save]:
        """The batch, with the differences in its games and events."""
        ...

    async def keep(self, connection: AsyncConnection, saved: set[str]) -> None:
        """Write the ratings. Raises RuntimeError, so that nothing is committed, if other games were saved."""


class GameRatings(Protocol):
    """What games do to ratings. Each call works in the caller's transaction."""

    async def settle(self, connection: AsyncConnection, saves: Sequence[Save]) -> SettledSaves:
        """Work out what the ends in a batch do to ratings; locks those games and ratings."""

    async def seated(
        self, connection: AsyncConnection, variant: str, control: TimeControl, seats: tuple[Seat, Seat], now_ms: int
    ) -> tuple[Seat, Seat]:
        """White's and Black's seat with the ratings that a new game begins with."""


class LevelProgress(Protocol):
    """Which levels of the computer were beaten."""

    async def keep(self, connection: AsyncConnection, ended: Sequence[Game], reopened: Sequence[Game]) -> None:
        """Add the wins of games that ended, remove those of games that go on after their end."""


class ConditionalMoves(Protocol):
    """Conditional moves of correspondence. Each call works in the caller's transaction."""

    async def load(self, connection: AsyncConnection, wanted: Mapping[str, str]) -> dict[str, Answers]:
        """The lines of one player a game: game id to player id in, game id to lines out."""

    async def keep(self, connection: AsyncConnection, game_id: str, player_id: str, answers: Answers) -> None:
        """Replace a player's lines in a game; no lines delete them."""

    async def forget_all(self, connection: AsyncConnection, game_ids: Sequence[str]) -> None:
        """Delete all lines of these games."""


class Vacations(Protocol):
    """Vacations of correspondence."""

    async def ends(self, connection: AsyncConnection, player_ids: Collection[str]) -> dict[str, int]:
        """When the vacation of each of these players ends, in ms; nothing for players without one."""


@dataclass(frozen=True, slots=True)
class Features:
    """All features that a commit brings along."""

    ratings: GameRatings
    progress: LevelProgress
    conditional_moves: ConditionalMoves
    vacations: Vacations
