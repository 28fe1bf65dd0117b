"""The page of guarantees names files and tests: they exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guarantees.md").read_text()
NAMED = re.compile(r"`((?:services|tests)/[\w/]+\.py)(?:::(\w+))?`")
LINKED = re.compile(r"\]\((\w+\.md)\)")


def missing(page: str) -> list[str]:
    """What a page names and the repository does not have."""
    lacks = [name for name in LINKED.findall(page) if not (ROOT / "docs" / name).is_file()]
    for path, test in NAMED.findall(page):
        file = ROOT / path
        if not file.is_file():
            lacks.append(path)
        elif test and not re.search(rf"def {test}\(", file.read_text()):
            lacks.append(f"{path}::{test}")
    return lacks


def test_each_file_and_test_exists() -> None:
    assert len(NAMED.findall(PAGE)) > 40
    assert missing(PAGE) == []


def test_what_is_missing_is_found() -> None:
    page = "`services/no.py` `tests/unit/docs/test_docs_guarantees.py::test_no` [x](no.md) `README.md`"
    assert missing(page) == ["no.md", "services/no.py", "tests/unit/docs/test_docs_guarantees.py::test_no"]
