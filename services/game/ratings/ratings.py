"""Ratings: which games count, how the commit of a game's end changes ratings, and reads of ratings.

The event of a game's end contains the rating differences, and the statement that saves the end writes the event. So the
ratings are computed before, in the same transaction: `settle` locks the games that will be saved, then their players'
ratings, and puts the differences into games and events. `Settled.keep` writes the ratings afterwards. To save first and
change the events later would write both rows twice, and the outbox row would refer to an incomplete event.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.rating import START, Rating, RatingKey, both_after, grows
from services.domain.rule_set import RatedDraw
from services.domain.time_control import TimeControl, speed_of
from services.domain.variant import Variant
from services.game.play.game import Both, Game, Seat
from services.game.ratings import sql_ratings
from services.game.ratings.sql_ratings import Owned, Point
from services.game.store.database import single, transaction
from services.game.store.sql_store import Save

PROGRESS_GAMES = 12
"""The progress of a rating is its change over this many games, as in the public API."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A batch whose finished rated games contain their rating differences, and the new ratings, not yet written."""

    saves: Sequence[Save]
    held: frozenset[str] | None = None
    """The ids of the games that are locked for the save; None if no rating changes."""
    ratings: Mapping[Owned, Rating] = field(default_factory=dict)
    points: Sequence[Point] = ()

    async def keep(self, connection: AsyncConnection, saved: set[str]) -> None:
        """Write the ratings. Raises RuntimeError if `saved` differs from `held`, so that nothing is committed."""
        if self.held is None:
            return
        if self.held != saved:
            raise RuntimeError(f"held games {sorted(self.held)}, saved {sorted(saved)}")
        if self.points:
            await sql_ratings.keep(connection, self.ratings, self.points)


@dataclass(frozen=True, slots=True)
class Perf:
    """A current rating, and its change over the last games."""

    key: RatingKey
    rating: Rating
    progress: int


def shown(rating: Rating) -> int:
    """A rating as displayed: rounded."""
    return round(rating.value)


def key_of(variant: str, control: TimeControl) -> RatingKey:
    """The rating that a game of this variant and time control counts for; without a clock: correspondence."""
    return RatingKey(Variant(variant), speed_of(control))


def counts(game: Game) -> bool:
    """Whether this finished game has rating differences: a rated game of two accounts that was not aborted.

    A takeback, a computer in a seat, or going on after a flag fall has already made the game unrated. A draw may still
    leave the ratings alone: see `moves_ratings`.
    """
    white, black = game.terms.white, game.terms.black
    ended = game.outcome is not None and not game.outcome.reason.aborts
    accounts = _has_rating(white) and _has_rating(black) and white.player_id != black.player_id
    return game.rated and ended and accounts


def moves_ratings(game: Game) -> bool:
    """Whether a game that counts changes ratings. A draw may leave ratings alone (rule set field `rated_draw`)."""
    drawn = game.outcome is not None and game.outcome.winner is None
    return not (drawn and game.terms.rule_set.rated_draw is RatedDraw.LEAVES_RATINGS)


def owners(game: Game) -> tuple[Owned, Owned]:
    """The keys of White's and Black's rating that a game counts for."""
    terms = game.terms
    key = key_of(terms.variant, terms.control)
    return Owned(terms.white.player_id, key), Owned(terms.black.player_id, key)


def rate(
    games: Iterable[Game], ratings: Mapping[Owned, Rating]
) -> tuple[dict[str, Both[int]], dict[Owned, Rating], list[Point]]:
    """Compute the rating changes of games that count, in order of their ends.

    Returns the differences of the displayed ratings by game id, the changed ratings, and the points of the history. A
    game with a player whose rating is not in `ratings` changes nothing.
    """
    differences: dict[str, Both[int]] = {}
    changed: dict[Owned, Rating] = {}
    points: list[Point] = []
    for game in sorted(games, key=lambda game: (game.ended_ms or 0, game.terms.id)):
        pair = owners(game)
        if not moves_ratings(game):
            differences[game.terms.id] = Both(0, 0)
            continue
        if not all(owned in ratings for owned in pair):
            continue
        assert game.outcome is not None, "only games that ended count"
        before = [changed.get(owned) or ratings[owned] for owned in pair]
        after = both_after(before[0], before[1], game.outcome.winner, game.ended_ms or 0)
        for owned, rating in zip(pair, after, strict=True):
            changed[owned] = rating
            points.append(Point(owned, game.terms.id, rating.games, rating.at_ms, rating.value, rating.deviation))
        white, black = (shown(new) - shown(old) for new, old in zip(after, before, strict=True))
        differences[game.terms.id] = Both(white, black)
    return differences, changed, points


async def settle(connection: AsyncConnection, saves: Sequence[Save]) -> Settled:
    """Compute the rating changes of a batch. Locks games and ratings in the caller's transaction.

    Ratings that the conditional answers of the batch will need are locked at the same time, because locking them later
    would break the order of locks.
    """
    counting = [save.change.game for save in saves if counts(save.change.game)]
    if not counting:
        return Settled(saves)
    held = await sql_ratings.hold_games(connection, saves)
    games = [game for game in counting if game.terms.id in held]
    later = [save.then.change.game for save in saves if save.then is not None and save.change.game.terms.id in held]
    ends = [*games, *filter(counts, later)]
    moving = {owned for game in ends if moves_ratings(game) for owned in owners(game)}
    ratings = await sql_ratings.hold(connection, moving) if moving else {}
    differences, changed, points = rate(games, ratings)
    told = [_telling(save, differences.get(save.change.game.terms.id)) for save in saves]
    return Settled(told, frozenset(held), changed, points)


def _telling(save: Save, difference: Both[int] | None) -> Save:
    """The save with the rating difference in its game and in its event, which is also part of the reply."""
    if difference is None:
        return save
    game = save.change.game
    extra = replace(game.extra, rating_diff=difference)
    save.event.add_rating_diff(difference)
    return replace(save, change=replace(save.change, game=replace(game, extra=extra)))


async def seated(
    connection: AsyncConnection, variant: str, control: TimeControl, seats: tuple[Seat, Seat], now_ms: int
) -> tuple[Seat, Seat]:
    """White's and Black's seat with their ratings at the start of the game. Guests and the computer have none."""
    key = key_of(variant, control)
    wanted = [Owned(seat.player_id, key) for seat in seats if _has_rating(seat)]
    if not wanted:
        return seats
    found = await sql_ratings.find(connection, wanted)
    white, black = (_rated_seat(seat, found.get(Owned(seat.player_id, key), START), now_ms) for seat in seats)
    return white, black


def _rated_seat(seat: Seat, rating: Rating, now_ms: int) -> Seat:
    if not _has_rating(seat):
        return seat
    return replace(seat, rating=shown(rating), provisional=grows(rating, now_ms).provisional)


def _has_rating(seat: Seat) -> bool:
    return bool(seat.player_id) and not seat.guest and seat.computer_level == 0


class Ratings:
    """Reads ratings. The methods raise the exceptions of `transaction`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = single(engine)

    async def of_players(self, ids: Sequence[str], now_ms: int) -> dict[str, list[Perf]]:
        """All ratings of these players at `now_ms`, by player id, sorted by variant and speed."""
        found: dict[str, list[Perf]] = {player_id: [] for player_id in ids}
        if not ids:
            return found
        async with transaction(self._engine) as connection:
            rows = await sql_ratings.of_players(connection, ids, PROGRESS_GAMES)
        for owned, rating, earlier in rows:
            progress = shown(rating) - round(START.value if earlier is None else earlier)
            found[owned.player_id].append(Perf(owned.key, grows(rating, now_ms), progress))
        return found

    async def history(
        self, player_id: str, variant: str, speed: str, before_ms: int, limit: int, *, daily: bool
    ) -> list[Point]:
        """The newest points of a player before `before_ms`, oldest first; `daily`: only the last of each UTC day.

        An empty variant or speed selects all.
        """
        async with transaction(self._engine) as connection:
            return await sql_ratings.history(connection, player_id, variant, speed, before_ms, limit, daily)
