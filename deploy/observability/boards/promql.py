"""Pieces of queries: counters by their rate, histograms by quantiles, what every replica reports by its maximum."""

RATE = "$__rate_interval"
"""Grafana's: four scrapes at the least."""
RANGE = "$__range"
"""The time that the board shows."""
HERE = 'instance=~"$instance"'
"""The replicas that were chosen above the board."""
OURS = 'job=~"rules|game|clock|dispatcher|worker|beat|gateway"'
"""All of Flagfall, where a metric is everybody's."""


def here(matchers: str) -> str:
    """A selector for series of the chosen replicas."""
    return f"{matchers}, {HERE}"


def top(count: int, expression: str) -> str:
    """The largest of many series."""
    return f"topk({count}, {expression})"


def share(part: str, whole: str) -> str:
    """The quotient of two expressions; 0 when the second is 0."""
    return f"({or_zero(part)}) / clamp_min({or_zero(whole)}, 0.001)"


def rate(metric: str, only: str = "", by: str = "") -> str:
    """The rate of a counter for each second, over all replicas."""
    return f"sum{_by(by)}(rate({metric}{_only(only)}[{RATE}]))"


def increase(metric: str, only: str = "", by: str = "", over: str = RANGE) -> str:
    """The increase of a counter in the time that is shown."""
    return f"sum{_by(by)}(increase({metric}{_only(only)}[{over}]))"


def quantile(share: float, histogram: str, only: str = "", by: str = "") -> str:
    """The value that a share of the observations stays below, over all replicas."""
    labels = ", ".join(filter(None, ["le", by]))
    return f"histogram_quantile({share:g}, sum by ({labels}) (rate({histogram}_bucket{_only(only)}[{RATE}])))"


def within(limit: str, histogram: str, only: str = "") -> str:
    """The share of all observations in the time shown that stay within a limit, one of the histogram's: its `le`."""
    good = increase(f"{histogram}_bucket", ", ".join(filter(None, [f'le="{limit}"', only])))
    return f"{good} / {increase(f'{histogram}_count', only)}"


def mean(histogram: str, only: str = "", by: str = "") -> str:
    """The mean of the observations."""
    return f"{rate(f'{histogram}_sum', only, by)} / {rate(f'{histogram}_count', only, by)}"


def worst(gauge: str, only: str = "", by: str = "") -> str:
    """The maximum, for values that every replica reports alike or of which only the worst matters."""
    return f"max{_by(by)}({gauge}{_only(only)})"


def total(gauge: str, only: str = "", by: str = "") -> str:
    """The sum over all replicas."""
    return f"sum{_by(by)}({gauge}{_only(only)})"


def used(of: str, limit: str, by: str = "", only: str = "") -> str:
    """How much of a limit is used, both known to all replicas; 0 where there is no limit."""
    taken = worst(of, only, by)
    return f"{taken} / ({worst(limit, only, by)} > 0) or 0 * {taken}"


def or_zero(expression: str) -> str:
    """A sum without labels that is 0 when there is nothing to add up."""
    return f"{expression} or vector(0)"


def or_none(expression: str, label: str) -> str:
    """A sum by a label that says `none` when nothing of the kind has happened yet."""
    return f'{expression} or on() label_replace(vector(0), "{label}", "none", "", "")'


def _by(labels: str) -> str:
    return f" by ({labels}) " if labels else ""


def _only(matchers: str) -> str:
    return f"{{{matchers}}}" if matchers else ""
