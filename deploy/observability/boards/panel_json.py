"""A panel as Grafana's JSON."""

from collections.abc import Mapping
from typing import Any

from deploy.observability.boards.board import UID
from deploy.observability.boards.grid import Place
from deploy.observability.boards.panel import Bars, Figure, Lines, Panel, Spread, States, Table

Json = dict[str, Any]

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
RUNBOOK = "${runbooks:raw}/%s"
QUIET = "no traffic"
"""What stands for a share of nothing."""


def panel_json(panel: Panel, number: int, place: Place) -> Json:
    """The panel with its id and its place."""
    made: Json = {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.guide.text,
        "datasource": SOURCE,
        "gridPos": {"h": place.h, "w": place.w, "x": place.x, "y": place.y},
        "targets": [_target(panel, at) for at in range(len(panel.queries))],
        "fieldConfig": {"defaults": _defaults(panel), "overrides": _overrides(panel)},
        "options": _options(panel),
        "links": _links(panel),
    }
    if isinstance(panel, Table):
        made["transformations"] = [_columns(panel)]
    return made


def _target(panel: Panel, at: int) -> Json:
    query = panel.queries[at]
    formats = {Table.kind: "table", Spread.kind: "heatmap"}
    return {
        "refId": chr(ord("A") + at),
        "datasource": SOURCE,
        "editorMode": "code",
        "expr": query.expression,
        "legendFormat": query.legend or "__auto",
        "range": not panel.of_now,
        "instant": panel.of_now,
        "format": formats.get(panel.kind, "time_series"),
    }


def _defaults(panel: Panel) -> Json:
    made: Json = {
        "unit": panel.unit.value,
        "thresholds": {
            "mode": "absolute",
            "steps": [{"color": panel.thresholds.base.value, "value": None}]
            + [{"color": step.colour.value, "value": step.value} for step in panel.thresholds.steps],
        },
        "mappings": _mappings(panel),
        "noValue": QUIET,
        "custom": _custom(panel),
    }
    if isinstance(panel, Lines):
        made["color"] = {"mode": "palette-classic"}
    else:
        made["color"] = {"mode": "thresholds"}
    if panel.min is not None and not (isinstance(panel, Lines) and panel.log):
        made["min"] = panel.min
    if panel.max is not None:
        made["max"] = panel.max
    if panel.decimals is not None:
        made["decimals"] = panel.decimals
    return made


def _mappings(panel: Panel) -> list[Json]:
    quiet = {
        "type": "special",
        "options": {"match": "null+nan", "result": {"text": QUIET, "color": "text", "index": 0}},
    }
    if not panel.words:
        return [quiet]
    options = {
        f"{word.value:g}": {"text": word.text, "color": word.colour.value, "index": at}
        for at, word in enumerate(panel.words, 1)
    }
    return [quiet, {"type": "value", "options": options}]


def _custom(panel: Panel) -> Json:
    match panel:
        case Lines():
            made: Json = {
                "drawStyle": "line",
                "lineInterpolation": "linear",
                "lineWidth": 2,
                "fillOpacity": 30 if panel.stacked else 0,
                "showPoints": "auto",
                "pointSize": 4,
                "spanNulls": False,
                "axisPlacement": "auto",
                "axisLabel": "",
                "stacking": {"mode": "normal" if panel.stacked else "none", "group": "A"},
                "scaleDistribution": {"type": "log", "log": 10} if panel.log else {"type": "linear"},
                "thresholdsStyle": {"mode": "dashed" if panel.thresholds.steps else "off"},
            }
            if panel.soft_max is not None:
                made["axisSoftMax"] = panel.soft_max
            return made
        case States():
            return {"fillOpacity": 80, "lineWidth": 1}
        case Spread():
            return {"scaleDistribution": {"type": "linear"}}
        case Table():
            return {"align": "auto", "inspect": False, "cellOptions": {"type": "auto"}}
    return {}


def _overrides(panel: Panel) -> list[Json]:
    return [
        {
            "matcher": {"id": "byFrameRefID", "options": chr(ord("A") + at)},
            "properties": [{"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 8]}}],
        }
        for at, query in enumerate(panel.queries)
        if query.dashed
    ]


def _options(panel: Panel) -> Json:
    last: Json = {"calcs": ["lastNotNull"], "fields": "", "values": False}
    match panel:
        case Lines():
            return {
                "legend": {
                    "displayMode": "table",
                    "placement": "bottom",
                    "showLegend": True,
                    "calcs": ["lastNotNull", "max"],
                    "sortBy": "Max",
                    "sortDesc": True,
                },
                "tooltip": {"mode": "multi", "sort": "desc", "hideZeros": True},
            }
        case Figure():
            return {
                "orientation": "auto",
                "reduceOptions": last,
                "colorMode": "background",
                "graphMode": "none" if panel.of_now else "area",
                "justifyMode": "center",
                "textMode": "auto" if len(panel.queries) == 1 else "value_and_name",
                "wideLayout": True,
                "showPercentChange": False,
                "percentChangeColorMode": "standard",
            }
        case Bars():
            return {
                "orientation": "horizontal",
                "reduceOptions": last,
                "displayMode": "basic",
                "valueMode": "text",
                "namePlacement": "left",
                "showUnfilled": True,
                "sizing": "auto",
                "minVizWidth": 8,
                "minVizHeight": 16,
                "maxVizHeight": 40,
                "legend": {"displayMode": "list", "placement": "bottom", "showLegend": False, "calcs": []},
            }
        case Spread():
            return {
                "calculate": False,
                "cellGap": 1,
                "color": {
                    "mode": "scheme",
                    "scheme": "Cividis",
                    "fill": "dark-blue",
                    "scale": "exponential",
                    "exponent": 0.5,
                    "steps": 64,
                    "reverse": False,
                },
                "exemplars": {"color": "rgba(255,0,255,0.7)"},
                "legend": {"show": True},
                "rowsFrame": {"layout": "auto"},
                "showValue": "never",
                "tooltip": {"mode": "single", "showColorScale": True, "yHistogram": False},
                "yAxis": {"unit": panel.unit.value, "axisPlacement": "left"},
                "cellValues": {"unit": "suffix: /s"},
                "filterValues": {"le": 1e-9},
            }
        case States():
            return {
                "alignValue": "left",
                "mergeValues": True,
                "rowHeight": 0.9,
                "showValue": "auto",
                "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True, "calcs": []},
                "tooltip": {"mode": "single", "sort": "none"},
            }
        case Table():
            return {"showHeader": True, "cellHeight": "sm", "frameIndex": 0}
    raise TypeError(f"no panel: {panel}")


def _columns(panel: Table) -> Json:
    """The transformation that keeps these labels, in this order and with these headings."""
    names: Mapping[str, str] = dict(panel.columns) | ({"Value": panel.value} if panel.value else {})
    hidden = {"Time": True} | ({} if panel.value else {"Value": True})
    return {
        "id": "organize",
        "options": {
            "excludeByName": hidden,
            "indexByName": {name: at for at, name in enumerate(names)},
            "renameByName": dict(names),
        },
    }


def _links(panel: Panel) -> list[Json]:
    found = []
    if panel.board:
        found.append(_link("More", f"/d/{UID}{panel.board}", here=True))
    if panel.guide.runbook:
        found.append(_link("Runbook", RUNBOOK % panel.guide.runbook, here=False))
    return found


def _link(title: str, url: str, *, here: bool) -> Json:
    return {
        "title": title,
        "type": "link",
        "url": url,
        "icon": "dashboard" if here else "doc",
        "tooltip": "",
        "tags": [],
        "asDropdown": False,
        "targetBlank": not here,
        "includeVars": here,
        "keepTime": here,
    }
