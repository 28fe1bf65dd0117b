"""Puts a panel's queries to a Prometheus as Grafana would, with its variables filled in."""

from dataclasses import dataclass

from deploy.observability.boards.panel import Panel, Query
from deploy.observability.prometheus_api import PrometheusApi, Series


@dataclass(frozen=True, slots=True)
class Span:
    """The time that a board shows, and how finely."""

    begin_s: float
    end_s: float
    step_s: float
    scrape_s: float = 15.0
    """How often Prometheus scrapes."""

    @property
    def seconds(self) -> int:
        """The length of the span in seconds."""
        return max(1, round(self.end_s - self.begin_s))


def filled_in(expression: str, span: Span) -> str:
    """Grafana's variables as they are with every replica chosen."""
    rate_s = max(span.step_s + span.scrape_s, 4 * span.scrape_s)
    for name, value in (
        ("$__rate_interval", f"{rate_s:.0f}s"),
        ("$__range", f"{span.seconds}s"),
        ("$instance", ".*"),
    ):
        expression = expression.replace(name, value)
    return expression


def ask(api: PrometheusApi, panel: Panel, query: Query, span: Span) -> list[Series]:
    """The result of one of a panel's queries. Raises QueryError, OSError."""
    expression = filled_in(query.expression, span)
    if panel.of_now:
        now = api.query(expression, span.end_s)
        return [Series(sample.labels, ((span.end_s, sample.value),)) for sample in now]
    return api.query_range(expression, span.begin_s, span.end_s, span.step_s)
