"""Asks a Prometheus; the standard library only, since also tools use it that have an environment of their own."""

import json
import math
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ANSWER_WITHIN_S = 30.0


class QueryError(Exception):
    """Prometheus refused an expression; the message is Prometheus'."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One series and its value now."""

    labels: Mapping[str, str]
    value: float


@dataclass(frozen=True, slots=True)
class Series:
    """One series over time: (seconds since 1970, value)."""

    labels: Mapping[str, str]
    points: tuple[tuple[float, float], ...]

    @property
    def numbers(self) -> tuple[float, ...]:
        """The values that are numbers."""
        return tuple(value for _, value in self.points if not math.isnan(value))


class PrometheusApi:
    """The HTTP API of one Prometheus."""

    def __init__(self, url: str) -> None:
        """`url`: http://127.0.0.1:9090"""
        self.url = url.rstrip("/")

    def query(self, expression: str, at_s: float | None = None) -> list[Sample]:
        """The value of an expression, now or at a time. Raises QueryError, OSError."""
        fields = {"query": expression} | ({} if at_s is None else {"time": str(at_s)})
        data = self.get("query", fields)
        if data["resultType"] == "scalar":
            return [Sample({}, float(data["result"][1]))]
        return [Sample(row["metric"], float(row["value"][1])) for row in data["result"]]

    def query_range(self, expression: str, begin_s: float, end_s: float, step_s: float) -> list[Series]:
        """An expression over a span of time. Raises QueryError, OSError."""
        fields = {"query": expression, "start": str(begin_s), "end": str(end_s), "step": str(step_s)}
        return [
            Series(row["metric"], tuple((float(at), float(value)) for at, value in row["values"]))
            for row in self.get("query_range", fields)["result"]
        ]

    def get(self, path: str, fields: Mapping[str, str] | None = None) -> Any:
        """The `data` of any answer of the API: `get("alerts")`. Raises QueryError, OSError."""
        address = f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(fields or {})}"
        try:
            with urllib.request.urlopen(address, timeout=ANSWER_WITHIN_S) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            raise QueryError(f"{text} ({fields})") from error
