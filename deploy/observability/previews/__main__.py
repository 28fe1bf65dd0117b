"""`python -m deploy.observability.previews --prometheus URL --out FOLDER`: a PNG of each board."""

import argparse
import importlib.util
import subprocess
import sys
import time
from pathlib import Path

from deploy.observability.boards.asking import Span
from deploy.observability.boards.shelf import BOARDS
from deploy.observability.previews.environment import python, surroundings
from deploy.observability.prometheus_api import PrometheusApi

POINTS = 120


def main(words: list[str]) -> int:
    """Paint; in the environment that has what is needed for it."""
    parser = argparse.ArgumentParser(prog="python -m deploy.observability.previews")
    parser.add_argument("--prometheus", required=True, help="its address: http://127.0.0.1:9090")
    parser.add_argument("--out", required=True, type=Path, help="the folder for the pictures")
    parser.add_argument("--seconds", type=float, default=3_600, help="how much of the past is shown")
    parser.add_argument("--until", type=float, default=None, help="the end of it, in seconds since 1970; now")
    parser.add_argument("--scrape", type=float, default=15, help="every how many seconds Prometheus scrapes")
    parser.add_argument("--only", choices=[board.name for board in BOARDS], help="one board")
    given = parser.parse_args(words)
    if importlib.util.find_spec("matplotlib") is None:
        command = [str(python()), "-m", "deploy.observability.previews", *words]
        return subprocess.run(command, env=surroundings(), check=False).returncode
    from deploy.observability.previews.picture import paint

    end_s = given.until or time.time()
    step_s = max(given.scrape, given.seconds / POINTS)
    span = Span(end_s - given.seconds, end_s, step_s, given.scrape)
    given.out.mkdir(parents=True, exist_ok=True)
    for board in BOARDS:
        if given.only in (None, board.name):
            paint(PrometheusApi(given.prometheus), board, span, given.out / f"{board.name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
