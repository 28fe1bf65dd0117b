"""A turn of the computer: the content of a task, and the keys by which its repeats are recognised."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b

from services.domain.chaturanga import CHATURANGA, ChaturangaRules
from services.pb.flagfall.v1 import events_pb2
from services.runtime import tracing
from services.workers.levels import level_of


@dataclass(frozen=True, slots=True)
class Turn:
    """The computer must move in a game at a ply, in a position (FEN), at a level.

    `takebacks` distinguishes turns: after a takeback the same ply and position may come again as another turn.
    """

    game_id: str
    ply: int
    fen: str
    level: int
    takebacks: int = 0
    since_ms: int = field(default=0, compare=False)
    """When the turn began, in UTC milliseconds of the database; 0 if unknown."""
    trace: str = field(default="", compare=False)
    """The traceparent of the turn's event; empty if there is none."""

    @property
    def position_key(self) -> str:
        """A short hash of the position; it is the same in every process."""
        return blake2b(self.fen.encode(), digest_size=8).hexdigest()

    @property
    def task_key(self) -> str:
        """While this key exists in Redis, a task for this turn is queued or done."""
        return f"flagfall:turn:{self.game_id}:{self.ply}:{self.position_key}:{self.takebacks}:{self.level}"

    @property
    def command_id(self) -> str:
        """The id of the move's command. A worker that plays this turn again gets the first answer."""
        return f"turn-{self.ply}-{self.position_key}-{self.takebacks}"


@dataclass(frozen=True, slots=True)
class HintAsked:
    """A player in a game against the computer asks for a hint in this position."""

    game_id: str
    ply: int
    fen: str
    takebacks: int = 0

    @property
    def task_key(self) -> str:
        """While this key exists in Redis, this hint is not queued again."""
        return f"flagfall:hint:{self.game_id}:{self.ply}:{self.takebacks}"


@dataclass(frozen=True, slots=True)
class Position:
    """All data to find a move. `moves` (UCI) lead from `initial_fen` (empty: the variant's start) to the position."""

    variant: str
    initial_fen: str
    moves: tuple[str, ...]
    fen: str
    legal: tuple[str, ...]
    chaturanga: ChaturangaRules = CHATURANGA
    mode: str = "unknown"
    """The kind of the game's time control, for metrics only."""


def turn_of(state: events_pb2.GameState) -> Turn | None:
    """The computer's turn in this state, or None."""
    if state.status != events_pb2.GAME_STATUS_STARTED or state.computer_turn_level <= 0:
        return None
    return Turn(state.game_id, state.ply, state.fen, state.computer_turn_level, state.takebacks, state.at_ms)


def hint_asked(event: events_pb2.GameEvent) -> HintAsked | None:
    """The hint that an event asks for, or None."""
    state = event.state
    if event.kind != events_pb2.GAME_EVENT_KIND_HINTED or state.status != events_pb2.GAME_STATUS_STARTED:
        return None
    return HintAsked(state.game_id, state.ply, state.fen, state.takebacks)


def newest_turns(states: Iterable[events_pb2.GameState]) -> list[Turn]:
    """The computer's turns in the newest state (highest version) of each game."""
    newest: dict[str, events_pb2.GameState] = {}
    for state in states:
        known = newest.get(state.game_id)
        if known is None or state.version > known.version:
            newest[state.game_id] = state
    return [turn for state in newest.values() if (turn := turn_of(state)) is not None]


def to_payload(turn: Turn | HintAsked) -> dict[str, str | int]:
    """The payload of the task."""
    return asdict(turn)


def from_payload(payload: object) -> Turn:
    """The turn in a task's payload. Raises ValueError if a field is missing or has a wrong type."""
    match payload:
        case {"game_id": str(game_id), "ply": int(ply), "fen": str(fen), "level": int(level), **more}:
            number = level_of(level).number
            trace = more.get("trace")
            return Turn(
                game_id,
                ply,
                fen,
                number,
                _number(more, "takebacks"),
                _number(more, "since_ms"),
                trace if isinstance(trace, str) and tracing.TRACEPARENT.fullmatch(trace) else "",
            )
    raise ValueError(f"not a turn: {payload!r:.200}")


def hint_from_payload(payload: object) -> HintAsked:
    """The hint in a task's payload. Raises ValueError if a field is missing or has a wrong type."""
    match payload:
        case {"game_id": str(game_id), "ply": int(ply), "fen": str(fen), **more}:
            return HintAsked(game_id, ply, fen, _number(more, "takebacks"))
    raise ValueError(f"not a hint: {payload!r:.200}")


def _number(more: Mapping[object, object], name: str) -> int:
    """A field that tasks of older dispatchers lack; 0 if missing."""
    number = more.get(name, 0)
    if not isinstance(number, int):
        raise ValueError(f"{name}: {number!r:.50}")
    return number
