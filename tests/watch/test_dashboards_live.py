"""Every query of every board returns numbers on a real Prometheus after an evening of play: no panel is empty."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.laptop.node import ROOT
from deploy.observability.boards.asking import Span, ask, filled_in
from deploy.observability.boards.board import MARKS
from deploy.observability.boards.panel import Panel, Query
from deploy.observability.boards.shelf import BOARDS
from deploy.observability.prometheus_api import PrometheusApi
from tests.watch.conftest import MakeWatched
from tests.watch.live import SCRAPED_EACH_S, WatchedFlagfall
from tests.watch.played import SETTINGS, Evening
from tests.watch.rules_live import not_working

pytestmark = [pytest.mark.needs("prometheus"), pytest.mark.timeout(480)]

PLAYED_S = 60.0
STEP_S = 2.0
PICTURE_BYTES = (20_000, 150_000)
"""A board without lines is smaller; one that is larger is no picture to keep with the documentation."""


@pytest.fixture(scope="module")
def evening(make_watched: MakeWatched) -> tuple[WatchedFlagfall, Span]:
    """A stack after an evening, and when that was."""
    watched = make_watched(SETTINGS)
    begun_s = time.time()
    asyncio.run(Evening(watched, PLAYED_S).play())
    return watched, Span(begun_s, time.time(), STEP_S, SCRAPED_EACH_S)


def is_empty(api: PrometheusApi, panel: Panel, query: Query, span: Span) -> bool:
    """Whether it has no number at all to show."""
    return not any(series.numbers for series in ask(api, panel, query, span))


def test_every_query_of_every_board_has_numbers(evening: tuple[WatchedFlagfall, Span]) -> None:
    watched, span = evening
    empty = [
        f"{board.name}: {panel.title}: {query.expression}"
        for board in BOARDS
        for panel in board.panels
        for query in panel.queries
        if is_empty(watched.prometheus, panel, query, span)
    ]
    assert empty == []
    panel = BOARDS[0].panels[0]
    assert is_empty(watched.prometheus, panel, Query('rate(flagfall_moves_total{outcome="never"}[1m])'), span)
    assert is_empty(watched.prometheus, panel, Query("0 / (max(flagfall_games_without_timer) * 0)"), span)


def test_the_marks_tell_of_the_deploy_and_of_the_outage(evening: tuple[WatchedFlagfall, Span]) -> None:
    watched, span = evening
    for mark in MARKS:
        expression = filled_in(mark.query.expression, span)
        assert watched.prometheus.query_range(expression, span.begin_s, span.end_s, span.step_s), mark.name


def test_every_rule_is_evaluated_and_has_what_it_asks_for(evening: tuple[WatchedFlagfall, Span]) -> None:
    watched, _ = evening
    assert not_working(watched.prometheus) == []


def test_each_board_can_be_painted(evening: tuple[WatchedFlagfall, Span], tmp_path: Path) -> None:
    watched, span = evening
    words = {
        "--prometheus": watched.prometheus.url,
        "--out": str(tmp_path),
        "--seconds": str(span.seconds),
        "--until": str(span.end_s),
        "--scrape": str(SCRAPED_EACH_S),
    }
    command = [
        sys.executable,
        "-m",
        "deploy.observability.previews",
        *(each for pair in words.items() for each in pair),
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    sizes = {path.stem: path.stat().st_size for path in tmp_path.glob("*.png")}
    assert sizes.keys() == {board.name for board in BOARDS}
    assert {name: size for name, size in sizes.items() if not PICTURE_BYTES[0] < size < PICTURE_BYTES[1]} == {}
