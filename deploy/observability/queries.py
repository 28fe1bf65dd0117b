"""All queries in the repository, of rules, dashboards and autoscalers; and a check of each."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from deploy.observability.rule_files import Inventory, Selector, rules_of, selectors

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "k8s" / "components" / "prometheus-operator" / "dashboards"
MANIFESTS = ROOT / "k8s"
OF_PODS = frozenset(["namespace", "pod", "container"])
"""Labels that the operator's Prometheus puts on what it scrapes from pods, beside job and instance."""
OF_ALERTS = frozenset(["ALERTS", "ALERTS_FOR_STATE"])
"""Series that Prometheus makes of alerts."""

_VARIABLE_QUERY = re.compile(r"label_values\((.+),\s*\w+\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, and its place."""

    where: str
    expression: str


def of_rules() -> Iterator[Asked]:
    """The queries of recording rules and alerts."""
    for file, rule in rules_of():
        yield Asked(f"{file}: {rule.get('alert') or rule['record']}", str(rule["expr"]))


def of_boards(folder: Path = BOARDS) -> Iterator[Asked]:
    """The queries of panels and variables."""
    for file in sorted(folder.glob("*.json")):
        board = json.loads(file.read_text())
        for found in _found(board["panels"], "expr"):
            yield Asked(file.name, found)
        for found in _found(board["templating"], "query"):
            if match := _VARIABLE_QUERY.match(found):
                yield Asked(file.name, match[1])


def of_autoscalers(folder: Path = MANIFESTS) -> Iterator[Asked]:
    """The queries of KEDA's scalers."""
    for file in sorted(folder.rglob("*.yaml")):
        for document in yaml.safe_load_all(file.read_text()):
            if isinstance(document, dict) and document.get("kind") == "ScaledObject":
                for found in _found(document["spec"]["triggers"], "query"):
                    yield Asked(str(file.relative_to(folder)), found)


def recorded() -> frozenset[str]:
    """The names of recorded series."""
    return frozenset(rule["record"] for _, rule in rules_of() if "record" in rule)


def problems(asked: Asked, inventory: Inventory, made: frozenset[str]) -> list[str]:
    """The problems of a query, as sentences; `made` are the names of recorded series."""
    found: list[str] = []
    for selector in map(_of_the_process, selectors(asked.expression)):
        if selector.metric in OF_ALERTS:
            continue
        if ":" not in selector.metric:
            found += inventory.problems(selector)
        elif selector.metric not in made:
            found.append(f"no rule records {selector.metric}")
    return [f"{asked.where}: {wrong}" for wrong in found]


def _of_the_process(selector: Selector) -> Selector:
    own = tuple(matcher for matcher in selector.matchers if matcher.label not in OF_PODS)
    return replace(selector, matchers=own)


def _found(inside: Any, key: str) -> Iterator[str]:
    """Every text under a key, however deep."""
    if isinstance(inside, dict):
        for name, value in inside.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _found(value, key)
    elif isinstance(inside, list):
        for value in inside:
            yield from _found(value, key)
