"""`python -m deploy.observability.boards`: write the dashboards' JSON; with --check say what is not as described."""

import argparse
import sys
from pathlib import Path

from deploy.observability.boards.grafana_json import text
from deploy.observability.boards.shelf import BOARDS

FOLDER = Path(__file__).resolve().parents[3] / "k8s" / "components" / "prometheus-operator" / "dashboards"


def wrong(folder: Path) -> list[str]:
    """Files that differ from the descriptions, and files without a board."""
    wanted = {f"{board.name}.json": text(board) for board in BOARDS}
    found = {path.name: path.read_text() for path in folder.glob("*.json")}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def main() -> int:
    """Write, or check."""
    parser = argparse.ArgumentParser(prog="python -m deploy.observability.boards")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when a file differs")
    check = parser.parse_args().check
    if check:
        if names := wrong(FOLDER):
            print(f"not as described, run python -m deploy.observability.boards: {', '.join(names)}", file=sys.stderr)
        return 1 if names else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in wrong(FOLDER):
        (FOLDER / name).unlink(missing_ok=True)
    for board in BOARDS:
        (FOLDER / f"{board.name}.json").write_text(text(board))
    return 0


if __name__ == "__main__":
    sys.exit(main())
