"""The small search as programs use it: a process that is written to and read from at the same time."""

import re
import subprocess
import sys

import pytest

from deploy.laptop.node import ROOT

ROUNDS = 300
LINE = re.compile("readyok|bestmove [a-h][1-8][a-h][1-8]")


def session(*lines: str, within_s: float = 60) -> list[str]:
    """The output of a session with these lines."""
    done = subprocess.run(
        [sys.executable, "-m", "services.rules", "uci"],
        input="".join(f"{line}\n" for line in lines),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_every_line_stands_alone() -> None:
    """The answer to isready and the move of a search that has just ended come from two threads (case S15)."""
    said = session(*["position startpos", "go nodes 1", "isready"] * ROUNDS, "quit")
    assert [line for line in said if not LINE.fullmatch(line)] == []
    assert said.count("readyok") == ROUNDS
    assert len(said) == 2 * ROUNDS


@pytest.mark.parametrize("last", ["quit", "stop"])
def test_a_count_that_would_take_years_ends_when_it_is_stopped(last: str) -> None:
    said = session("position startpos", "go perft 9", "isready", last)
    assert said[0] == "readyok"
    assert said[1:] == ["info string stopped"]


@pytest.mark.parametrize(
    "go",
    [
        "depth 1",
        "movetime 50",
        "wtime 1000 btime 1",
        "wtime 900 btime 1 winc 10 binc 0 movestogo 3",
        "nodes 5",
        "nodes 5 depth 9 movetime 60000",
    ],
)
def test_what_bounds_a_search_ends_it(go: str) -> None:
    said = session("position startpos", f"go {go}")  # the end of the input does not wait for its time
    assert len(said) == 1
    assert LINE.fullmatch(said[0])


def test_the_end_of_the_input_waits_for_what_has_an_end() -> None:
    assert session("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 2") == ["bestmove a1a8"]
    assert session("position startpos", "go perft 3") == ["Nodes searched: 8902"]
    assert len(session("position startpos", "go infinite")) == 1
