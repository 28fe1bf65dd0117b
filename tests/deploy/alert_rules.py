"""What is asked of alerting rules beyond what promtool asks: a severity, words, a board, a runbook, two tests, and
metrics that exist."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from deploy.observability.rule_files import Alert, Inventory, alerts, rules_of, selectors

SEVERITIES = ("page", "ticket")
LINK = re.compile(
    r'^\{\{ with query "flagfall:runbooks" \}\}\{\{ \. \| first \| label "address" \}\}\{\{ end \}\}'
    r"/([a-z]+\.md)#([a-z]+)$"
)
NAME = re.compile(r"^(\w+) (\w+) (fires|is silent): .+$")
TOLD = 'count by (alertname) (ALERTS{{alertname="{}", severity="{}", alertstate="firing"}})'


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files are."""

    rules: Path
    runbooks: Path
    boards: frozenset[str]
    """Titles."""
    inventory: Inventory


def problems(places: Places) -> list[str]:
    """What is wrong, in sentences."""
    known = alerts(places.rules)
    return [
        *(problem for alert in known for problem in _of_words(alert, places)),
        *_of_metrics(places),
        *_of_tests(known, places.rules / "tests"),
    ]


def _of_words(alert: Alert, places: Places) -> Iterator[str]:
    if alert.severity not in SEVERITIES:
        yield f"{alert.name} has no severity of {SEVERITIES}"
    for word in ("summary", "description", "board", "runbook_url"):
        if not alert.annotations.get(word):
            yield f"{alert.name} has no {word}"
            return
    board = alert.annotations["board"]
    if board not in places.boards:
        yield f"{alert.name} names the board {board!r}, which is not there"
    if not alert.annotations["description"].endswith(f"Board: {board}."):
        yield f"{alert.name} does not say its board in the description"
    link = LINK.match(alert.annotations["runbook_url"])
    if link is None or link[2] != alert.name.lower():
        yield f"{alert.name} links no runbook of its own"
        return
    page = places.runbooks / link[1]
    if not page.is_file() or f"\n## {alert.name}\n" not in page.read_text():
        yield f"{alert.name} has no heading in {link[1]}"


def _of_metrics(places: Places) -> Iterator[str]:
    rules = list(rules_of(places.rules))
    recorded = {rule["record"] for _, rule in rules if "record" in rule}
    for file, rule in rules:
        for selector in selectors(rule["expr"]):
            if selector.metric not in recorded:
                found = places.inventory.problems(selector)
                yield from (f"{file}, {rule.get('alert') or rule['record']}: {problem}" for problem in found)


def _of_tests(known: list[Alert], folder: Path) -> Iterator[str]:
    seen: set[tuple[str, str, str]] = set()
    for file in sorted(folder.glob("*.yml")):
        for case in yaml.safe_load(file.read_text())["tests"]:
            name = NAME.match(case["name"])
            if name is None:
                yield f"{file.name}: {case['name']!r} names no alert, severity and verdict"
                continue
            for told in case["promql_expr_test"]:
                if told["expr"] != TOLD.format(name[1], name[2]):
                    yield f"{file.name}: {case['name']!r} asks for something else"
                if bool(told["exp_samples"]) != (name[3] == "fires"):
                    yield f"{file.name}: {case['name']!r} expects the contrary"
            seen.add((name[1], name[2], name[3]))
    rules = {(alert.name, alert.severity) for alert in known}
    for name_, severity in sorted(rules):
        for verdict in ("fires", "is silent"):
            if (name_, severity, verdict) not in seen:
                yield f"no test in which {name_} ({severity}) {verdict}"
    yield from (
        f"a test of {name_} ({severity}), which is no alert"
        for name_, severity, _ in seen
        if (name_, severity) not in rules
    )


def annotation_tests(tests: Path, rules: Path) -> str:
    """Cases that fire, as a file for promtool that expects no alert, so that it prints each one as it would be sent."""
    content = yaml.safe_load(tests.read_text())
    content["rule_files"] = [str(rules / Path(name).name) for name in content["rule_files"]]
    cases = []
    for case in content["tests"]:
        name = NAME.match(case["name"])
        assert name is not None
        if name[3] == "fires":
            told = case.pop("promql_expr_test")
            case["alert_rule_test"] = [
                {"eval_time": one["eval_time"], "alertname": name[1], "exp_alerts": []} for one in told
            ]
            cases.append(case)
    return yaml.safe_dump(content | {"tests": cases}, width=1_000)
