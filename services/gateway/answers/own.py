"""Objects of Flagfall's own API: games in the socket's words, a player's page, progress, and what is kept of one."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from services.domain.colour import Colour
from services.gateway.answers.answer import Answer, Moment
from services.gateway.answers.games import PlayedGame
from services.gateway.answers.people import RatingPoint
from services.gateway.protocol.server_frames import GameInfo, GameState, GameSummary, Person, PlayedMove, Speaker


class Snapshot(Answer, frozen=True, kw_only=True):
    """A whole game, in the words of the socket."""

    game: str
    v: int
    info: GameInfo
    state: GameState
    moves: list[PlayedMove]
    you: Annotated[Colour | None, Meta(description="The side of whoever asks.")]


class Accepted(Answer, frozen=True, kw_only=True):
    """A command was committed."""

    version: int
    state: GameState
    repeated: Annotated[bool, Meta(description="It had been before; only when true.")] | UnsetType = UNSET


class GamesFound(Answer, frozen=True, kw_only=True):
    """A page of games that fit."""

    games: list[GameSummary]
    next: Annotated[str | None, Meta(description="What to give as `after` for more.")]


class Tally(Answer, frozen=True, kw_only=True):
    """Somebody's games by result."""

    games: int
    won: int
    lost: int
    drawn: int
    playing: int


class ShownRating(Answer, frozen=True, kw_only=True):
    """A rating as a page shows it."""

    variant: str
    speed: str
    rating: int
    deviation: int
    games: int
    provisional: bool
    progress: int


class PlayerPage(Person, frozen=True, kw_only=True):
    """Who somebody is, and how they play."""

    online: bool
    created_at: Moment
    seen_at: Moment
    record: Tally
    ratings: list[ShownRating]
    vacation_until: Moment | None


class LevelBeaten(Answer, frozen=True, kw_only=True):
    """A level of the computer that somebody has beaten."""

    variant: str
    level: int
    wins: int
    wins_without_help: int
    first: Moment


class Badge(Answer, frozen=True, kw_only=True):
    """What can be earned."""

    key: str
    name: str
    description: str
    earned: Annotated[int | None, Meta(description="Ms since 1970; null until then.")]


class Progress(Answer, frozen=True, kw_only=True):
    """How far somebody has come against the computer."""

    beaten: list[LevelBeaten]
    badges: Annotated[list[Badge], Meta(description="All, earned or not.")]


class ConditionalMoves(Answer, frozen=True, kw_only=True):
    """Moves that are played for a player should the opponent play as they foresee."""

    ply: int
    lines: list[list[str]]


class Vacation(Answer, frozen=True, kw_only=True):
    """Until when the turns of correspondence stand still. Null: there is no vacation."""

    until: Moment | None


class ChatLine(Answer, frozen=True, kw_only=True):
    """A line of chat as the public API has it."""

    text: str
    user: str


class SaidLine(Answer, frozen=True, kw_only=True):
    """A line of chat."""

    by: Speaker
    text: str
    at: Moment


class Chat(Answer, frozen=True, kw_only=True):
    """The chat beside a game."""

    room: Literal["player", "spectator"]
    lines: Annotated[list[SaidLine], Meta(description="Oldest first.")]


class Health(Answer, frozen=True, kw_only=True):
    """How the server is. There are also facts by names of their own, for people."""

    ready: bool
    """Whether this gateway takes requests; it does also while nobody can move."""
    moves: Annotated[Literal["possible", "nobody can move"], Meta(description="By a proof through all services, 1/s.")]
    neighbour: Annotated[Literal["game", "rules", "database"], Meta(description="Why nobody can move.")] | UnsetType = (
        UNSET
    )
    redis: Annotated[Literal["answers", "refuses writes", "away"], Meta(description="Moves are possible without it.")]
    computer: Annotated[str, Meta(description="The engine behind it.")] | UnsetType = UNSET


class KeptAccount(PlayerPage, frozen=True, kw_only=True, tag_field="kind", tag="account"):
    """Who somebody is."""


class KeptToken(Answer, frozen=True, kw_only=True, tag_field="kind", tag="token"):
    """A token, without its secret."""

    description: str
    scopes: list[str]
    sign_in: bool
    created_at: Moment


class KeptVacation(Answer, frozen=True, kw_only=True, tag_field="kind", tag="vacation"):
    """A time in which the turns of correspondence stood still."""

    start: Moment = field(name="from")
    until: Moment


class KeptLines(Answer, frozen=True, kw_only=True, tag_field="kind", tag="conditionalMoves"):
    """Conditional moves that wait."""

    game: str
    ply: int
    lines: Annotated[int, Meta(description="How many.")]


class KeptRatings(Answer, frozen=True, kw_only=True, tag_field="kind", tag="ratings"):
    """A part of the history of ratings."""

    history: list[RatingPoint]


class KeptProgress(Progress, frozen=True, kw_only=True, tag_field="kind", tag="progress"):
    """How far somebody has come against the computer."""


class KeptChat(Answer, frozen=True, kw_only=True, tag_field="kind", tag="chat"):
    """A line that somebody has said."""

    game: str
    room: Literal["player", "spectator"]
    text: str
    at: Moment


class KeptGame(PlayedGame, frozen=True, kw_only=True, tag_field="kind", tag="game"):
    """A game, with its moves and clocks."""


PersonalData = KeptAccount | KeptToken | KeptVacation | KeptLines | KeptRatings | KeptProgress | KeptChat | KeptGame
"""A line of what is kept of somebody; `kind` says what it is."""
