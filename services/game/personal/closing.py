"""Closing an account. At once nobody can use or find it; then its data is deleted in bounded steps (except the player
events of others, which are kept for a week: `player_events_kept_ms`). Games also belong to the opponents: they stay,
with a random alias instead of the name. All other data of the person is deleted. The sweep runs the steps, so that a
bot with a hundred thousand games delays nothing; if a process dies, the next sweep continues.
"""

import logging
import secrets
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.parties.parties import Parties
from services.game.people.passwords import Passwords
from services.game.play.person import DELETED_PREFIX, GUEST_CHARS, GUEST_LENGTH
from services.game.play.refusals import NO_PLAYER
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.schema import challenge as challenge_table
from services.game.store.schema import (
    chat_line,
    closing,
    conditional_moves,
    game,
    game_event,
    outbox,
    party,
    party_member,
    player,
    rating_point,
    seek,
    token,
)
from services.game.store.sql_store import OUTBOX_PLAYER
from services.pb.flagfall.v1.events_pb2 import CHALLENGE_STATUS_CREATED, GameEvent

log = logging.getLogger(__name__)

_WRONG = Refusal(RefusalCode.WRONG_PASSWORD, say("people.wrong_password"), "password")


def new_alias() -> str:
    """A random name that replaces the name of a closed account."""
    letters = "".join(secrets.choice(GUEST_CHARS) for _ in range(GUEST_LENGTH))
    return f"{DELETED_PREFIX.capitalize()}-{letters}"


class Closing:
    """Closes accounts and guests."""

    def __init__(self, engine: AsyncEngine, passwords: Passwords, parties: Parties) -> None:
        self._engine = engine
        self._passwords = passwords
        self._parties = parties

    async def close(self, player_id: str, password: str | None, now_ms: int) -> Refusal | None:
        """Close an account permanently; returns None, or a refusal for a wrong password or running games.

        A guest has no password: the token of the request is enough. A password of None means that the server's operator
        closes the

        account.
        """
        async with transaction(self._engine) as connection:
            found = await sql_players.password_of(connection, player_id)
        if found is None:
            return NO_PLAYER
        person, kept = found
        if password is not None and not person.guest and not await self._passwords.fits(kept, password):
            return _WRONG
        refusal = await self._going_on(player_id)
        if refusal is not None:
            return refusal
        await self._leave_parties(player_id, now_ms)
        async with transaction(self._engine) as connection:
            # Challenges are always locked before players.
            held = sa.select(challenge_table.c.id).where(_waiting(player_id)).order_by(challenge_table.c.id)
            await connection.execute(held.with_for_update(key_share=True))
            # Waits for transactions that begin a game with this player; later ones do not find the player.
            locked = (
                sa.select(player.c.closed_ms, player.c.password_hash).where(player.c.id == player_id).with_for_update()
            )
            row = (await connection.execute(locked)).first()
            if row is None or row.closed_ms is not None:
                return NO_PLAYER
            if password is not None and row.password_hash != kept:
                return _WRONG  # another request changed it meanwhile
            playing = await sql_players.ongoing(connection, player_id)
            if playing:
                return _playing(playing)
            await self._shut(connection, player_id, person.guest, now_ms)
        log.info("an account was closed")
        return None

    async def _going_on(self, player_id: str) -> Refusal | None:
        async with transaction(self._engine) as connection:
            playing = await sql_players.ongoing(connection, player_id)
        return _playing(playing) if playing else None

    async def _leave_parties(self, player_id: str, now_ms: int) -> None:
        """Leave all parties, so that the other members get an event."""
        joined = (
            sa.select(party.c.id)
            .join(party_member, party_member.c.party_id == party.c.id)
            .where(party_member.c.player_id == player_id, sa.not_(party.c.closed))
        )
        async with transaction(self._engine) as connection:
            ids = [row.id for row in await connection.execute(joined)]
        for party_id in ids:
            await self._parties.leave(party_id, player_id, "", now_ms)

    async def _shut(self, connection: AsyncConnection, player_id: str, guest: bool, now_ms: int) -> None:
        await connection.execute(
            sa.update(player).where(player.c.id == player_id).values(closed_ms=now_ms, password_hash=None)
        )
        await connection.execute(sa.delete(token).where(token.c.player_id == player_id))
        await connection.execute(sa.delete(seek).where(seek.c.player_id == player_id))
        # Open invitations expire with the next sweep, which sends events to both sides.
        lapsing = sa.update(challenge_table).where(_waiting(player_id)).values(expires_ms=now_ms)
        await connection.execute(lapsing)
        await connection.execute(sa.insert(closing).values(player_id=player_id, alias=new_alias(), closed_ms=now_ms))
        if not guest:
            await sql_players.keep_name(connection, player_id)


async def forget_due(engine: AsyncEngine, now_ms: int, limit: int) -> int:
    """Run one bounded step for the account that was closed first: at most `limit` of its games, chat lines and rating
    points. Returns how many; 0 if nothing is left. Any number of these may run at once.
    """
    async with transaction(engine) as connection:
        first = sa.select(closing).order_by(closing.c.closed_ms).limit(1).with_for_update(skip_locked=True)
        row = (await connection.execute(first)).first()
        if row is None:
            return 0
        done = await _forget(connection, row.player_id, row.alias, limit)
        if not done:
            # A replica of a release without closed accounts may have made one meanwhile.
            later = sa.and_(_waiting(row.player_id), challenge_table.c.expires_ms > now_ms)
            lapsing = sa.update(challenge_table).where(later).values(expires_ms=now_ms)
            if lapsed := (await connection.execute(lapsing)).rowcount:
                return lapsed
            untold = sa.select(sa.exists().where(_waiting(row.player_id)))
            if not (await connection.execute(untold)).scalar():
                await connection.execute(sa.delete(player).where(player.c.id == row.player_id))
                told = sa.and_(outbox.c.kind == OUTBOX_PLAYER, outbox.c.owner == row.player_id)
                await connection.execute(sa.delete(outbox).where(told))
                return 1
        return done


async def _forget(connection: AsyncConnection, player_id: str, alias: str, limit: int) -> int:
    left = limit
    for side in ("white", "black"):
        left -= await _rename_games(connection, player_id, alias, side, left)
    for table, key in ((chat_line, (chat_line.c.id,)), (rating_point, (rating_point.c.game_id,))):
        if left > 0:
            some = sa.select(*key).where(table.c.player_id == player_id).limit(left)
            statement = sa.delete(table).where(table.c.player_id == player_id, key[0].in_(some))
            left -= (await connection.execute(statement)).rowcount
    if left > 0:
        statement = sa.delete(conditional_moves).where(conditional_moves.c.player_id == player_id)
        left -= (await connection.execute(statement)).rowcount
        left -= await _rename_challenges(connection, player_id, alias)
    return limit - left


async def _rename_games(connection: AsyncConnection, player_id: str, alias: str, side: str, limit: int) -> int:
    if limit <= 0:
        return 0
    seat = game.c[f"{side}_id"]
    some = sa.select(game.c.id).where(seat == player_id).order_by(game.c.id).limit(limit).with_for_update()
    ids = [row.id for row in await connection.execute(some)]
    if not ids:
        return 0
    values: dict[str, Any] = {f"{side}_id": alias.lower(), f"{side}_name": alias, f"{side}_title": ""}
    await connection.execute(sa.update(game).where(game.c.id.in_(ids)).values({**values, f"{side}_guest": True}))
    by_person = sa.and_(game_event.c.game_id.in_(ids), game_event.c.player_id == player_id)
    await connection.execute(sa.update(game_event).where(by_person).values(player_id=alias.lower()))
    first = sa.select(game_event.c.game_id, game_event.c.payload).where(
        game_event.c.game_id.in_(ids), game_event.c.version == 1
    )
    for row in (await connection.execute(first)).all():
        event = GameEvent.FromString(row.payload)
        shown = getattr(event.info, side)
        shown.id, shown.name, shown.title, shown.guest = alias.lower(), alias, "", True
        told = sa.update(game_event).where(game_event.c.game_id == row.game_id, game_event.c.version == 1)
        await connection.execute(told.values(payload=event.SerializeToString()))
    return len(ids)


async def _rename_challenges(connection: AsyncConnection, player_id: str, alias: str) -> int:
    """Replace the name in open links of other players."""
    done = 0
    for column in (challenge_table.c.white_id, challenge_table.c.black_id):
        statement = sa.update(challenge_table).where(column == player_id).values({column: alias.lower()})
        done += (await connection.execute(statement)).rowcount
    some = challenge_table.c.user_ids != sa.literal_column("'{}'::text[]")
    invited = sa.and_(some, challenge_table.c.user_ids.contains([player_id]))
    named = sa.func.array_replace(challenge_table.c.user_ids, player_id, alias.lower())
    statement = sa.update(challenge_table).where(invited).values(user_ids=named)
    return done + (await connection.execute(statement)).rowcount


def _waiting(player_id: str) -> sa.ColumnElement[bool]:
    sides = sa.or_(challenge_table.c.challenger_id == player_id, challenge_table.c.dest_id == player_id)
    return sa.and_(challenge_table.c.status == sa.literal_column(f"{CHALLENGE_STATUS_CREATED:d}"), sides)


def _playing(games: int) -> Refusal:
    return Refusal(RefusalCode.NOT_ALLOWED, say("people.still_playing", games=games))
