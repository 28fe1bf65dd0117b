"""Vacations: days in which the time of a player's correspondence turns stops. A setting allows them; off by default.

Days that have begun are used: otherwise vacations announced and ended at once would stop a game for ever.
"""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import say
from services.game.play.refusals import NO_PLAYER
from services.game.store import sql_players
from services.game.store.database import transaction
from services.game.store.schema import vacation as vacation_table

YEAR_DAYS = 365


async def ends(connection: AsyncConnection, player_ids: Collection[str]) -> dict[str, int]:
    """When the latest vacation of each of these players ends or ended (UTC ms)."""
    table = vacation_table
    statement = (
        sa.select(table.c.player_id, sa.func.max(table.c.end_ms).label("end_ms"))
        .where(table.c.player_id.in_(list(player_ids)))
        .group_by(table.c.player_id)
    )
    return {row.player_id: row.end_ms for row in await connection.execute(statement)}


async def take(
    engine: AsyncEngine, player_id: str, days: int, now_ms: int, *, day_ms: int, days_max: int
) -> int | Refusal:
    """Begin a vacation of this many days from now, or end it (0). Returns its end in UTC ms; 0 if there is none.

    A day that has begun is used. So a vacation under way ends with this day at the earliest, and this day is the first
    of the new number of days. At most `days_max` days in any year.
    """
    if days_max == 0:
        return Refusal(RefusalCode.NOT_ALLOWED, say("correspondence.no_vacations"))
    table = vacation_table
    async with transaction(engine) as connection:
        if player_id not in await sql_players.lock(connection, [player_id]):
            return NO_PLAYER
        rows = (
            await connection.execute(
                sa.select(table).where(table.c.player_id == player_id, table.c.end_ms > now_ms - YEAR_DAYS * day_ms)
            )
        ).all()
        under_way = next((row for row in rows if row.start_ms <= now_ms < row.end_ms), None)
        if under_way is None and days == 0:
            return 0
        start_ms = now_ms if under_way is None else under_way.start_ms
        used = (now_ms - start_ms) // day_ms  # whole days before the one that has begun
        whole_days = used + max(days, 1)
        end_ms = start_ms + whole_days * day_ms
        before_ms = sum(row.end_ms - row.start_ms for row in rows if row is not under_way)
        left = days_max - -(-before_ms // day_ms)
        if days and whole_days > left:
            text = say("correspondence.vacation_left", days=max(0, left - used))
            return Refusal(RefusalCode.LIMIT_REACHED, text, "days")
        statement = pg.insert(table).values(player_id=player_id, start_ms=start_ms, end_ms=end_ms)
        await connection.execute(
            statement.on_conflict_do_update(index_elements=["player_id", "start_ms"], set_={"end_ms": end_ms})
        )
        return end_ms
