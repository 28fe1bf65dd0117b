"""People as the public API has them, and their ratings in its words and in full."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from services.gateway.answers.answer import Answer, Moment
from services.gateway.answers.games import OnlyTrue


class RatingOf(Answer, frozen=True, kw_only=True):
    """A rating in the public API's words: its deviation is `rd`, its progress `prog`, provisional `prov`."""

    games: int
    rating: int
    rd: int
    prog: int
    prov: bool


class PlayTime(Answer, frozen=True, kw_only=True):
    """Not counted here: zero."""

    total: int
    tv: int


class Counts(Answer, frozen=True, kw_only=True):
    """How many games somebody has played."""

    all: int
    rated: int
    win: int
    loss: int
    draw: int
    playing: int


class User(Answer, frozen=True, kw_only=True):
    """An account or a guest."""

    id: str
    username: str
    perfs: Annotated[dict[str, RatingOf], Meta(description="By speed, and by variant other than standard.")]
    created_at: Moment
    seen_at: Moment
    play_time: PlayTime
    url: str
    count: Counts
    online: bool
    followable: bool
    following: bool
    blocking: bool
    title: str | UnsetType = UNSET
    guest: OnlyTrue | UnsetType = UNSET


class UserStatus(Answer, frozen=True, kw_only=True):
    """Whether somebody is there."""

    id: str
    name: str
    title: str | UnsetType = UNSET
    online: OnlyTrue | UnsetType = UNSET
    playing: OnlyTrue | UnsetType = UNSET


class RatingDays(Answer, frozen=True, kw_only=True):
    """How a rating went, a point a day."""

    name: str
    points: Annotated[list[list[int]], Meta(description="Year, month from 0, day, rating.")]


class Rating(Answer, frozen=True, kw_only=True):
    """A rating in full."""

    variant: str
    speed: str
    rating: float
    deviation: float
    volatility: float
    games: int
    provisional: bool
    progress: int


class RatingPoint(Answer, frozen=True, kw_only=True):
    """A rating after a game."""

    variant: str
    speed: str
    rating: float
    deviation: float
    game: str
    at: Moment


class Ratings(Answer, frozen=True, kw_only=True):
    """Somebody's ratings, and how they came to be."""

    id: str
    ratings: list[Rating]
    history: Annotated[list[RatingPoint], Meta(description="Oldest first.")]


class HeldToken(Answer, frozen=True, kw_only=True):
    """Whose token it is, and what it may do."""

    user_id: str
    scopes: Annotated[str, Meta(description="Separated by commas.")]
    expires: Moment | None


class Credential(Answer, frozen=True, kw_only=True):
    """A player with a token."""

    id: str
    username: str
    guest: bool
    token: str


class PersonalToken(Answer, frozen=True, kw_only=True):
    """A new token; it is shown once."""

    token: str
    scopes: list[str]
