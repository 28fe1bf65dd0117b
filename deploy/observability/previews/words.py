"""Values, units and legends as text, much as Grafana writes them."""

import math
import re
from collections.abc import Mapping

from deploy.observability.boards.panel import Panel, Query, Unit

QUIET = "no traffic"
_LABEL = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def legend(query: Query, labels: Mapping[str, str]) -> str:
    """A series' name."""
    if not query.legend:
        return ", ".join(f"{name}={value}" for name, value in labels.items() if name != "__name__") or "value"
    return _LABEL.sub(lambda label: labels.get(label[1], ""), query.legend)


def shown(panel: Panel, value: float) -> str:
    """A value with its unit, or the word that stands for it."""
    if math.isnan(value):
        return QUIET
    for word in panel.words:
        if word.value == value:
            return word.text
    return measured(panel.unit, value, panel.decimals)


def measured(unit: Unit, value: float, decimals: int | None = None) -> str:
    """A value with its unit."""
    if math.isinf(value):
        return "∞"
    match unit:
        case Unit.SECONDS:
            return _seconds(value, decimals)
        case Unit.SHARE:
            return _number(value * 100, 2 if decimals is None else decimals) + " %"
        case Unit.BYTES:
            return _bytes(value)
        case Unit.PER_SECOND:
            return _number(value, decimals) + " /s"
        case Unit.TIMES:
            return _number(value, decimals) + " x"
    return _number(value, decimals)


def _number(value: float, decimals: int | None) -> str:
    if decimals is None:
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,.{decimals}f}"


def _seconds(value: float, decimals: int | None) -> str:
    if value == 0 or (decimals == 0 and value < 60):
        return f"{value:.0f} s"
    if abs(value) < 0.001:
        return f"{value * 1e6:.0f} µs"
    if abs(value) < 1:
        return f"{value * 1e3:.3g} ms"
    if abs(value) < 60:
        return f"{value:.3g} s"
    if abs(value) < 3_600:
        return f"{value / 60:.3g} min"
    return f"{value / 3_600:.3g} h" if value < 86_400 else f"{value / 86_400:.3g} d"


def _bytes(value: float) -> str:
    for name in ("B", "KiB", "MiB", "GiB"):
        if abs(value) < 1024:
            return f"{value:.3g} {name}"
        value /= 1024
    return f"{value:.3g} TiB"
