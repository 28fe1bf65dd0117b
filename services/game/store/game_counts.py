"""Metrics of running games, counted in the database periodically: their number, and clocks without a deadline."""

import asyncio
import logging

import sqlalchemy as sa
from google.protobuf.message import DecodeError
from prometheus_client import Gauge
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.time_control import MODES, TimeControl, Unlimited, mode_of
from services.game.play.game import Extra
from services.game.store.database import STORE_ERRORS
from services.game.store.rows import control_of
from services.game.wire.extra_bytes import extra_from_bytes

log = logging.getLogger(__name__)

GAMES_ACTIVE = Gauge("flagfall_games_active", "Running games, counted in the database.", ["mode"])
GAMES_WITHOUT_TIMER = Gauge("flagfall_games_without_timer", "Games whose time runs without a deadline: must be 0.")

PERIOD_S = 15.0

# The computer's clock stands until a worker has taken its turn (`Game.stands`).
_COUNT = sa.text("""
    SELECT time_control, CASE WHEN timeless THEN extra END AS extra, timeless, count(*) AS games
    FROM (
        SELECT time_control, extra, deadline_ms IS NULL AND ply > 0 AND computer_turn_level = 0 AS timeless
        FROM game WHERE end_reason = 0
    ) AS going_on
    GROUP BY 1, 2, 3
""")


async def count_games(engine: AsyncEngine) -> None:
    """Update the metrics periodically, without end."""
    while True:
        try:
            await count_once(engine)
        except STORE_ERRORS as error:
            log.debug("games could not be counted: %s", type(error).__name__)
        await asyncio.sleep(PERIOD_S)


async def count_once(engine: AsyncEngine) -> None:
    """Update the metrics once."""
    async with engine.connect() as connection:
        rows = (await connection.execute(_COUNT)).all()
    active = dict.fromkeys(MODES, 0)
    timeless = 0
    for row in rows:
        kept = _kept(row.time_control, row.extra)
        if kept is None:
            continue
        control, extra = kept
        active[mode_of(control)] += row.games
        if row.timeless and not isinstance(control, Unlimited) and not extra.without_clock:
            timeless += row.games
    for mode, games in active.items():
        GAMES_ACTIVE.labels(mode).set(games)
    GAMES_WITHOUT_TIMER.set(timeless)


def _kept(control: bytes, extra: bytes | None) -> tuple[TimeControl, Extra] | None:
    """A stored time control and `Extra`; None if this replica cannot read them (then the game is not counted)."""
    try:
        return control_of(control), extra_from_bytes(extra or b"")
    except (ValueError, DecodeError):
        return None
