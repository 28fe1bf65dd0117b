"""Checks dashboards against the types that Grafana publishes (`@grafana/schema`), by the TypeScript compiler.

The published `Dashboard` leaves the inside of panels open; their options and own fields have types of their own, which
are held against them here. Of targets, annotations and variables Grafana publishes no more than the frame: what its
Prometheus data source reads of them is written down in `grafana/schema/wire.ts`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deploy.laptop.install import caches, install_node_packages
from deploy.laptop.node import ROOT, find_node

FOLDER = ROOT / "deploy" / "observability" / "grafana" / "schema"
TYPES = "@grafana/schema/dist/esm/raw/composable/{folder}/panelcfg/x/{name}PanelCfg_types.gen.js"
KINDS = {
    "timeseries": ("timeseries", "TimeSeries", True),
    "stat": ("stat", "Stat", False),
    "bargauge": ("bargauge", "BarGauge", False),
    "heatmap": ("heatmap", "Heatmap", True),
    "state-timeline": ("statetimeline", "StateTimeline", True),
    "table": ("table", "Table", True),
}
"""By the type of a panel: where its types are, and whether it has fields of its own."""
CHECKED_WITHIN_S = 120


class SchemaMissing(Exception):
    """Grafana's types cannot be installed; the message says why."""


def install() -> None:
    """Fetch the types as locked, unless they are there. Raises InstallError, SchemaMissing."""
    if find_node(Path(sys.prefix)) is None:
        raise SchemaMissing("node is missing: run `make install`")
    with caches() as env:
        install_node_packages(FOLDER, env)


def typescript(board: Mapping[str, Any]) -> str:
    """A program that the compiler accepts only if the board is one of Grafana's. Raises KeyError for an unknown
    type of panel."""
    panels = [panel for panel in board["panels"] if panel["type"] != "row"]
    lines = [
        'import type { AnnotationQuery, Dashboard, Panel, RowPanel } from "@grafana/schema";',
        'import type { PrometheusAnnotation, PrometheusTarget, Wire } from "../wire";',
    ]
    for kind in sorted({panel["type"] for panel in panels}):
        folder, name, own = KINDS[kind]
        types = [f"Options as {name}Options", *([f"FieldConfig as {name}Fields"] if own else [])]
        lines.append(f'import type {{ {", ".join(types)} }} from "{TYPES.format(folder=folder, name=name)}";')
    whole = {name: value for name, value in board.items() if name not in ("panels", "annotations")}
    lines.append(_value("board", "Wire<Dashboard>", whole))
    for number, mark in enumerate(board["annotations"]["list"]):
        lines.append(_value(f"mark{number}", "Wire<AnnotationQuery> & PrometheusAnnotation", mark))
    for panel in board["panels"]:
        number = panel["id"]
        if panel["type"] == "row":
            lines.append(_value(f"row{number}", "Wire<RowPanel>", panel))
            continue
        _, name, own = KINDS[panel["type"]]
        lines.append(_value(f"panel{number}", "Wire<Panel>", panel))
        lines.append(_value(f"options{number}", f"Wire<{name}Options>", panel["options"]))
        lines.append(_value(f"targets{number}", "PrometheusTarget[]", panel["targets"]))
        fields = f"Wire<{name}Fields>" if own else "Record<string, never>"
        lines.append(_value(f"fields{number}", fields, panel["fieldConfig"]["defaults"].get("custom", {})))
    return "\n".join(lines) + "\n"


def complaints(boards: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The compiler's complaints about these boards, by name; empty when all are right. Raises SchemaMissing."""
    install()
    node = find_node(Path(sys.prefix))
    assert node is not None
    place = FOLDER / "boards"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        for name, board in boards.items():
            (place / f"{name}.ts").write_text(typescript(board))
        ran = subprocess.run(
            [node.executable, "node_modules/typescript/bin/tsc", "--project", "."],
            cwd=FOLDER,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=False,
            timeout=CHECKED_WITHIN_S,
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if line.strip()]
    if ran.returncode and not said:
        said = [f"tsc ended with {ran.returncode}"]
    return said


def _value(name: str, of_type: str, value: object) -> str:
    return f"export const {name}: {of_type} = {json.dumps(value, ensure_ascii=False)};"
