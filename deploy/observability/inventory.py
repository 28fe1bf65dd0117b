"""Reads the inventory of metrics, and compares it with the metrics of processes."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

FILE = Path(__file__).parent / "metrics.toml"


@dataclass(frozen=True, slots=True)
class Values:
    """The possible values of a label: `known` values, or, where that is None, those of `source`, which is `name`d."""

    name: str
    known: frozenset[str] | None
    source: str


@dataclass(frozen=True, slots=True)
class Metric:
    """One entry."""

    name: str
    section: str
    type: str
    services: tuple[str, ...]
    help: str
    labels: Mapping[str, Values]
    from_zero: Mapping[str, frozenset[str]] | None
    """Values of labels that have a series before anything is counted; None where nothing has one."""
    buckets: tuple[float, ...]
    across: str
    slo: str
    note: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """All of it."""

    services: tuple[str, ...]
    sections: Mapping[str, str]
    """Their titles."""
    metrics: Mapping[str, Metric]


def load(text: str | None = None) -> Inventory:
    """Read the inventory, or the text of one. Raises KeyError or ValueError when something is wrong with it."""
    content = tomllib.loads(FILE.read_text() if text is None else text)
    sets = content["sets"]
    sections = {section["name"]: section["title"] for section in content["section"]}
    metrics: dict[str, Metric] = {}
    for entry in content["metric"]:
        metric = _metric(entry, sets)
        if metric.name in metrics:
            raise ValueError(f"{metric.name} stands there twice")
        if metric.section not in sections:
            raise ValueError(f"{metric.name} is in no section")
        metrics[metric.name] = metric
    return Inventory(tuple(sets["service"]), sections, metrics)


def problems(inventory: Inventory, shown: Mapping[str, str], sources: Mapping[str, frozenset[str]]) -> list[str]:
    """The differences between the inventory and the texts of /metrics by service, as sentences; `sources` are the
    values of open sets."""
    found: list[str] = []
    for service, text in shown.items():
        expected = {name for name, metric in inventory.metrics.items() if service in metric.services}
        seen: set[str] = set()
        for name, type_, help_, series in _families(text):
            metric = inventory.metrics.get(name)
            if not series:
                continue  # a metric of another process that uses the same module: it is not exported here
            seen.add(name)
            if metric is None:
                found.append(f"{service} shows {name}, which is not in the inventory")
            elif service not in metric.services:
                found.append(f"{service} shows {name}; the inventory says {', '.join(metric.services)}")
            else:
                if metric.type != type_:
                    found.append(f"{service}: {name} is a {type_}, in the inventory a {metric.type}")
                if metric.help != help_:
                    found.append(f"{service}: {name} says of itself: {help_}")
                found += [f"{service}: {name}: {wrong}" for wrong in _wrong(metric, series, sources)]
        needed = {name for name in expected if inventory.metrics[name].from_zero is not None}
        found += [f"{service} does not show {name}" for name in sorted(needed - seen)]
    return found


def _metric(entry: Mapping[str, Any], sets: Mapping[str, Any]) -> Metric:
    labels = {label: _values(given, sets) for label, given in entry.get("labels", {}).items()}
    services = sets["service"] if entry["services"] == "all" else entry["services"]
    if unknown := set(services) - set(sets["service"]):
        raise ValueError(f"{entry['name']}: there is no {unknown}")
    if entry["across"] not in ("sum", "max"):
        raise ValueError(f"{entry['name']}: across is sum or max")
    buckets = entry.get("buckets", ())
    return Metric(
        entry["name"],
        entry["section"],
        entry["type"],
        tuple(services),
        entry["help"],
        labels,
        _from_zero(entry.get("zeros"), labels),
        tuple(map(float, sets[buckets] if isinstance(buckets, str) else buckets)),
        entry["across"],
        entry.get("slo", ""),
        entry.get("note", ""),
    )


def _from_zero(given: Any, labels: Mapping[str, Values]) -> Mapping[str, frozenset[str]] | None:
    if given is False:
        return None
    if isinstance(given, Mapping) and "source" not in given:
        return {label: frozenset(values) for label, values in given.items()}
    return {}


def _values(given: Any, sets: Mapping[str, Any], name: str = "") -> Values:
    if isinstance(given, str):
        return _values(sets[given], sets, given)
    if isinstance(given, Mapping):
        return Values(name, None, given["source"])
    return Values(name, frozenset(_flat(given, sets)), "")


def _flat(given: Sequence[str], sets: Mapping[str, Any]) -> Iterator[str]:
    for value in given:
        if value.startswith("@"):
            yield from _flat(sets[value[1:]], sets)
        else:
            yield value


def _families(text: str) -> Iterator[tuple[str, str, str, list[Any]]]:
    for family in text_string_to_metric_families(text):
        name = f"{family.name}_total" if family.type == "counter" else family.name
        yield name, family.type, family.documentation, family.samples


def _wrong(metric: Metric, series: Sequence[Any], sources: Mapping[str, frozenset[str]]) -> Iterator[str]:
    own = frozenset(["le"]) if metric.type == "histogram" else frozenset()
    named = {frozenset(sample.labels) - own for sample in series}
    if named != {frozenset(metric.labels)}:
        yield f"its labels are {sorted(map(sorted, named))}"
        return
    for label, values in metric.labels.items():
        seen = {sample.labels[label] for sample in series}
        allowed = sources.get(values.name) if values.known is None else values.known
        if allowed is not None and (extra := seen - allowed):
            yield f"{label} says {sorted(extra)}"
        if metric.from_zero and (missing := metric.from_zero.get(label, frozenset()) - seen):
            yield f"{label} does not say {sorted(missing)} from the start"
    if metric.type == "histogram":
        bounds = {float(sample.labels["le"]) for sample in series if "le" in sample.labels}
        if bounds != {*metric.buckets, float("inf")}:
            yield f"its buckets are {sorted(bounds)}"
