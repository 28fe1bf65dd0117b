"""Frames to the client, each declared once: the schema and the page's types come from here, and tests check with them.

Short frames are made from these structs. Frames with a game in them are made in `shapes` directly from messages,
because building structs would slow down each move. The tests parse each of those by its declaration here.
"""

from typing import TYPE_CHECKING, Annotated, Literal, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from services.domain.chaturanga import ChaturangaRules
from services.domain.colour import Colour
from services.domain.outcome import Claim, EndReason
from services.domain.refusal import RefusalCode
from services.domain.rule_set import RuleSet
from services.domain.variant import Variant
from services.gateway.protocol.frames import Room

Ms = Annotated[int, Meta(description="Milliseconds.")]
Time = Annotated[int, Meta(description="Server time, in ms since 1970.")]
Kind = Literal[
    "created",
    "move",
    "drawOffered",
    "drawClosed",
    "takebackOffered",
    "takebackClosed",
    "takenBack",
    "paused",
    "goingOnOffered",
    "wentOn",
    "timeGiven",
    "levelChanged",
    "seatTaken",
    "seatReturned",
    "hinted",
    "clocksStarted",
    "ended",
]
AffairKind = Literal[
    "reminder", "challenge", "challengeCanceled", "challengeDeclined", "gameStart", "gameFinish", "party"
]


class _Shape(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Part of a frame. A field that is not set is left out; the server may add fields, so more are no fault."""


class _Frame(_Shape, frozen=True, kw_only=True, tag_field="t"):
    """`t` names the type."""


class _TimeControl(_Shape, frozen=True, kw_only=True, tag_field="type"):
    """`type` names the kind."""


class Clock(_TimeControl, frozen=True, kw_only=True, tag="clock"):
    """A time for all moves, and what each adds."""

    initial: Ms
    increment: Ms


class PerMove(_TimeControl, frozen=True, kw_only=True, tag="perMove"):
    """A time for each turn."""

    turn: Ms


class Correspondence(_TimeControl, frozen=True, kw_only=True, tag="correspondence"):
    """Days for each turn."""

    days: int


class Unlimited(_TimeControl, frozen=True, kw_only=True, tag="unlimited"):
    """All the time there is."""


TimeControl = Clock | PerMove | Correspondence | Unlimited


def _shown(name: str, rules: type, doc: str, **inner: type[Struct]) -> type[Struct]:
    fields = [(field, inner.get(field, kind)) for field, kind in get_type_hints(rules).items()]
    return defstruct(
        name, fields, bases=(_Shape,), namespace={"__doc__": doc}, frozen=True, kw_only=True, rename="camel"
    )


if TYPE_CHECKING:
    ShownRules = Struct
else:
    ShownRules = _shown(
        "ShownRules",
        RuleSet,
        "Every field of a rule set.",
        chaturanga=_shown("ShownChaturanga", ChaturangaRules, "The disputed points of Chaturanga."),
    )


class Person(_Shape, frozen=True, kw_only=True):
    """A person or the computer."""

    id: Annotated[str, Meta(description="Empty for the players of an imported game.")]
    name: str
    guest: bool
    title: Annotated[str, Meta(description="Where there is one.")] | UnsetType = UNSET
    level: Annotated[int, Meta(description="The computer's, 1-10.")] | UnsetType = UNSET


class Seated(Person, frozen=True, kw_only=True):
    """Who plays a side."""

    rating: Annotated[int, Meta(description="When the game began, where there is one.")] | UnsetType = UNSET
    provisional: Annotated[bool, Meta(description="Only when true.")] | UnsetType = UNSET


class GameInfo(_Shape, frozen=True, kw_only=True):
    """What never changes in a game, but for the computer's level."""

    id: str
    variant: Variant
    rule_set: Annotated[str, Meta(description="A preset, or custom.")]
    rules: Annotated[ShownRules, Meta(description="Where no preset's name tells all.")] | UnsetType = UNSET
    time_control: TimeControl
    white: Seated
    black: Seated
    rated: bool
    source: Literal["ai", "friend", "open", "lobby", "rematch", "party", "import"]
    initial_fen: Annotated[str | None, Meta(description="Null for the variant's own array.")]
    created_at: Time
    rematch_of: str | UnsetType = UNSET
    party: Annotated[str, Meta(description="To the two players alone.")] | UnsetType = UNSET


class LastMove(_Shape, frozen=True, kw_only=True):
    """A move in both notations."""

    uci: str
    san: str


class Clocks(_Shape, frozen=True, kw_only=True):
    """What the clocks showed at the state's `at`."""

    white: Ms
    black: Ms
    running: Annotated[Colour | None, Meta(description="Whose clock is running.")]


class Pause(_Shape, frozen=True, kw_only=True):
    """A flag fell, and the other side decides."""

    flagged: Colour
    since: Time
    going_on_offered: bool
    winner: Annotated[
        Colour | None, Meta(description="Who wins when the other side takes what is due; null for a draw.")
    ]


class Levels(_Shape, frozen=True, kw_only=True):
    """The level of the computer in each seat; null where a person has it."""

    white: int | None
    black: int | None


class RatingDiffs(_Shape, frozen=True, kw_only=True):
    """What the end did to each rating; null for one that has none."""

    white: int | None
    black: int | None


class GameState(_Shape, frozen=True, kw_only=True):
    """Where a game stands."""

    status: Literal["started", "ended", "aborted"]
    winner: Colour | None
    reason: EndReason | None
    ply: int
    fen: str
    turn: Colour
    check: bool
    last_move: LastMove | None
    clock: Annotated[Clocks | None, Meta(description="Null without a clock.")]
    at: Annotated[int, Meta(description="Server time of these clocks.")]
    deadline: Annotated[int | None, Meta(description="Server time at which the turn's time is up.")]
    draw_offer: Colour | None
    claims: list[Claim]
    legal: (
        Annotated[
            list[str],
            Meta(description="Legal moves in UCI; absent from a state that was already overtaken when it was sent."),
        ]
        | UnsetType
    ) = UNSET
    takeback_offer: Annotated[Colour, Meta(description="Who asks to take a move back.")] | UnsetType = UNSET
    paused: Pause | UnsetType = UNSET
    unrated: Annotated[bool, Meta(description="Begun rated, and counts no more; only when true.")] | UnsetType = UNSET
    seats: Annotated[Levels, Meta(description="Computers that play for somebody who is away.")] | UnsetType = UNSET
    without_clock: (
        Annotated[bool, Meta(description="Goes on without the clock that it began with; only when true.")] | UnsetType
    ) = UNSET
    helped: Annotated[bool, Meta(description="A hint was taken or a move undone; only when true.")] | UnsetType = UNSET
    takebacks: Annotated[int, Meta(description="How often moves were taken back.")] | UnsetType = UNSET
    claimable: (
        Annotated[bool, Meta(description="The turn's limit has passed, and the opponent may win; only when true.")]
        | UnsetType
    ) = UNSET
    rating_diff: RatingDiffs | UnsetType = UNSET


class PlayedMove(_Shape, frozen=True, kw_only=True):
    """One played move."""

    uci: str
    san: str
    clock: Annotated[int, Meta(description="The mover's clock after the move, in ms; 0 without a clock.")]
    by_computer: (
        Annotated[bool, Meta(description="A computer made it for whoever has the seat; only when true.")] | UnsetType
    ) = UNSET


class GameChange(_Shape, frozen=True, kw_only=True):
    """One change of a game."""

    v: int
    kind: Kind
    by: Colour | None
    state: GameState
    by_computer: (
        Annotated[bool, Meta(description="A computer made the move for whoever has the seat; only when true.")]
        | UnsetType
    ) = UNSET
    info: Annotated[GameInfo, Meta(description="With another level of the computer.")] | UnsetType = UNSET


class GameSummary(_Shape, frozen=True, kw_only=True):
    """A game in a player's own affairs."""

    id: str
    v: int
    info: GameInfo
    state: GameState


class Challenge(_Shape, frozen=True, kw_only=True):
    """An invitation."""

    id: Annotated[str, Meta(description="Also of the game that it becomes.")]
    status: Literal["created", "accepted", "declined", "canceled", "offline"]
    challenger: Seated | None
    dest: Seated | None
    variant: Variant
    rule_set: str
    rules: ShownRules | UnsetType = UNSET
    time_control: TimeControl
    rated: bool
    color: Annotated[Literal["white", "black", "random"], Meta(description="Asked for by the challenger.")]
    final_color: Colour | None
    initial_fen: str | None
    created_at: Time
    expires_at: Annotated[int | None, Meta(description="At the earliest, of a live one to a person.")]
    decline_reason: str | None
    open: bool
    name: str | None
    rematch_of: str | None
    counter_to: Annotated[str | None, Meta(description="The challenge that it answers with other terms.")]


class PartySettings(_Shape, frozen=True, kw_only=True):
    """How a party plays."""

    turn_limit: Annotated[int, Meta(description="Seconds for each turn; 0 for none.")]
    legal_marks: bool
    swap_colors: bool
    variant: Variant
    rule_set: str
    rules: ShownRules | UnsetType = UNSET


class PartyMember(Person, frozen=True, kw_only=True):
    """Somebody in a party."""

    spectator: bool
    joined_at: Time


class Party(_Shape, frozen=True, kw_only=True):
    """People who play in turns."""

    id: str
    v: int
    host: str
    settings: PartySettings
    members: list[PartyMember]
    next: Annotated[list[str], Meta(description="The two who play next; nobody while there are not two.")]
    game: str | None
    created_at: Time
    closed: bool


class Away(_Shape, frozen=True, kw_only=True):
    """How often and how long somebody was away in a game."""

    times: int
    ms: int


class Speaker(_Shape, frozen=True, kw_only=True):
    """Who said a line of chat."""

    id: str
    name: str


class Welcome(_Frame, frozen=True, kw_only=True, tag="welcome"):
    """The first frame of a connection."""

    player: Person | None
    now: Time
    protocol: int


class Full(_Frame, frozen=True, kw_only=True, tag="full"):
    """The whole game."""

    game: str
    v: int
    info: GameInfo
    state: GameState
    moves: list[PlayedMove]
    you: Colour | None


class Events(_Frame, frozen=True, kw_only=True, tag="events"):
    """What was missed, in order."""

    game: str
    events: list[GameChange]


class GameEvent(GameChange, frozen=True, kw_only=True, tag_field="t", tag="event"):
    """One change, as it happens."""

    game: str


class Ack(_Frame, frozen=True, kw_only=True, tag="ack"):
    """A command was committed. Of a line of chat only `id` and `game`."""

    id: str
    game: str
    v: int | UnsetType = UNSET
    state: GameState | UnsetType = UNSET
    repeated: Annotated[bool, Meta(description="Only when true.")] | UnsetType = UNSET


class Nack(_Frame, frozen=True, kw_only=True, tag="nack"):
    """A command was refused."""

    id: str
    game: str
    code: RefusalCode
    message: str


class Line(_Frame, frozen=True, kw_only=True, tag="chat"):
    """A line of chat."""

    game: str
    room: Room
    by: Speaker
    text: str
    at: Time


class Hinted(_Frame, frozen=True, kw_only=True, tag="hint"):
    """What the computer would play."""

    game: str
    ply: Annotated[int, Meta(description="Of the position that it is for.")]
    uci: str
    san: str


class Presence(_Frame, frozen=True, kw_only=True, tag="presence"):
    """The other player has left, or is back."""

    game: str
    side: Colour
    gone: bool
    away: Annotated[int, Meta(description="Milliseconds, while gone.")] | UnsetType = UNSET
    claim_in: Annotated[int, Meta(description="Milliseconds, where it can be claimed.")] | UnsetType = UNSET


class Absences(_Frame, frozen=True, kw_only=True, tag="absences"):
    """How often and how long each was away, once the game is over."""

    game: str
    white: Away
    black: Away


class PlayerFrame(_Frame, frozen=True, kw_only=True, tag="player"):
    """The signed-in player's own affairs."""

    kind: AffairKind
    seq: int
    challenge: Challenge | UnsetType = UNSET
    game: GameSummary | UnsetType = UNSET
    party: Party | UnsetType = UNSET
    deadline: Annotated[int, Meta(description="Of a reminder.")] | UnsetType = UNSET


class Gone(_Frame, frozen=True, kw_only=True, tag="gone"):
    """The game is not watched."""

    game: str
    code: RefusalCode
    message: str


class Fault(_Frame, frozen=True, kw_only=True, tag="error"):
    """A frame could not be read, or asks for too much."""

    code: RefusalCode
    message: str
    at: Annotated[str, Meta(description="A field, or a place in the text.")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="The frame's, where it had one.")] | UnsetType = UNSET


class Pong(_Frame, frozen=True, kw_only=True, tag="p"):
    """The answer to a ping."""

    n: int | float | UnsetType = UNSET
    now: Time


ServerFrame = (
    Welcome
    | Full
    | Events
    | GameEvent
    | Ack
    | Nack
    | Line
    | Hinted
    | Presence
    | Absences
    | PlayerFrame
    | Gone
    | Fault
    | Pong
)

SERVER_FRAMES: tuple[type[Struct], ...] = get_args(ServerFrame)
