"""Ratings in PostgreSQL. Each function handles all its arguments together, in the caller's transaction.

Locks are taken in one order everywhere: games by id, then ratings by player, variant and speed, then players by id.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.rating import START, Rating, RatingKey
from services.domain.time_control import Speed
from services.domain.variant import Variant
from services.game.store.sql_store import Save

DAY_MS = 86_400_000

_TEXTS, _INTS, _LONGS = pg.ARRAY(sa.Text), pg.ARRAY(sa.Integer), pg.ARRAY(sa.BigInteger)
_DOUBLES = pg.ARRAY(sa.Double)


class Owned(NamedTuple):
    """The key of one player's rating: player, variant and speed."""

    player_id: str
    key: RatingKey


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a game, for the history."""

    owned: Owned
    game_id: str
    number: int
    """The number of rated games until then."""
    at_ms: int
    value: float
    deviation: float


_OWNED = {"players": _TEXTS, "variants": _TEXTS, "speeds": _TEXTS}
_WANTED = """unnest(CAST(:players AS text[]), CAST(:variants AS text[]), CAST(:speeds AS text[]))
             AS wanted(player_id, variant, speed)"""


def _statement(text: str, **types: Any) -> sa.TextClause:
    return sa.text(text).bindparams(*(sa.bindparam(name, type_=kind) for name, kind in types.items()))


def _arrays(owned: Collection[Owned]) -> dict[str, list[str]]:
    return {
        "players": [item.player_id for item in owned],
        "variants": [item.key.variant.value for item in owned],
        "speeds": [item.key.speed.value for item in owned],
    }


_HOLD_GAMES = _statement(
    """
    SELECT game.id FROM game
    JOIN unnest(CAST(:games AS text[]), CAST(:versions AS int4[]), CAST(:players AS text[]), CAST(:commands AS text[]))
         AS item(game_id, version, player_id, command_id)
      ON game.id = item.game_id
    WHERE game.version = item.version - 1 AND NOT EXISTS (
        SELECT 1 FROM game_event AS done WHERE done.game_id = item.game_id
        AND done.player_id = item.player_id AND done.command_id = item.command_id
    )
    ORDER BY game.id FOR NO KEY UPDATE OF game
    """,
    games=_TEXTS,
    versions=_INTS,
    players=_TEXTS,
    commands=_TEXTS,
)

_INSERT_MISSING = _statement(
    f"""
    INSERT INTO rating (player_id, variant, speed, value, deviation, volatility, games, at_ms)
    SELECT wanted.player_id, wanted.variant, wanted.speed, :value, :deviation, :volatility, 0, 0
    FROM {_WANTED} JOIN player ON player.id = wanted.player_id
    ORDER BY wanted.player_id, wanted.variant, wanted.speed
    ON CONFLICT DO NOTHING
    """,
    **_OWNED,
    value=sa.Double,
    deviation=sa.Double,
    volatility=sa.Double,
)

_FIND_TEXT = f"""
    SELECT rating.* FROM rating JOIN {_WANTED}
      ON rating.player_id = wanted.player_id AND rating.variant = wanted.variant AND rating.speed = wanted.speed
"""
_FIND = _statement(_FIND_TEXT, **_OWNED)
_HOLD = _statement(
    _FIND_TEXT + "ORDER BY rating.player_id, rating.variant, rating.speed FOR NO KEY UPDATE OF rating", **_OWNED
)

_KEEP = _statement(
    """
    WITH kept AS (
        UPDATE rating SET value = item.value, deviation = item.deviation, volatility = item.volatility,
                          games = item.games, at_ms = item.at_ms
        FROM unnest(CAST(:players AS text[]), CAST(:variants AS text[]), CAST(:speeds AS text[]),
                    CAST(:values AS float8[]), CAST(:deviations AS float8[]), CAST(:volatilities AS float8[]),
                    CAST(:games AS int4[]), CAST(:moments AS int8[]))
             AS item(player_id, variant, speed, value, deviation, volatility, games, at_ms)
        WHERE rating.player_id = item.player_id AND rating.variant = item.variant AND rating.speed = item.speed
    )
    INSERT INTO rating_point (player_id, game_id, variant, speed, number, at_ms, value, deviation)
    SELECT * FROM unnest(CAST(:point_players AS text[]), CAST(:point_games AS text[]), CAST(:point_variants AS text[]),
                         CAST(:point_speeds AS text[]), CAST(:numbers AS int4[]), CAST(:point_moments AS int8[]),
                         CAST(:point_values AS float8[]), CAST(:point_deviations AS float8[]))
    """,
    **_OWNED,
    values=_DOUBLES,
    deviations=_DOUBLES,
    volatilities=_DOUBLES,
    games=_INTS,
    moments=_LONGS,
    point_players=_TEXTS,
    point_games=_TEXTS,
    point_variants=_TEXTS,
    point_speeds=_TEXTS,
    numbers=_INTS,
    point_moments=_LONGS,
    point_values=_DOUBLES,
    point_deviations=_DOUBLES,
)

_OF_PLAYERS = _statement(
    """
    SELECT rating.*, earlier.value AS earlier_value
    FROM rating LEFT JOIN rating_point AS earlier
      ON earlier.player_id = rating.player_id AND earlier.variant = rating.variant AND earlier.speed = rating.speed
     AND earlier.number = rating.games - :span
    WHERE rating.player_id = ANY(CAST(:players AS text[])) AND rating.games > 0
    ORDER BY rating.player_id, rating.variant, rating.speed
    """,
    players=_TEXTS,
    span=sa.Integer,
)

_HISTORY = _statement(
    """
    SELECT * FROM rating_point AS point
    WHERE player_id = :player AND at_ms < :before_ms
      AND (:variant = '' OR variant = :variant) AND (:speed = '' OR speed = :speed)
      AND NOT (:daily AND EXISTS (
          SELECT 1 FROM rating_point AS later
          WHERE later.player_id = point.player_id AND later.variant = point.variant AND later.speed = point.speed
            AND later.number = point.number + 1 AND later.at_ms / :day_ms = point.at_ms / :day_ms
      ))
    ORDER BY at_ms DESC, number DESC LIMIT :most
    """,
    player=sa.Text,
    variant=sa.Text,
    speed=sa.Text,
    daily=sa.Boolean,
    before_ms=sa.BigInteger,
    day_ms=sa.BigInteger,
    most=sa.Integer,
)


async def hold_games(connection: AsyncConnection, saves: Sequence[Save]) -> set[str]:
    """Lock the games that `sql_store.save` will save, with its conditions and order; returns their ids."""
    rows = await connection.execute(
        _HOLD_GAMES,
        {
            "games": [save.change.game.terms.id for save in saves],
            "versions": [save.change.game.version for save in saves],
            "players": [save.command.player_id or None for save in saves],
            "commands": [save.command.command_id or None for save in saves],
        },
    )
    return set(rows.scalars())


async def hold(connection: AsyncConnection, owned: Collection[Owned]) -> dict[Owned, Rating]:
    """Lock these ratings; missing ones are inserted first. Ratings of players without a row are left out.

    The inserts run in order before any lock: a transaction that waits for another's new row has locked no rating yet.
    """
    beginning = {"value": START.value, "deviation": START.deviation, "volatility": START.volatility}
    await connection.execute(_INSERT_MISSING, _arrays(owned) | beginning)
    return {_owned(row): _rating(row) for row in await connection.execute(_HOLD, _arrays(owned))}


async def find(connection: AsyncConnection, owned: Collection[Owned]) -> dict[Owned, Rating]:
    """The existing ratings of `owned`, each as after its last game."""
    return {_owned(row): _rating(row) for row in await connection.execute(_FIND, _arrays(owned))}


async def keep(connection: AsyncConnection, ratings: Mapping[Owned, Rating], points: Sequence[Point]) -> None:
    """Write ratings that the caller has locked, and the points of their games."""
    found = list(ratings.values())
    of_points = _arrays([point.owned for point in points])
    await connection.execute(
        _KEEP,
        {
            **_arrays(ratings),
            "values": [rating.value for rating in found],
            "deviations": [rating.deviation for rating in found],
            "volatilities": [rating.volatility for rating in found],
            "games": [rating.games for rating in found],
            "moments": [rating.at_ms for rating in found],
            **{f"point_{name}": values for name, values in of_points.items()},
            "point_games": [point.game_id for point in points],
            "numbers": [point.number for point in points],
            "point_moments": [point.at_ms for point in points],
            "point_values": [point.value for point in points],
            "point_deviations": [point.deviation for point in points],
        },
    )


async def of_players(
    connection: AsyncConnection, ids: Collection[str], span: int
) -> list[tuple[Owned, Rating, float | None]]:
    """All ratings of these players, each with its value `span` games ago, or None if it has fewer games."""
    rows = await connection.execute(_OF_PLAYERS, {"players": sorted(set(ids)), "span": span})
    return [(_owned(row), _rating(row), row.earlier_value) for row in rows]


async def history(
    connection: AsyncConnection, player_id: str, variant: str, speed: str, before_ms: int, most: int, daily: bool
) -> list[Point]:
    """At most `most` newest points of a player before `before_ms`, oldest first; `daily`: the last of each UTC day."""
    asked = {"player": player_id, "variant": variant, "speed": speed, "before_ms": before_ms}
    rows = (await connection.execute(_HISTORY, asked | {"most": most, "daily": daily, "day_ms": DAY_MS})).all()
    return [Point(_owned(row), row.game_id, row.number, row.at_ms, row.value, row.deviation) for row in reversed(rows)]


def _owned(row: Any) -> Owned:
    return Owned(row.player_id, RatingKey(Variant(row.variant), Speed(row.speed)))


def _rating(row: Any) -> Rating:
    return Rating(row.value, row.deviation, row.volatility, row.games, row.at_ms)
