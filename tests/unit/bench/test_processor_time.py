"""Whose processor time the bench counts."""

import os
import subprocess
import sys
import time

import pytest

from bench.processor_time import ProcessRow, machine_busy_s, own_s, parse_busy, parse_stat, sample, spent_between, tree

BURN = "import time\nwhile time.process_time() < {seconds}: pass\n"


def test_a_stat_line_is_read_whatever_the_name_holds() -> None:
    line = "4711 (postgres: (a) b) S 17 1 1 0 -1 0 1 2 3 4 50 60 700 800 20 0 1 0 99"
    row = parse_stat(line)
    assert (row.pid, row.parent) == (4711, 17)
    assert row.ended_children_s == 1_500 / os.sysconf("SC_CLK_TCK")


def test_a_tree_is_the_root_and_all_below_it() -> None:
    rows = [ProcessRow(pid, parent, 0.0) for pid, parent in ((1, 0), (10, 1), (11, 10), (12, 11), (20, 1), (21, 20))]
    assert {row.pid for row in tree(10, rows)} == {10, 11, 12}
    assert tree(99, rows) == []


def test_the_machine_is_busy_with_all_but_waiting() -> None:
    text = "cpu  100 20 30 99999 88888 4 6 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
    assert parse_busy(text) == 160 / os.sysconf("SC_CLK_TCK")


def test_the_machine_was_busy_with_what_we_did() -> None:
    before_s = machine_busy_s()
    mine_s = time.process_time()
    while time.process_time() < mine_s + 0.1:
        pass
    # Told in ticks, of each kind of work and each processor.
    assert machine_busy_s() >= before_s + 0.1 - 3 / os.sysconf("SC_CLK_TCK")


def test_a_part_that_began_anew_counts_from_its_start() -> None:
    assert spent_between({"game": 5.0, "clock": 1.0}, {"game": 7.5, "clock": 0.25}) == {"game": 2.5, "clock": 0.25}


def test_children_count_while_they_live_and_after_they_have_ended() -> None:
    """A process whose child burns 0.2 s and ends, and whose other child burns 0.1 s and stays."""
    program = (
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, '-c', {BURN.format(seconds=0.2)!r}])\n"
        f"child = subprocess.Popen([sys.executable, '-c', {(BURN.format(seconds=0.1) + 'input()')!r}],"
        " stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "input()\n"
        "child.communicate(b'end')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        while own_s(child) < 0.1:
            time.sleep(0.01)
        spent_s = sample({"tree": parent.pid})["tree"]
        # The ended child is told in ticks, each rounded.
        assert spent_s >= own_s(parent.pid) + 0.1 + 0.2 - 3 / os.sysconf("SC_CLK_TCK")
        assert spent_s >= 0.29
        parent.stdin.write("end\n")


def test_own_time_is_that_of_the_process_asked_for() -> None:
    before_s = own_s(os.getpid())
    while own_s(os.getpid()) < before_s + 0.01:
        pass
    assert own_s(os.getpid()) == pytest.approx(time.process_time(), abs=0.5)
    with pytest.raises(OSError, match=r"Invalid argument|No such process"):
        own_s(2**22 + 1)
