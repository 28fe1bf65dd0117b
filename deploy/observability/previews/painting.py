"""A panel of each kind, painted into a rectangle of a picture."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from matplotlib.axes import Axes
from matplotlib.dates import DateFormatter, date2num
from matplotlib.figure import Figure as Picture
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from deploy.observability.boards.panel import (
    Bars,
    Colour,
    Figure,
    Lines,
    Panel,
    Query,
    Spread,
    States,
    Table,
    Unit,
)
from deploy.observability.previews.words import QUIET, legend, measured, shown
from deploy.observability.prometheus_api import Series

INK, FAINT, GRID, PAPER = "#24292f", "#6e7781", "#e6e8eb", "#ffffff"
COLOURS = {Colour.GOOD: "#2e7d4f", Colour.WATCH: "#c77700", Colour.BAD: "#c62828", Colour.PLAIN: "#2f6fb3"}
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f4fc9", "#8c6d31", "#5f6b6d", "#b0a400")
"""Colours that most people with a colour deficiency can tell apart (after Okabe and Ito)."""
LEGEND_PX, TITLE_PX = 15, 22
LEGENDS_MAX = 6
Box = tuple[float, float, float, float]
"""Left, bottom, width, height in pixels."""


@dataclass(frozen=True, slots=True)
class Found:
    """What Prometheus answered to a query of a panel."""

    query: Query
    series: Sequence[Series]


@dataclass(frozen=True, slots=True)
class Moment:
    """A mark across the panels."""

    at_s: float
    colour: str


@dataclass(slots=True)
class Painter:
    """Paints panels of one board."""

    picture: Picture
    width_px: float
    height_px: float
    span: tuple[float, float]
    """Seconds since 1970."""
    step_s: float
    moments: Sequence[Moment] = field(default=())

    def panel(self, panel: Panel, found: Sequence[Found], box: Box) -> None:
        """Paint a panel: its frame, its title, its content."""
        left, bottom, width, height = box
        self.rectangle(box, PAPER, "#d0d7de")
        if not isinstance(panel, Figure):
            self.text(panel.title, left + 8, bottom + height - 14, 8.5, weight="bold", room=width - 12)
        inner = (left + 8, bottom + 6, width - 16, height - TITLE_PX - 8)
        match panel:
            case Figure():
                self._figure(panel, found, box)
            case Lines():
                self._lines(panel, found, inner)
            case Bars():
                self._bars(panel, found, inner)
            case Spread():
                self._spread(panel, found, inner)
            case States():
                self._states(panel, found, inner)
            case Table():
                self._table(panel, found, inner)

    def rectangle(self, box: Box, face: str, edge: str) -> None:
        """Paint a plain rectangle."""
        left, bottom, width, height = box
        self.picture.add_artist(
            Rectangle(
                (left / self.width_px, bottom / self.height_px),
                width / self.width_px,
                height / self.height_px,
                transform=self.picture.transFigure,
                facecolor=face,
                edgecolor=edge,
                linewidth=0.6,
                zorder=-1,
            )
        )

    def text(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        colour: str = INK,
        weight: str = "normal",
        align: str = "left",
        room: float | None = None,
    ) -> None:
        """Paint a text, smaller if it does not fit into `room` pixels."""
        if room is not None and (wide := len(words) * size * (0.95 if weight == "bold" else 0.8)) > room:
            size = max(5.5, size * room / wide)
        self.picture.text(
            x / self.width_px,
            y / self.height_px,
            words,
            fontsize=size,
            color=colour,
            weight=weight,
            ha=align,
            va="center",
        )

    def _axes(self, box: Box) -> Axes:
        left, bottom, width, height = box
        axes = self.picture.add_axes(
            (left / self.width_px, bottom / self.height_px, width / self.width_px, height / self.height_px)
        )
        axes.tick_params(labelsize=6.5, colors=FAINT, length=2, width=0.5)
        for side in axes.spines.values():
            side.set_color(GRID)
        return axes

    def _time(self, axes: Axes) -> None:
        begin_s, end_s = self.span
        axes.set_xlim(_day(begin_s), _day(end_s))
        axes.xaxis.set_major_formatter(DateFormatter("%H:%M:%S" if end_s - begin_s < 900 else "%H:%M"))
        axes.locator_params(axis="x", nbins=5)
        for moment in self.moments:
            axes.axvline(_day(moment.at_s), color=moment.colour, linewidth=0.8, linestyle=(0, (2, 2)), alpha=0.8)

    def _figure(self, panel: Figure, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        value = _last(found[0].series) if found else math.nan
        quiet = math.isnan(value)
        colour = "#8c959f" if quiet else COLOURS[panel.thresholds.colour(value)]
        self.rectangle((left, bottom, width, height), colour, colour)
        self.text(panel.title, left + 8, bottom + height - 14, 8, weight="bold", colour="white", room=width - 12)
        words = shown(panel, value)
        self.text(
            words,
            left + width / 2,
            bottom + height * 0.45,
            22,
            weight="bold",
            colour="white",
            align="center",
            room=width,
        )
        if not panel.of_now and found and found[0].series:
            axes = self._axes((left + 2, bottom + 2, width - 4, height * 0.26))
            axes.axis("off")
            axes.patch.set_alpha(0)
            times, values = _points(found[0].series[0], self.step_s)
            axes.plot(times, values, color="white", linewidth=1, alpha=0.7)
            axes.set_ylim(bottom=0, top=max([*filter(math.isfinite, values), 1e-9]) * 1.3)

    def _lines(self, panel: Lines, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        drawn = [(each.query, series) for each in found for series in each.series]
        if panel.stacked:  # what was never there is only in the way
            drawn = [(query, series) for query, series in drawn if any(series.numbers)] or drawn[:1]
        drawn.sort(key=lambda one: -max(filter(math.isfinite, one[1].numbers), default=-1.0))
        rows = min(len(drawn), LEGENDS_MAX)
        foot = rows * LEGEND_PX + 24
        axes = self._axes((left + 40, bottom + foot + 8, width - 46, max(40.0, height - foot - 8)))
        axes.grid(color=GRID, linewidth=0.5)
        axes.set_axisbelow(True)
        if panel.stacked:
            self._stack(axes, drawn)
        else:
            for at, (query, series) in enumerate(drawn):
                times, values = _points(series, self.step_s)
                style = (0, (4, 3)) if query.dashed else "-"
                axes.plot(times, values, color=_colour(at), linewidth=1.3, linestyle=style, marker=".", markersize=2)
        self._scale(axes, panel, drawn)
        self._time(axes)
        for at, (query, series) in enumerate(drawn[:LEGENDS_MAX]):
            y = bottom + foot - 29 - at * LEGEND_PX
            more = (
                f"   (and {len(drawn) - LEGENDS_MAX} more)"
                if at == LEGENDS_MAX - 1 and len(drawn) > LEGENDS_MAX
                else ""
            )
            self.rectangle((left, y - 1, 12, 3), _colour(at), _colour(at))
            self.text(legend(query, series.labels) + more, left + 18, y, 7, room=width - 150)
            self.text(shown(panel, _last([series])), left + width - 70, y, 7, align="right", colour=FAINT)
            top = max(filter(math.isfinite, series.numbers), default=math.nan)
            self.text(shown(panel, top), left + width - 4, y, 7, align="right", colour=FAINT)
        self.text("last", left + width - 70, bottom + foot - 16, 6, align="right", colour=FAINT)
        self.text("max", left + width - 4, bottom + foot - 16, 6, align="right", colour=FAINT)

    def _stack(self, axes: Axes, drawn: Sequence[tuple[Query, Series]]) -> None:
        times = sorted({at for _, series in drawn for at, _ in series.points})
        rows = []
        for _, series in drawn:
            known = dict(series.points)
            rows.append([0.0 if math.isnan(value := known.get(at, 0.0)) else value for at in times])
        if rows:
            axes.stackplot(
                [_day(at) for at in times], *rows, colors=[_colour(at) for at in range(len(rows))], alpha=0.75
            )

    def _scale(self, axes: Axes, panel: Lines, drawn: Sequence[tuple[Query, Series]]) -> None:
        highest = max((value for _, series in drawn for value in series.numbers if math.isfinite(value)), default=0.0)
        if panel.log:
            axes.set_yscale("log")
        else:
            low, high = axes.get_ylim()
            high = max(high, highest * 1.05)
            if panel.unit is Unit.BYTES:
                axes.yaxis.set_major_locator(MaxNLocator(nbins=4, steps=[1, 2, 4, 8, 10]))
            top = max(high, panel.soft_max or 0.0) if panel.max is None else panel.max * 1.05
            axes.set_ylim(panel.min if panel.min is not None else low, top or 1.0)
        for step in panel.thresholds.steps:
            if panel.log or step.value <= max(highest, panel.soft_max or 0.0) * 1.05:
                axes.axhline(step.value, color=COLOURS[step.colour], linewidth=0.9, linestyle=(0, (6, 3)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: measured(panel.unit, value)))
        axes.yaxis.set_minor_formatter(FuncFormatter(lambda _value, _at: ""))

    def _bars(self, panel: Bars, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        drawn = [(legend(each.query, series.labels), _last([series])) for each in found for series in each.series]
        top = panel.max or max([value for _, value in drawn if math.isfinite(value)] + [1e-9])
        step = height / max(len(drawn), 1)
        for at, (name, value) in enumerate(drawn):
            y = bottom + height - (at + 1) * step
            self.text(name, left + 100, y + step / 2, 7.5, align="right", room=100)
            room = width - 180
            self.rectangle((left + 108, y + step * 0.2, room, step * 0.6), GRID, GRID)
            colour = COLOURS[panel.thresholds.colour(value)]
            share = min(max(value / top, 0.0), 1.0) if math.isfinite(value) else 0.0
            self.rectangle((left + 108, y + step * 0.2, room * share, step * 0.6), colour, colour)
            self.text(shown(panel, value), left + width - 4, y + step / 2, 8, align="right", weight="bold")

    def _spread(self, panel: Spread, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        bounds = sorted(
            ((float(one.labels["le"]), one) for each in found for one in each.series), key=lambda one: one[0]
        )
        axes = self._axes((left + 40, bottom + 16, width - 46, height - 18))
        times = sorted({at for _, one in bounds for at, _ in one.points})
        if len(times) < 2:
            self.text(QUIET, left + width / 2, bottom + height / 2, 9, align="center", colour=FAINT)
            return
        below = [0.0] * len(times)
        cells = []
        for _, one in bounds:
            known = dict(one.points)
            upto = [known.get(at, 0.0) for at in times]
            cells.append([math.nan if high - low < 1e-9 else high - low for high, low in zip(upto, below, strict=True)])
            below = upto
        axes.imshow(
            cells,
            aspect="auto",
            origin="lower",
            cmap="cividis",
            interpolation="nearest",
            extent=(_day(times[0]), _day(times[-1]), 0, len(cells)),
        )
        axes.set_yticks([at + 1 for at in range(len(cells))], [measured(panel.unit, bound) for bound, _ in bounds])
        self._time(axes)

    def _states(self, panel: States, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        drawn = [(legend(each.query, series.labels), series) for each in found for series in each.series]
        drawn.sort(key=lambda one: one[0])
        axes = self._axes((left + 118, bottom + 16, width - 124, height - 18))
        words = {word.value: word for word in panel.words}
        for at, (_, series) in enumerate(drawn):
            for begin_s, end_s, value in _spells(series):
                word = words.get(value)
                colour = COLOURS[word.colour] if word else "#8c959f"
                axes.barh(len(drawn) - at, _day(end_s) - _day(begin_s), left=_day(begin_s), height=0.8, color=colour)
                if word and end_s - begin_s > (self.span[1] - self.span[0]) * 0.05:
                    middle = (_day(begin_s) + _day(end_s)) / 2
                    axes.text(middle, len(drawn) - at, word.text, color="white", fontsize=6, ha="center", va="center")
        axes.set_yticks([len(drawn) - at for at in range(len(drawn))], [name for name, _ in drawn])
        axes.set_ylim(0.4, len(drawn) + 0.6)
        self._time(axes)

    def _table(self, panel: Table, found: Sequence[Found], box: Box) -> None:
        left, bottom, width, height = box
        headings = [*(heading for _, heading in panel.columns), *([panel.value] if panel.value else [])]
        step = width / len(headings)
        for at, heading in enumerate(headings):
            self.text(heading, left + at * step, bottom + height - 10, 7.5, weight="bold", colour=FAINT)
        rows = [series for each in found for series in each.series]
        for number, series in enumerate(sorted(rows, key=lambda one: sorted(one.labels.items()))):
            cells = [series.labels.get(label, "") for label, _ in panel.columns]
            cells += [shown(panel, _last([series]))] if panel.value else []
            y = bottom + height - 30 - number * 20
            for at, cell in enumerate(cells):
                self.text(cell[:18] or "-", left + at * step, y, 7.5)


def _day(at_s: float) -> float:
    return float(date2num(datetime.fromtimestamp(at_s)))  # noqa: DTZ006 - as a clock on the wall shows it


def _points(series: Series, step_s: float) -> tuple[list[float], list[float]]:
    """The points of a line, with gaps where points are missing."""
    times: list[float] = []
    values: list[float] = []
    before_s: float | None = None
    for at_s, value in series.points:
        if before_s is not None and at_s - before_s > 1.5 * step_s:
            times.append(_day(before_s + step_s))
            values.append(math.nan)
        times.append(_day(at_s))
        values.append(value)
        before_s = at_s
    return times, values


def _last(series: Sequence[Series]) -> float:
    """The last number of the first series; NaN without any."""
    numbers = series[0].numbers if series else ()
    return numbers[-1] if numbers else math.nan


def _colour(at: int) -> str:
    return LINES[at % len(LINES)]


def _spells(series: Series) -> list[tuple[float, float, float]]:
    """From when to when it had which value."""
    points = series.points
    step = min((b[0] - a[0] for a, b in itertools.pairwise(points)), default=1.0)
    found: list[tuple[float, float, float]] = []
    for at, value in points:
        if found and found[-1][2] == value and at - found[-1][1] <= step * 1.5:
            found[-1] = (found[-1][0], at + step, value)
        else:
            found.append((at, at + step, value))
    return found
