"""What the checker knows of a game. Times are milliseconds since the epoch, of one machine's clock: the database's,
the services' and the clients' are the same."""

from dataclasses import dataclass, field
from typing import Any

MOVE = "move"
STARTED = "started"
TAKEN_BACK = "takenBack"
PAUSED = "paused"
GIVEN_MS = 15_000
"""The time that a player gives at once."""


@dataclass(frozen=True, slots=True)
class Control:
    """`clock` with both numbers, `correspondence` and `perMove` with the length of a turn, or `unlimited`."""

    kind: str
    initial_ms: int = 0
    increment_ms: int = 0
    turn_ms: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One committed version, as its row in the database has it."""

    version: int
    kind: str
    at_ms: int
    status: str
    ply: int
    fen: str
    reason: str = ""
    winner: str | None = None
    uci: str = ""
    san: str = ""
    clock_ms: int = 0
    """The mover's clock after the move."""
    white_ms: int = 0
    black_ms: int = 0
    player: str = ""
    command: str = ""
    by: str = ""
    """The side that the event is about."""
    takebacks: int = 0
    unrated: bool = False
    diffs: tuple[int, int] | None = None
    """The change of the ratings by the end."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game's row and its events in order of version."""

    id: str
    control: Control
    created_ms: int
    white: str
    black: str
    against_computer: bool
    version: int
    ply: int
    fen: str
    reason: str
    """Empty while the game goes on."""
    computer_to_move: bool
    events: tuple[Event, ...]
    rated: bool = False
    """As it began."""
    decides: bool = False
    """Whether a fallen flag pauses, and the opponent decides."""
    rematch_of: str = ""

    @property
    def over(self) -> bool:
        """Whether the row says that it has ended."""
        return self.reason != ""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time: an outage in the database, or one made by a fault."""

    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of the stack that the arithmetic needs."""

    grace_ms: int
    first_move_ms: int
    gap_ms: int
    late_ms: int
    """How late a flag may be while processes are killed."""
    expiry_late_ms: int
    """The same for a correspondence limit, which a sweep sees to."""
    decision_ms: int = 8_000
    gone_ms: int = 5_000
    seat_ms: int = 8_000
    absence_ms: int = 15_000
    noted_ms: int = 1_500
    """How old a presence entry may be."""


@dataclass(slots=True)
class Command:
    """One command of a client: `text` is the move, or the kind of any other."""

    id: str
    kind: str
    text: str
    ply: int
    version: int
    """The version the client saw when it first sent this."""
    sent_ms: int
    """When it was last sent."""
    acked: int | None = None
    refused: str = ""
    answered_ms: int = 0
    sendings: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """A version as a client saw it."""

    kind: str
    status: str
    ply: int
    fen: str
    uci: str
    san: str


@dataclass(slots=True)
class Lines:
    """Conditional moves as they were set: the answer to each move of the opponent at a half-move."""

    ply: int
    answers: dict[str, str]
    sent_ms: int
    acked_ms: int | None = None


@dataclass(slots=True)
class Seat:
    """The record of one client in one game."""

    game_id: str
    player: str
    colour: str
    commands: dict[str, Command] = field(default_factory=dict)
    seen: dict[int, Seen] = field(default_factory=dict)
    wholes: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """Versions of whole games that were sent, with their moves."""
    here: list[tuple[int, int | None]] = field(default_factory=list)
    """The spans in which it was connected and had the game."""
    left: list[int] = field(default_factory=list)
    """When it left the page."""
    lines: list[Lines] = field(default_factory=list)
    closed: list[tuple[int, int]] = field(default_factory=list)
    """When a connection ended, and with which code of the server's."""
    complaints: list[str] = field(default_factory=list)
    """Errors that the client detected: a gap, different answers to one command, an unknown refusal."""

    @property
    def version(self) -> int:
        """The last version seen."""
        return max(max(self.seen, default=0), max((version for version, _ in self.wholes), default=0))


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation of a guarantee."""

    what: str
    game_id: str = ""
    detail: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For the JSON line."""
        return {"what": self.what, "game": self.game_id, "detail": self.detail}
