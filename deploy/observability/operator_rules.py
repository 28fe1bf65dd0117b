"""`python -m deploy.observability.operator_rules`: the rule files as a PrometheusRule for the Prometheus operator.

The text of the files is taken as it is, comments too, and moved under `spec`: a PrometheusRule's groups are written as
a rule file's. With `--check` nothing is written, and the exit status says whether it would be the same.
"""

import argparse
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy" / "observability" / "rules"
MADE = ROOT / "k8s" / "components" / "prometheus-operator" / "rules.yaml"
GROUPS = "groups:\n"

HEAD = """\
# Made of deploy/observability/rules by `python -m deploy.observability.operator_rules`: change it there.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: flagfall
  labels:
    app.kubernetes.io/part-of: flagfall
spec:
  groups:
"""


def prometheus_rule(folder: Path = RULES) -> str:
    """The PrometheusRule. Raises ValueError for a file that has something else than `groups` at its top."""
    return HEAD + "\n".join(_groups_of(file) for file in sorted(folder.glob("*.yml")))


def _groups_of(file: Path) -> str:
    said, found, groups = file.read_text().partition(GROUPS)
    if not found or any(line and not line.startswith("#") for line in said.splitlines()):
        raise ValueError(f"{file.name}: comments, then `groups:`, and nothing else")
    return textwrap.indent(f"# {file.name}\n{said}", "    ") + textwrap.indent(groups, "  ")


def main(words: list[str]) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m deploy.observability.operator_rules", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether it is up to date")
    check = parser.parse_args(words).check
    text = prometheus_rule()
    if check:
        if MADE.is_file() and MADE.read_text() == text:
            return 0
        print(f"{MADE.relative_to(ROOT)} is not what the rules say: run python -m deploy.observability.operator_rules")
        return 1
    MADE.parent.mkdir(parents=True, exist_ok=True)
    MADE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
