"""Players and their tokens in PostgreSQL. Every function works in the caller's transaction.

Players' rows are locked together, in order of id, before any other row of a player is changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.game.play.person import BOT_TITLE, Person, Record
from services.game.store.schema import closed_name
from services.game.store.schema import game as game_table
from services.game.store.schema import player as player_table
from services.game.store.schema import token as token_table
from services.pb.flagfall.v1.common_pb2 import (
    COLOR_BLACK,
    COLOR_WHITE,
    END_REASON_ABANDONED,
    END_REASON_ABORT,
    END_REASON_NO_FIRST_MOVE,
)

TEXTS = pg.ARRAY(sa.Text)

_PERSON = (
    player_table.c.id,
    player_table.c.name,
    player_table.c.title,
    player_table.c.guest,
    player_table.c.created_ms,
    player_table.c.seen_ms,
)

_OPEN = player_table.c.closed_ms.is_(None)
"""A closed account does not count as a player."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner of a token, and its scopes."""

    person: Person
    scopes: tuple[str, ...]
    created_ms: int


def person_of(row: Any, prefix: str = "") -> Person:
    """A person from the columns of a row, whose names are those of the table with `prefix` before them."""
    return Person(*(getattr(row, prefix + name) for name in ("id", "name", "title", "guest", "created_ms", "seen_ms")))


def among(column: sa.ColumnElement[str], ids: Sequence[str]) -> sa.ColumnElement[bool]:
    """The condition that `column` is one of `ids`. The parameter is one array, so the statement text never changes."""
    return column == sa.any_(sa.bindparam(None, sorted(set(ids)), type_=TEXTS))


async def insert_player(connection: AsyncConnection, person: Person, password_hash: str | None) -> bool:
    """Insert a player; False if the id is taken."""
    statement = (
        pg.insert(player_table)
        .values(
            id=person.id,
            name=person.name,
            title=person.title,
            guest=person.guest,
            password_hash=password_hash,
            created_ms=person.created_ms,
            seen_ms=person.seen_ms,
        )
        .on_conflict_do_nothing(index_elements=[player_table.c.id])
        .returning(player_table.c.id)
    )
    return (await connection.execute(statement)).first() is not None


async def find(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, Person]:
    """The existing players of `ids`, by id."""
    rows = await connection.execute(sa.select(*_PERSON).where(among(player_table.c.id, ids), _OPEN))
    return {row.id: person_of(row) for row in rows}


async def lock(connection: AsyncConnection, ids: Sequence[str]) -> dict[str, Person]:
    """The existing players of `ids`, by id. Their rows are locked until the end of the transaction."""
    statement = (
        sa.select(*_PERSON)
        .where(among(player_table.c.id, ids), _OPEN)
        .order_by(player_table.c.id)
        .with_for_update(key_share=True)
    )
    return {row.id: person_of(row) for row in await connection.execute(statement)}


async def password_of(connection: AsyncConnection, player_id: str) -> tuple[Person, str | None] | None:
    """A player and the stored password hash (None: no password); None if there is no such player."""
    statement = sa.select(*_PERSON, player_table.c.password_hash).where(player_table.c.id == player_id, _OPEN)
    row = (await connection.execute(statement)).first()
    return None if row is None else (person_of(row), row.password_hash)


async def set_password(connection: AsyncConnection, player_id: str, before: str | None, after: str) -> bool:
    """Replace the password hash if it still is `before` (None: in any case); returns whether it was replaced."""
    statement = sa.update(player_table).where(player_table.c.id == player_id).values(password_hash=after)
    if before is not None:
        statement = statement.where(player_table.c.password_hash == before)
    return (await connection.execute(statement)).rowcount == 1


async def delete_tokens(connection: AsyncConnection, player_id: str) -> None:
    """Delete all tokens of a player."""
    await connection.execute(sa.delete(token_table).where(token_table.c.player_id == player_id))


async def set_title(connection: AsyncConnection, player_id: str, title: str) -> None:
    """Set the title of a player."""
    await connection.execute(sa.update(player_table).where(player_table.c.id == player_id).values(title=title))


async def bots(connection: AsyncConnection, limit: int) -> list[Person]:
    """At most `limit` bots, sorted by id."""
    statement = sa.select(*_PERSON).where(player_table.c.title == sa.literal_column(f"'{BOT_TITLE}'"), _OPEN)
    return [person_of(row) for row in await connection.execute(statement.order_by(player_table.c.id).limit(limit))]


async def touch(connection: AsyncConnection, ids: Sequence[str], now_ms: int, period_ms: int) -> None:
    """Store `now_ms` as last seen for players whose value is older than `period_ms`. Locked rows are skipped."""
    due = (
        sa.select(player_table.c.id)
        .where(among(player_table.c.id, ids), player_table.c.seen_ms < now_ms - period_ms)
        .order_by(player_table.c.id)
        .with_for_update(key_share=True, skip_locked=True)
        .cte("due")
    )
    statement = sa.update(player_table).where(player_table.c.id == due.c.id).values(seen_ms=now_ms)
    await connection.execute(statement)


_RECORDS = sa.text(f"""
    SELECT asked.id,
           count(*) AS games,
           count(*) FILTER (WHERE g.end_reason = 0) AS playing,
           count(*) FILTER (WHERE g.winner = g.side) AS wins,
           count(*) FILTER (WHERE g.winner NOT IN (0, g.side)) AS losses,
           count(*) FILTER (WHERE g.end_reason <> 0 AND g.winner = 0) AS draws
    FROM unnest(:ids) AS asked(id),
    LATERAL (
        SELECT end_reason, winner, {COLOR_WHITE:d} AS side FROM game WHERE white_id = asked.id
        UNION ALL
        SELECT end_reason, winner, {COLOR_BLACK:d} AS side FROM game WHERE black_id = asked.id
    ) AS g
    WHERE g.end_reason NOT IN ({END_REASON_ABORT:d}, {END_REASON_NO_FIRST_MOVE:d}, {END_REASON_ABANDONED:d})
    GROUP BY asked.id
""").bindparams(sa.bindparam("ids", type_=TEXTS))


async def records(connection: AsyncConnection, ids: Sequence[str]) -> Mapping[str, Record]:
    """The game counts of each player of `ids` that has games, by id."""
    rows = await connection.execute(_RECORDS, {"ids": sorted(set(ids))})
    return {row.id: Record(row.games, row.wins, row.losses, row.draws, row.playing) for row in rows}


async def has_games(connection: AsyncConnection, player_id: str) -> bool:
    """Whether any stored game, running or finished, is the player's."""
    sides = sa.or_(game_table.c.white_id == player_id, game_table.c.black_id == player_id)
    return bool((await connection.execute(sa.select(sa.exists().where(sides)))).scalar())


async def ongoing(connection: AsyncConnection, player_id: str) -> int:
    """The number of a player's running games."""
    going_on = game_table.c.end_reason == sa.literal_column("0")
    halves = [
        sa.select(sa.func.count()).where(column == player_id, going_on).scalar_subquery()
        for column in (game_table.c.white_id, game_table.c.black_id)
    ]
    return int((await connection.execute(sa.select(halves[0] + halves[1]))).scalar_one())


async def holders(connection: AsyncConnection, hashes: Sequence[bytes]) -> dict[bytes, Holder]:
    """The owners of the tokens with these hashes, by hash."""
    statement = (
        sa.select(
            token_table.c.hash, token_table.c.scopes, token_table.c.created_ms.label("token_created_ms"), *_PERSON
        )
        .join(player_table, player_table.c.id == token_table.c.player_id)
        .where(token_table.c.hash == sa.any_(sa.bindparam("hashes", type_=pg.ARRAY(sa.LargeBinary))))
    )
    rows = await connection.execute(statement, {"hashes": list(hashes)})
    return {bytes(row.hash): Holder(person_of(row), tuple(row.scopes), row.token_created_ms) for row in rows}


async def count_tokens(connection: AsyncConnection, player_id: str) -> int:
    """The number of a player's tokens."""
    statement = sa.select(sa.func.count()).where(token_table.c.player_id == player_id)
    return int((await connection.execute(statement)).scalar_one())


async def insert_token(
    connection: AsyncConnection,
    token_hash: bytes,
    player_id: str,
    scopes: Sequence[str],
    description: str,
    sign_in: bool,
    now_ms: int,
) -> None:
    """Insert a token."""
    await connection.execute(
        sa.insert(token_table).values(
            hash=token_hash,
            player_id=player_id,
            scopes=list(scopes),
            description=description,
            sign_in=sign_in,
            created_ms=now_ms,
        )
    )


async def drop_oldest_sign_in(connection: AsyncConnection, player_id: str) -> bool:
    """Delete the oldest token of a player that was made by signing in; False if there is none."""
    oldest = (
        sa.select(token_table.c.hash)
        .where(token_table.c.player_id == player_id, token_table.c.sign_in)
        .order_by(token_table.c.created_ms, token_table.c.hash)
        .limit(1)
        .scalar_subquery()
    )
    removed = await connection.execute(
        sa.delete(token_table).where(token_table.c.hash == oldest).returning(token_table.c.hash)
    )
    return removed.first() is not None


async def delete_token(connection: AsyncConnection, token_hash: bytes) -> None:
    """Delete a token, if it exists."""
    await connection.execute(sa.delete(token_table).where(token_table.c.hash == token_hash))


async def keep_name(connection: AsyncConnection, name: str) -> None:
    """Reserve this name for ever. Only its SHA-256 is stored."""
    await connection.execute(sa.insert(closed_name).values(hash=_name_hash(name)))


async def name_is_kept(connection: AsyncConnection, name: str) -> bool:
    """Whether an account of this name was closed. Such a name is never given to another player."""
    statement = sa.select(sa.exists().where(closed_name.c.hash == _name_hash(name)))
    return bool((await connection.execute(statement)).scalar())


def _name_hash(name: str) -> bytes:
    return sha256(name.lower().encode()).digest()
