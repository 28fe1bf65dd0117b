"""A game as a value: what never changes (`Terms`), and one version (`Game`)."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from services.domain.clock import ChessClock, ClockLimits, Deadline, DeadlineKind, both_have_moved
from services.domain.colour import Colour
from services.domain.outcome import Claim, Outcome
from services.domain.rule_set import RuleSet
from services.domain.time_control import ClockControl, TimeControl

T = TypeVar("T")

COMPUTER_ID = "computer"
"""The player id of the computer, whatever its level."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side. `computer_level` is 1-10 for the computer and 0 for a person.

    `player_id` is empty in an imported game: its players have a name but no account here.
    """

    player_id: str
    name: str
    title: str = ""
    guest: bool = False
    computer_level: int = 0
    rating: int = 0
    """The rating for the game's variant and speed when the game began, rounded; 0 for none."""
    provisional: bool = False


def computer_seat(level: int) -> Seat:
    """The seat of the computer at a level, 1 to 10."""
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
    """The id of the game that this one is a rematch of, or empty."""
    party_id: str = ""
    """The id of the party in which this game is played, or empty."""

    def seat(self, side: Colour) -> Seat:
        """Who plays `side`."""
        return self.white if side is Colour.WHITE else self.black

    def side_of(self, player_id: str) -> Colour | None:
        """The side of a player in this game, or None. The seats of an imported game belong to no player."""
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
    """A position with what the rules service says about it: legal moves, possible claims, outcome."""

    fen: str
    keys: bytes
    turn: Colour
    check: bool
    legal: str
    claims: frozenset[Claim]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Pause:
    """The flag of `flagged` fell and the other side decides. `outcome` is the result it may take: a win or a draw."""

    flagged: Colour
    since_ms: int
    outcome: Outcome
    going_on_offered: bool = False


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """One value for each side."""

    white: T
    black: T

    def of(self, side: Colour) -> T:
        """The value of `side`."""
        return self.white if side is Colour.WHITE else self.black

    def with_(self, side: Colour, value: T) -> "Both[T]":
        """A copy with another value for `side`."""
        return Both(value, self.black) if side is Colour.WHITE else Both(self.white, value)


ZEROS = Both(0, 0)


@dataclass(frozen=True, slots=True)
class Extra:
    """Fields that few games use. The rules of each are with the commands that change it."""

    pause: Pause | None = None
    takeback_offer: Colour | None = None
    without_clock: bool = False
    """The game continues without a clock after a flag fall."""
    unrated: bool = False
    """The game began as rated, and no longer counts for ratings."""
    held: Both[int] = ZEROS
    """The level of the computer that plays for an absent player, for each side; 0 for none."""
    level: int = 0
    """The computer's new level, if the player changed it after the game was made; otherwise 0."""
    helped: bool = False
    takebacks: int = 0
    given_ms: Both[int] = ZEROS
    """The time in ms that each side got from the other."""
    draw_offered: Both[int] = ZEROS
    """The half-move, from 1, of each side's last draw offer. An offer of the opponent resets it to 0 (none)."""
    takeback_offered: Both[int] = ZEROS
    """The same for takeback requests."""
    clocks_started: bool = False
    """The clocks run before the first move."""
    rest_ms: int = 0
    """How long the clock of this correspondence turn stands still for the player's vacations, in ms."""
    rests_until_ms: int = 0
    """The end (UTC ms) of the last vacation that `rest_ms` contains; 0 for none."""
    rating_diff: Both[int] | None = None


NO_EXTRA = Extra()


@dataclass(frozen=True, slots=True)
class Game:
    """One version of a game. `outcome` is None while the game goes on."""

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
    """No deadline of this game can pass before this time in ms (`ChessClock.look_ms`)."""
    extra: Extra = NO_EXTRA

    @property
    def rated(self) -> bool:
        """Whether this game counts for ratings."""
        return self.terms.rated and not self.extra.unrated

    def side_of(self, player_id: str) -> Colour | None:
        """The side of a player, or None. For the computer it is the seat in which it plays for an absent player."""
        if player_id == COMPUTER_ID and self.extra is not NO_EXTRA:
            for side in Colour:
                if self.extra.held.of(side):
                    return side
        return self.terms.side_of(player_id)

    @property
    def ply(self) -> int:
        """The number of half-moves played in this game; the move number of the first position does not matter."""
        return self.clock.plies

    @property
    def both_have_moved(self) -> bool:
        """Whether both sides have moved: from then on a game ends with a result."""
        return both_have_moved(self.clock.plies)

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return self.standing.turn

    @property
    def stands(self) -> bool:
        """Whether the clock of this turn stands still: it is the computer's, and waits for a worker.

        The move says for how long a worker thought, and only that is charged. So a computer loses on time by its own
        thinking alone: when it has used up all its time, its flag falls in its next turn.
        """
        if not self.terms.seat(self.turn).computer_level:
            return False
        return not isinstance(self.clock.control, ClockControl) or self.clock.left_ms(self.turn) > 0

    def deadline(self, limits: "Limits") -> Deadline | None:
        """The deadline of this version, without time given back for outages; None if over, untimed or standing."""
        if self.outcome is not None:
            return None
        if self.extra.pause is not None:
            return Deadline(self.extra.pause.since_ms + limits.decision_ms, DeadlineKind.DECISION)
        deadline = None if self.stands else self.clock.deadline(limits.of(self.terms))
        if deadline is None or not self.extra.rest_ms:
            return deadline
        return Deadline(deadline.at_ms + self.extra.rest_ms, deadline.kind)

    @property
    def deadline_from_ms(self) -> int:
        """The time in ms from which `deadline` is counted."""
        return self.clock.turn_started_ms if self.extra.pause is None else self.extra.pause.since_ms

    @property
    def computer_turn_level(self) -> int:
        """The computer's level if it is the computer's turn, otherwise 0."""
        if self.outcome is not None or self.extra.pause is not None:
            return 0
        return self.terms.seat(self.turn).computer_level or self.extra.held.of(self.turn)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits from the server's settings, equal for all games."""

    day_ms: int
    first_move_ms: int
    flag_grace_ms: int
    decision_ms: int = 120_000
    """Time for the decision on a fallen flag."""
    claim_days: int = 7
    """Days to claim a correspondence game after its limit has passed; then the server ends the game."""
    idle_days: int = 14
    """Days without a move after which an untimed game may be claimed."""
    reminder_ms: int = 0
    """The reminder comes this long before a correspondence limit; 0 for no reminder."""
    undo_ms: int = 86_400_000
    """Moves can be undone for this long after the end of a game against the computer."""
    given_ms_max: int = 3_600_000
    """The most time that one side may get from the other in a game."""
    gone_ms: int = 5_000
    """A player who left the page counts as away after this time; a reload takes less."""
    absence_ms: int = 60_000
    """The opponent may claim after this absence."""
    seat_ms: int = 20_000
    """A computer may take the seat after this absence."""
    abandoned_ms: int = 600_000
    """A game is aborted after both players have been away for this time."""
    seat_level: int = 5
    """The level of the computer that takes a seat."""
    _people: ClockLimits = field(init=False, repr=False, compare=False)
    _computer: ClockLimits = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_people", ClockLimits(self.day_ms, self.first_move_ms, self.reminder_ms))
        object.__setattr__(self, "_computer", ClockLimits(self.day_ms, None, self.reminder_ms))

    def of(self, terms: Terms) -> ClockLimits:
        """The limits of one game. A game against the computer has no limit for the first move."""
        return self._computer if terms.against_computer else self._people
