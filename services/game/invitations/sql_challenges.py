"""Challenges in PostgreSQL, each with its players' ratings. Every function works in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.rating import START, grows
from services.game.invitations.challenge import Challenge, Status, Wish
from services.game.play.person import Person
from services.game.ratings import sql_ratings
from services.game.ratings.ratings import key_of, shown
from services.game.ratings.sql_ratings import Owned
from services.game.store.schema import challenge as challenge_table
from services.game.store.schema import game as game_table
from services.game.store.schema import player as player_table
from services.game.store.sql_players import TEXTS, person_of
from services.pb.flagfall.v1 import common_pb2 as pb
from services.runtime.wire import (
    colour_from_pb,
    colour_to_pb,
    rule_set_from_pb,
    rule_set_to_pb,
    time_control_from_pb,
    time_control_to_pb,
)

_challenger = player_table.alias("challenger")
_dest = player_table.alias("dest")
_PERSON = ("id", "name", "title", "guest", "created_ms", "seen_ms")

_WAITS = challenge_table.c.status == sa.literal_column(str(int(Status.CREATED)))
_REMATCH = challenge_table.c.rematch_of != sa.literal_column("''")
"""Both conditions are written as in the partial indexes."""

_SELECT = (
    sa.select(
        challenge_table,
        *(_challenger.c[name].label(f"challenger_person_{name}") for name in _PERSON),
        *(_dest.c[name].label(f"dest_person_{name}") for name in _PERSON),
    )
    .select_from(challenge_table)
    .outerjoin(_challenger, _challenger.c.id == challenge_table.c.challenger_id)
    .outerjoin(_dest, _dest.c.id == challenge_table.c.dest_id)
)


async def _read(connection: AsyncConnection, statement: sa.Select[Any]) -> list[Challenge]:
    """All challenges that a statement finds, with ratings."""
    return await rated_sides(connection, [_challenge_of(row) for row in await connection.execute(statement)])


def _challenge_of(row: Any) -> Challenge:
    final_colour = colour_from_pb(row.final_color)
    assert final_colour is not None, "a final colour is always drawn"
    return Challenge(
        id=row.id,
        status=Status(row.status),
        open=row.open,
        challenger=None if row.challenger_id is None else person_of(row, "challenger_person_"),
        dest=None if row.dest_id is None else person_of(row, "dest_person_"),
        wish=Wish(
            variant=row.variant,
            rule_set=rule_set_from_pb(pb.RuleSet.FromString(row.rule_set)),
            control=time_control_from_pb(pb.TimeControl.FromString(row.time_control)),
            rated=row.rated,
            colour=colour_from_pb(row.challenger_color),
            initial_fen=row.initial_fen,
        ),
        final_colour=final_colour,
        name=row.name,
        held=row.keep_alive,
        white_id=row.white_id,
        black_id=row.black_id,
        created_ms=row.created_ms,
        expires_ms=row.expires_ms,
        decline_reason=row.decline_reason,
        rematch_of=row.rematch_of,
        counter_to=row.counter_to,
        user_ids=tuple(row.user_ids),
    )


async def insert(connection: AsyncConnection, challenge: Challenge) -> bool:
    """Insert a challenge; False if a challenge or a game already has its id."""
    wish = challenge.wish
    used = await connection.execute(sa.select(game_table.c.id).where(game_table.c.id == challenge.id))
    if used.first() is not None:
        return False
    statement = (
        pg.insert(challenge_table)
        .values(
            id=challenge.id,
            status=int(challenge.status),
            open=challenge.open,
            challenger_id=None if challenge.challenger is None else challenge.challenger.id,
            dest_id=None if challenge.dest is None else challenge.dest.id,
            variant=wish.variant,
            rule_set=rule_set_to_pb(wish.rule_set).SerializeToString(deterministic=True),
            time_control=time_control_to_pb(wish.control).SerializeToString(deterministic=True),
            rated=wish.rated,
            challenger_color=int(colour_to_pb(wish.colour)),
            final_color=int(colour_to_pb(challenge.final_colour)),
            initial_fen=wish.initial_fen,
            name=challenge.name,
            keep_alive=challenge.held,
            created_ms=challenge.created_ms,
            expires_ms=challenge.expires_ms,
            rematch_of=challenge.rematch_of,
            counter_to=challenge.counter_to,
            user_ids=list(challenge.user_ids),
        )
        .on_conflict_do_nothing(index_elements=[challenge_table.c.id])
        .returning(challenge_table.c.id)
    )
    return (await connection.execute(statement)).first() is not None


async def find(connection: AsyncConnection, challenge_id: str) -> Challenge | None:
    """A challenge, or None."""
    found = await _read(connection, _SELECT.where(challenge_table.c.id == challenge_id))
    return found[0] if found else None


async def lock(connection: AsyncConnection, challenge_id: str) -> Challenge | None:
    """A challenge, its row locked until the end of the transaction; None if there is none. Lock it before players."""
    statement = _SELECT.where(challenge_table.c.id == challenge_id).with_for_update(of=challenge_table, key_share=True)
    found = await _read(connection, statement)
    return found[0] if found else None


async def save(connection: AsyncConnection, challenge: Challenge) -> None:
    """Save the answer to a waiting challenge whose row the caller has locked."""
    statement = (
        sa.update(challenge_table)
        .where(challenge_table.c.id == challenge.id, _WAITS)
        .values(
            status=int(challenge.status),
            final_color=int(colour_to_pb(challenge.final_colour)),
            white_id=challenge.white_id,
            black_id=challenge.black_id,
            decline_reason=challenge.decline_reason,
        )
        .returning(challenge_table.c.id)
    )
    if (await connection.execute(statement)).first() is None:
        raise RuntimeError(f"challenge {challenge.id} was answered before, although its row was held")


async def incoming(connection: AsyncConnection, player_id: str, now_ms: int, limit: int) -> list[Challenge]:
    """At most `limit` challenges that wait for a player's answer, newest first."""
    return await _waiting(connection, challenge_table.c.dest_id == player_id, now_ms, limit)


async def outgoing(connection: AsyncConnection, player_id: str, now_ms: int, limit: int) -> list[Challenge]:
    """At most `limit` waiting challenges by a player, newest first."""
    return await _waiting(connection, challenge_table.c.challenger_id == player_id, now_ms, limit)


async def _waiting(
    connection: AsyncConnection, whose: sa.ColumnElement[bool], now_ms: int, limit: int
) -> list[Challenge]:
    statement = (
        _SELECT.where(whose, _WAITS, challenge_table.c.expires_ms > now_ms)
        .order_by(challenge_table.c.created_ms.desc(), challenge_table.c.id)
        .limit(limit)
    )
    return await _read(connection, statement)


async def count_incoming(connection: AsyncConnection, player_id: str, now_ms: int) -> int:
    """The number of challenges that wait for a player's answer."""
    return await _count(connection, challenge_table.c.dest_id == player_id, now_ms)


async def count_outgoing(connection: AsyncConnection, player_id: str, now_ms: int) -> int:
    """The number of waiting challenges by a player."""
    return await _count(connection, challenge_table.c.challenger_id == player_id, now_ms)


async def _count(connection: AsyncConnection, whose: sa.ColumnElement[bool], now_ms: int) -> int:
    statement = sa.select(sa.func.count()).where(whose, _WAITS, challenge_table.c.expires_ms > now_ms)
    return int((await connection.execute(statement)).scalar_one())


async def lock_rematch(connection: AsyncConnection, game_id: str) -> Challenge | None:
    """The waiting rematch challenge of a game, its row locked, or None. Lock it before players."""
    statement = _SELECT.where(challenge_table.c.rematch_of == game_id, _WAITS, _REMATCH)
    found = await _read(connection, statement.with_for_update(of=challenge_table, key_share=True))
    return found[0] if found else None


async def rematch_waits(connection: AsyncConnection, game_id: str) -> bool:
    """Whether a rematch challenge of a game is stored as waiting, even if it has expired."""
    waits = sa.exists().where(challenge_table.c.rematch_of == game_id, _WAITS, _REMATCH)
    return bool((await connection.execute(sa.select(waits))).scalar())


async def rematch_of(connection: AsyncConnection, game_id: str) -> str | None:
    """The id of the rematch of a game, or None."""
    statement = sa.select(game_table.c.id).where(
        game_table.c.rematch_of == game_id, game_table.c.rematch_of != sa.literal_column("''")
    )
    return (await connection.execute(statement.order_by(game_table.c.created_ms).limit(1))).scalar()


async def hold(connection: AsyncConnection, player_ids: Sequence[str], now_ms: int, until_ms: int) -> None:
    """Set the expiry of these players' `held` challenges to at least `until_ms`.

    Expired challenges stay expired. Challenges whose row is locked (by an answer) are skipped.
    """
    theirs = (
        sa.select(challenge_table.c.id)
        .where(
            challenge_table.c.challenger_id == sa.any_(sa.bindparam(None, list(player_ids), type_=TEXTS)),
            _WAITS,
            challenge_table.c.keep_alive,
            challenge_table.c.expires_ms > now_ms,
            challenge_table.c.expires_ms < until_ms,
        )
        .order_by(challenge_table.c.id)
        .with_for_update(key_share=True, skip_locked=True)
        .cte("theirs")
    )
    await connection.execute(
        sa.update(challenge_table).where(challenge_table.c.id == theirs.c.id).values(expires_ms=until_ms)
    )


async def lock_due(connection: AsyncConnection, now_ms: int, limit: int) -> list[Challenge]:
    """At most `limit` challenges whose time has passed, oldest first, their rows locked. Locked rows are skipped."""
    statement = (
        _SELECT.where(_WAITS, challenge_table.c.expires_ms <= now_ms)
        .order_by(challenge_table.c.expires_ms)
        .limit(limit)
        .with_for_update(of=challenge_table, key_share=True, skip_locked=True)
    )
    return await _read(connection, statement)


async def lapse(connection: AsyncConnection, challenge_ids: Sequence[str]) -> None:
    """Store that these challenges have expired."""
    await connection.execute(
        sa.update(challenge_table)
        .where(challenge_table.c.id == sa.any_(sa.bindparam(None, list(challenge_ids), type_=TEXTS)), _WAITS)
        .values(status=int(Status.OFFLINE))
    )


async def rated_sides(connection: AsyncConnection, challenges: Sequence[Challenge]) -> list[Challenge]:
    """The challenges with their players' ratings for the wanted games, read in one statement."""
    keys = {challenge.id: key_of(challenge.wish.variant, challenge.wish.control) for challenge in challenges}
    wanted = {
        Owned(person.id, keys[challenge.id])
        for challenge in challenges
        for person in challenge.sides
        if not person.guest
    }
    if not wanted:
        return list(challenges)
    found = await sql_ratings.find(connection, wanted)

    def rated(person: Person | None, challenge: Challenge) -> Person | None:
        if person is None or person.guest:
            return person
        rating = found.get(Owned(person.id, keys[challenge.id]), START)
        unsure = grows(rating, challenge.created_ms).provisional
        return replace(person, rating=shown(rating), provisional=unsure)

    return [
        replace(challenge, challenger=rated(challenge.challenger, challenge), dest=rated(challenge.dest, challenge))
        for challenge in challenges
    ]
