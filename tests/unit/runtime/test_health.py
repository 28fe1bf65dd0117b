"""What a process says of its neighbours."""

import logging

import pytest

from services.runtime.health import Health


@pytest.mark.parametrize(("drains", "level"), [(False, logging.WARNING), (True, logging.INFO)])
async def test_a_neighbour_that_goes_is_a_warning_unless_this_process_ends_too(
    caplog: pytest.LogCaptureFixture, drains: bool, level: int
) -> None:
    there = True

    async def check() -> None:
        if not there:
            raise ConnectionError("not serving")

    health = Health(timeout_ms=1_000)
    health.add_check("rules", check)
    await health.check_once()
    if drains:
        health.drain()
    there = False
    with caplog.at_level(logging.INFO):
        await health.check_once()
        await health.check_once()
    told = [(record.levelno, record.getMessage()) for record in caplog.records]
    assert told == [(level, "rules is not ready: ConnectionError: not serving")]


async def test_a_sign_is_shown_and_decides_nothing() -> None:
    """What all replicas share takes none of them away."""

    async def full() -> None:
        raise ConnectionError("full")

    health = Health(timeout_ms=1_000)
    health.add_sign("redis", full)
    assert await health.check_once()
    assert health.alive
    assert health.problem("redis") == "ConnectionError: full"
    assert health.report()["checks"] == {"redis": "ConnectionError: full"}
