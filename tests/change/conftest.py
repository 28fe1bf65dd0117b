"""Fixtures of the tests of change."""

from collections.abc import Callable, Iterator

import pytest

from tests.change.release import Release, released, unpacked
from tests.conftest import RUNNING
from tests.stack.background import Background
from tests.stack.running import RunningFlagfall

MakeFlagfallOn = Callable[[str], RunningFlagfall]


@pytest.fixture(scope="session")
def previous_release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The release that deploy/released names."""
    parent = tmp_path_factory.mktemp("releases")
    parent.chmod(0o755)
    return unpacked(released(), parent)


@pytest.fixture
def make_flagfall_on(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[MakeFlagfallOn]:
    """Starts whole stacks on databases that are there, with an empty Valkey."""
    made: list[RunningFlagfall] = []

    def make(url: str) -> RunningFlagfall:
        flagfall = RunningFlagfall.start(tmp_path_factory.mktemp("flagfall"), background, url)
        made.append(flagfall)
        RUNNING.append(flagfall)
        return flagfall

    yield make
    for flagfall in made:
        RUNNING.remove(flagfall)
        flagfall.stop()
