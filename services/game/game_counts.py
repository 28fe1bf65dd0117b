"""How many games are going on, counted in the database now and then, and whether time runs without a deadline."""

import asyncio
import logging

import sqlalchemy as sa
from google.protobuf.message import DecodeError
from prometheus_client import Gauge
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.time_control import ClockControl, Correspondence, TimeControl, Unlimited
from services.game.commit_path import STORE_ERRORS
from services.game.sql_rows import control_of

log = logging.getLogger(__name__)

GAMES_ACTIVE = Gauge("flagfall_games_active", "Games that are going on.", ["mode"])
GAMES_WITHOUT_TIMER = Gauge("flagfall_games_without_timer", "Games whose time runs without a deadline: must be 0.")

PERIOD_S = 15.0
MODES = ("clock", "correspondence", "unlimited")

_COUNT = sa.text("""
    SELECT time_control, count(*) AS games, count(*) FILTER (WHERE deadline_ms IS NULL AND ply > 0) AS timeless
    FROM game WHERE end_reason = 0 GROUP BY time_control
""")


async def count_games(engine: AsyncEngine) -> None:
    """Keep the numbers true, for ever."""
    while True:
        try:
            await count_once(engine)
        except STORE_ERRORS as error:
            log.debug("games could not be counted: %s", type(error).__name__)
        await asyncio.sleep(PERIOD_S)


async def count_once(engine: AsyncEngine) -> None:
    """Count now."""
    async with engine.connect() as connection:
        rows = (await connection.execute(_COUNT)).all()
    active = dict.fromkeys(MODES, 0)
    timeless = 0
    for row in rows:
        match _kind(row.time_control):
            case ClockControl():
                active["clock"] += row.games
                timeless += row.timeless
            case Correspondence():
                active["correspondence"] += row.games
                timeless += row.timeless
            case Unlimited():
                active["unlimited"] += row.games
    for mode, games in active.items():
        GAMES_ACTIVE.labels(mode).set(games)
    GAMES_WITHOUT_TIMER.set(timeless)


def _kind(message: bytes) -> TimeControl | None:
    """A stored time control; None, which is not counted, when this replica cannot read it."""
    try:
        return control_of(message)
    except (ValueError, DecodeError):
        return None
