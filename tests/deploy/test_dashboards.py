"""The dashboards: as described, as Grafana's types want them, with queries that ask for what there is."""

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.observability.boards.__main__ import FOLDER, wrong
from deploy.observability.boards.asking import filled_in
from deploy.observability.boards.board import MARKS, Board, Row
from deploy.observability.boards.grafana_json import board_json
from deploy.observability.boards.panel import Bars, Guide, Lines, Panel, Query
from deploy.observability.boards.shelf import BOARDS
from deploy.observability.grafana_schema import complaints
from tests.deploy.board_rules import SPAN, BoardRules

CONFIG_MAP_BYTES_MAX = 200_000
"""kubectl apply keeps an object a second time, in an annotation of at most 262,144 bytes."""

Json = dict[str, Any]


def test_the_files_are_what_the_descriptions_make() -> None:
    assert wrong(FOLDER) == []


def test_a_file_that_somebody_edited_is_found(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "clock.json").write_text((tmp_path / "clock.json").read_text().replace("Clock", "Clocks"))
    (tmp_path / "moves.json").unlink()
    (tmp_path / "own.json").write_text("{}")
    assert wrong(tmp_path) == ["clock.json", "moves.json", "own.json"]


def test_there_are_ten_and_each_is_a_config_map_for_the_sidecar() -> None:
    kustomization = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    assert kustomization["generatorOptions"]["labels"] == {"grafana_dashboard": "1"}
    files = [name for entry in kustomization["configMapGenerator"] for name in entry["files"]]
    assert files == [f"{board.name}.json" for board in BOARDS]
    assert len(files) == 10
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.json")}
    assert {name: size for name, size in sizes.items() if size > CONFIG_MAP_BYTES_MAX} == {}


def no_version(board: Json) -> None:
    del board["schemaVersion"]


def a_width_in_words(board: Json) -> None:
    board["panels"][1]["gridPos"]["w"] = "12"


def a_field_that_nobody_knows(board: Json) -> None:
    board["panels"][1]["titel"] = "x"


def a_word_that_is_none(board: Json) -> None:
    board["panels"][1]["fieldConfig"]["defaults"]["thresholds"]["mode"] = "relative"


def an_option_of_another_panel(board: Json) -> None:
    stat = next(panel for panel in board["panels"] if panel["type"] == "stat")
    stat["options"]["legend"] = {"showLegend": True}


def a_style_that_is_none(board: Json) -> None:
    lines = next(panel for panel in board["panels"] if panel["type"] == "timeseries")
    lines["fieldConfig"]["defaults"]["custom"]["drawStyle"] = "curve"


def a_target_without_a_query(board: Json) -> None:
    del board["panels"][1]["targets"][0]["expr"]


def a_mark_without_a_colour(board: Json) -> None:
    del board["annotations"]["list"][0]["iconColor"]


def an_order_of_variables_that_is_none(board: Json) -> None:
    board["templating"]["list"][1]["sort"] = 11


BROKEN: tuple[Callable[[Json], None], ...] = (
    no_version,
    a_width_in_words,
    a_field_that_nobody_knows,
    a_word_that_is_none,
    an_option_of_another_panel,
    a_style_that_is_none,
    a_target_without_a_query,
    a_mark_without_a_colour,
    an_order_of_variables_that_is_none,
)


def test_grafanas_types_take_all_boards_and_none_of_the_broken_ones() -> None:
    boards = {board.name: board_json(board) for board in BOARDS}
    for spoil in BROKEN:
        spoiled = copy.deepcopy(boards["clock"])
        spoil(spoiled)
        boards[spoil.__name__] = spoiled
    said = complaints(boards)
    complained = {Path(line.partition("(")[0]).stem for line in said if line.startswith("boards/")}
    assert complained == {spoil.__name__ for spoil in BROKEN}, "\n".join(said)


def parsed(queries: list[str], folder: Path) -> str:
    """What promtool says of queries, as rules that record them."""
    rules = [{"record": f"query{number}", "expr": query} for number, query in enumerate(queries)]
    file = folder / "queries.yml"
    file.write_text(json.dumps({"groups": [{"name": "boards", "rules": rules}]}))
    ran = subprocess.run(
        ["promtool", "check", "rules", "--lint=none", file], capture_output=True, text=True, check=False, timeout=60
    )
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


@pytest.mark.needs("prometheus")
def test_prometheus_can_read_every_query(tmp_path: Path) -> None:
    queries = [query.expression for board in BOARDS for panel in board.panels for query in panel.queries]
    queries += [mark.query.expression for mark in MARKS]
    assert parsed([filled_in(query, SPAN) for query in queries], tmp_path) == ""
    assert "could not parse" in parsed(["sum(rate(flagfall_moves_total[5m])"], tmp_path)


def test_boards_ask_honestly_for_what_there_is_and_tell_what_to_do() -> None:
    assert BoardRules().problems(BOARDS) == []


def line(expression: str, **how: Any) -> Panel:
    values: dict[str, Any] = {"title": "x", "queries": (Query(expression, "x"),), "guide": Guide("so.", "do.")}
    return Lines(**(values | how))


@pytest.mark.parametrize(
    ("panel", "problem"),
    [
        (line("flagfall_moves_total"), "is a counter"),
        (line("max(flagfall_movs)"), "there is no metric flagfall_movs"),
        (line('rate(flagfall_moves_total{outcom="accepted"}[5m])'), "has no label outcom"),
        (line('rate(flagfall_moves_total{outcome="fine"}[5m])'), "no outcome is fine"),
        (line("sum(rate(flagfall_move_duration_seconds_bucket[5m]))"), "are added up"),
        (line("sum(flagfall_games_active)"), "is the same at every replica"),
        (line("sum by (mode) (flagfall_games_active)"), "is the same at every replica"),
        (line('max(flagfall_ready{instance=~"$replica"})'), "an unknown variable"),
        (line("increase(flagfall_outages_total[$__range])"), "looks at all of the time"),
        (line('flagfall_ready{instance=~"$instance"}'), "no replica can be chosen"),
        (line("max(flagfall_ready)", guide=Guide("", "do.")), "does not say what is normal"),
        (line("max(flagfall_ready)", guide=Guide("so.", "do.", "slo.md#nowhere")), "no alert has the runbook"),
        (line("max(flagfall_ready)", board="nowhere"), "there is no board nowhere"),
        (line("max(flagfall_ready)", width=25), "is outside"),
        (Bars("x", (Query("max(flagfall_ready)"),), Guide("so.", "do.")), "bars without names"),
    ],
)
def test_a_panel_that_misleads_is_found(panel: Panel, problem: str) -> None:
    board = Board("x", "x", "x", (Row("Is it so?", (panel,)),))
    found = BoardRules().problems((board,))
    assert [each for each in found if problem in each] == found != []


def test_two_boards_of_one_uid_are_found() -> None:
    board = replace(BOARDS[0], rows=BOARDS[0].rows)
    assert "two boards are flagfall-overview" in BoardRules().problems((*BOARDS, board))
