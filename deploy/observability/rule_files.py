"""Reads the rule files: alerts, recorded series, and the series in an expression."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deploy.observability.operator_rules import RULES

INVENTORY = RULES.parent / "metrics.toml"
OF_TARGETS = frozenset(["job", "instance"])
"""Labels that Prometheus puts on everything it scrapes."""
OF_PROMETHEUS: Mapping[str, frozenset[str]] = {
    "up": frozenset(),
    "prometheus_rule_evaluation_failures_total": frozenset(["rule_group"]),
    "alertmanager_notifications_failed_total": frozenset(["integration"]),
    "kube_cronjob_status_last_successful_time": frozenset(["namespace", "cronjob"]),
    "kube_cronjob_created": frozenset(["namespace", "cronjob"]),
}
"""What Prometheus, Alertmanager and kube-state-metrics tell, and the labels that are asked for."""

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)")
_RANGE = re.compile(r"\[[^]]*\]")
_SELECTOR = re.compile(r"(?<![\w:])([A-Za-z_:][\w:]*)(?:\s*\{([^}]*)\})?(?!\s*\()(?![\w:])")
_MATCHER = re.compile(r'([A-Za-z_]\w*)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_WORDS = frozenset(["and", "or", "unless", "bool", "offset", "inf", "nan"])
_SUFFIX = re.compile(r"_(bucket|count|sum)$")


@dataclass(frozen=True, slots=True)
class Alert:
    """An alerting rule."""

    file: str
    name: str
    severity: str
    expression: str
    annotations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Matcher:
    """`label="value"` in a selector; `operator` as it stands there."""

    label: str
    operator: str
    value: str

    @property
    def values(self) -> Sequence[str]:
        """The values that are named, where they are named one by one; none for other patterns."""
        if "~" not in self.operator:
            return (self.value,)
        return self.value.split("|") if re.fullmatch(r"[\w|]+", self.value) else ()


@dataclass(frozen=True, slots=True)
class Selector:
    """A series selector in an expression."""

    metric: str
    matchers: tuple[Matcher, ...]


def rules_of(folder: Path = RULES) -> Iterator[tuple[str, dict[str, Any]]]:
    """All rules with the names of their files."""
    for file in sorted(folder.glob("*.yml")):
        for group in yaml.safe_load(file.read_text())["groups"]:
            for rule in group["rules"]:
                yield file.name, rule


def alerts(folder: Path = RULES) -> list[Alert]:
    """All alerting rules. A rule without a severity has an empty one."""
    return [
        Alert(
            file, rule["alert"], rule.get("labels", {}).get("severity", ""), rule["expr"], rule.get("annotations", {})
        )
        for file, rule in rules_of(folder)
        if "alert" in rule
    ]


def selectors(expression: str) -> list[Selector]:
    """The series selectors in an expression, in order."""
    bare = _RANGE.sub("", _GROUPING.sub(" ", expression))
    hidden = _TEXT.sub(lambda text: "~" * len(text[0]), bare)  # no name is looked for inside a text
    found = []
    for match in _SELECTOR.finditer(hidden):
        if match[1].lower() in _WORDS:
            continue
        inside = bare[match.start(2) : match.end(2)] if match[2] is not None else ""
        found.append(Selector(match[1], tuple(Matcher(*parts) for parts in _MATCHER.findall(inside))))
    return found


class Inventory:
    """The content of metrics.toml."""

    def __init__(self, text: str) -> None:
        """`text`: the file's content."""
        content = tomllib.loads(text)
        self._sets: Mapping[str, Any] = content["sets"]
        self._metrics = {metric["name"]: metric for metric in content["metric"]}

    def problems(self, selector: Selector) -> list[str]:
        """The problems of a selector, as sentences."""
        name = selector.metric
        if name in OF_PROMETHEUS:
            asked = {matcher.label for matcher in selector.matchers}
            return [f"{name} has no label {label}" for label in sorted(asked - OF_PROMETHEUS[name] - OF_TARGETS)]
        metric = self._metrics.get(name) or self._metrics.get(_SUFFIX.sub("", name))
        if metric is None:
            return [f"there is no metric {name}"]
        if (metric["name"] == name) == (metric["type"] == "histogram"):
            return [f"{name}: {metric['name']} is a {metric['type']}"]
        return [problem for matcher in selector.matchers for problem in self._wrong(metric, name, matcher)]

    def _wrong(self, metric: Mapping[str, Any], name: str, matcher: Matcher) -> Iterator[str]:
        if matcher.label == "le" and name.endswith("_bucket"):
            bounds = self._values(metric["buckets"])
            if bounds is not None and matcher.value not in (*map(str, map(float, bounds)), "+Inf"):
                yield f"{name} has no bucket {matcher.value}"
        elif matcher.label == "job":
            services = self._sets["service"] if metric["services"] == "all" else metric["services"]
            yield from (f"no {value} shows {name}" for value in matcher.values if value not in services)
        elif matcher.label not in OF_TARGETS:
            labels = metric.get("labels", {})
            if matcher.label not in labels:
                yield f"{name} has no label {matcher.label}"
                return
            known = self._values(labels[matcher.label])
            if known is not None:
                yield from (f"{name}: no {matcher.label} is {value}" for value in matcher.values if value not in known)

    def _values(self, given: Any) -> list[Any] | None:
        """The values of a set; None where it is open."""
        if isinstance(given, str):
            return self._values(self._sets[given])
        if isinstance(given, Mapping):
            return None
        found: list[Any] = []
        for value in given:
            if isinstance(value, str) and value.startswith("@"):
                found += self._values(value[1:]) or []
            else:
                found.append(value)
        return found
