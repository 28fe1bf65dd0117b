"""A game as a value: what never changes (`Terms`) and what each version changes (`Game`)."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from services.domain.clock import ChessClock, ClockLimits, Deadline, DeadlineKind, both_have_moved
from services.domain.colour import Colour
from services.domain.outcome import Claim, Outcome
from services.domain.rule_set import RuleSet
from services.domain.time_control import TimeControl

T = TypeVar("T")

COMPUTER_ID = "computer"
"""The player id of the computer, whatever its level."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side. `computer_level` is 1-10 for the computer and 0 for a person.

    `player_id` is empty for whoever an imported game says played it: a name, and nobody here.
    """

    player_id: str
    name: str
    title: str = ""
    guest: bool = False
    computer_level: int = 0
    rating: int = 0
    """For the game's variant and speed when it began, rounded; 0 for none."""
    provisional: bool = False


def computer_seat(level: int) -> Seat:
    """The computer at a level, 1 to 10."""
    return Seat(COMPUTER_ID, f"Computer level {level}", computer_level=level)


@dataclass(frozen=True, slots=True)
class Terms:
    """What never changes while a game lasts."""

    id: str
    variant: str
    rule_set: RuleSet
    control: TimeControl
    white: Seat
    black: Seat
    rated: bool
    source: str
    initial_fen: str
    created_ms: int
    rematch_of: str = ""
    """The game that this one is a rematch of, or empty."""
    party_id: str = ""
    """The party that it is played in, or empty."""

    def seat(self, side: Colour) -> Seat:
        """Who plays `side`."""
        return self.white if side is Colour.WHITE else self.black

    def side_of(self, player_id: str) -> Colour | None:
        """The side that a player has here, or None. Nobody has the seats of an imported game."""
        if not player_id:
            return None
        if player_id == self.white.player_id:
            return Colour.WHITE
        return Colour.BLACK if player_id == self.black.player_id else None

    @property
    def against_computer(self) -> bool:
        """Whether one side is the computer."""
        return self.white.computer_level > 0 or self.black.computer_level > 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A position to move from, as the rules service sees it."""

    fen: str
    keys: bytes
    turn: Colour
    check: bool
    legal: str
    claims: frozenset[Claim]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Pause:
    """The flag of `flagged` fell and the other side decides; `outcome` is what it takes, a win or a draw."""

    flagged: Colour
    since_ms: int
    outcome: Outcome
    going_on_offered: bool = False


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """Something of each side."""

    white: T
    black: T

    def of(self, side: Colour) -> T:
        """What `side` has."""
        return self.white if side is Colour.WHITE else self.black

    def with_(self, side: Colour, value: T) -> "Both[T]":
        """The same with another value for `side`."""
        return Both(value, self.black) if side is Colour.WHITE else Both(self.white, value)


ZEROS = Both(0, 0)


@dataclass(frozen=True, slots=True)
class Extra:
    """What few games have: each of these has its rules where it is decided."""

    pause: Pause | None = None
    takeback_offer: Colour | None = None
    without_clock: bool = False
    """It went on after a flag."""
    unrated: bool = False
    """It was begun rated and counts no more."""
    held: Both[int] = ZEROS
    """Levels of the computers that hold the seats of people who are away; 0 for none."""
    level: int = 0
    """The computer's level, if it was changed after the game was made."""
    helped: bool = False
    takebacks: int = 0
    given_ms: Both[int] = ZEROS
    """Time that each side was given by the other."""
    draw_offered: Both[int] = ZEROS
    """The half-move, counted from 1, of each side's last draw offer since the other's; 0 for none."""
    takeback_offered: Both[int] = ZEROS
    """The same of takebacks."""
    clocks_started: bool = False
    """The clocks run before the first move."""
    rest_ms: int = 0
    """How long this turn of correspondence stands still, since its player is on vacation."""
    rating_diff: Both[int] | None = None


NO_EXTRA = Extra()


@dataclass(frozen=True, slots=True)
class Game:
    """One version of a game. `outcome` None means that it is going on."""

    terms: Terms
    version: int
    standing: Standing
    clock: ChessClock
    outcome: Outcome | None = None
    ended_ms: int | None = None
    draw_offer: Colour | None = None
    last_uci: str = ""
    last_san: str = ""
    look_ms: int = 0
    """No time can be up before this moment, whoever moves when (`ChessClock.look_ms`)."""
    extra: Extra = NO_EXTRA

    @property
    def rated(self) -> bool:
        """Whether it counts for ratings."""
        return self.terms.rated and not self.extra.unrated

    def side_of(self, player_id: str) -> Colour | None:
        """The side that a player has here; the computer has the seat that it holds for somebody. None for others."""
        if player_id == COMPUTER_ID and self.extra is not NO_EXTRA:
            for side in Colour:
                if self.extra.held.of(side):
                    return side
        return self.terms.side_of(player_id)

    @property
    def ply(self) -> int:
        """Half-moves played in this game, whatever its first position's move number."""
        return self.clock.plies

    @property
    def both_have_moved(self) -> bool:
        """Whether both sides have moved: from then on a game ends with a result."""
        return both_have_moved(self.clock.plies)

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return self.standing.turn

    def deadline(self, limits: "Limits") -> Deadline | None:
        """When this version's time is up, outages not given back; None when over or untimed."""
        if self.outcome is not None:
            return None
        if self.extra.pause is not None:
            return Deadline(self.extra.pause.since_ms + limits.decision_ms, DeadlineKind.DECISION)
        deadline = self.clock.deadline(limits.of(self.terms))
        if deadline is None or not self.extra.rest_ms:
            return deadline
        return Deadline(deadline.at_ms + self.extra.rest_ms, deadline.kind)

    @property
    def deadline_from_ms(self) -> int:
        """Since when the time of `deadline` runs."""
        return self.clock.turn_started_ms if self.extra.pause is None else self.extra.pause.since_ms

    @property
    def computer_turn_level(self) -> int:
        """The computer's level when it is its turn, otherwise 0."""
        if self.outcome is not None or self.extra.pause is not None:
            return 0
        return self.terms.seat(self.turn).computer_level or self.extra.held.of(self.turn)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server's settings add to every game's terms."""

    day_ms: int
    first_move_ms: int
    flag_grace_ms: int
    decision_ms: int = 120_000
    """For the decision on a fallen flag."""
    claim_days: int = 7
    """For claiming a correspondence game whose limit has passed, before it is closed."""
    idle_days: int = 14
    """After which an untimed game may be claimed."""
    reminder_ms: int = 0
    """Before a correspondence limit; 0 for no reminder."""
    undo_ms: int = 86_400_000
    """After the end of a game against the computer."""
    given_ms_max: int = 3_600_000
    """That one side may be given in a game."""
    gone_ms: int = 5_000
    """After which somebody who left the page counts as away; a reload takes less."""
    absence_ms: int = 60_000
    """After which the opponent may claim."""
    seat_ms: int = 20_000
    """After which a computer takes the seat."""
    abandoned_ms: int = 600_000
    """After which a game is aborted that both have left."""
    seat_level: int = 5
    """The level of that computer."""
    _people: ClockLimits = field(init=False, repr=False, compare=False)
    _computer: ClockLimits = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_people", ClockLimits(self.day_ms, self.first_move_ms, self.reminder_ms))
        object.__setattr__(self, "_computer", ClockLimits(self.day_ms, None, self.reminder_ms))

    def of(self, terms: Terms) -> ClockLimits:
        """The limits of one game: nobody waits for a first move against the computer."""
        return self._computer if terms.against_computer else self._people
