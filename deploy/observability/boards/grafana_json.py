"""A board as Grafana's JSON: the classic dashboard of Grafana 11, which 12 and 13 can read too."""

import json
from typing import Any

from deploy.observability.boards.board import MARKS, Board, Mark, Row
from deploy.observability.boards.grid import Place, places
from deploy.observability.boards.panel_json import SOURCE, Json, panel_json

SCHEMA = 41
TAG = "flagfall"
SPAN = "now-1h"
REFRESH = "30s"


def text(board: Board) -> str:
    """The content of the JSON file."""
    return json.dumps(board_json(board), indent=2, ensure_ascii=False) + "\n"


def board_json(board: Board) -> Json:
    """The whole board."""
    panels = [_item(item, number, place) for number, (item, place) in enumerate(places(board), 1)]
    return {
        "uid": board.uid,
        "title": f"Flagfall / {board.title}",
        "description": board.answers,
        "tags": [TAG],
        "schemaVersion": SCHEMA,
        "version": 1,
        "id": None,
        "editable": True,
        "graphTooltip": 1,
        "fiscalYearStartMonth": 0,
        "timezone": "browser",
        "time": {"from": SPAN, "to": "now"},
        "refresh": REFRESH,
        "timepicker": {"refresh_intervals": ["5s", "10s", "30s", "1m", "5m", "15m"]},
        "annotations": {"list": [_annotation(mark) for mark in MARKS]},
        "templating": {"list": _variables(board)},
        "links": [_all_boards()],
        "panels": panels,
    }


def _item(item: Any, number: int, place: Place) -> Json:
    if isinstance(item, Row):
        return {
            "id": number,
            "type": "row",
            "title": item.title,
            "collapsed": False,
            "gridPos": {"h": place.h, "w": place.w, "x": place.x, "y": place.y},
            "panels": [],
        }
    return panel_json(item, number, place)


def _annotation(mark: Mark) -> Json:
    return {
        "name": mark.name,
        "datasource": SOURCE,
        "enable": True,
        "hide": False,
        "iconColor": mark.colour,
        "expr": mark.query.expression,
        "titleFormat": mark.name,
        "textFormat": mark.text,
        "useValueForTime": False,
    }


def _variables(board: Board) -> list[Json]:
    found: list[Json] = [
        {
            "name": "datasource",
            "type": "datasource",
            "label": "Prometheus",
            "query": "prometheus",
            "hide": 0,
            "refresh": 1,
            "regex": "",
            "multi": False,
            "includeAll": False,
            "options": [],
        }
    ]
    if board.jobs:
        jobs = "|".join(board.jobs)
        query = f'label_values(flagfall_build_info{{job=~"{jobs}"}}, instance)'
        found.append(
            _chosen("instance", "Replica", query)
            | {
                "current": {"text": ["All"], "value": ["$__all"], "selected": True},
                "multi": True,
                "includeAll": True,
                "allValue": ".*",
            }
        )
    found.append(_chosen("runbooks", "Runbooks", "label_values(flagfall:runbooks, address)") | {"hide": 2})
    return found


def _chosen(name: str, label: str, query: str) -> Json:
    """A variable with the present values of a label."""
    return {
        "name": name,
        "type": "query",
        "label": label,
        "datasource": SOURCE,
        "query": {"query": query, "refId": name, "qryType": 1},
        "hide": 0,
        "refresh": 2,
        "regex": "",
        "sort": 7,
        "multi": False,
        "includeAll": False,
        "options": [],
    }


def _all_boards() -> Json:
    return {
        "title": "Flagfall",
        "type": "dashboards",
        "tags": [TAG],
        "asDropdown": False,
        "icon": "external link",
        "includeVars": False,
        "keepTime": True,
        "targetBlank": False,
        "tooltip": "The other boards, for the same time",
        "url": "",
    }
