"""The gauges of running games, against a real PostgreSQL."""

import sqlalchemy as sa

from services.domain.time_control import MODES, ClockControl, Correspondence, PerMove, Unlimited, mode_of
from services.game.play.commands.moving import Move, Resign
from services.game.play.game import Extra
from services.game.store.game_counts import GAMES_ACTIVE, GAMES_WITHOUT_TIMER, count_once
from services.game.wire.extra_bytes import extra_to_bytes
from tests.integration.game.test_commit_path import replica


def value(mode: str) -> float:
    return float(GAMES_ACTIVE.labels(mode)._value.get())


async def test_running_games_are_counted_by_mode_and_a_clock_without_deadline_shows(
    database_url: str, redis_url: str
) -> None:
    async with replica(database_url, redis_url) as one:
        controls = (ClockControl(60_000, 0), PerMove(30_000), Correspondence(3), Unlimited())
        games = [await one.game(control) for control in controls]
        over = await one.game()
        await one.ask(over, "anna", Resign())
        for game in games[:2]:
            await one.ask(game, "anna", Move("a"))
        await count_once(one.engine)
        assert [value(mode_of(control)) for control in controls] == [1, 1, 1, 1]
        assert {mode_of(control) for control in controls} == set(MODES)
        assert GAMES_WITHOUT_TIMER._value.get() == 0
        async with one.engine.begin() as connection:
            forget = sa.text("UPDATE game SET deadline_ms = NULL WHERE id = ANY(:ids)")
            await connection.execute(forget, {"ids": games[:2]})
        await count_once(one.engine)
        assert GAMES_WITHOUT_TIMER._value.get() == 2
        async with one.engine.begin() as connection:  # as a game is that went on after a flag
            untimed = extra_to_bytes(Extra(without_clock=True))
            gone_on = sa.text("UPDATE game SET extra = :extra WHERE id = :id")
            await connection.execute(gone_on, {"id": games[0], "extra": untimed})
        await count_once(one.engine)
        assert GAMES_WITHOUT_TIMER._value.get() == 1
        assert value("clock") == 1
        async with one.engine.begin() as connection:  # as the computer's turn is, whose clock stands
            waiting = sa.text("UPDATE game SET computer_turn_level = 3 WHERE id = :id")
            await connection.execute(waiting, {"id": games[1]})
        await count_once(one.engine)
        assert GAMES_WITHOUT_TIMER._value.get() == 0
