"""Seeks in PostgreSQL. Every function works in the caller's transaction.

A seek's row is changed only by a transaction that has locked its maker's row, or only the seek's row. So pairing locks
players in their order and never waits for a seek.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.rating import START
from services.game.invitations.challenge import Wish
from services.game.lobby.seek import RATING_BOUND_MAX, Range, Seek
from services.game.store.rows import control_of, rule_set_of
from services.game.store.schema import player as player_table
from services.game.store.schema import rating as rating_table
from services.game.store.schema import seek as seek_table
from services.game.store.sql_players import among, person_of
from services.runtime.wire import (
    colour_from_pb,
    colour_to_pb,
    rule_set_to_pb,
    time_control_to_pb,
)

_PERSON = ("id", "name", "title", "guest", "created_ms", "seen_ms")
_SELECT = sa.select(seek_table, *(player_table.c[name].label(f"person_{name}") for name in _PERSON)).join_from(
    seek_table, player_table
)


def _seek_of(row: Any) -> Seek:
    return Seek(
        id=row.id,
        person=person_of(row, "person_"),
        wish=Wish(
            variant=row.variant,
            rule_set=rule_set_of(row.rule_set),
            control=control_of(row.time_control),
            rated=row.rated,
            colour=colour_from_pb(row.color),
            initial_fen="",
        ),
        rating=row.rating,
        range=Range(row.rating_min, row.rating_max),
        created_ms=row.created_ms,
        expires_ms=row.expires_ms,
    )


def _terms(wish: Wish) -> dict[str, Any]:
    """The columns that must be equal in two seeks that fit, with their values."""
    return {
        "variant": wish.variant,
        "rule_set": rule_set_to_pb(wish.rule_set).SerializeToString(deterministic=True),
        "time_control": time_control_to_pb(wish.control).SerializeToString(deterministic=True),
        "rated": wish.rated,
    }


async def lock_terms(connection: AsyncConnection, wish: Wish) -> None:
    """Lock the terms of a game until the transaction ends. Take this lock before any row.

    Without it, two players who look for the same game at once would not see each other, and both would wait.
    """
    text = repr(sorted(_terms(wish).items())).encode()
    key = int.from_bytes(blake2b(text, digest_size=8, person=b"seek").digest(), "big", signed=True)
    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.bindparam(None, key, type_=sa.BigInteger))))


async def oldest_fitting(connection: AsyncConnection, seek: Seek, now_ms: int, but: Sequence[str]) -> Seek | None:
    """The oldest seek that fits this one, without the ids in `but`; not locked. None if there is none."""
    row = seek_table.c
    wanted = seek.wish.colour
    fits = [row[name] == value for name, value in _terms(seek.wish).items()]
    fits += [row.player_id != seek.person.id, row.expires_ms > now_ms, sa.not_(among(row.id, but))]
    if wanted is not None:
        fits.append(row.color != int(colour_to_pb(wanted)))
    fits.append(_admits(seek.rating))
    if seek.range != Range():
        fits.append(row.rating.between(max(1, seek.range.least), seek.range.most or RATING_BOUND_MAX))
    found = await connection.execute(_SELECT.where(*fits).order_by(row.created_ms, row.id).limit(1))
    first = found.first()
    return None if first is None else _seek_of(first)


def _admits(rating: int) -> sa.ColumnElement[bool]:
    """`Range.admits` as a condition on a row."""
    row = seek_table.c
    if not rating:
        return sa.and_(row.rating_min == 0, row.rating_max == 0)
    return sa.and_(row.rating_min <= rating, sa.or_(row.rating_max == 0, row.rating_max >= rating))


async def insert(connection: AsyncConnection, seek: Seek) -> bool:
    """Insert a seek; False if its id is taken."""
    statement = (
        pg.insert(seek_table)
        .values(
            id=seek.id,
            player_id=seek.person.id,
            **_terms(seek.wish),
            live=seek.live,
            color=int(colour_to_pb(seek.wish.colour)),
            rating=seek.rating,
            rating_min=seek.range.least,
            rating_max=seek.range.most,
            created_ms=seek.created_ms,
            expires_ms=seek.expires_ms,
        )
        .on_conflict_do_nothing(index_elements=[seek_table.c.id])
        .returning(seek_table.c.id)
    )
    return (await connection.execute(statement)).first() is not None


async def find(connection: AsyncConnection, seek_id: str, now_ms: int) -> Seek | None:
    """A waiting seek, or None."""
    row = (
        await connection.execute(_SELECT.where(seek_table.c.id == seek_id, seek_table.c.expires_ms > now_ms))
    ).first()
    return None if row is None else _seek_of(row)


async def waiting(connection: AsyncConnection, now_ms: int, limit: int) -> list[Seek]:
    """At most `limit` waiting seeks, newest first."""
    statement = _SELECT.where(seek_table.c.expires_ms > now_ms)
    rows = await connection.execute(statement.order_by(seek_table.c.created_ms.desc(), seek_table.c.id).limit(limit))
    return [_seek_of(row) for row in rows]


async def take(connection: AsyncConnection, seek_id: str, now_ms: int) -> bool:
    """Remove a seek whose maker's row the caller has locked; False if it no longer waits."""
    statement = sa.delete(seek_table).where(seek_table.c.id == seek_id, seek_table.c.expires_ms > now_ms)
    return (await connection.execute(statement.returning(seek_table.c.id))).first() is not None


async def remove(connection: AsyncConnection, seek_id: str, player_id: str) -> bool:
    """Remove a player's own seek; False if there is none."""
    statement = sa.delete(seek_table).where(seek_table.c.id == seek_id, seek_table.c.player_id == player_id)
    return (await connection.execute(statement.returning(seek_table.c.id))).first() is not None


async def remove_same(connection: AsyncConnection, seek: Seek) -> None:
    """Remove the maker's older seeks for the same game, because `seek` replaces them."""
    same = [seek_table.c[name] == value for name, value in _terms(seek.wish).items()]
    await connection.execute(sa.delete(seek_table).where(seek_table.c.player_id == seek.person.id, *same))


async def counts(connection: AsyncConnection, player_id: str, now_ms: int) -> tuple[int, int]:
    """The number of a player's waiting seeks, and of all waiting seeks."""
    mine = sa.func.count().filter(seek_table.c.player_id == player_id)
    statement = sa.select(mine, sa.func.count()).select_from(seek_table).where(seek_table.c.expires_ms > now_ms)
    row = (await connection.execute(statement)).one()
    return int(row[0]), int(row[1])


async def hold(connection: AsyncConnection, seek_ids: Sequence[str], now_ms: int, until_ms: int) -> set[str]:
    """Set the expiry of these live seeks to at least `until_ms`; returns the ids that still wait.

    A seek whose row is locked (by a pairing) is skipped and counts as waiting.
    """
    row = seek_table.c
    waits = sa.select(row.id).where(among(row.id, seek_ids), row.expires_ms > now_ms)
    held = waits.where(row.live).order_by(row.id).with_for_update(key_share=True, skip_locked=True).cte("held")
    await connection.execute(sa.update(seek_table).where(row.id == held.c.id).values(expires_ms=until_ms))
    return set((await connection.execute(waits)).scalars())


async def remove_due(connection: AsyncConnection, now_ms: int, limit: int) -> int:
    """Remove at most `limit` seeks whose time has passed; returns their number. Locked rows are skipped."""
    row = seek_table.c
    due = (
        sa.select(row.id)
        .where(row.expires_ms <= now_ms)
        .order_by(row.expires_ms)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return (await connection.execute(sa.delete(seek_table).where(row.id == due.c.id))).rowcount


async def ratings(connection: AsyncConnection, player_id: str) -> Mapping[tuple[str, str], int]:
    """A player's ratings, rounded, by (variant, speed)."""
    row = rating_table.c
    rows = await connection.execute(sa.select(row.variant, row.speed, row.value).where(row.player_id == player_id))
    return {(found.variant, found.speed): round(found.value) for found in rows}


def rating_in(ratings: Mapping[tuple[str, str], int], variant: str, speed: str) -> int:
    """The rating for a game; the initial rating if the player has none yet."""
    return ratings.get((variant, speed), round(START.value))
