"""The game service as the clock service uses it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.clock.alarm import Alarm, NoAlarm
from services.domain.refusal import Refusal


class GameUnavailable(Exception):
    """The game service did not answer. The result is unknown, and the same call may be repeated."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The deadline was decided: a flag fell, or a game was aborted."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A game's state at the game service: the alarm it needs, and the database's time of the answer (UTC ms)."""

    wish: Alarm | NoAlarm
    at_ms: int


@dataclass(frozen=True, slots=True)
class DeadlinePage:
    """Alarms in order of game id. `next_after` is empty on the last page. `now_ms` is the database's time (UTC ms)."""

    alarms: tuple[Alarm, ...]
    next_after: str
    now_ms: int


class Game(Protocol):
    """The game service. Every method raises GameUnavailable."""

    async def flag(self, alarms: Sequence[Alarm]) -> Sequence[Decided | Refusal]:
        """Report that these alarms are due. One answer for each, in their order."""
        ...

    async def standing(self, game_ids: Sequence[str]) -> Sequence[TimeLeft | Refusal | None]:
        """The current state of these games, in their order: None for an unknown game, a refusal if the state is not
        available now."""
        ...

    async def deadlines(self, after: str, *, overdue_only: bool) -> DeadlinePage:
        """A page of the deadlines of running games with an id after `after`."""
        ...
