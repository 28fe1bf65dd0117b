"""A board as a picture."""

from pathlib import Path

from matplotlib.figure import Figure as Picture
from PIL import Image

from deploy.observability.boards.asking import Span, ask, filled_in
from deploy.observability.boards.board import MARKS, Board, Row
from deploy.observability.boards.grid import WIDTH, places
from deploy.observability.previews.painting import FAINT, INK, Found, Moment, Painter
from deploy.observability.prometheus_api import PrometheusApi

UNIT_PX = (62, 27)
"""Width and height of a unit of the grid."""
HEAD_PX, GAP_PX, DPI = 52, 5, 100
COLOURS_KEPT = 96
MARK_COLOURS = {"blue": "#2f6fb3", "red": "#c62828"}


def paint(api: PrometheusApi, board: Board, span: Span, file: Path) -> None:
    """Run all queries of the board and write a PNG. Raises QueryError, OSError."""
    stood = list(places(board))
    width = UNIT_PX[0] * WIDTH
    height = UNIT_PX[1] * max(place.y + place.h for _, place in stood) + HEAD_PX
    picture = Picture(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="#f3f4f6")
    painter = Painter(picture, width, height, (span.begin_s, span.end_s), span.step_s, _moments(api, span))
    painter.text(f"Flagfall / {board.title}", 10, height - 18, 13, weight="bold")
    painter.text(board.answers, 10, height - 39, 9, colour=FAINT)
    for item, place in stood:
        left, top = place.x * UNIT_PX[0], height - HEAD_PX - place.y * UNIT_PX[1]
        box = (left + GAP_PX / 2, top - place.h * UNIT_PX[1] + GAP_PX / 2)
        size = (place.w * UNIT_PX[0] - GAP_PX, place.h * UNIT_PX[1] - GAP_PX)
        if isinstance(item, Row):
            painter.text(item.title, left + 10, top - UNIT_PX[1] / 2, 10.5, weight="bold", colour=INK)
            continue
        found = [Found(query, ask(api, item, query, span)) for query in item.queries]
        painter.panel(item, found, (*box, *size))
    picture.savefig(file)
    with Image.open(file) as image:
        image.convert("RGB").quantize(COLOURS_KEPT, dither=Image.Dither.NONE).save(file, optimize=True)


def _moments(api: PrometheusApi, span: Span) -> list[Moment]:
    """The beginning of each spell in which a mark's query has a result."""
    found = []
    for mark in MARKS:
        for series in api.query_range(filled_in(mark.query.expression, span), span.begin_s, span.end_s, span.step_s):
            before = None
            for at, _ in series.points:
                if before is None or at - before > 2 * span.step_s:
                    found.append(Moment(at, MARK_COLOURS[mark.colour]))
                before = at
    return found
