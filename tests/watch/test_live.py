"""The stack that is watched, itself."""

import time

import pytest

from tests.watch.conftest import MakeWatched

pytestmark = pytest.mark.needs("prometheus")


def test_each_process_is_scraped_and_missed_when_it_is_down(make_watched: MakeWatched) -> None:
    watched = make_watched(replicas=1)
    jobs = {sample.labels["job"] for sample in watched.prometheus.query("up == 1")}
    assert jobs == {"rules", "game", "clock", "dispatcher", "worker", "beat", "gateway"}
    watched.down("clock1")
    watched.prometheus.wait('up{job="clock", instance="clock1"} == 0')
    watched.up("clock1")
    watched.prometheus.wait("sum(up) == 7")
    series = watched.prometheus.query_range('up{job="clock"}', time.time() - 10, time.time(), 1)
    assert {0.0, 1.0} >= set(series[0].numbers) > {0.0}
