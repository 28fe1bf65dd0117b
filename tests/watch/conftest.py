"""Fixtures of the tests that watch. What they start is in `live`; mark the tests `needs("prometheus")`."""

from collections.abc import Callable, Iterator

import pytest

from tests.stack.background import Background
from tests.watch.live import WatchedFlagfall

MakeWatched = Callable[..., WatchedFlagfall]


@pytest.fixture(scope="module")
def make_watched(tmp_path_factory: pytest.TempPathFactory, background: Background) -> Iterator[MakeWatched]:
    """Starts stacks with a Prometheus: `make_watched(settings, replicas=2, rules=None, alertmanager=None)`."""
    made: list[WatchedFlagfall] = []

    def make(settings: dict[str, str] | None = None, **how: object) -> WatchedFlagfall:
        folder = tmp_path_factory.mktemp("watched")
        made.append(WatchedFlagfall.start(folder, background, settings or {}, **how))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for watched in made:
        watched.stop()
