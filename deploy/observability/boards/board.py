"""A board: rows of panels under a few variables."""

from dataclasses import dataclass

from deploy.observability.boards.panel import Panel, Query

UID = "flagfall-"


@dataclass(frozen=True, slots=True)
class Row:
    """Panels under a heading that is a question."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One dashboard. `jobs` are the components that it is about: their replicas can be chosen above it."""

    name: str
    """A word; the file's name, and behind `flagfall-` the uid."""
    title: str
    answers: str
    """What it answers, in a sentence or two."""
    rows: tuple[Row, ...]
    jobs: tuple[str, ...] = ()

    @property
    def uid(self) -> str:
        """The board's id in Grafana's address: /d/UID."""
        return UID + self.name

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All panels, in their order."""
        return tuple(panel for row in self.rows for panel in row.panels)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across all panels; each series of the query is a moment."""

    name: str
    query: Query
    colour: str
    text: str


MARKS = (
    Mark(
        "Deploys",
        Query(
            "count by (service, version, revision) (flagfall_build_info unless on (service, version, revision)"
            " last_over_time(flagfall_build_info[1h] offset 1m))"
        ),
        "blue",
        "{{service}} {{version}} {{revision}}: had not run for an hour",
    ),
    Mark(
        "Outages",
        Query("sum(increase(flagfall_outages_total[1m])) > 0"),
        "red",
        "nobody could move; the time is given back",
    ),
)
"""On every board."""
