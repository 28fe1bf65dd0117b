"""Parties in PostgreSQL. Every function works in the caller's transaction; a party's row is locked before any player's.

A party's queue is the order of its members' `place`. Its newest game is read from the game's row after the party's row
is locked: a join in one statement could read an older game while it waits for the lock.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection

from services.domain.colour import Colour
from services.game.parties.party import Board, Member, Party
from services.game.parties.party_messages import settings_message, settings_of
from services.game.store.schema import game as game_table
from services.game.store.schema import party as party_table
from services.game.store.schema import party_member as member_table
from services.game.store.schema import player as player_table
from services.game.store.sql_players import person_of
from services.pb.flagfall.v1.common_pb2 import END_REASON_ABORT, END_REASON_NO_FIRST_MOVE
from services.pb.flagfall.v1.events_pb2 import PartySettings
from services.runtime.wire import colour_from_pb, colour_to_pb

_GOES_ON = game_table.c.end_reason == sa.literal_column("0")
_ABORTED = (END_REASON_ABORT, END_REASON_NO_FIRST_MOVE)

_MEMBERS = (
    sa.select(
        member_table.c.joined_ms,
        member_table.c.spectator,
        member_table.c.last_color,
        *(player_table.c[name].label(f"person_{name}") for name in ("id", "name", "title", "guest")),
        player_table.c.created_ms.label("person_created_ms"),
        player_table.c.seen_ms.label("person_seen_ms"),
    )
    .join(player_table, player_table.c.id == member_table.c.player_id)
    .order_by(member_table.c.place, member_table.c.player_id)
)


async def find(connection: AsyncConnection, party_id: str) -> Party | None:
    """A party, or None."""
    row = (await connection.execute(sa.select(party_table).where(party_table.c.id == party_id))).first()
    return None if row is None else await _party_of(connection, row)


async def lock(connection: AsyncConnection, party_id: str) -> Party | None:
    """A party, its row locked until the end of the transaction; None if there is none."""
    statement = sa.select(party_table).where(party_table.c.id == party_id).with_for_update(key_share=True)
    row = (await connection.execute(statement)).first()
    return None if row is None else await _party_of(connection, row)


async def lock_unused(connection: AsyncConnection, before_ms: int, limit: int) -> list[Party]:
    """At most `limit` open parties that are unused since `before_ms`, longest first, their rows locked. Locked rows
    are skipped. A party is used if a game of it is running or has ended since then."""
    used = sa.exists().where(
        game_table.c.id == party_table.c.game_id, sa.or_(_GOES_ON, game_table.c.ended_ms >= before_ms)
    )
    statement = (
        sa.select(party_table)
        .where(sa.not_(party_table.c.closed), party_table.c.used_ms < before_ms, sa.not_(used))
        .order_by(party_table.c.used_ms)
        .limit(limit)
        .with_for_update(of=party_table, key_share=True, skip_locked=True)
    )
    rows = (await connection.execute(statement)).all()
    return [await _party_of(connection, row) for row in rows]


async def insert(connection: AsyncConnection, party: Party) -> bool:
    """Insert a party with its members; False if its id is taken."""
    statement = (
        pg.insert(party_table)
        .values(id=party.id, created_ms=party.created_ms, **_changing(party, party.created_ms))
        .on_conflict_do_nothing(index_elements=[party_table.c.id])
        .returning(party_table.c.id)
    )
    if (await connection.execute(statement)).first() is None:
        return False
    await _put(connection, party, party.members)
    return True


async def save(connection: AsyncConnection, before: Party, after: Party, now_ms: int) -> None:
    """Save the new version of a party whose row the caller has locked."""
    statement = sa.update(party_table).where(party_table.c.id == after.id).values(**_changing(after, now_ms))
    await connection.execute(statement)
    gone = {member.person.id for member in before.members} - {member.person.id for member in after.members}
    if gone:
        await connection.execute(
            sa.delete(member_table).where(member_table.c.party_id == after.id, member_table.c.player_id.in_(gone))
        )
    if before.members != after.members:
        await _put(connection, after, after.members)


async def count_hosted(connection: AsyncConnection, player_id: str) -> int:
    """The number of open parties with this host."""
    statement = sa.select(sa.func.count()).where(party_table.c.host_id == player_id, sa.not_(party_table.c.closed))
    return int((await connection.execute(statement)).scalar_one())


async def count_joined(connection: AsyncConnection, player_id: str) -> int:
    """The number of open parties with this member."""
    statement = (
        sa.select(sa.func.count())
        .select_from(member_table.join(party_table, party_table.c.id == member_table.c.party_id))
        .where(member_table.c.player_id == player_id, sa.not_(party_table.c.closed))
    )
    return int((await connection.execute(statement)).scalar_one())


async def last_meeting(connection: AsyncConnection, party_id: str, first_id: str, second_id: str) -> Colour | None:
    """The first player's colour in the last game of these two in a party, without aborted games; or None."""
    white, black = game_table.c.white_id, game_table.c.black_id
    statement = (
        sa.select(white)
        .where(
            game_table.c.party_id == party_id,
            game_table.c.party_id != sa.literal_column("''"),  # the same condition as in the partial index
            game_table.c.end_reason.not_in(_ABORTED),
            sa.or_(
                sa.and_(white == first_id, black == second_id),
                sa.and_(white == second_id, black == first_id),
            ),
        )
        .order_by(game_table.c.created_ms.desc(), game_table.c.id)
        .limit(1)
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        return None
    return Colour.WHITE if row.white_id == first_id else Colour.BLACK


def _changing(party: Party, now_ms: int) -> dict[str, Any]:
    return {
        "host_id": party.host_id,
        "settings": settings_message(party.settings).SerializeToString(deterministic=True),
        "game_id": "" if party.board is None else party.board.game_id,
        "version": party.version,
        "used_ms": now_ms,
        "closed": party.closed,
    }


async def _put(connection: AsyncConnection, party: Party, members: Sequence[Member]) -> None:
    """Write these members with their places in the queue."""
    if not members:
        return
    values = [
        {
            "party_id": party.id,
            "player_id": member.person.id,
            "joined_ms": member.joined_ms,
            "spectator": member.spectator,
            "place": place,
            "last_color": int(colour_to_pb(member.last_colour)),
        }
        for place, member in enumerate(members)
    ]
    statement = pg.insert(member_table).values(values)
    kept = {name: statement.excluded[name] for name in ("spectator", "place", "last_color")}
    keys = [member_table.c.party_id, member_table.c.player_id]
    await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=kept))


async def _party_of(connection: AsyncConnection, row: Any) -> Party:
    rows = await connection.execute(_MEMBERS.where(member_table.c.party_id == row.id))
    members = tuple(
        Member(person_of(found, "person_"), found.joined_ms, found.spectator, colour_from_pb(found.last_color))
        for found in rows
    )
    return Party(
        id=row.id,
        host_id=row.host_id,
        settings=settings_of(PartySettings.FromString(row.settings)),
        members=members,
        created_ms=row.created_ms,
        version=row.version,
        board=await _board(connection, row.game_id) if row.game_id else None,
        closed=row.closed,
    )


async def _board(connection: AsyncConnection, game_id: str) -> Board | None:
    statement = sa.select(game_table.c.white_id, game_table.c.black_id, game_table.c.end_reason)
    found = (await connection.execute(statement.where(game_table.c.id == game_id))).first()
    if found is None:
        return None
    over, aborted = found.end_reason != 0, found.end_reason in _ABORTED
    return Board(game_id, (found.white_id, found.black_id), over, aborted)
