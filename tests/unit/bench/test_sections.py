"""Which stretches are played for which sections of the bench."""

from typing import Any

import pytest

from bench import __main__ as bench
from bench import idle, report
from tests.unit.bench.test_figures import measured


class Load:
    """Notes the orders."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, do: str, **_: Any) -> dict[str, Any]:
        self.asked.append(do)
        return {"legal": 25.0}


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Nothing is measured and nobody waits."""
    load = Load()

    async def measure(*_: Any) -> Any:
        load.asked.append("measure")
        return measured(100, 900.0)

    async def idle_us(*_: Any) -> dict[str, float]:
        load.asked.append("idle")
        return {"game": 1.0}

    async def plies(*_: Any) -> None:
        load.asked.append("plies")

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(idle, "measure", idle_us)
    monkeypatch.setattr(bench, "measure_plies", plies)
    monkeypatch.setattr(report, "show_plies", lambda _: None)
    monkeypatch.setattr(report, "plies_keys", lambda _: {})
    for pause in ("WARM_S", "SETTLED_S"):
        monkeypatch.setattr(bench, pause, 0.0)
    return load


@pytest.mark.parametrize(
    ("only", "asked"),
    [
        ("idle", ["idle", "prepare", "idle", "leave"]),
        ("plies", ["plies"]),
        ("gentle", ["prepare", "play", "measure", "pause", "leave"]),
        ("moves", ["prepare", "play", "measure", "pause", "leave"]),
        ("moves,plies", ["prepare", "play", "measure", "pause", "leave", "plies"]),
    ],
)
async def test_only_what_is_asked_for_is_played(load: Load, only: str, asked: list[str]) -> None:
    wanted = bench.Run(4, 1.0, frozenset(only.split(",")), None)
    await bench._batched(wanted, None, load)  # type: ignore[arg-type]
    assert load.asked == asked
    assert ("moves_per_second" in wanted.keys) == ("moves" in only)
