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
    """Part of a frame. A field that is not set is left out; the server may add fields, so clients accept unknown
    ones."""


class _Frame(_Shape, frozen=True, kw_only=True, tag_field="t"):
    """`t` names the type."""


class _TimeControl(_Shape, frozen=True, kw_only=True, tag_field="type"):
    """`type` names the kind."""


class Clock(_TimeControl, frozen=True, kw_only=True, tag="clock"):
    """An initial time for each side, and an increment for each move."""

    initial: Ms
    increment: Ms


class PerMove(_TimeControl, frozen=True, kw_only=True, tag="perMove"):
    """A time for each turn."""

    turn: Ms


class Correspondence(_TimeControl, frozen=True, kw_only=True, tag="correspondence"):
    """Days for each turn."""

    days: int


class Unlimited(_TimeControl, frozen=True, kw_only=True, tag="unlimited"):
    """No time limit."""


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
    title: Annotated[str, Meta(description="Only if the player has one.")] | UnsetType = UNSET
    level: Annotated[int, Meta(description="The computer's, 1-10.")] | UnsetType = UNSET


class Seated(Person, frozen=True, kw_only=True):
    """The player of a side."""

    rating: Annotated[int, Meta(description="The rating when the game began, if any.")] | UnsetType = UNSET
    provisional: Annotated[bool, Meta(description="Only when true.")] | UnsetType = UNSET


class GameInfo(_Shape, frozen=True, kw_only=True):
    """The data of a game that never changes, except the computer's level."""

    id: str
    variant: Variant
    rule_set: Annotated[str, Meta(description="A preset, or custom.")]
    rules: Annotated[ShownRules, Meta(description="Only if it is not a plain preset.")] | UnsetType = UNSET
    time_control: TimeControl
    white: Seated
    black: Seated
    rated: bool
    source: Literal["ai", "friend", "open", "lobby", "rematch", "party", "import"]
    initial_fen: Annotated[str | None, Meta(description="Null: the variant's initial position.")]
    created_at: Time
    rematch_of: str | UnsetType = UNSET
    party: Annotated[str, Meta(description="Only for the two players.")] | UnsetType = UNSET


class LastMove(_Shape, frozen=True, kw_only=True):
    """A move in both notations."""

    uci: str
    san: str


class Clocks(_Shape, frozen=True, kw_only=True):
    """Both clocks at the time `at` of the state."""

    white: Ms
    black: Ms
    running: Annotated[Colour | None, Meta(description="Whose clock is running.")]


class Pause(_Shape, frozen=True, kw_only=True):
    """A flag fell, and the other side decides."""

    flagged: Colour
    since: Time
    going_on_offered: bool
    winner: Annotated[Colour | None, Meta(description="Who wins if the result is taken; null for a draw.")]


class Levels(_Shape, frozen=True, kw_only=True):
    """The level of the computer in each seat; null where a person has it."""

    white: int | None
    black: int | None


class RatingDiffs(_Shape, frozen=True, kw_only=True):
    """The change of each rating by the end of the game; null for a player without a change."""

    white: int | None
    black: int | None


class GameState(_Shape, frozen=True, kw_only=True):
    """The state of a game."""

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
    deadline: Annotated[int | None, Meta(description="Server time at which the turn's time is over.")]
    draw_offer: Colour | None
    claims: list[Claim]
    legal: (
        Annotated[
            list[str],
            Meta(description="Legal moves in UCI; absent if a newer state existed when this was sent."),
        ]
        | UnsetType
    ) = UNSET
    takeback_offer: Annotated[Colour, Meta(description="Who asks to take a move back.")] | UnsetType = UNSET
    paused: Pause | UnsetType = UNSET
    unrated: Annotated[bool, Meta(description="Began as rated, no longer counts; only when true.")] | UnsetType = UNSET
    seats: Annotated[Levels, Meta(description="Computers that play for absent players.")] | UnsetType = UNSET
    without_clock: (
        Annotated[bool, Meta(description="The game goes on without its clock; only when true.")] | UnsetType
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
        Annotated[bool, Meta(description="A computer played it for the seat's player; only when true.")] | UnsetType
    ) = UNSET


class GameChange(_Shape, frozen=True, kw_only=True):
    """One change of a game."""

    v: int
    kind: Kind
    by: Colour | None
    state: GameState
    by_computer: (
        Annotated[bool, Meta(description="A computer played it for the seat's player; only when true.")] | UnsetType
    ) = UNSET
    info: Annotated[GameInfo, Meta(description="With the new level of the computer.")] | UnsetType = UNSET


class GameSummary(_Shape, frozen=True, kw_only=True):
    """A game in a player's own events."""

    id: str
    v: int
    info: GameInfo
    state: GameState


class Challenge(_Shape, frozen=True, kw_only=True):
    """An invitation."""

    id: Annotated[str, Meta(description="Also the id of the game after acceptance.")]
    status: Literal["created", "accepted", "declined", "canceled", "offline"]
    challenger: Seated | None
    dest: Seated | None
    variant: Variant
    rule_set: str
    rules: ShownRules | UnsetType = UNSET
    time_control: TimeControl
    rated: bool
    color: Annotated[Literal["white", "black", "random"], Meta(description="The challenger's choice.")]
    final_color: Colour | None
    initial_fen: str | None
    created_at: Time
    expires_at: Annotated[int | None, Meta(description="For a live one to a person, the earliest.")]
    decline_reason: str | None
    open: bool
    name: str | None
    rematch_of: str | None
    counter_to: Annotated[str | None, Meta(description="The challenge that this counter-offer answers.")]


class PartySettings(_Shape, frozen=True, kw_only=True):
    """The settings of a party."""

    turn_limit: Annotated[int, Meta(description="Seconds for each turn; 0 for none.")]
    legal_marks: bool
    swap_colors: bool
    variant: Variant
    rule_set: str
    rules: ShownRules | UnsetType = UNSET


class PartyMember(Person, frozen=True, kw_only=True):
    """A member of a party."""

    spectator: bool
    joined_at: Time


class Party(_Shape, frozen=True, kw_only=True):
    """People who play in turns."""

    id: str
    v: int
    host: str
    settings: PartySettings
    members: list[PartyMember]
    next: Annotated[list[str], Meta(description="The two who play next; empty without two.")]
    game: str | None
    created_at: Time
    closed: bool


class Away(_Shape, frozen=True, kw_only=True):
    """How often and for how many ms a player was away in a game."""

    times: int
    ms: int


class Speaker(_Shape, frozen=True, kw_only=True):
    """The sender of a chat line."""

    id: str
    name: str


class Welcome(_Frame, frozen=True, kw_only=True, tag="welcome"):
    """The first frame of a connection."""

    player: Person | None
    now: Time
    protocol: int


class Following(_Frame, frozen=True, kw_only=True, tag="following"):
    """From now on the player's own events are sent: every one after number `seq`."""

    seq: int


class Full(_Frame, frozen=True, kw_only=True, tag="full"):
    """The whole game."""

    game: str
    v: int
    info: GameInfo
    state: GameState
    moves: list[PlayedMove]
    you: Colour | None


class Events(_Frame, frozen=True, kw_only=True, tag="events"):
    """The events since the version of `sub`, in order."""

    game: str
    events: list[GameChange]


class GameEvent(GameChange, frozen=True, kw_only=True, tag_field="t", tag="event"):
    """One change, as it happens."""

    game: str


class Ack(_Frame, frozen=True, kw_only=True, tag="ack"):
    """A command was committed. For a chat line only `id` and `game`."""

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
    """A hint: the move that the computer would play."""

    game: str
    ply: Annotated[int, Meta(description="The ply of the hint's position.")]
    uci: str
    san: str


class Presence(_Frame, frozen=True, kw_only=True, tag="presence"):
    """The opponent has left, or is back."""

    game: str
    side: Colour
    gone: bool
    away: Annotated[int, Meta(description="Milliseconds, while gone.")] | UnsetType = UNSET
    claim_in: Annotated[int, Meta(description="Milliseconds, where it can be claimed.")] | UnsetType = UNSET


class Absences(_Frame, frozen=True, kw_only=True, tag="absences"):
    """The absences of both players, once the game is over."""

    game: str
    white: Away
    black: Away


class PlayerFrame(_Frame, frozen=True, kw_only=True, tag="player"):
    """An event of the signed-in player."""

    kind: AffairKind
    seq: int
    challenge: Challenge | UnsetType = UNSET
    game: GameSummary | UnsetType = UNSET
    party: Party | UnsetType = UNSET
    deadline: Annotated[int, Meta(description="For a reminder.")] | UnsetType = UNSET


class Gone(_Frame, frozen=True, kw_only=True, tag="gone"):
    """The game is not watched."""

    game: str
    code: RefusalCode
    message: str


class Fault(_Frame, frozen=True, kw_only=True, tag="error"):
    """A frame could not be parsed, or exceeds a limit."""

    code: RefusalCode
    message: str
    at: Annotated[str, Meta(description="A field, or a place in the text.")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="The id of the frame, if it had one.")] | UnsetType = UNSET


class Pong(_Frame, frozen=True, kw_only=True, tag="p"):
    """The answer to a ping."""

    n: int | float | UnsetType = UNSET
    now: Time


ServerFrame = (
    Welcome
    | Following
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
