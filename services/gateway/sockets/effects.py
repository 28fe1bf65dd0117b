"""What a session wants done, and what it is told: the words between `session` and `websocket`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.pb.flagfall.v1 import events_pb2, game_pb2


class Now(NamedTuple):
    """Now, read once at the edge."""

    wall_ms: int
    """UTC, as clients see it."""
    steady_ms: int
    """Never goes back."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is at the other end."""

    player: events_pb2.Player
    may_play: bool


@dataclass(frozen=True, slots=True)
class Send:
    """Send a frame."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Close:
    """Send what waits, then close."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class SignIn:
    """Find out whose token this is, then call `signed_in`. No frame may be handed in before."""

    token: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Follow:
    """Hand in this player's own events after `seq` (None: from now on), and nobody else's any more."""

    player_id: str
    seq: int | None


@dataclass(frozen=True, slots=True)
class Join:
    """Listen to a game; then call `joined` or `not_joined`."""

    game_id: str
    since: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Listen to a game no longer."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Submit:
    """Send a command; then call `decided` or `undecided`."""

    id: str
    command: game_pb2.Command


@dataclass(frozen=True, slots=True)
class Say:
    """Post a line of chat; then call `posted` or `not_posted`."""

    id: str
    request: game_pb2.PostChatRequest


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for a hint; then call `hinting`, `not_hinting` or `undecided`."""

    id: str
    request: game_pb2.AskHintRequest


@dataclass(frozen=True, slots=True)
class Resumed:
    """A subscription was answered: `full` (nothing known before), `delta`, `snapshot` or `gone`."""

    result: str


Effect = Send | Close | SignIn | Follow | Join | Leave | Submit | Say | Ask | Resumed
Effects = Sequence[Effect]
