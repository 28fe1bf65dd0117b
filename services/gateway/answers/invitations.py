"""Invitations and seeks as the public API has them, and a player's stream of events."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from services.domain.colour import Colour
from services.domain.time_control import Speed
from services.gateway.answers.answer import Answer, Moment, Seconds, Sides
from services.gateway.answers.games import Compat, NamedVariant, OnlyTrue, OwnGame, Perf
from services.gateway.protocol.server_frames import ShownRules

ChallengeStatus = Literal["created", "accepted", "declined", "canceled", "offline"]
AllRules = Annotated[ShownRules, Meta(description="All fields, where no preset's name tells them.")]


class _AskedTime(Answer, frozen=True, kw_only=True, tag_field="type"):
    """`type` names the kind."""


class AskedClock(_AskedTime, frozen=True, kw_only=True, tag="clock"):
    """A clock, in seconds."""

    limit: Seconds
    increment: Seconds
    show: Annotated[str, Meta(description="For people: minutes + seconds.")]


class AskedPerMove(_AskedTime, frozen=True, kw_only=True, tag="perMove"):
    """Seconds for each turn."""

    seconds_per_turn: int
    show: str


class AskedDays(_AskedTime, frozen=True, kw_only=True, tag="correspondence"):
    """Days for each turn."""

    days_per_turn: int


class AskedUnlimited(_AskedTime, frozen=True, kw_only=True, tag="unlimited"):
    """No limit."""


AskedTime = AskedClock | AskedPerMove | AskedDays | AskedUnlimited


class Invited(Answer, frozen=True, kw_only=True):
    """A side of an invitation."""

    id: str
    name: str
    title: str | None
    rating: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    online: bool
    guest: OnlyTrue | UnsetType = UNSET


class PerfIcon(Answer, frozen=True, kw_only=True):
    """What a game counts for."""

    icon: str
    name: str


class OpenTo(Answer, frozen=True, kw_only=True):
    """Who may accept an open link: anybody, or these two."""

    user_ids: list[str] | UnsetType = UNSET


class Challenge(Answer, frozen=True, kw_only=True):
    """An invitation."""

    id: Annotated[str, Meta(description="Also of the game that it becomes.")]
    url: str
    status: ChallengeStatus
    challenger: Invited | None
    dest_user: Annotated[Invited | None, Meta(description="Null for an open link.")]
    variant: NamedVariant
    rated: bool
    speed: Speed
    time_control: AskedTime
    color: Annotated[Sides, Meta(description="Asked for by the challenger.")]
    final_color: Colour
    perf: PerfIcon
    rule_set: str
    rule_set_fields: AllRules | UnsetType = UNSET
    created_at: Moment
    expires_at: Moment
    direction: Literal["in", "out"] | UnsetType = UNSET
    initial_fen: str | UnsetType = UNSET
    rematch_of: str | UnsetType = UNSET
    counter_to: Annotated[str, Meta(description="The challenge that it answers.")] | UnsetType = UNSET
    decline_reason: Annotated[str, Meta(description="For people.")] | UnsetType = UNSET
    decline_reason_key: str | UnsetType = UNSET
    open: OpenTo | UnsetType = UNSET
    url_white: str | UnsetType = UNSET
    url_black: str | UnsetType = UNSET
    name: str | UnsetType = UNSET


class Challenges(Answer, frozen=True, kw_only=True):
    """The open invitations of somebody, newest first."""

    incoming: list[Challenge] = field(name="in")
    outgoing: list[Challenge] = field(name="out")


class ChallengeDone(Answer, frozen=True, kw_only=True):
    """The last line of a challenge's stream."""

    done: Literal["accepted", "declined", "canceled"]


class AskedRematch(Answer, frozen=True, kw_only=True):
    """A rematch that was asked for, or that has begun."""

    challenge: Challenge | None
    game: OwnGame | None


class Seeker(Answer, frozen=True, kw_only=True):
    """Who looks for an opponent."""

    id: str
    name: str
    title: str | None
    rating: int | UnsetType = UNSET
    guest: OnlyTrue | UnsetType = UNSET


class Seek(Answer, frozen=True, kw_only=True):
    """Somebody looks for an opponent."""

    id: str
    player: Seeker
    variant: NamedVariant
    rated: bool
    speed: Speed
    perf: Perf
    time_control: AskedTime
    color: Annotated[Sides, Meta(description="The seeker's.")]
    rating_range: Annotated[str | None, Meta(description="As 1500-1800; null for any.")]
    rule_set: str
    rule_set_fields: AllRules | UnsetType = UNSET
    created_at: Moment
    mine: bool


class Seeks(Answer, frozen=True, kw_only=True):
    """The seeks that wait, newest first."""

    seeks: list[Seek]


class Seeking(Answer, frozen=True, kw_only=True):
    """A seek that waits, or the game that it has become."""

    id: str
    game: str | UnsetType = UNSET


class SeekLine(Answer, frozen=True, kw_only=True):
    """Never sent: all lines are empty, until a game has begun."""


class _PlayerEvent(Answer, frozen=True, kw_only=True, tag_field="type"):
    """`type` names what has happened."""


class GameStart(_PlayerEvent, frozen=True, kw_only=True, tag="gameStart"):
    """A game has begun, or goes on."""

    game: OwnGame


class GameFinish(_PlayerEvent, frozen=True, kw_only=True, tag="gameFinish"):
    """A game is over."""

    game: OwnGame


class Challenged(_PlayerEvent, frozen=True, kw_only=True, tag="challenge"):
    """An invitation is open."""

    challenge: Challenge
    compat: Compat


class ChallengeCanceled(_PlayerEvent, frozen=True, kw_only=True, tag="challengeCanceled"):
    """An invitation was taken back."""

    challenge: Challenge
    compat: Compat


class ChallengeDeclined(_PlayerEvent, frozen=True, kw_only=True, tag="challengeDeclined"):
    """An invitation was declined."""

    challenge: Challenge
    compat: Compat


PlayerEvent = GameStart | GameFinish | Challenged | ChallengeCanceled | ChallengeDeclined
"""A line of a player's stream of events."""
