"""Games as the public API has them: in lists and events, as lines of streams, and exported."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from services.domain.colour import Colour
from services.domain.time_control import Speed
from services.gateway.answers.answer import Answer, Moment, Seconds
from services.gateway.protocol.server_frames import Pause

StatusName = Literal[
    "created",
    "started",
    "aborted",
    "mate",
    "resign",
    "stalemate",
    "timeout",
    "draw",
    "outoftime",
    "unknownFinish",
    "variantEnd",
]
Perf = Annotated[str, Meta(description="The key of the rating: a speed, or a variant other than standard.")]
OnlyTrue = Annotated[bool, Meta(description="Only when true.")]
AtStart = Annotated[int, Meta(description="When the game began, where there is one.")]
ByTheGame = Annotated[int, Meta(description="What the end did to the rating.")]
Level = Annotated[int, Meta(description="The computer's, 1-10.")]


class NamedVariant(Answer, frozen=True, kw_only=True):
    """A variant, and its names."""

    key: Annotated[str, Meta(description="A variant's key, or `fromPosition` for standard chess from a position.")]
    name: str
    short: str


class Status(Answer, frozen=True, kw_only=True):
    """Where a game stands: its number and its name."""

    id: int
    name: StatusName


class Side(Answer, frozen=True, kw_only=True):
    """A player of a game that is streamed."""

    id: Annotated[str | None, Meta(description="Null for the computer, and in imported games.")]
    name: str
    title: str | None
    ai_level: Level | UnsetType = UNSET
    rating: AtStart | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    rating_diff: ByTheGame | UnsetType = UNSET


class NamedUser(Answer, frozen=True, kw_only=True):
    """Who somebody is."""

    id: str
    name: str
    title: str | UnsetType = UNSET


class ShownSide(Answer, frozen=True, kw_only=True):
    """A player of a game that is exported or watched. Of the computer there is `aiLevel` alone, of an import `name`."""

    user: NamedUser | UnsetType = UNSET
    name: str | UnsetType = UNSET
    ai_level: Level | UnsetType = UNSET
    rating: AtStart | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    rating_diff: ByTheGame | UnsetType = UNSET


class ShownSides(Answer, frozen=True, kw_only=True):
    """Both players of such a game."""

    white: ShownSide
    black: ShownSide


class KnownSide(Answer, frozen=True, kw_only=True):
    """A player of a game among people."""

    user_id: str | UnsetType = UNSET
    ai_level: Level | UnsetType = UNSET
    rating: AtStart | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET


class KnownSides(Answer, frozen=True, kw_only=True):
    """Both players of a game among people."""

    white: KnownSide
    black: KnownSide


class Opponent(Answer, frozen=True, kw_only=True):
    """Whom somebody plays."""

    id: Annotated[str | None, Meta(description="Null for the computer.")]
    username: str
    ai: Level | UnsetType = UNSET
    rating: AtStart | UnsetType = UNSET
    rating_diff: ByTheGame | UnsetType = UNSET
    title: str | UnsetType = UNSET


class Compat(Answer, frozen=True, kw_only=True):
    """Which clients can play: all."""

    bot: bool
    board: bool


class OwnGame(Answer, frozen=True, kw_only=True):
    """A game as one of its players sees it."""

    id: str
    game_id: str
    full_id: str
    color: Colour
    fen: str
    has_moved: bool
    is_my_turn: bool
    last_move: Annotated[str, Meta(description="In UCI; empty before the first move.")]
    opponent: Opponent
    perf: Perf
    rated: bool
    source: str
    status: Status
    speed: Speed
    variant: NamedVariant
    rule_set: str
    compat: Compat
    rating: AtStart | UnsetType = UNSET
    rating_diff: ByTheGame | UnsetType = UNSET
    seconds_left: Seconds | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET


class NowPlaying(Answer, frozen=True, kw_only=True):
    """The games that go on."""

    now_playing: list[OwnGame]
    nb_my_turn: Annotated[int, Meta(description="How many of all games wait for the player.")]


class ComputerGame(Answer, frozen=True, kw_only=True):
    """A game against the computer that has begun."""

    id: str
    full_id: str
    variant: NamedVariant
    speed: Speed
    perf: Perf
    rated: bool
    fen: str
    turns: Annotated[int, Meta(description="Half-moves played.")]
    source: str
    status: Status
    created_at: Moment
    player: Annotated[Colour | None, Meta(description="The side to move.")]
    color: Annotated[Colour, Meta(description="The person's side.")]


class Expiration(Answer, frozen=True, kw_only=True):
    """The time for a first move, in ms."""

    idle_millis: int
    millis_to_move: int


class Moved(Answer, frozen=True, kw_only=True, tag_field="type", tag="gameState"):
    """The line of a game's stream after each change."""

    moves: Annotated[str, Meta(description="All moves in UCI.")]
    wtime: Annotated[int, Meta(description="White's ms left.")]
    btime: Annotated[int, Meta(description="Black's ms left.")]
    winc: Annotated[int, Meta(description="White's increment in ms.")]
    binc: Annotated[int, Meta(description="Black's increment in ms.")]
    status: StatusName
    winner: Colour | UnsetType = UNSET
    wdraw: OnlyTrue | UnsetType = UNSET
    bdraw: OnlyTrue | UnsetType = UNSET
    wtakeback: OnlyTrue | UnsetType = UNSET
    btakeback: OnlyTrue | UnsetType = UNSET
    paused: Pause | UnsetType = UNSET
    expiration: Expiration | UnsetType = UNSET
    rematch: Annotated[str, Meta(description="The id of the rematch, in the first line alone.")] | UnsetType = UNSET


class PerfName(Answer, frozen=True, kw_only=True):
    """A rating's name for people."""

    name: str


class GameClock(Answer, frozen=True, kw_only=True):
    """A clock: in ms in the line `gameFull`."""

    initial: int
    increment: int


class GameFull(Answer, frozen=True, kw_only=True, tag_field="type", tag="gameFull"):
    """The first line of a game's stream."""

    id: str
    variant: NamedVariant
    speed: Speed
    perf: PerfName
    rated: bool
    created_at: Moment
    white: Side
    black: Side
    initial_fen: Annotated[str, Meta(description="`startpos` for the variant's own array.")]
    rule_set: str
    state: Moved
    clock: GameClock | UnsetType = UNSET
    seconds_per_turn: int | UnsetType = UNSET
    days_per_turn: int | UnsetType = UNSET


class RoomLine(Answer, frozen=True, kw_only=True, tag_field="type", tag="chatLine"):
    """A line of chat in a game's stream."""

    room: Literal["player", "spectator"]
    username: str
    text: str


class HintLine(Answer, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """What the computer would play, for whoever asked."""

    ply: int
    uci: str
    san: str


class OpponentGone(Answer, frozen=True, kw_only=True, tag_field="type", tag="opponentGone"):
    """The opponent has left, or is back."""

    gone: bool
    claim_win_in_seconds: Annotated[int, Meta(description="Where it can be claimed.")] | UnsetType = UNSET


GameLine = GameFull | Moved | RoomLine | HintLine | OpponentGone
"""A line of a game's stream."""


class ShownClock(Answer, frozen=True, kw_only=True):
    """The clock of a game that is exported or listed, in seconds."""

    initial: int
    increment: int
    total_time: Annotated[int, Meta(description="What one side needs for a whole game, as an estimate.")]


class PlayedGame(Answer, frozen=True, kw_only=True):
    """A game as it is exported."""

    id: str
    rated: bool
    variant: str
    rule_set: str
    speed: Speed
    perf: Perf
    created_at: Moment
    last_move_at: Moment
    status: StatusName
    source: str
    players: ShownSides
    winner: Colour | UnsetType = UNSET
    initial_fen: str | UnsetType = UNSET
    moves: Annotated[str, Meta(description="In SAN.")] | UnsetType = UNSET
    clock: ShownClock | UnsetType = UNSET
    clocks: Annotated[list[int], Meta(description="After each move, in hundredths of a second.")] | UnsetType = UNSET
    seconds_per_turn: int | UnsetType = UNSET
    days_per_turn: int | UnsetType = UNSET
    pgn: str | UnsetType = UNSET


class WatchedGame(Answer, frozen=True, kw_only=True):
    """The first and the last line of a stream of moves."""

    id: str
    variant: NamedVariant
    speed: Speed
    perf: Perf
    rated: bool
    initial_fen: str
    fen: str
    player: Annotated[Colour | None, Meta(description="The side to move.")]
    turns: Annotated[int, Meta(description="Half-moves played.")]
    started_at_turn: int
    source: str
    status: Status
    created_at: Moment
    rule_set: str
    players: ShownSides
    last_move: Annotated[str, Meta(description="In UCI.")] | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET


class WatchedPosition(Answer, frozen=True, kw_only=True):
    """A line of such a stream: a position."""

    fen: str
    lm: Annotated[str, Meta(description="The last move in UCI.")] | UnsetType = UNSET
    wc: Annotated[int, Meta(description="White's seconds left.")] | UnsetType = UNSET
    bc: Annotated[int, Meta(description="Black's seconds left.")] | UnsetType = UNSET


class AmongGame(Answer, frozen=True, kw_only=True):
    """A game between two of some people, when it begins and when it ends."""

    id: str
    rated: bool
    variant: str
    speed: Speed
    perf: Perf
    created_at: Moment
    status: int
    status_name: StatusName
    players: KnownSides
    initial_fen: str | UnsetType = UNSET
    clock: ShownClock | UnsetType = UNSET
    seconds_per_turn: int | UnsetType = UNSET
    days_per_turn: int | UnsetType = UNSET
    winner: Colour | UnsetType = UNSET


class Imported(Answer, frozen=True, kw_only=True):
    """A game that was imported, and its page."""

    id: str
    url: str
