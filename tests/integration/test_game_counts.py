"""The gauges of running games, against a real PostgreSQL."""

import sqlalchemy as sa

from services.domain.time_control import ClockControl, Correspondence, Unlimited
from services.game.command import Move, Resign
from services.game.game_counts import GAMES_ACTIVE, GAMES_WITHOUT_TIMER, count_once
from tests.integration.test_commit_path import replica


def value(mode: str) -> float:
    return float(GAMES_ACTIVE.labels(mode)._value.get())


async def test_running_games_are_counted_by_mode_and_a_clock_without_deadline_shows(
    database_url: str, redis_url: str
) -> None:
    async with replica(database_url, redis_url) as one:
        games = [await one.game(control) for control in (ClockControl(60_000, 0), Correspondence(3), Unlimited())]
        over = await one.game()
        await one.ask(over, "anna", Resign())
        await one.ask(games[0], "anna", Move("a"))
        await count_once(one.engine)
        assert [value(mode) for mode in ("clock", "correspondence", "unlimited")] == [1, 1, 1]
        assert GAMES_WITHOUT_TIMER._value.get() == 0
        async with one.engine.begin() as connection:
            await connection.execute(sa.text("UPDATE game SET deadline_ms = NULL WHERE id = :id"), {"id": games[0]})
        await count_once(one.engine)
        assert GAMES_WITHOUT_TIMER._value.get() == 1
