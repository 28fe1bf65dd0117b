"""Whether rules work on a real Prometheus after play: they are evaluated, what they record is there, and so is what
they ask for."""

from collections.abc import Iterator

from deploy.observability.prometheus_api import PrometheusApi
from deploy.observability.rule_files import OF_PROMETHEUS, rules_of, selectors

WHEN_BURNING = frozenset(["flagfall:slo_burning:page", "flagfall:slo_burning:ticket"])
"""Recorded only while a budget burns."""


def not_working(api: PrometheusApi) -> list[str]:
    """What is wrong, in sentences. What Prometheus tells of itself is left aside: nobody scrapes it in the tests."""
    return [*_not_evaluated(api), *_without_series(api)]


def _not_evaluated(api: PrometheusApi) -> Iterator[str]:
    seen = 0
    for group in api.get("rules")["groups"]:
        for rule in group["rules"]:
            seen += 1
            if rule["health"] != "ok":
                yield f"{rule['name']} is {rule['health']}: {rule.get('lastError', '')}"
    there = len(list(rules_of()))
    if seen != there:
        yield f"{seen} rules are loaded, there are {there}"


def _without_series(api: PrometheusApi) -> Iterator[str]:
    recorded = {rule["record"] for _, rule in rules_of() if "record" in rule}
    asked = {selector.metric for _, rule in rules_of() for selector in selectors(rule["expr"])}
    for name in sorted((recorded | asked) - WHEN_BURNING - (OF_PROMETHEUS.keys() - {"up"})):
        if not api.query(f"last_over_time({name}[5m])"):
            yield f"there is no {name}"
