"""A whole stack of replicas behind Redis Sentinel: the primary is killed in the middle of play, later demoted by hand.

Moves need no Redis, so none waits for the failover; events, alarms and the computer's moves follow once it is done.
"""

import asyncio
import signal
from pathlib import Path

import pytest

from deploy.laptop.ports import PortBlock
from deploy.laptop.stores import Tuning, postgres
from tests.chaos.faults import Tools
from tests.scale.play import Lines, Stores, WideFlagfall, played, run_on
from tests.scale.sentinels import DOWN_AFTER_MS, NAME, SENTINELS, SERVERS, Watched, watched

pytestmark = pytest.mark.needs("sentinel")

GAMES = 20
MOVED_WITHIN_S = 30
FAILED_OVER_WITHIN_S = DOWN_AFTER_MS / 1000 + 15
MOVES_MEANWHILE = 5


@pytest.mark.timeout(300)
async def test_nothing_is_lost_over_a_failover_and_moves_go_on_in_it(wide_folder: Path) -> None:
    redis: list[Watched] = []

    def stores(folder: Path, ports: PortBlock, environment: dict[str, str]) -> Stores:
        database = postgres(folder, ports.take(), Tuning(), environment)
        redis.append(watched(folder, ports, environment))
        first, *others = redis[0].groups
        return Stores(
            ((database.command, *first), *others), database.url, redis[0].url, settings={"FLAGFALL_BROKER_URL": ""}
        )

    async def killed(tools: Tools) -> None:
        """The primary dies; the other takes over. People move all the while."""
        await redis[0].all_know()
        old = await redis[0].primary()
        other = next(name for name in SERVERS if name != old)
        async with asyncio.timeout(MOVED_WITHIN_S):
            while not run.acks_ms():  # games begin a moment before their first moves are answered
                await asyncio.sleep(0.05)
        await tools.stack.down([old], signal.SIGKILL)
        gone = len(run.acks_ms())
        await redis[0].failed_over(other, FAILED_OVER_WITHIN_S)
        assert len(run.acks_ms()) - gone >= MOVES_MEANWHILE, "moves go on without Redis"

    async def came_back(tools: Tools) -> None:
        """The old one starts and is made a replica."""
        primary = await redis[0].primary()
        old = next(name for name in SERVERS if name != primary)
        tools.stack.up([old])
        async with asyncio.timeout(40):
            while not await redis[0].copied(old):
                await asyncio.sleep(0.1)

    async def demoted(tools: Tools) -> None:
        """By hand: whoever still writes to the old primary is told that it only reads."""
        await redis[0].all_know(40)
        old = await redis[0].primary()
        other = next(name for name in SERVERS if name != old)
        async with redis[0].client(SENTINELS[0]) as sentinel:
            await sentinel.sentinel_failover(NAME)
        await redis[0].failed_over(other, FAILED_OVER_WITHIN_S)
        async with asyncio.timeout(30):
            while not await redis[0].copied(old):
                await asyncio.sleep(0.1)

    lines = Lines()
    stack = WideFlagfall(lambda line: lines.write(f"0 {line}"), stores)
    run = run_on(wide_folder, stack, lines, {"killed": killed, "came-back": came_back, "demoted": demoted}, GAMES)
    told = await played(run, ["killed", "came-back", "demoted"])
    assert told["computer_moves"] > 0
    assert told["outages"] == [], "nobody was given time for an outage: moves were possible all along"
