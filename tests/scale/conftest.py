"""Fixtures of these tests."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def wide_folder() -> Iterator[Path]:
    """A folder that stores may enter which run as another user (pytest's own only its owner may)."""
    folder = Path(tempfile.mkdtemp(prefix="flagfall-scale-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
