"""The inventory of metrics beside what is made of it: the page, the service levels, and every query there is."""

import pytest

from deploy.observability import metrics_page, queries
from deploy.observability.inventory import FILE, load
from deploy.observability.queries import Asked
from deploy.observability.rule_files import Inventory
from services.domain.outcome import EndReason
from services.domain.refusal import RefusalCode
from services.domain.time_control import MODES
from services.domain.variant import Variant

OBJECTIVES = {
    "flagfall_move_duration_seconds": 0.25,
    "flagfall_move_delivery_seconds": 0.5,
    "flagfall_flag_lateness_seconds": 0.25,
    "flagfall_ws_resume_duration_seconds": 2.0,
    "flagfall_engine_reply_lateness_seconds": 0.5,
}
"""The thresholds of the service levels."""


def test_the_page_is_what_the_inventory_makes() -> None:
    metrics_page.main(["--check"])


def test_a_page_of_another_inventory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = load(FILE.read_text().replace("Open WebSocket connections.", "Closed WebSocket connections.", 1))
    monkeypatch.setattr(metrics_page, "load", lambda: spoilt)
    with pytest.raises(SystemExit, match="not what the inventory makes"):
        metrics_page.main(["--check"])


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_threshold_of_a_service_level_is_a_bucket(name: str) -> None:
    metric = load().metrics[name]
    assert OBJECTIVES[name] in metric.buckets
    assert f"{OBJECTIVES[name]:g} s" in metric.slo


@pytest.mark.parametrize(
    ("metric", "label", "values"),
    [
        ("flagfall_games_active", "mode", MODES),
        ("flagfall_games_finished_total", "variant", Variant),
        ("flagfall_games_finished_total", "reason", EndReason),
        ("flagfall_commands_total", "outcome", ("accepted", *RefusalCode)),
    ],
)
def test_labels_have_the_words_of_the_code(metric: str, label: str, values: tuple[str, ...]) -> None:
    assert load().metrics[metric].labels[label].known == frozenset(map(str, values))


@pytest.mark.parametrize("text", ["", "[[metric]]\nname = 'flagfall_draining'\n"])
def test_an_inventory_that_is_not_whole_is_refused(text: str) -> None:
    with pytest.raises(KeyError):
        load(text)


def test_a_metric_that_stands_there_twice_is_refused() -> None:
    text = FILE.read_text()
    with pytest.raises(ValueError, match="flagfall_draining stands there twice"):
        load(text.replace('name = "flagfall_ready"', 'name = "flagfall_draining"', 1))


def test_every_query_asks_for_what_there_is() -> None:
    asked = [*queries.of_rules(), *queries.of_boards(), *queries.of_autoscalers()]
    inventory, made = Inventory(FILE.read_text()), queries.recorded()
    assert [problem for one in asked for problem in queries.problems(one, inventory, made)] == []


def test_queries_of_all_kinds_are_found() -> None:
    assert {one.where for one in queries.of_boards()} == {file.name for file in queries.BOARDS.glob("*.json")}
    assert any("flagfall_queue_depth" in one.expression for one in queries.of_autoscalers())
    assert any("flagfall_early_fires_total" in one.expression for one in queries.of_rules())


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("sum(rate(flagfall_moves[5m]))", "there is no metric flagfall_moves"),
        ('rate(flagfall_moves_total{result=\'x\', outcome="accepted", player="x"}[5m])', "has no label player"),
        ('flagfall_games_active{mode="bullet"}', "no mode is bullet"),
        ('flagfall_move_duration_seconds_bucket{le="0.3"}', "has no bucket 0.3"),
        ('up{job="game"} and flagfall_ws_connections{job="clock"}', "no clock shows flagfall_ws_connections"),
        ("flagfall:slo_errors:ratio_rate7m", "no rule records flagfall:slo_errors:ratio_rate7m"),
        ("flagfall_move_duration_seconds", "is a histogram"),
    ],
)
def test_a_query_for_what_there_is_not_is_told(expression: str, told: str) -> None:
    found = queries.problems(Asked("here", expression), Inventory(FILE.read_text()), queries.recorded())
    assert len(found) == 1
    assert found[0].startswith("here: ")
    assert told in found[0]
