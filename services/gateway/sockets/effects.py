"""The effects that a session asks its connection for, and the values that it gets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.pb.flagfall.v1 import events_pb2, game_pb2


class Now(NamedTuple):
    """The current time, read once at the edge."""

    wall_ms: int
    """Unix time, as clients see it."""
    steady_ms: int
    """Monotonic: it never goes back."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The player at the other end of a connection."""

    player: events_pb2.Player
    may_play: bool


@dataclass(frozen=True, slots=True)
class Send:
    """Send a frame."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Close:
    """Send what is queued, then close."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class SignIn:
    """Look up the token's holder, then call `signed_in`. No frame may be handed in before that."""

    token: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Follow:
    """From now on hand in the events of this player only, those after `seq` (None: only new ones)."""

    player_id: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Join:
    """Listen to a game, then call `joined` or `not_joined`."""

    game_id: str
    since: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Stop listening to a game."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Submit:
    """Send a command, then call `decided` or `undecided`."""

    id: str
    command: game_pb2.Command


@dataclass(frozen=True, slots=True)
class Say:
    """Post a chat line, then call `posted`, `not_posted` or `undecided`."""

    id: str
    request: game_pb2.PostChatRequest


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a hint, then call `hinting`, `not_hinting` or `undecided`."""

    id: str
    request: game_pb2.AskHintRequest


@dataclass(frozen=True, slots=True)
class Resumed:
    """A subscription was answered by `full` (the client had nothing), `delta`, `snapshot` or `gone`."""

    result: str


Effect = Send | Close | SignIn | Follow | Join | Leave | Submit | Say | Ask | Resumed
Effects = Sequence[Effect]
