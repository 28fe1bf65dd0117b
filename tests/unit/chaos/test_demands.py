"""`make chaos` does not pass for having tried nothing, and says what it knows when it breaks off."""

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.chaos import __main__, faults
from tests.chaos.demands import NEEDED, Work, check_work
from tests.chaos.facts import Span, Violation
from tests.chaos.faults import FAULTS, Tools
from tests.chaos.ledger import Ledger
from tests.stack.replicas import ReplicatedFlagfall
from tests.unit.chaos.test_answers import seats_of
from tests.unit.chaos.test_history import LINE, RULES, game_of, played

KINDS = frozenset(["kill-game", "rules-down"])
SHOWN = dict.fromkeys(NEEDED, 1)
ENOUGH = Work(KINDS, KINDS, seconds=60, tables=10, moves=50, flags=1, computer_moves=1, outages=1, kinds=SHOWN)


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"done": frozenset(["rules-down"])}, "kill-game was never done"),
        ({"outages": 0}, "no outage after rules-down"),
        ({"moves": 49}, "49 moves at 10 tables"),
        ({"flags": 0}, "no flag fell"),
        ({"computer_moves": 0}, "no computer moved"),
        *[({"tables": 40, "moves": 200, "kinds": {**SHOWN, kind: 0}}, f"nothing of kind {kind}") for kind in NEEDED],
    ],
)
def test_what_a_run_did_not_try(change: dict[str, Any], detail: str) -> None:
    assert list(check_work(ENOUGH)) == []
    assert list(check_work(replace(ENOUGH, **change))) == [Violation("not tested", detail=detail)]


@pytest.mark.parametrize("small", [{"seconds": 59.9}, {"tables": 9}])
def test_a_small_run_need_not_show_everything(small: dict[str, Any]) -> None:
    assert list(check_work(replace(ENOUGH, moves=0, flags=0, computer_moves=0, **small))) == []


def test_no_outage_is_asked_for_where_no_fault_makes_one() -> None:
    assert list(check_work(replace(ENOUGH, asked=frozenset(["kill-game"]), outages=0))) == []


def test_moves_of_the_computer_are_counted_at_the_end() -> None:
    events = played(*LINE)
    white, _ = seats_of(events)
    ledger = Ledger(RULES)
    game = replace(game_of(events), against_computer=True)
    ledger.check_games([game], [white], [white], (), events[-1].at_ms, final=False)
    assert ledger.computer_moves == 0
    ledger.check_games([game], [white], [white], (), events[-1].at_ms, final=True)
    assert ledger.computer_moves == 2


class Standing:
    """A stack in which nothing runs."""

    database_url = ""

    def of(self, part: str) -> list[str]:
        """Two of each."""
        return [f"{part}1", f"{part}2"]

    def send(self, name: str, number: int) -> None:
        """Nobody hears it."""

    async def down(self, names: list[str], number: int) -> None:
        """They were never up."""

    def up(self, names: list[str]) -> None:
        """They stay where they are."""


@pytest.mark.parametrize(
    ("left", "noted"),
    [({"g:7", "g:9"}, 0), (set(), 1), ({"g:9"}, 1)],
    ids=["the commit is unpublished", "nothing is left", "only another commit is left"],
)
@pytest.mark.parametrize("kind", ["unpublished", "unpublished-all"])
def test_a_kill_after_the_publication_was_none_before_it(
    kind: str, left: set[str], noted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: Iterator[set[str]] = iter([set(), {"g:7"}, left])

    async def outbox(url: str) -> set[str]:
        return next(rows)

    monkeypatch.setattr(faults, "_outbox", outbox)
    monkeypatch.setattr(faults, "HOLD_S", (0.0, 0.0))
    violations: list[Violation] = []
    stack = cast(ReplicatedFlagfall, Standing())
    tools = Tools(stack, random.Random(1), 0.0, lambda line: None, violations.append)

    async def black_out() -> Span | None:
        return await FAULTS[kind](tools)

    black = asyncio.run(black_out())
    assert [violation.what for violation in violations] == ["not tested"] * noted
    assert isinstance(black, Span) == (kind == "unpublished-all")


class Unbootable:
    """A stack that does not start."""

    def __init__(self, *_: object, **__: object) -> None:
        self.names: list[str] = []

    async def start(self, *_: object) -> None:
        """Fail as a PostgreSQL does that is not there."""
        raise ConnectionRefusedError("no PostgreSQL")

    async def stop(self) -> None:
        """Nothing is up."""


def test_a_run_that_breaks_off_says_so_and_where_its_log_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.chaos.run.ReplicatedFlagfall", Unbootable)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["chaos", "--seed", "7"])
    assert __main__.main() == 1
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert result["seed"] == 7
    assert [each["what"] for each in result["violations"]] == ["the run broke off"]
    assert "no PostgreSQL" in result["violations"][0]["detail"]
    assert Path(result["log"]).is_file()
    assert err.rstrip().endswith(result["log"])
