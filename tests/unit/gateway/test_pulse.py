"""Case S06: health says within 3 s that nobody can move, and because of which service."""

import asyncio
from dataclasses import replace

from prometheus_client import REGISTRY

from services.domain.refusal import BUSY
from services.gateway.errors import Refused
from services.gateway.main.pulse import Pulse, beat
from services.runtime.lifecycle import cancelled


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def measured(neighbour: str) -> float | None:
    return REGISTRY.get_sample_value("flagfall_nobody_can_move", {"neighbour": neighbour})


def test_it_is_told_before_three_seconds_who_is_at_fault() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    faults = []
    for step_s, told in ((2.4, "rules"), (0.5, ""), (0.0, "database")):
        clock.now_s += step_s
        if told:
            pulse.failed(told)
        faults.append((pulse.fault, measured("rules"), measured("game")))
    assert faults == [(None, 0.0, 0.0), ("rules", 1.0, 0.0), ("database", 0.0, 0.0)], "a late beat is no fault"
    assert measured("database") == 1.0
    pulse.succeeded()
    assert pulse.fault is None
    assert measured("database") == 0.0


def test_a_service_that_says_nothing_is_the_game_service() -> None:
    clock = Clock()
    pulse = Pulse(clock)
    clock.now_s += 3
    assert pulse.fault == "game"
    pulse.failed("something new")
    assert pulse.fault == "game"


async def test_beats_tell_the_pulse() -> None:
    class Game:
        def __init__(self) -> None:
            self.answers: list[str | None] = ["rules", None, "database"]

        async def beat(self) -> None:
            at = self.answers.pop(0) if self.answers else None
            if at is not None:
                raise Refused(replace(BUSY, at=at))

    class Told(Pulse):
        def __init__(self) -> None:
            super().__init__(Clock())
            self.heard: list[str] = []

        def succeeded(self) -> None:
            self.heard.append("succeeded")

        def failed(self, at: str) -> None:
            self.heard.append(at)

    game, pulse = Game(), Told()
    task = asyncio.ensure_future(beat(game, pulse, 1, 1))
    async with asyncio.timeout(10):
        while len(pulse.heard) < 4:
            await asyncio.sleep(0.001)
    await cancelled(task)
    assert pulse.heard[:4] == ["rules", "succeeded", "database", "succeeded"]
