"""What is asked of dashboards beyond Grafana's types: honest queries, words for operators, links that lead
somewhere."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from itertools import combinations

from deploy.observability.boards.asking import Span, filled_in
from deploy.observability.boards.board import MARKS, Board
from deploy.observability.boards.grid import WIDTH, Place, places
from deploy.observability.boards.panel import Bars, Lines, Panel, Query, Spread, States, Unit
from deploy.observability.rule_files import INVENTORY, Inventory, rules_of, selectors

SPAN = Span(0, 3600, 15)
ANCHOR = re.compile(r"/([a-z]+\.md#[a-z]+)$")
OF_RULES = frozenset(["ALERTS"])
COUNTED = r"(?:rate|increase|changes)\({0}(?:\{{[^}}]*\}})?\["
TITLE_MAX = 60


class BoardRules:
    """Holds boards against the inventory of metrics, the recording rules and the runbooks."""

    def __init__(self) -> None:
        text = INVENTORY.read_text()
        self._inventory = Inventory(text)
        metrics = tomllib.loads(text)["metric"]
        self._counters = [metric["name"] for metric in metrics if metric["type"] == "counter"]
        self._histograms = [metric["name"] for metric in metrics if metric["type"] == "histogram"]
        self._alike = [metric["name"] for metric in metrics if metric["across"] == "max"]
        rules = [rule for _, rule in rules_of()]
        self._recorded = OF_RULES | {rule["record"] for rule in rules if "record" in rule}
        links = [ANCHOR.search(rule.get("annotations", {}).get("runbook_url", "")) for rule in rules]
        self._runbooks = {link[1] for link in links if link}

    def problems(self, boards: Sequence[Board]) -> list[str]:
        """Everything that is wrong with them, as sentences."""
        found = [f"two boards are {board.uid}" for board in boards if [b.uid for b in boards].count(board.uid) > 1]
        names = {board.name for board in boards}
        for board in boards:
            found += [f"{board.name}: {problem}" for problem in self._of_board(board, names)]
        for mark in MARKS:
            found += [f"mark {mark.name}: {problem}" for problem in self._of_query(mark.query)]
        return found

    def _of_board(self, board: Board, names: set[str]) -> Iterator[str]:
        if "losing" not in board.rows[0].title and board.rows[0].title.count("?") != 1:
            yield "the first row asks nothing"
        yield from (f"two panels are called {title}" for title in _twice(board))
        stood = [place for _, place in places(board)]
        for one, other in combinations(stood, 2):
            if _overlap(one, other):
                yield f"{one} and {other} overlap"
        yield from (f"{place} is outside" for place in stood if place.x + place.w > WIDTH)
        for panel in board.panels:
            for problem in self._of_panel(panel, names):
                yield f"{panel.title}: {problem}"
            if not board.jobs and any("$instance" in query.expression for query in panel.queries):
                yield f"{panel.title}: no replica can be chosen on this board"

    def _of_panel(self, panel: Panel, names: set[str]) -> Iterator[str]:
        if not panel.guide.normal.strip() or not panel.guide.act.strip():
            yield "it does not say what is normal and what to do"
        if len(panel.title) > TITLE_MAX:
            yield "its title is too long"
        if panel.guide.runbook and panel.guide.runbook not in self._runbooks:
            yield f"no alert has the runbook {panel.guide.runbook}"
        if panel.board and panel.board not in names:
            yield f"there is no board {panel.board}"
        if isinstance(panel, Lines) and panel.of_now:
            yield "a line over time looks at all of the time at every point"
        if isinstance(panel, Lines) and len(panel.queries) > 1 and not all(query.legend for query in panel.queries):
            yield "lines without names"
        if isinstance(panel, Bars) and not all("{{" in query.legend for query in panel.queries):
            yield "bars without names"
        if isinstance(panel, States) and not panel.words:
            yield "states that only a colour tells"
        if isinstance(panel, Spread) and not all("sum by (le)" in query.expression for query in panel.queries):
            yield "a heatmap that is not by le"
        if panel.unit is Unit.SHARE and any("* 100" in query.expression for query in panel.queries):
            yield "a share that is a percentage already"
        for query in panel.queries:
            yield from self._of_query(query)

    def _of_query(self, query: Query) -> Iterator[str]:
        expression = filled_in(query.expression, SPAN)
        if "$" in expression.replace("$__", ""):
            yield f"an unknown variable: {expression}"
        for selector in selectors(expression):
            if selector.metric not in self._recorded:
                yield from self._inventory.problems(selector)
        for name in self._counters:
            bare = len(re.findall(rf"\b{name}\b", expression)) - len(re.findall(COUNTED.format(name), expression))
            if bare:
                yield f"{name} is a counter, and is looked at as it stands"
        for name in self._histograms:
            if f"{name}_bucket" in expression and not re.search(r'\ble="|by \([^)]*\ble\b', expression):
                yield f"the buckets of {name} are added up"
        for name in self._alike:
            if re.search(rf"\bsum(?: by \([^)]*\))? ?\((?:\w+\()?{name}\b", expression):
                yield f"{name} is the same at every replica, and is added up"


def _twice(board: Board) -> list[str]:
    titles = [(row.title, panel.title) for row in board.rows for panel in row.panels]
    return sorted({title for _, title in titles if titles.count((_, title)) > 1})


def _overlap(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.w and other.x < one.x + one.w and one.y < other.y + other.h and other.y < one.y + one.h
    )
