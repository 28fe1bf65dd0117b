"""Reminders of correspondence limits, and the time of a game's next check. They create no version of the game. Any
number of sweeps may run: there is one reminder for each turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.clock import Outages
from services.game.play.game import Game, Limits
from services.game.play.moment import closes, due
from services.game.store import player_events
from services.game.store.database import transaction
from services.game.wire.events import PersonEvent
from services.game.wire.messages import summary_message
from services.pb.flagfall.v1.events_pb2 import PlayerEvent, Reminder

_PUT_OFF = sa.text("""
    UPDATE game SET look_ms = item.look_ms,
                    reminded_ply = CASE WHEN item.remind THEN game.ply ELSE game.reminded_ply END
    FROM (
        SELECT t.* FROM unnest(:ids, :versions, :looks, :reminds) AS t(id, version, look_ms, remind) ORDER BY t.id
    ) AS item
    WHERE game.id = item.id AND game.version = item.version AND game.end_reason = 0
      AND (game.look_ms <> item.look_ms OR (item.remind AND game.reminded_ply < game.ply))
    RETURNING game.id, item.remind
""").bindparams(
    sa.bindparam("ids", type_=pg.ARRAY(sa.Text)),
    sa.bindparam("versions", type_=pg.ARRAY(sa.Integer)),
    sa.bindparam("looks", type_=pg.ARRAY(sa.BigInteger)),
    sa.bindparam("reminds", type_=pg.ARRAY(sa.Boolean)),
)

_HELD = sa.text("SELECT id, reminded_ply FROM game WHERE id = ANY(:ids) ORDER BY id FOR NO KEY UPDATE").bindparams(
    sa.bindparam("ids", type_=pg.ARRAY(sa.Text))
)


@dataclass(frozen=True, slots=True)
class Look:
    """The time of a game's next check, and whether its player gets a reminder now."""

    at_ms: int
    remind: bool


def next_look(game: Game, limits: Limits, outages: Outages, now_ms: int) -> Look | None:
    """The next check of a game that its limit does not end yet; None for a game without a limit."""
    due_ms, closes_ms = due(game, limits, outages), closes(game, limits, outages)
    if due_ms is None or closes_ms is None:
        return None
    remind_ms = max(due_ms - limits.reminder_ms, game.clock.turn_started_ms)
    if now_ms < remind_ms:
        return Look(remind_ms, remind=False)
    return Look(closes_ms, remind=now_ms < due_ms and limits.reminder_ms > 0)


async def remind(
    engine: AsyncEngine, games: Sequence[Game], limits: Limits, outages: Outages, now_ms: int
) -> list[PersonEvent]:
    """Store the time of each game's next check, and make reminders for limits that are near.

    Returns the events; the caller publishes them.
    """
    looks = {game.terms.id: look for game in games if (look := next_look(game, limits, outages, now_ms)) is not None}
    by_id = {game.terms.id: game for game in games if game.terms.id in looks}
    if not looks:
        return []
    async with transaction(engine) as connection:
        held = {row.id: row.reminded_ply for row in await connection.execute(_HELD, {"ids": sorted(looks)})}
        put_off = await connection.execute(
            _PUT_OFF,
            {
                "ids": list(looks),
                "versions": [by_id[game_id].version for game_id in looks],
                "looks": [look.at_ms for look in looks.values()],
                "reminds": [look.remind for look in looks.values()],
            },
        )
        new = [by_id[row.id] for row in put_off if row.remind and held.get(row.id, -1) < by_id[row.id].ply]
        events = [_reminder(game, limits, outages, now_ms) for game in new]
        return await player_events.append(connection, events, now_ms)


def _reminder(game: Game, limits: Limits, outages: Outages, now_ms: int) -> PersonEvent:
    summary = summary_message(game, limits, outages, now_ms)
    reminder = Reminder(game=summary, deadline_ms=due(game, limits, outages) or 0)
    return PersonEvent(PlayerEvent(player_id=game.terms.seat(game.turn).player_id, reminder=reminder))
