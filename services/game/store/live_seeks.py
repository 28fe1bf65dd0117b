"""Removes a player's live seeks when a live game of that player begins."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from services.game.store.schema import seek as seek_table
from services.game.store.sql_players import among


async def remove_live(connection: AsyncConnection, player_ids: Sequence[str]) -> None:
    """Remove all live seeks of these players, because a live game of theirs begins. The caller locks their rows."""
    await connection.execute(sa.delete(seek_table).where(among(seek_table.c.player_id, player_ids), seek_table.c.live))
