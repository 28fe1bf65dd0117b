"""What the clock service needs of the game service."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.clock.alarm import Alarm, NoAlarm
from services.domain.refusal import Refusal


class GameUnavailable(Exception):
    """The game service did not answer; nothing is known and the same may be asked again."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The deadline was decided: a flag fell, or a game was aborted."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What the game service says of a game: the wish that follows from it, and its time when it said so."""

    wish: Alarm | NoAlarm
    at_ms: int


@dataclass(frozen=True, slots=True)
class DeadlinePage:
    """Alarms in order of game id; `next_after` is empty on the last page. `now_ms` is the database's clock."""

    alarms: tuple[Alarm, ...]
    next_after: str
    now_ms: int


class Game(Protocol):
    """Every method raises GameUnavailable."""

    async def flag(self, alarms: Sequence[Alarm]) -> Sequence[Decided | Refusal]:
        """Say that these are due. Answers in their order."""
        ...

    async def standing(self, game_ids: Sequence[str]) -> Sequence[TimeLeft | Refusal | None]:
        """What stands in these games now, in their order; None where there is no such game, a refusal where it cannot
        be told now."""
        ...

    async def deadlines(self, after: str, *, overdue_only: bool) -> DeadlinePage:
        """A page of the deadlines of running games, those after the game id `after`."""
        ...
