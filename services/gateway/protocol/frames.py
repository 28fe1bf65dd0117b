"""Frames from the client, each declared once. Parsing, refusals, the schema and the page's types come from here.

msgspec parses the text into the declared type. When it refuses a text, the same declarations are checked field by
field, to say in plain words what is wrong and where.
"""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
import orjson
from msgspec import UNSET, Meta, Struct, UnsetType, inspect

from services.domain.level import LEVELS
from services.domain.text import Text, say
from services.runtime.command_limits import CommandLimits

PLY_MAX = 100_000
VERSION_MAX = 2**53
"""The largest integer that browsers keep exactly."""

_ID = r"^[A-Za-z0-9_-]{1,32}$(?!\n)"
_is_id = re.compile(_ID).search
_DEFAULTS = CommandLimits.model_construct()


def is_id(text: str) -> bool:
    """Whether this text may be the id of a game or of a command."""
    return _is_id(text) is not None


def _text(most: str) -> Meta:
    """A text of at least one character. `most` names the setting with the greatest length."""
    return Meta(min_length=1, extra={"most": most}, extra_json_schema={"maxLength": getattr(_DEFAULTS, most)})


def _line(most: str) -> Meta:
    """The same in one line, with visible characters. Blanks at both ends are removed."""
    limit = getattr(_DEFAULTS, most)
    return Meta(min_length=1, extra={"most": most, "line": True}, extra_json_schema={"maxLength": limit})


def _between(least: str, most: str) -> Meta:
    """A number between the values of the settings `least` and `most`."""
    limits = {"minimum": getattr(_DEFAULTS, least), "maximum": getattr(_DEFAULTS, most)}
    return Meta(extra={"least": least, "most": most}, extra_json_schema=limits)


Id = Annotated[str, Meta(pattern=_ID)]
Version = Annotated[int, Meta(ge=0, le=VERSION_MAX)]
MoveText = Annotated[str, _text("move_chars_max")]
Room = Literal["player", "spectator"]


class FrameError(Exception):
    """A frame that cannot be read. `at` is the field (or the place in the text), `id` the frame's id if it has one."""

    def __init__(self, text: Text, at: str = "", id: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.at = at
        self.id = id


class _Frame(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    """`t` names the type; a field that is not declared is refused."""


class Auth(_Frame, frozen=True, tag="auth"):
    """Sign in."""

    # The limit is the size of a frame: only the code that resolves tokens knows their length.
    token: Annotated[str, Meta(min_length=1)]
    seq: Version | UnsetType = UNSET


class Sub(_Frame, frozen=True, tag="sub"):
    """Watch a game from a version on; 0 for none."""

    game: Id
    v: Version


class Unsub(_Frame, frozen=True, tag="unsub"):
    """Stop watching a game."""

    game: Id


class _Command(_Frame, frozen=True):
    game: Id
    id: Id


class Move(_Command, frozen=True, tag="move"):
    """Play a move."""

    move: MoveText
    ply: Annotated[int, Meta(ge=0, le=PLY_MAX)]
    draw: bool = False


class Resign(_Command, frozen=True, tag="resign"):
    """Resign a game."""


class Abort(_Command, frozen=True, tag="abort"):
    """Abort a game."""


class Draw(_Command, frozen=True, tag="draw"):
    """Offer or accept a draw, or claim one that is due."""


class Claim(_Command, frozen=True, tag="claim"):
    """Claim a draw that is due; with a move, for the position that it would make."""

    move: MoveText | UnsetType = UNSET


class NoDraw(_Command, frozen=True, tag="nodraw"):
    """Decline or withdraw a draw offer."""


class Takeback(_Command, frozen=True, tag="takeback"):
    """Ask to take one's last move back, or accept the opponent's request."""


class NoTakeback(_Command, frozen=True, tag="notakeback"):
    """Decline or withdraw a takeback request."""


class Undo(_Command, frozen=True, tag="undo"):
    """Undo one's last move and the computer's answer."""


class Win(_Command, frozen=True, tag="win"):
    """Claim a win after a flag fall, a passed limit or an absence; or a draw when the opponent has left."""

    draw: bool = False


class GoOn(_Command, frozen=True, tag="goon"):
    """After a flag fall: offer to go on without a clock, or accept the offer."""


class GiveTime(_Command, frozen=True, tag="givetime"):
    """Give the opponent time."""

    seconds: Annotated[int, _between("given_s_min", "given_s_most")]


class Level(_Command, frozen=True, tag="level"):
    """Change the computer's level."""

    level: Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])]


class Hint(_Command, frozen=True, tag="hint"):
    """Ask what the computer would play."""


class ReturnSeat(_Command, frozen=True, tag="seat"):
    """Take one's seat back from a computer."""


class Chat(_Command, frozen=True, tag="chat"):
    """Send a chat line."""

    text: Annotated[str, _line("chat_chars_max")]
    room: Room


class Ping(_Frame, frozen=True, tag="p"):
    """A ping; the server answers with a pong."""

    n: int | float | UnsetType = UNSET


GameFrame = (
    Move
    | Resign
    | Abort
    | Draw
    | Claim
    | NoDraw
    | Takeback
    | NoTakeback
    | Undo
    | Win
    | GoOn
    | GiveTime
    | Level
    | ReturnSeat
)
"""Frames that are commands of a game."""
ClientFrame = Auth | Sub | Unsub | GameFrame | Hint | Chat | Ping

CLIENT_FRAMES: tuple[type[Struct], ...] = get_args(ClientFrame)


def parse(text: str, limits: CommandLimits) -> ClientFrame:
    """Read one frame. Raises FrameError. The content of a move or a token is checked elsewhere."""
    try:
        frame: ClientFrame = _read(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise _explained(text, limits, str(error)) from None
    for name, least, most in _LIMITED.get(type(frame), ()):
        value = getattr(frame, name)
        measure = len(value) if type(value) is str else value
        if value is not UNSET and not (getattr(limits, least) if least else 1) <= measure <= getattr(limits, most):
            raise _explained(text, limits, name)
    if isinstance(frame, Chat):
        line = frame.text.strip()
        if not line.isprintable() or not line:
            raise _explained(text, limits, "text")
        return Chat(frame.game, frame.id, line, frame.room)
    if isinstance(frame, Ping) and type(frame.n) is int and not -(2**63) <= frame.n < 2**64:
        return Ping(float(frame.n))
    return frame


class _Field(NamedTuple):
    """A field as it is declared, for the sentence that says what is wrong with it."""

    name: str
    required: bool
    types: tuple[type, ...]
    mistyped: Callable[[str], Text]
    declared: inspect.Type
    least: str = ""
    most: str = ""
    line: bool = False

    def fault(self, value: Any, limits: CommandLimits) -> Text | None:
        """What is wrong with this value; None when it is valid."""
        declared = self.declared
        if type(value) not in self.types:
            return self.mistyped(self.name)
        if isinstance(declared, inspect.StrType):
            if declared.pattern is not None:
                return None if is_id(value) else say("request.field_id", name=self.name)
            most = getattr(limits, self.most) if self.most else None
            if not value or (most is not None and len(value) > most):
                if most is None:
                    return say("request.field_empty", name=self.name)
                return say("request.field_length", name=self.name, most=most)
            if self.line and not (value.strip() and value.strip().isprintable()):
                return say("request.field_line", name=self.name)
        elif isinstance(declared, inspect.IntType):
            lowest = getattr(limits, self.least) if self.least else declared.ge
            highest = getattr(limits, self.most) if self.most else declared.le
            if not lowest <= value <= highest:
                return say("request.field_range", name=self.name, least=str(lowest), most=str(highest))
        elif isinstance(declared, inspect.LiteralType) and value not in declared.values:
            return say("request.field_choice", name=self.name, choices=", ".join(map(str, declared.values)))
        return None


_WORDS: Mapping[type[inspect.Type], tuple[tuple[type, ...], Callable[[str], Text]]] = {
    inspect.StrType: ((str,), lambda name: say("request.field_text", name=name)),
    inspect.LiteralType: ((str,), lambda name: say("request.field_text", name=name)),
    inspect.IntType: ((int,), lambda name: say("request.field_integer", name=name)),
    inspect.BoolType: ((bool,), lambda name: say("request.field_boolean", name=name)),
    inspect.UnionType: ((int, float), lambda name: say("request.field_number", name=name)),
}


def _field(field: inspect.Field) -> _Field:
    declared: inspect.Type = field.type
    extra: dict[str, Any] = {}
    if isinstance(declared, inspect.Metadata):
        extra, declared = declared.extra or {}, declared.type
    return _Field(field.encode_name, field.required, *_WORDS[type(declared)], declared, **extra)


_read: Callable[[str], Any] = msgspec.json.Decoder(ClientFrame).decode
_DECLARED = [told for told in map(inspect.type_info, CLIENT_FRAMES) if isinstance(told, inspect.StructType)]
_FIELDS = {str(told.tag): tuple(map(_field, told.fields)) for told in _DECLARED}
_LIMITED = {
    told.cls: tuple((field.name, field.least, field.most) for field in fields if field.most)
    for told, fields in zip(_DECLARED, _FIELDS.values(), strict=True)
    if any(field.most for field in fields)
}
"""The fields whose limits are settings."""


def _explained(text: str, limits: CommandLimits, cause: str) -> FrameError:
    """The error that says why this text is not a valid frame."""
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return FrameError(say("request.no_json", reason=error.msg), f"character {error.pos}")
    if type(fields) is not dict:
        return FrameError(say("request.frame_is_no_object"))
    text_of_fault, at = _fault(fields, limits) or (say("request.frame_unreadable", reason=cause[:80]), "")
    id = fields.get("id")
    return FrameError(text_of_fault, at, id if type(id) is str and is_id(id) else None)


def _fault(fields: dict[str, Any], limits: CommandLimits) -> tuple[Text, str] | None:
    kind = fields.pop("t", None)
    if type(kind) is not str:
        return say("request.frame_type_missing"), "t"
    if kind not in _FIELDS:
        return say("request.frame_type_unknown", type=kind[:20]), "t"
    left = dict(fields)
    for field in _FIELDS[kind]:
        if field.name in left:
            if (wrong := field.fault(left.pop(field.name), limits)) is not None:
                return wrong, field.name
        elif field.required:
            return say("request.field_missing", name=field.name), field.name
    if left:
        name = next(iter(left))
        return say("request.frame_field_unknown", type=kind, name=name[:20]), name[:40]
    return None
