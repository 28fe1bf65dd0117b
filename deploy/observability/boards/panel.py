"""The parts of a panel: its queries, their display, and what an operator should know."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar


class Unit(StrEnum):
    """The unit of a value, by Grafana's name."""

    SECONDS = "s"
    COUNT = "short"
    SHARE = "percentunit"
    BYTES = "bytes"
    PER_SECOND = "suffix: /s"
    TIMES = "suffix: x"
    TEXT = "string"


class Colour(StrEnum):
    """The colour of a limit. It is never the only sign: a word says the same."""

    GOOD = "green"
    WATCH = "orange"
    BAD = "red"
    PLAIN = "blue"


@dataclass(frozen=True, slots=True)
class Step:
    """A colour that applies from `value` on."""

    value: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The colour below all steps, and the steps in ascending order."""

    base: Colour = Colour.PLAIN
    steps: tuple[Step, ...] = ()

    def colour(self, value: float) -> Colour:
        """The colour of a value."""
        reached = [step.colour for step in self.steps if value >= step.value]
        return reached[-1] if reached else self.base


NONE = Thresholds()


def upto(bad: float, watch: float | None = None) -> Thresholds:
    """Good below; worth a look from `watch` on; bad from `bad` on."""
    steps = ([] if watch is None else [Step(watch, Colour.WATCH)]) + [Step(bad, Colour.BAD)]
    return Thresholds(Colour.GOOD, tuple(steps))


def at_least(good: float, watch: float | None = None) -> Thresholds:
    """Bad below; worth a look from `watch` on; good from `good` on."""
    steps = ([] if watch is None else [Step(watch, Colour.WATCH)]) + [Step(good, Colour.GOOD)]
    return Thresholds(Colour.BAD, tuple(steps))


MUST_BE_ZERO = upto(bad=1e-9)


@dataclass(frozen=True, slots=True)
class Word:
    """A value that is shown as a word."""

    value: float
    text: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class Query:
    """A query to Prometheus."""

    expression: str
    legend: str = ""
    """With labels as {{label}}."""
    dashed: bool = False
    """A line that stands for a limit, or for what was before."""

    @property
    def of_whole_span(self) -> bool:
        """Whether it covers the whole time range at once."""
        return "$__range" in self.expression


@dataclass(frozen=True, slots=True)
class Guide:
    """What an operator should know: what is normal, what to do when it is not, where that is described."""

    normal: str
    act: str
    runbook: str = ""
    """A place in docs/runbooks: time.md#flagfallearlyflag."""

    @property
    def text(self) -> str:
        """The panel's description in Grafana."""
        return f"**Normal:** {self.normal}\n\n**If not:** {self.act}"


@dataclass(frozen=True, slots=True)
class Panel:
    """The fields of all kinds of panels. Sizes are in units of Grafana's grid, 24 to a row."""

    kind: ClassVar[str]

    title: str
    queries: tuple[Query, ...]
    guide: Guide
    unit: Unit = Unit.COUNT
    thresholds: Thresholds = NONE
    words: tuple[Word, ...] = ()
    width: int = 8
    height: int = 8
    decimals: int | None = None
    min: float | None = 0
    max: float | None = None
    board: str = ""
    """The name of another board with details."""

    @property
    def of_now(self) -> bool:
        """Whether it is asked for one value, at the end of the time that is shown."""
        return any(query.of_whole_span for query in self.queries)


@dataclass(frozen=True, slots=True)
class Lines(Panel):
    """Values over time."""

    kind: ClassVar[str] = "timeseries"
    stacked: bool = False
    log: bool = False
    """A logarithmic axis, for durations that span several powers of ten."""
    soft_max: float | None = None
    """The axis goes up to here at the least, so that noise near nothing looks like nothing."""


@dataclass(frozen=True, slots=True)
class Figure(Panel):
    """The last value, large."""

    kind: ClassVar[str] = "stat"
    width: int = 4
    height: int = 5


@dataclass(frozen=True, slots=True)
class Bars(Panel):
    """The last values side by side."""

    kind: ClassVar[str] = "bargauge"

    @property
    def of_now(self) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class Spread(Panel):
    """A histogram over time: how many observations fell into which bucket. The query is of `le`."""

    kind: ClassVar[str] = "heatmap"


@dataclass(frozen=True, slots=True)
class States(Panel):
    """The states of each series over time; `words` name them."""

    kind: ClassVar[str] = "state-timeline"


@dataclass(frozen=True, slots=True)
class Table(Panel):
    """The labels of the present series, as rows; `columns` are (label, heading)."""

    kind: ClassVar[str] = "table"
    columns: tuple[tuple[str, str], ...] = field(default=())
    value: str = ""
    """The heading of the value; without it only the labels are shown."""

    @property
    def of_now(self) -> bool:
        """Always."""
        return True
