"""Time controls: how much time the players have."""

from dataclasses import dataclass
from enum import StrEnum

from services.domain.text import Text, say

CLOCK_INITIAL_MS = frozenset([15_000, 30_000, 45_000, 90_000, *(60_000 * minutes for minutes in range(1, 181))])
"""The initial times that a clock may have: 1-180 minutes, and 15, 30, 45, 90 seconds."""
CLOCK_INCREMENT_MS_MAX = 60_000
PER_MOVE_MS = frozenset([30_000, 60_000])
"""The times for each turn that a live game may have."""
CORRESPONDENCE_DAYS = frozenset([1, 2, 3, 5, 7, 10, 14])


@dataclass(frozen=True, slots=True)
class Unlimited:
    """No clock and no limit."""


@dataclass(frozen=True, slots=True)
class ClockControl:
    """An initial time for each side and an increment after each own move."""

    initial_ms: int
    increment_ms: int


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A limit of whole days for each move. A setting of the game service is the length of a day."""

    days: int


@dataclass(frozen=True, slots=True)
class PerMove:
    """A time for each turn of a live game; unused time is lost."""

    turn_ms: int


TimeControl = Unlimited | ClockControl | PerMove | Correspondence


WRONG_INCREMENT = say("domain.increment")
"""The problem that is about the increment and not about the initial time."""


def problem(control: TimeControl) -> Text | None:
    """What is wrong with a requested time control; None if nothing is wrong."""
    match control:
        case ClockControl(initial_ms, increment_ms):
            if initial_ms not in CLOCK_INITIAL_MS:
                return say("domain.initial_time")
            if increment_ms % 1000 or not 0 <= increment_ms <= CLOCK_INCREMENT_MS_MAX:
                return WRONG_INCREMENT
        case PerMove(turn_ms):
            if turn_ms not in PER_MOVE_MS:
                return say("domain.time_per_move")
        case Correspondence(days):
            if days not in CORRESPONDENCE_DAYS:
                return say("domain.days_per_move")
    return None


MODES = ("clock", "per_move", "correspondence", "unlimited")
"""The results of `mode_of`."""


class Speed(StrEnum):
    """The speed of a game. The value is its name in the public API."""

    ULTRA_BULLET = "ultraBullet"
    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"


MOVES_ESTIMATED = 40
"""The number of moves of each side that is assumed when the length of a game is estimated."""
_SPEEDS_BELOW_MS = (
    (30_000, Speed.ULTRA_BULLET),
    (180_000, Speed.BULLET),
    (480_000, Speed.BLITZ),
    (1_500_000, Speed.RAPID),
)


def mode_of(control: TimeControl) -> str:
    """The kind of a time control: its name in the contracts and in the metrics of all services."""
    match control:
        case ClockControl():
            return "clock"
        case PerMove():
            return "per_move"
        case Correspondence():
            return "correspondence"
        case Unlimited():
            return "unlimited"


def is_live(control: TimeControl) -> bool:
    """Whether the players are expected to be online: a clock, or a time for each turn."""
    return isinstance(control, ClockControl | PerMove)


def speed_of(control: TimeControl) -> Speed:
    """The speed of a game; without a clock it is `correspondence`."""
    match control:
        case ClockControl(initial_ms, increment_ms):
            return _speed_of_estimate(initial_ms + MOVES_ESTIMATED * increment_ms)
        case PerMove(turn_ms):
            return _speed_of_estimate(MOVES_ESTIMATED * turn_ms)
        case Correspondence() | Unlimited():
            return Speed.CORRESPONDENCE


def _speed_of_estimate(side_ms: int) -> Speed:
    """The speed of a game with `side_ms` for each side; the limits are 30 s, 3, 8 and 25 minutes."""
    return next((speed for below_ms, speed in _SPEEDS_BELOW_MS if side_ms < below_ms), Speed.CLASSICAL)
