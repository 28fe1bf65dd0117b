"""One cluster for all tests of play: it begins with the last release, is rolled to this version under play, and then
loses one pod after the other."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.laptop.node import ROOT
from tests.cluster.built import build_all, manifests, of_release
from tests.cluster.manifests import Manifests
from tests.cluster.play import Play
from tests.stack.background import Background

BEGUN_WITHIN_S = 300.0
ROLLED_WITHIN_S = 900.0
FIRST_WITHIN_S = 1500
"""Until the first test is through, images and roll included."""
LOGS = ROOT / "build" / "cluster"


def accepting_the_last_release(target: Manifests) -> Manifests:
    """With a comma behind the services' secret, as docs/upgrading.md asks: the last release knows none."""
    (name,) = [name for name in target.secrets if name.startswith("flagfall-services")]
    return replace(target, secrets={**target.secrets, name: {"secret": f"{target.secrets[name]['secret']},"}})


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[Play]:
    """Games on pods of this version, the last release's pods just having been rolled away under them; what that did is
    in `rolled`. Lines of all pods: build/cluster/pods.log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    began_s = time.monotonic()
    with (LOGS / "pods.log").open("w") as log, (LOGS / "story.log").open("w") as story:

        def say(line: str) -> None:
            story.write(f"{time.monotonic() - began_s:7.1f} {line}\n")
            story.flush()

        build_all(say)
        target = accepting_the_last_release(manifests())
        for what, why in target.unhonoured.items():
            say(f"nobody applies {what}: {why}")
        folder: Path = tmp_path_factory.mktemp("cluster")
        made = Play.of(of_release(target), target, folder, say, log)
        try:
            background.call(made.begin(), BEGUN_WITHIN_S)
            background.call(made.roll_out(target), ROLLED_WITHIN_S)
            yield made
        finally:
            background.call(made.close(), BEGUN_WITHIN_S)
