"""Case G04: the life of a draw offer in the lines that clients of the Board API read, step by step, on both streams."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.domain.rule_set import FIDE
from services.domain.time_control import ClockControl
from tests.integration.game.game_in_memory import eventually
from tests.integration.gateway.whole_api import WholeApi, closed, whole_api
from tests.integration.races.race_replicas import PATIENT, racing, uci

CONTROL = ClockControl(600_000, 0)
BEGUN = ("e2e4", "e7e5")
YES, NO, W, B = "draw/yes", "draw/no", "white", "black"

Step = tuple[str, str, str]
"""Who, which request of the game's, and the offers that stand after it: `w`, `b` or none. `=`: the game is drawn."""

SCRIPTS: dict[str, tuple[Step, ...]] = {
    "the own move keeps it": ((W, YES, "w"), (W, "move/g1f3", "w"), (B, YES, "=")),
    "the other's move ends it": ((W, YES, "w"), (W, "move/g1f3", "w"), (B, "move/b8c6", ""), (W, "move/f1b5", "")),
    "declined, then the other way": ((W, YES, "w"), (B, NO, ""), (B, YES, "b"), (W, YES, "=")),
    "declined twice, then the first again": ((W, YES, "w"), (B, NO, ""), (B, YES, "b"), (W, NO, ""), (W, YES, "w")),
    "crossing": ((B, YES, "b"), (W, YES, "=")),
    "with a move": ((W, "move/g1f3?offeringDraw=true", "w"), (B, "move/b8c6", "")),
    "with a move, accepted by a move": (
        (W, "move/g1f3?offeringDraw=true", "w"),
        (B, "move/b8c6?offeringDraw=true", "="),
    ),
    "a second one while it is open": ((W, YES, "w"), (W, YES, "w"), (B, YES, "=")),
    "withdrawn": ((W, YES, "w"), (W, NO, ""), (W, "move/g1f3", "")),
}


@pytest.fixture
async def api(database_url: str, redis_url: str) -> AsyncIterator[WholeApi]:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world, whole_api(world) as api:
        yield api


def offers(state: dict[str, object]) -> str:
    """Which offers a line tells: a field that is there is true, and none is there that is not so."""
    told = {field: state[field] for field in ("wdraw", "bdraw") if field in state}
    assert set(told.values()) <= {True}
    return "".join(field[0] for field in told)


async def test_every_line_tells_the_offers_that_stand(api: WholeApi) -> None:
    white, black = await api.guest(), await api.guest()
    for name, script in SCRIPTS.items():
        game_id = await api.world.game(
            *map(uci, BEGUN), control=CONTROL, rule_set=FIDE, white=white.seat, black=black.seat
        )
        async with white.game(game_id) as one, black.game(game_id) as other:
            moves = len(BEGUN)
            for who, request, standing in script:
                moves += request.startswith("move/")
                await (white if who == W else black).post(f"/api/board/game/{game_id}/{request}")
                wanted = ("draw", "", moves) if standing == "=" else ("started", standing, moves)

                async def told(wanted: tuple[str, str, int] = wanted) -> bool:
                    lasts = [stream.states[-1] for stream in (one, other)]
                    return all((last["status"], offers(last), len(last["moves"].split())) == wanted for last in lasts)

                await eventually(told, f"{name}: {who} {request}: {wanted}")
            if script[-1][2] == "=":
                await closed(one, other)
                assert not {"winner", "wdraw", "bdraw"} & one.states[-1].keys()


async def test_crossing_offers_that_neither_has_seen_are_a_draw(api: WholeApi) -> None:
    white, black = await api.guest(), await api.guest()
    for _ in range(10):
        game_id = await api.world.game(
            *map(uci, BEGUN), control=CONTROL, rule_set=FIDE, white=white.seat, black=black.seat
        )
        async with white.game(game_id) as one, black.game(game_id) as other:
            path = f"/api/board/game/{game_id}/{YES}"
            await asyncio.gather(white.post(path), black.post(path))
            await closed(one, other)
            assert [stream.states[-1]["status"] for stream in (one, other)] == ["draw", "draw"]
