"""Frames from the client: JSON text to one typed value, or the reason why not (docs/protocol.md)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import orjson

from services.domain.level import LEVELS

PLY_MAX = 100_000
VERSION_MAX = 2**53
MOVE_CHARS_MAX = 16
CHAT_CHARS_MAX = 140
GIVEN_S = range(5, 61)
"""Seconds that may be given at once."""
TOKEN_CHARS_MAX = 1_024

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

T = TypeVar("T")


def is_id(text: str) -> bool:
    """Whether a client may call a game or a command so."""
    return _ID.fullmatch(text) is not None


class FrameError(Exception):
    """A frame that cannot be read. `at` is the field (or the place in the text), `id` the frame's id if it has one."""

    def __init__(self, message: str, at: str = "", id: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.id = id


@dataclass(frozen=True, slots=True)
class Auth:
    """Sign in."""

    token: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Sub:
    """Watch a game from a version on; 0 for none."""

    game: str
    v: int


@dataclass(frozen=True, slots=True)
class Unsub:
    """Stop watching a game."""

    game: str


@dataclass(frozen=True, slots=True)
class Move:
    """Play a move."""

    game: str
    id: str
    move: str
    ply: int
    draw: bool


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign a game."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Abort:
    """Abort a game."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Offer or accept a draw, or claim one that is due."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim a draw that is due; with a move, for the position that it would make."""

    game: str
    id: str
    move: str


@dataclass(frozen=True, slots=True)
class NoDraw:
    """Decline or withdraw an offer."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Takeback:
    """Ask to take the own last move back, or accept that the opponent does."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class NoTakeback:
    """Decline or withdraw that."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the own last move and its answer back, against the computer."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Win:
    """Take what waiting has earned: a win, or a draw of an opponent who has left."""

    game: str
    id: str
    draw: bool


@dataclass(frozen=True, slots=True)
class GoOn:
    """Offer, or accept, to go on without a clock after a flag fell."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the opponent time."""

    game: str
    id: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Level:
    """Let the computer play at another level."""

    game: str
    id: str
    level: int


@dataclass(frozen=True, slots=True)
class Hint:
    """Ask what the computer would play."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Seat:
    """Take the own seat back from a computer."""

    game: str
    id: str


@dataclass(frozen=True, slots=True)
class Chat:
    """Say something."""

    game: str
    id: str
    text: str
    room: str


@dataclass(frozen=True, slots=True)
class Ping:
    """A sign of life that wants one back."""

    n: int | float | None


GameFrame = (
    Move | Resign | Abort | Draw | Claim | NoDraw | Takeback | NoTakeback | Undo | Win | GoOn | GiveTime | Level | Seat
)
"""Frames that are commands of a game."""
ClientFrame = Auth | Sub | Unsub | GameFrame | Hint | Chat | Ping


def parse(text: str) -> ClientFrame:
    """Read one frame. Raises FrameError; what is inside a move or a token is judged elsewhere."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FrameError(f"This is not JSON: {error.msg}.", f"character {error.pos}") from None
    if type(value) is not dict:
        raise FrameError("A frame is a JSON object.")
    id = value.get("id")
    try:
        return _frame(value)
    except FrameError as error:
        error.id = id if type(id) is str and is_id(id) else None
        raise


def _frame(fields: dict[str, object]) -> ClientFrame:
    kind = fields.pop("t", None)
    if type(kind) is not str:
        raise FrameError("Every frame has its type in `t`, a string.", "t")
    read = _READERS.get(kind)
    if read is None:
        raise FrameError(f"There is no frame of type {kind[:20]!r}.", "t")
    frame = read(fields)
    if fields:
        name = next(iter(fields))
        raise FrameError(f"A frame {kind} has no field {name[:20]!r}.", name[:40])
    return frame


def _take(fields: dict[str, object], name: str, kind: type[T], word: str) -> T:
    if name not in fields:
        raise FrameError(f"The field {name} is missing.", name)
    value = fields.pop(name)
    if type(value) is not kind:
        raise FrameError(f"The field {name} is {word}.", name)
    return value


def _name(fields: dict[str, object], name: str) -> str:
    value = _take(fields, name, str, "a string")
    if not is_id(value):
        raise FrameError(f"The field {name} is 1-32 characters of A-Z, a-z, 0-9, _ and -.", name)
    return value


def _text(fields: dict[str, object], name: str, chars_max: int) -> str:
    value = _take(fields, name, str, "a string")
    if not 1 <= len(value) <= chars_max:
        raise FrameError(f"The field {name} has 1 to {chars_max} characters.", name)
    return value


def _whole(fields: dict[str, object], name: str, most: int, least: int = 0) -> int:
    value = _take(fields, name, int, "a whole number")
    if not least <= value <= most:
        raise FrameError(f"The field {name} is between {least} and {most}.", name)
    return value


def _maybe(fields: dict[str, object], name: str) -> bool:
    return _take(fields, name, bool, "true or false") if name in fields else False


def _auth(fields: dict[str, object]) -> Auth:
    token = _text(fields, "token", TOKEN_CHARS_MAX)
    return Auth(token, _whole(fields, "seq", VERSION_MAX) if "seq" in fields else None)


def _sub(fields: dict[str, object]) -> Sub:
    return Sub(_name(fields, "game"), _whole(fields, "v", VERSION_MAX))


def _unsub(fields: dict[str, object]) -> Unsub:
    return Unsub(_name(fields, "game"))


def _move(fields: dict[str, object]) -> Move:
    return Move(
        _name(fields, "game"),
        _name(fields, "id"),
        _text(fields, "move", MOVE_CHARS_MAX),
        _whole(fields, "ply", PLY_MAX),
        _maybe(fields, "draw"),
    )


def _claim(fields: dict[str, object]) -> Claim:
    game, id = _name(fields, "game"), _name(fields, "id")
    return Claim(game, id, _text(fields, "move", MOVE_CHARS_MAX) if "move" in fields else "")


def _win(fields: dict[str, object]) -> Win:
    return Win(_name(fields, "game"), _name(fields, "id"), _maybe(fields, "draw"))


def _give_time(fields: dict[str, object]) -> GiveTime:
    game, id = _name(fields, "game"), _name(fields, "id")
    return GiveTime(game, id, _whole(fields, "seconds", GIVEN_S[-1], GIVEN_S[0]))


def _level(fields: dict[str, object]) -> Level:
    return Level(_name(fields, "game"), _name(fields, "id"), _whole(fields, "level", LEVELS[-1], LEVELS[0]))


def _plain(kind: Callable[[str, str], ClientFrame]) -> Callable[[dict[str, object]], ClientFrame]:
    return lambda fields: kind(_name(fields, "game"), _name(fields, "id"))


def _chat(fields: dict[str, object]) -> Chat:
    game, id = _name(fields, "game"), _name(fields, "id")
    text = _text(fields, "text", CHAT_CHARS_MAX).strip()
    if not text or not text.isprintable():
        raise FrameError("The field text is one line that can be seen.", "text")
    room = _take(fields, "room", str, "a string")
    if room not in ("player", "spectator"):
        raise FrameError("The field room is player or spectator.", "room")
    return Chat(game, id, text, room)


def _ping(fields: dict[str, object]) -> Ping:
    if "n" not in fields:
        return Ping(None)
    n = fields.pop("n")
    if not (type(n) is int or type(n) is float):
        raise FrameError("The field n is a number.", "n")
    return Ping(n)


_READERS: Mapping[str, Callable[[dict[str, object]], ClientFrame]] = {
    "auth": _auth,
    "sub": _sub,
    "unsub": _unsub,
    "move": _move,
    "resign": _plain(Resign),
    "abort": _plain(Abort),
    "draw": _plain(Draw),
    "claim": _claim,
    "nodraw": _plain(NoDraw),
    "takeback": _plain(Takeback),
    "notakeback": _plain(NoTakeback),
    "undo": _plain(Undo),
    "win": _win,
    "goon": _plain(GoOn),
    "givetime": _give_time,
    "level": _level,
    "hint": _plain(Hint),
    "seat": _plain(Seat),
    "chat": _chat,
    "p": _ping,
}
