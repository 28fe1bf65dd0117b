"""Places panels in reading order, in rows of 24 units."""

from collections.abc import Iterator
from dataclasses import dataclass

from deploy.observability.boards.board import Board, Row
from deploy.observability.boards.panel import Panel

WIDTH = 24
HEADING = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle of the grid."""

    x: int
    y: int
    w: int
    h: int


def places(board: Board) -> Iterator[tuple[Row | Panel, Place]]:
    """Each heading and panel with its place; the panels of one line have the height of the tallest."""
    y = 0
    for row in board.rows:
        yield row, Place(0, y, WIDTH, HEADING)
        y += HEADING
        for line in _lines(row.panels):
            height = max(panel.height for panel in line)
            x = 0
            for panel in line:
                yield panel, Place(x, y, panel.width, height)
                x += panel.width
            y += height


def _lines(panels: tuple[Panel, ...]) -> Iterator[list[Panel]]:
    line: list[Panel] = []
    for panel in panels:
        if line and sum(each.width for each in line) + panel.width > WIDTH:
            yield line
            line = []
        line.append(panel)
    if line:
        yield line
