"""The chess clock of one game: a value. Every function gets the current time as an argument.

The clock starts with the first move of the game: that move costs no time and adds the increment. After that the clock
of the side to move runs. It never shows less than zero. Time in which the server could commit no move (an outage) is
not charged: `outage_ms` is its overlap with the running turn, from `Outages.overlap_ms`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from services.domain.colour import Colour
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited


class DeadlineKind(StrEnum):
    """What happens when a deadline passes."""

    FIRST_MOVE = "firstMove"
    """A live game is aborted because a side did not make its first move."""
    FLAG = "flag"
    """The side to move has lost on time, unless the opponent could not win."""
    EXPIRY = "expiry"
    """The same for a correspondence limit; the sweep ends the game, not the clock service."""
    DECISION = "decision"
    """After a flag fall the opponent did not decide in time: the result by the rule set counts."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment at which time is up (UTC ms), without compensation for outages."""

    at_ms: int
    kind: DeadlineKind


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """Server settings that complete a time control."""

    day_ms: int
    """The length of a correspondence day."""
    first_move_ms: int | None
    """How long a side of a live game may take for its first move; None: no limit (against the computer)."""
    reminder_ms: int = 0
    """How long before a correspondence limit the player gets a reminder."""


def both_have_moved(plies: int) -> bool:
    """Whether both sides have moved in a game of `plies` half-moves, whoever began."""
    return plies >= 2


@dataclass(frozen=True, slots=True)
class ChessClock:
    """Both clocks at the start of the current turn.

    `white_ms` and `black_ms` are the remaining time for the game; they are zero in modes without a game clock (no
    limit, a time for each turn, correspondence). `turn_started_ms` (UTC) is the time of the last move, or of the
    game's creation.
    """

    control: TimeControl
    white_ms: int
    black_ms: int
    turn: Colour
    plies: int
    turn_started_ms: int
    started: bool = False
    """Whether both players agreed to start the clock before the first move."""

    @classmethod
    def start(cls, control: TimeControl, turn: Colour, now_ms: int) -> "ChessClock":
        """The clock of a game created at `now_ms` in which `turn` moves first."""
        initial_ms = control.initial_ms if isinstance(control, ClockControl) else 0
        return cls(control, initial_ms, initial_ms, turn, 0, now_ms)

    @property
    def running(self) -> bool:
        """Whether time runs for the side to move."""
        match self.control:
            case Unlimited():
                return False
            case ClockControl() | PerMove():
                return self.plies > 0 or self.started
            case Correspondence():
                return True

    def remaining_ms(self, side: Colour, limits: ClockLimits, now_ms: int, outage_ms: int = 0) -> int:
        """The ms `side` has left at `now_ms`: for the game, or for the turn if turns have a limit; 0 if unlimited."""
        spent_ms = max(0, now_ms - self.turn_started_ms - outage_ms) if self.running and side is self.turn else 0
        match self.control:
            case Unlimited():
                return 0
            case ClockControl():
                return max(0, self.left_ms(side) - spent_ms)
            case PerMove(turn_ms):
                return max(0, turn_ms - spent_ms)
            case Correspondence(days):
                return max(0, days * limits.day_ms - spent_ms)

    def deadline(self, limits: ClockLimits) -> Deadline | None:
        """When this turn's time is up, without outages; None: never. In a live game it aborts until both have moved."""
        match self.control:
            case Unlimited():
                return None
            case Correspondence(days):
                return Deadline(self.turn_started_ms + days * limits.day_ms, DeadlineKind.EXPIRY)
            case ClockControl() | PerMove():
                falls_ms = self.turn_started_ms + self._turn_ms() if self.running else None
                if limits.first_move_ms is None or both_have_moved(self.plies):
                    return None if falls_ms is None else Deadline(falls_ms, DeadlineKind.FLAG)
                first_ms = self.turn_started_ms + limits.first_move_ms
                return Deadline(min(first_ms, falls_ms or first_ms), DeadlineKind.FIRST_MOVE)

    def look_ms(self, limits: ClockLimits, before_ms: int = 0) -> int:
        """A moment (UTC ms) before which neither this turn's time nor a later turn's can be up; 0 if unknown.

        In correspondence it is the time of the reminder, which comes first.
        `before_ms` is the result for the previous turn. It stays valid until it has passed, since a side cannot lose
        more time than passes. So the result changes only a few times in a game; the deadline changes with every move.
        """
        deadline = self.deadline(limits)
        if deadline is None:
            return 0
        if isinstance(self.control, Correspondence):
            return max(self.turn_started_ms, deadline.at_ms - limits.reminder_ms)
        if self.turn_started_ms < before_ms <= deadline.at_ms:
            return before_ms
        if isinstance(self.control, PerMove):
            return deadline.at_ms
        return min(deadline.at_ms, self.turn_started_ms + min(self.white_ms, self.black_ms))

    def after_move(self, now_ms: int, outage_ms: int = 0) -> "ChessClock":
        """The clock after the side to move has moved at `now_ms`. The caller has checked that it moved in time.

        A side never has more than initial + increment x own moves + time given by the opponent.
        """
        white_ms, black_ms = self.white_ms, self.black_ms
        if isinstance(self.control, ClockControl):
            spent_ms = max(0, now_ms - self.turn_started_ms - outage_ms) if self.running else 0
            left_ms = max(0, self.left_ms(self.turn) - spent_ms) + self.control.increment_ms
            if self.turn is Colour.WHITE:
                white_ms = left_ms
            else:
                black_ms = left_ms
        return ChessClock(
            self.control,
            white_ms,
            black_ms,
            self.turn.other,
            self.plies + 1,
            max(now_ms, self.turn_started_ms),
            self.started,
        )

    def stopped(self, now_ms: int, outage_ms: int = 0) -> "ChessClock":
        """Both clocks when the game ends at `now_ms` without a move."""
        if not isinstance(self.control, ClockControl) or not self.running:
            return self
        left_ms = max(0, self.left_ms(self.turn) - max(0, now_ms - self.turn_started_ms - outage_ms))
        return replace(self, white_ms=left_ms) if self.turn is Colour.WHITE else replace(self, black_ms=left_ms)

    def given(self, side: Colour, ms: int) -> "ChessClock":
        """The clock after the opponent gave `side` `ms` more time."""
        if side is Colour.WHITE:
            return replace(self, white_ms=self.white_ms + ms)
        return replace(self, black_ms=self.black_ms + ms)

    def running_from(self, now_ms: int) -> "ChessClock":
        """The clock started at `now_ms`, before the first move. Then the first move costs time."""
        return replace(self, started=True, turn_started_ms=max(now_ms, self.turn_started_ms))

    def gone_on(self, now_ms: int) -> "ChessClock":
        """The clock of a game that goes on without a time limit from `now_ms`."""
        return replace(self, control=Unlimited(), turn_started_ms=max(now_ms, self.turn_started_ms))

    def taken_back(self, turn: Colour, plies: int, white_ms: int, black_ms: int, now_ms: int) -> "ChessClock":
        """The clock after a takeback to `plies`: `turn` is to move, with the times of then; the turn begins now."""
        return replace(
            self,
            white_ms=white_ms,
            black_ms=black_ms,
            turn=turn,
            plies=plies,
            turn_started_ms=max(now_ms, self.turn_started_ms),
        )

    def restarted(self, now_ms: int) -> "ChessClock":
        """The clock with the current turn started again at `now_ms`."""
        return replace(self, turn_started_ms=max(now_ms, self.turn_started_ms))

    def _turn_ms(self) -> int:
        """The time the side to move had left when its turn began."""
        return self.control.turn_ms if isinstance(self.control, PerMove) else self.left_ms(self.turn)

    def left_ms(self, side: Colour) -> int:
        """The time a side had left for the game when the turn began."""
        return self.white_ms if side is Colour.WHITE else self.black_ms


@dataclass(frozen=True, slots=True)
class Outages:
    """Times (from, until; UTC ms) in which no move could be committed. They are sorted and do not overlap."""

    spans: tuple[tuple[int, int], ...] = ()

    def overlap_ms(self, start_ms: int, end_ms: int) -> int:
        """How many ms of [start_ms, end_ms) lie in outages."""
        return sum(max(0, min(end_ms, until_ms) - max(start_ms, from_ms)) for from_ms, until_ms in self.spans)

    def given_back(self, start_ms: int, at_ms: int) -> int:
        """The deadline `at_ms` of a turn that began at `start_ms`, moved later by the outages during the turn.

        An outage that begins before the moved deadline moves it again, so the spans are applied in order.
        """
        for from_ms, until_ms in self.spans:
            if until_ms <= start_ms:
                continue
            if from_ms >= at_ms:
                break
            at_ms += until_ms - max(start_ms, from_ms)
        return at_ms
