"""What the last release's replicas and clients rely on is still there: gRPC, stored messages, HTTP API, WebSocket."""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.laptop.node import ROOT
from tests.deploy.api_changes import frames, lost, lost_frames

RELEASED = (ROOT / "deploy" / "released").read_text().strip()
BUF = Path(sys.prefix) / "bin" / "buf"
DESCRIBE = """
import asyncio
from types import SimpleNamespace
import httpx
try:
    from services.gateway.main.app import make_app
except ModuleNotFoundError:  # the release before the packages
    from services.gateway.app import make_app
from services.gateway.settings import GatewaySettings

async def describe():
    app = make_app(SimpleNamespace(settings=GatewaySettings()), None)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://flagfall") as client:
        print((await client.get("/openapi.json")).text)

asyncio.run(describe())
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The last release's files."""
    folder = tmp_path_factory.mktemp("release")
    archive = subprocess.run(["git", "archive", RELEASED], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    return folder


def broken_by(proto: Path, release: Path) -> str:
    """What `buf breaking` finds in a folder with proto/ and buf.yaml; empty for nothing."""
    result = subprocess.run(
        [BUF, "breaking", "--against", release], cwd=proto, capture_output=True, text=True, check=False
    )
    assert result.returncode in (0, 100), result.stderr
    assert bool(result.stdout) == (result.returncode == 100)
    return result.stdout


def test_no_message_and_no_call_has_changed_its_meaning(release: Path) -> None:
    assert broken_by(ROOT, release) == ""


@pytest.mark.parametrize(
    ("file", "line", "instead", "says"),
    [
        ("game.proto", "  rpc RevokeToken(RevokeTokenRequest) returns (RevokeTokenResponse);", "", 'RPC "RevokeToken"'),
        ("common.proto", "  Repetition repetition = 1;", "  Repetition repetition = 99;", 'field "1"'),
        ("common.proto", "  Repetition repetition = 1;", "  string repetition = 1;", "changed type"),
        ("common.proto", "  Repetition repetition = 1;", "", 'field "1"'),
    ],
)
def test_what_would_not_be_understood_is_found(
    release: Path, tmp_path: Path, file: str, line: str, instead: str, says: str
) -> None:
    shutil.copytree(ROOT / "proto", tmp_path / "proto", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    changed = tmp_path / "proto" / "flagfall" / "v1" / file
    text = changed.read_text()
    assert line in text, "the negative fixture must change with the contract"
    changed.write_text(text.replace(line, instead))
    assert says in broken_by(tmp_path, release)


def described(home: Path) -> dict[str, Any]:
    """The description of the HTTP API that a folder's gateway gives."""
    environment = {**os.environ, "PYTHONPATH": str(home)}
    result = subprocess.run(
        [sys.executable, "-c", DESCRIBE], env=environment, cwd=home, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture(scope="module")
def before(release: Path) -> dict[str, Any]:
    """The last release's HTTP API."""
    return described(release)


NEVER_SENT = re.compile(r"(challenger|destUser): field aiLevel is gone$")
"""The last release's document described it, and no answer had it: the computer has no invitations."""


def test_clients_of_the_http_api_miss_nothing(before: dict[str, Any]) -> None:
    now = described(ROOT)
    assert len(before["paths"]) > 60
    assert [each for each in lost(before, now) if not NEVER_SENT.search(each)] == []


def test_what_a_client_would_miss_is_found(before: dict[str, Any]) -> None:
    now = copy.deepcopy(before)
    path, methods = next((path, each) for path, each in now["paths"].items() if path.startswith("/api/board/game/"))
    del now["paths"][path]
    assert list(lost(before, now)) == [f"{method.upper()} {path}: is gone" for method in methods]

    now = copy.deepcopy(before)
    (at, operation), *_ = (
        (f"{method.upper()} {path}", each)
        for path, methods in now["paths"].items()
        for method, each in methods.items()
        if each.get("parameters") and "requestBody" in each
    )
    name = operation["parameters"].pop()["name"]
    operation["parameters"].append({"in": "query", "name": "more", "required": True})
    del operation["responses"][next(iter(operation["responses"]))]
    found = list(lost(before, now))
    assert f"{at}: parameter {name} is gone" in found
    assert f"{at}: parameter more must be given" in found
    assert any("no answer" in each for each in found)

    now = copy.deepcopy(before)
    schemas = now["components"]["schemas"]
    del schemas["User"]["properties"]["username"]
    schemas["User"]["properties"]["id"]["type"] = "integer"
    found = list(lost(before, now))
    assert "GET /api/account: 200: field username is gone" in found
    assert "GET /api/account: 200.id: is ['integer'] and was ['string']" in found

    now = copy.deepcopy(before)
    user = now["components"]["schemas"]["User"]
    now["components"]["schemas"]["User"] = {"anyOf": [user, {"type": "object", "properties": {"more": {}}}]}
    assert list(lost(before, now)) == []
    del user["properties"]["username"]
    assert "GET /api/account: 200: field username is gone" in list(lost(before, now))


def test_clients_of_the_websocket_miss_no_frame_and_no_field(release: Path) -> None:
    old, new = (home / "docs" / "protocol.md" for home in (release, ROOT))
    assert {"sub", "move", "full", "event", "ack", "nack", "player"} <= {*frames(old.read_text())}
    assert {"v", "state", "moves", "you"} <= frames(old.read_text())["full"]
    assert list(lost_frames(old.read_text(), new.read_text())) == []


def test_a_frame_or_a_field_that_is_gone_is_found(release: Path) -> None:
    text = (release / "docs" / "protocol.md").read_text()
    assert list(lost_frames(text, text.replace("| `hint` |", "| `advice` |"))) == ["hint: is gone"]
    assert "full.you: is gone" in list(lost_frames(text, text.replace(", `you` (", ", `me` (")))
