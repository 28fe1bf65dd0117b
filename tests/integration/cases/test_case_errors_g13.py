"""Case G13: what a bot is answered by a whole server where it errs: JSON with a reason of its own, streams included."""

from collections.abc import AsyncIterator

import pytest

from services.domain.time_control import ClockControl
from tests.integration.gateway.whole_api import WholeApi, closed, whole_api
from tests.integration.races.race_replicas import PATIENT, racing, uci

CONTROL = ClockControl(600_000, 0)


@pytest.fixture
async def api(database_url: str, redis_url: str) -> AsyncIterator[WholeApi]:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world, whole_api(world) as api:
        yield api


async def test_each_refused_move_says_why(api: WholeApi) -> None:
    white, black, other = [await api.guest() for _ in range(3)]
    game_id = await api.world.game(uci("e2e4"), control=CONTROL, white=white.seat, black=black.seat)
    path = f"/api/board/game/{game_id}"
    codes = {}
    for name, player, request, status in (
        ("out of turn", white, f"{path}/move/d2d4", 400),
        ("illegal", black, f"{path}/move/e7e4", 400),
        ("malformed", black, f"{path}/move/zzzz", 400),
        ("no move", black, f"{path}/move/0000", 400),
        ("somebody else's", other, f"{path}/move/e7e5", 404),
        ("unknown", black, "/api/board/game/nogame00/move/e7e5", 404),
    ):
        told = await player.post(request, status)
        assert told["error"]
        codes[name] = (told["code"], told["error"])
    assert await api.world.version(game_id) == 2
    await black.post(f"{path}/resign")
    told = await white.post(f"{path}/move/d2d4", 400)
    codes["over"] = (told["code"], told["error"])
    kinds = [codes[name][0] for name in ("out of turn", "illegal", "malformed", "over")]
    assert kinds == ["not_your_turn", "illegal_move", "malformed", "game_over"]
    assert len({codes[name][1] for name in ("out of turn", "illegal", "malformed", "over")}) == 4


async def test_a_stream_that_is_opened_again_and_again_is_always_the_game(api: WholeApi) -> None:
    """Ten quick opens are no page of some limit and not nothing: each begins with the game, and the last one stays."""
    white, black = await api.guest(), await api.guest()
    game_id = await api.world.game(uci("e2e4"), control=CONTROL, white=white.seat, black=black.seat)
    for _ in range(9):
        async with white.game(game_id) as lines:
            assert (lines.told[0]["type"], lines.told[0]["state"]["moves"]) == ("gameFull", "e2e4")
    async with white.game(game_id) as lines:
        await black.post(f"/api/board/game/{game_id}/resign")
        await closed(lines)
        assert lines.states[-1]["status"] == "resign"
