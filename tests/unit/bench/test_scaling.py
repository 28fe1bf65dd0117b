"""The arithmetic of the scaling model, and that docs/scaling.md shows what it makes of the committed figures."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from bench.scaling import Assumed, Costs, Kind, limits, need, replaced, tables
from deploy.laptop.node import ROOT

PAGE = ROOT / "docs" / "scaling.md"
PARTS = ("gateway", "game", "rules", "clock", "dispatcher", "valkey", "postgres", "celery", "beat")


@pytest.fixture
def costs() -> Costs:
    """Round numbers: a move costs each part 100 us, 200 with nothing remembered; a waiting player 10 us a second."""
    told: dict[str, Any] = {
        "cpu_us_by_process": dict.fromkeys(PARTS, 100.0),
        "cpu_us_by_process_uncached": dict.fromkeys(PARTS, 200.0),
        "idle_us_by_process": dict.fromkeys(PARTS, 1_000),
        "quiet_us_by_process": dict.fromkeys(PARTS, 3_000),
        "base_bytes_by_process": dict.fromkeys(PARTS, 0),
        "quiet_players": 200,
        "cores": 2,
        "gateway_us_per_watcher_second": 0.0,
        "gateway_us_per_delivery": 0.0,
        "gateway_bytes_per_socket": 1_000,
        "gateway_bytes_per_game": 5_000,
        "wal_bytes_per_move": 1_000.0,
        "history_bytes_per_move": 300.0,
        "commits_per_move": 0.05,
        "redis_commands_per_move": 4.0,
        "redis_bytes_per_move": 500.0,
        "event_bytes": 600,
        "moves_per_second": 1_000.0,
        "gentle_cpu_us_per_move": 8_000.0,
    }
    return Costs(told)


ONE_MOVE_A_SECOND = replace(Assumed(), kinds=(Kind("even", 1.0, 60, 60),), watchers_each=0.0, heard_share=0.0, busy=0.5)


def test_a_part_has_as_many_replicas_as_keep_it_no_busier_than_assumed(costs: Costs) -> None:
    found = need(costs, 100_000, ONE_MOVE_A_SECOND)
    assert found.moves_per_s == 100_000
    # 100,000 moves of 100 us and 200,000 players of 10 us a second are 12 processors, each half used.
    assert found.replicas["gateway"] == 24
    assert found.replicas["dispatcher"] == 20
    # With so many replicas that take turns hardly a move finds its game remembered: 200 us less a 40th of 100.
    assert found.replicas["game"] == 40
    assert found.connections == 320
    assert found.postgres_cores == pytest.approx(100_000 * (200 - 100 / 40) / 1e6)
    assert found.wal_mb_per_s == pytest.approx(100)
    assert found.history_tb_per_day == pytest.approx(100_000 * 300 * 86_400 / 1e12)


def test_a_small_server_has_two_of_each_all_the_same(costs: Costs) -> None:
    assert set(need(costs, 10, ONE_MOVE_A_SECOND).replicas.values()) == {2}


def test_what_there_is_one_of_is_told_with_the_first_to_be_full_first(costs: Costs) -> None:
    found = limits(costs, ONE_MOVE_A_SECOND)
    assert [games for _, games, _ in found] == sorted(games for _, games, _ in found)
    by_name = {name.split(",")[0].split(" (")[0]: games for name, games, _ in found}
    assert by_name["the clock's follower"] == pytest.approx(0.5e6 / 100)
    assert by_name["Redis"] == pytest.approx(0.5e6 / 120), "a move, and two players who wait"
    assert by_name["PostgreSQL's log"] == pytest.approx(200e6 / 1_000)


def test_tables_are_put_between_their_marks_alone() -> None:
    page = "before\n<!-- tables of f.json: python -m bench.scaling -->\nold\n<!-- end of tables -->\nafter\n"
    assert "old" not in replaced(page, "f.json", "new")
    assert replaced(page, "f.json", "new").endswith("new\n\n<!-- end of tables -->\nafter\n")
    with pytest.raises(ValueError, match=r"no tables of g\.json"):
        replaced(page, "g.json", "new")


def test_the_page_shows_what_follows_from_the_committed_figures() -> None:
    page = PAGE.read_text()
    names = re.findall(r"<!-- tables of (\S+): ", page)
    assert len(names) == 1
    figures = json.loads((ROOT / "bench" / "results" / names[0]).read_text())
    assert replaced(page, names[0], tables(Costs(figures))) == page, "python -m bench.scaling FIGURES --write PAGE"
