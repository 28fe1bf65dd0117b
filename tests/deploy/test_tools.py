"""The checking tools: locked by hash, named by no address, and never left out in silence."""

import re
from pathlib import Path

import pytest

from deploy.checks.tools import KUBECTL_LOCK, LOCK, ToolMissing, program


@pytest.mark.parametrize("lock", [LOCK, KUBECTL_LOCK], ids=lambda lock: lock.name)
def test_a_lock_pins_each_package_by_hash_and_names_no_registry(lock: Path) -> None:
    text = lock.read_text()
    packages = re.split(r"\n(?=[a-z0-9])", re.sub(r"^\s*#.*\n?", "", text, flags=re.MULTILINE).strip())
    assert packages
    for package in packages:
        assert re.match(r"[a-z0-9.-]+(\[[a-z0-9,-]+\])?==\S+", package), package
        assert "--hash=sha256:" in package, package
    assert not re.search(r"https?://|--index|--find-links", text)


def test_a_tool_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(ToolMissing, match="make deploy-tools"):
        program("kubectl-of-tomorrow")
