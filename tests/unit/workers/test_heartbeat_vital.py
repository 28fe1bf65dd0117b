"""A worker whose tasks stay away counts as dead, but not for what a new start would not help."""

from typing import cast

import pytest
from celery import Celery
from redis.exceptions import ConnectionError as RedisAway

from services.runtime.health import Health
from services.workers.broker import Broker
from services.workers.heartbeat import Heartbeat
from services.workers.settings import WorkersSettings

DEAD_S = 180


class FakeBroker:
    """Answers or not."""

    away = False

    async def check(self) -> None:
        if self.away:
            raise RedisAway("no broker")


class Worker:
    """A heartbeat with a clock that is set by hand, and what a probe would be told."""

    def __init__(self) -> None:
        self.now_s = 1_000.0
        self.broker = FakeBroker()
        settings = WorkersSettings(heartbeat_dead_ms=DEAD_S * 1000)
        self.heartbeat = Heartbeat(
            cast(Celery, None), cast(Broker, self.broker), "heartbeat.x", settings, lambda: self.now_s
        )
        self.health = Health(timeout_ms=1_000)
        self.health.add_vital("tasks", self.heartbeat.check_vital)

    async def alive_after(self, seconds: float) -> bool:
        self.now_s += seconds
        await self.health.check_once()
        return self.health.alive


async def test_one_that_has_never_done_a_task_has_time_to_begin() -> None:
    worker = Worker()
    assert worker.health.alive
    assert await worker.alive_after(DEAD_S - 1)
    assert not await worker.alive_after(2)


async def test_one_whose_tasks_stay_away_is_dead_until_one_comes() -> None:
    worker = Worker()
    worker.heartbeat.came_back()
    assert await worker.alive_after(DEAD_S - 1)
    assert not await worker.alive_after(2)
    worker.heartbeat.came_back()
    assert await worker.alive_after(1)


@pytest.mark.parametrize("minutes", [1, 60])
async def test_a_broker_that_is_away_kills_nobody_nor_when_it_is_back(minutes: int) -> None:
    worker = Worker()
    worker.heartbeat.came_back()
    worker.broker.away = True
    assert await worker.alive_after(60 * minutes)
    worker.broker.away = False
    assert await worker.alive_after(DEAD_S - 1)
    assert not await worker.alive_after(2)
