"""The interfaces that the commit path needs: the rules service, and the features that run within a commit.

A commit does more than save a version: it rates a finished game, stores progress and plays conditional moves. The
features `ratings`, `computer` and `correspondence` implement this. They import the commit path, so `main` passes them
in.
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
    """A rules service that answers questions."""

    async def judge(self, questions: Sequence[Question]) -> list[Verdict]:
        """A verdict for each question, in order. Raises RulesUnavailable if there is no answer."""


class SearchingRules(Rules, Adjudicator, Protocol):
    """A rules service that can also search."""


class SettledSaves(Protocol):
    """A batch whose finished games contain their rating differences. The ratings are not written yet."""

    @property
    def saves(self) -> Sequence[Save]:
        """The batch, with the differences in its games and events."""
        ...

    async def keep(self, connection: AsyncConnection, saved: set[str]) -> None:
        """Write the ratings. Raises RuntimeError, so that nothing is committed, if other games were saved."""


class GameRatings(Protocol):
    """The effects of games on ratings. Each call works in the caller's transaction."""

    async def settle(self, connection: AsyncConnection, saves: Sequence[Save]) -> SettledSaves:
        """Compute the rating differences of the finished games in a batch. Locks those games and ratings."""

    async def seated(
        self, connection: AsyncConnection, variant: str, control: TimeControl, seats: tuple[Seat, Seat], now_ms: int
    ) -> tuple[Seat, Seat]:
        """White's and Black's seat with their ratings at the start of a new game."""


class LevelProgress(Protocol):
    """Which levels of the computer each person has beaten."""

    async def keep(self, connection: AsyncConnection, ended: Sequence[Game], reopened: Sequence[Game]) -> None:
        """Add the wins of the games in `ended`, and remove those of the games in `reopened`."""


class ConditionalMoves(Protocol):
    """Conditional moves of correspondence. Each call works in the caller's transaction."""

    async def load(self, connection: AsyncConnection, wanted: Mapping[str, str]) -> dict[str, Answers]:
        """The lines of one player per game. `wanted`: player id by game id; returns lines by game id."""

    async def keep(self, connection: AsyncConnection, game_id: str, player_id: str, answers: Answers) -> None:
        """Replace a player's lines in a game; empty `answers` delete them."""

    async def forget_all(self, connection: AsyncConnection, game_ids: Sequence[str]) -> None:
        """Delete all lines of these games."""


class Vacations(Protocol):
    """Vacations of correspondence."""

    async def ends(self, connection: AsyncConnection, player_ids: Collection[str]) -> dict[str, int]:
        """By player id, the end of the vacation in ms; players without a vacation are absent."""


@dataclass(frozen=True, slots=True)
class Features:
    """All features that run within a commit."""

    ratings: GameRatings
    progress: LevelProgress
    conditional_moves: ConditionalMoves
    vacations: Vacations
