"""The previous release beside this one, on this one's schema: upgrade and rollback in the middle of play."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.laptop.node import ROOT
from tests.change.release import Release, released
from tests.change.upgrade import played_through
from tests.chaos.report import reproduction, summary

GAMES = 12


@pytest.mark.timeout(280)
def test_an_upgrade_and_a_rollback_in_the_middle_of_play_lose_nothing(
    previous_release: Release, tmp_path: Path
) -> None:
    said: list[str] = []
    tmp_path.chmod(0o755)
    seed = int(os.environ.get("FLAGFALL_SEED", "5"))
    with (tmp_path / "processes.log").open("w") as log:
        run, loud = asyncio.run(
            played_through(previous_release.home, ROOT, tmp_path / "state", GAMES, seed, said.append, log)
        )
    told = "\n".join([*said, json.dumps(summary(run)), reproduction(run), str(tmp_path)])
    assert [violation.as_dict() for violation in run.ledger.violations] == [], told
    assert loud == [], told
    assert [step.kind for step in run.broken] == ["first new", "all new", "second old again", "all old again"]
    # It was play at every moment, with a computer's moves among them.
    assert run.ledger.computer_moves > 0, told
    for step in run.broken:
        assert sum(step.began_ms <= at <= step.done_ms for at in run.acks_ms()) > 0, f"nobody moved during {step.kind}"
    assert run.spans == [], f"people could not move for a while: {told}"


def test_the_release_is_a_commit_of_this_history() -> None:
    ancestor = subprocess.run(["git", "merge-base", "--is-ancestor", released(), "HEAD"], cwd=ROOT, check=False)
    assert ancestor.returncode == 0, f"{released()} in deploy/released is no ancestor of what is checked out"


def test_what_is_unpacked_is_what_runs(previous_release: Release) -> None:
    where = "import services.game as it; print(it.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(previous_release.home)}
    said = subprocess.run(
        [sys.executable, "-c", where], env=environment, cwd="/", capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith(str(previous_release.home)), said.stdout
