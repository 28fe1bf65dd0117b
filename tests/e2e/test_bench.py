"""`python -m bench` starts, plays, measures and ends. How fast is not looked at."""

import json
import subprocess
import sys

import pytest

from deploy.laptop.node import ROOT

WITHIN_S = 100.0
POSITIVE = {
    "legal_moves",
    "moves_per_second",
    "cpu_us_per_move",
    "ack_p50_ms",
    "ack_p99_ms",
    "deliver_p50_ms",
    "deliver_p99_ms",
    "generator_us_per_move",
    "floor_us",
    "games",
    "seconds",
    "cores",
}
PARTS = {"postgres", "valkey", "rules", "game", "clock", "dispatcher", "gateway", "celery", "beat"}


@pytest.mark.thorough
def test_a_small_bench_prints_its_figures_as_its_last_line() -> None:
    command = (sys.executable, "-m", "bench", "--games", "4", "--seconds", "1", "--only", "moves,floor")
    ran = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=WITHIN_S)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    keys = json.loads(ran.stdout.splitlines()[-1])
    assert keys.keys() == POSITIVE | {
        *("cpu_us_by_process", "batch_sizes", "others_cores", "floor_us_by_part", "load_before", "machine")
    }
    assert {name for name in POSITIVE if not keys[name] > 0} == set()
    assert keys["cpu_us_by_process"].keys() == PARTS
    assert all(keys["cpu_us_by_process"][name] > 0 for name in ("postgres", "valkey", "rules", "game", "gateway"))
    assert all(size >= 1 for size in keys["batch_sizes"].values())
    assert "game.commit" in keys["batch_sizes"]
    assert all(part > 0 for part in keys["floor_us_by_part"].values())
    assert (keys["games"], keys["seconds"]) == (4, 1.0)
