"""What `make install` tells the package tools."""

import json
import sys
from pathlib import Path

import pytest

from deploy.laptop import install
from deploy.laptop.node import Node

WRITE_ENVIRONMENT = "import json, os, sys; json.dump(dict(os.environ), open(sys.argv[1], 'w'))"


@pytest.mark.parametrize(("given", "told"), [(None, "1"), ("0", "0")])
def test_npm_trusts_the_systems_certificates_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, told: str
) -> None:
    node = Node(tmp_path / "bin" / "node", (sys.executable, "-c", WRITE_ENVIRONMENT))
    monkeypatch.setattr(install, "find_node", lambda venv: node)
    monkeypatch.delenv("NODE_USE_SYSTEM_CA", raising=False)
    if given is not None:
        monkeypatch.setenv("NODE_USE_SYSTEM_CA", given)
    install.npm(tmp_path, str(tmp_path / "environment"), env={})
    environment = json.loads((tmp_path / "environment").read_text())
    assert environment["NODE_USE_SYSTEM_CA"] == told
    assert environment["PATH"].startswith(f"{tmp_path}/bin:")
