"""Every query of every board returns numbers on a real Prometheus after an evening of play: no panel is empty."""

import time

import pytest

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


@pytest.fixture(scope="module")
async def evening(make_watched: MakeWatched) -> tuple[WatchedFlagfall, Span]:
    """A stack after an evening, and when that was."""
    watched = make_watched(SETTINGS)
    begun_s = time.time()
    await Evening(watched, PLAYED_S).play()
    return watched, Span(begun_s, time.time(), STEP_S, SCRAPED_EACH_S)


def is_empty(api: PrometheusApi, panel: Panel, query: Query, span: Span) -> bool:
    """Whether it has no number at all to show."""
    return not any(series.numbers for series in ask(api, panel, query, span))


async def test_every_query_of_every_board_has_numbers(evening: tuple[WatchedFlagfall, Span]) -> None:
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


async def test_the_marks_tell_of_the_deploy_and_of_the_outage(evening: tuple[WatchedFlagfall, Span]) -> None:
    watched, span = evening
    for mark in MARKS:
        expression = filled_in(mark.query.expression, span)
        assert watched.prometheus.query_range(expression, span.begin_s, span.end_s, span.step_s), mark.name


async def test_every_rule_is_evaluated_and_has_what_it_asks_for(evening: tuple[WatchedFlagfall, Span]) -> None:
    watched, _ = evening
    assert not_working(watched.prometheus) == []
