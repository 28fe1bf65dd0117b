"""docs/metrics.md, made from the inventory: `python -m deploy.observability.metrics_page [--check]`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from deploy.observability.inventory import Inventory, Metric, Values, load

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"

_HEAD = """\
# Metrics

Made from [`deploy/observability/metrics.toml`](../deploy/observability/metrics.toml) by
`python -m deploy.observability.metrics_page`; the tests compare the inventory with /metrics of every process in
play, and every rule and dashboard with the inventory.

Every process exports its metrics at `/metrics` of its admin port. One process is one pod, so nothing is merged in it.
Prometheus adds `job`, the component (rules, game, clock, dispatcher, worker, beat, gateway), and `instance`, the pod.

- Units are seconds and bytes. Labels are from small fixed sets; no label holds an id, a name or an address.
- Series of known labels begin at 0, so that the first count is an increase.
- **Across replicas** says how to combine a service's pods. `max`: all of them report the same thing in a store,
  and a sum would count it once for each replica.
- **SLO** marks what the service levels are made of; their thresholds are bucket bounds (`le="0.25"`).
"""


def page(inventory: Inventory) -> str:
    """The whole page."""
    return "\n".join(_lines(inventory)) + "\n"


def _lines(inventory: Inventory) -> Iterator[str]:
    yield _HEAD.rstrip()
    for name, title in inventory.sections.items():
        yield ""
        yield f"## {title}"
        for metric in inventory.metrics.values():
            if metric.section == name:
                yield ""
                yield from _entry(inventory, metric)


def _entry(inventory: Inventory, metric: Metric) -> Iterator[str]:
    yield f"**`{metric.name}`** ({metric.type}) {_ended(metric.help)}"
    everywhere = metric.services == inventory.services
    across = f"; across replicas `{metric.across}`" if metric.type == "gauge" else ""
    yield f"<br>Shown by {'every process' if everywhere else ', '.join(metric.services)}{across}."
    for label, values in metric.labels.items():
        yield f"<br>`{label}`: {_told(values)}."
    if metric.buckets:
        yield f"<br>Buckets up to {', '.join(f'{bound:g}' for bound in metric.buckets)}."
    if metric.slo:
        yield f"<br>**SLO**: {_ended(metric.slo)}"
    if metric.note:
        yield f"<br>{_ended(metric.note)}"


def _told(values: Values) -> str:
    return values.source if values.known is None else ", ".join(f"`{value}`" for value in sorted(values.known))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else f"{sentence}."


def main(words: list[str]) -> None:
    """Write the page, or say whether it is what the inventory makes."""
    made = page(load())
    if words == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != made:
            sys.exit("docs/metrics.md is not what the inventory makes: python -m deploy.observability.metrics_page")
    elif not words:
        PAGE.write_text(made)
    else:
        sys.exit("usage: python -m deploy.observability.metrics_page [--check]")


if __name__ == "__main__":
    main(sys.argv[1:])
