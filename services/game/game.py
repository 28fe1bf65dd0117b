"""A game as a value: what never changes (`Terms`) and what each version changes (`Game`)."""

from dataclasses import dataclass, field

from services.domain.clock import ChessClock, ClockLimits, Deadline
from services.domain.colour import Colour
from services.domain.outcome import Claim, Outcome
from services.domain.rule_set import RuleSet
from services.domain.time_control import TimeControl

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

    @property
    def ply(self) -> int:
        """Half-moves played in this game, whatever its first position's move number."""
        return self.clock.plies

    @property
    def turn(self) -> Colour:
        """The side to move."""
        return self.standing.turn

    def deadline(self, limits: ClockLimits) -> Deadline | None:
        """When this version's time is up, outages not given back; None when over or untimed."""
        return None if self.outcome is not None else self.clock.deadline(limits)

    @property
    def computer_turn_level(self) -> int:
        """The computer's level when it is its turn, otherwise 0."""
        return 0 if self.outcome is not None else self.terms.seat(self.turn).computer_level


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server's settings add to every game's terms."""

    day_ms: int
    first_move_ms: int
    flag_grace_ms: int
    _people: ClockLimits = field(init=False, repr=False, compare=False)
    _computer: ClockLimits = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_people", ClockLimits(self.day_ms, self.first_move_ms))
        object.__setattr__(self, "_computer", ClockLimits(self.day_ms, None))

    def of(self, terms: Terms) -> ClockLimits:
        """The limits of one game: nobody waits for a first move against the computer."""
        return self._computer if terms.against_computer else self._people
