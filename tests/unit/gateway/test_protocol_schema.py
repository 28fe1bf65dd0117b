"""Frames are declared once: schema, page types and the tables of docs/protocol.md say what the structs say."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import inspect

from services.gateway.protocol import affairs, shapes
from services.gateway.protocol.__main__ import GENERATED as OF_FRAMES
from services.gateway.protocol.frames import CLIENT_FRAMES
from services.gateway.protocol.server_frames import SERVER_FRAMES, AffairKind, Kind
from services.gateway.rest.__main__ import GENERATED as OF_HTTP
from tests.stack.declared_frames import Undeclared, declared

DOCS = Path(__file__).resolve().parents[3] / "docs"
ROW = re.compile(r"^\| (?P<frames>`\w+`(?:, `\w+`)*) \| (?P<fields>.*?) \|", re.M)
NAME = re.compile(r"`(\w+)`(?P<optional> \(optional)?")
INNER = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|\((?!optional)[^()]*\)")
GENERATED = OF_FRAMES | OF_HTTP
Table = dict[str, dict[str, bool]]


def told(section: str) -> Table:
    """The frames of a table, the fields of each, and whether it calls them optional."""
    text = (DOCS / "protocol.md").read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    table: Table = {}
    for row in ROW.finditer(text.partition("\n| kind of `event`")[0]):
        fields = row["fields"]
        while (plain := INNER.sub("", fields)) != fields:
            fields = plain
        found = {name: optional is not None for name, optional in map(_groups, NAME.finditer(fields))}
        table.update(dict.fromkeys(re.findall(r"\w+", row["frames"]), found))
    return table


def _groups(found: re.Match[str]) -> tuple[str, str | None]:
    return found[1], found["optional"]


def structs(frames: tuple[type[msgspec.Struct], ...]) -> Table:
    """The same of the structs."""
    types = [kind for kind in map(inspect.type_info, frames) if isinstance(kind, inspect.StructType)]
    return {str(kind.tag): {field.encode_name: not field.required for field in kind.fields} for kind in types}


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
def test_what_is_generated_is_current(path: Path) -> None:
    assert path.read_text("utf-8") == GENERATED[path](), "run `make schema`"


def test_table_of_the_clients_frames_says_what_is_declared() -> None:
    assert told("From the client") == structs(CLIENT_FRAMES)


def test_table_of_the_servers_frames_names_every_field() -> None:
    named = {frame: set(fields) for frame, fields in told("From the server").items()}
    assert named == {frame: set(fields) for frame, fields in structs(SERVER_FRAMES).items()}


def test_limits_in_the_tables_are_the_defaults() -> None:
    text, parts = (DOCS / "protocol.md").read_text(), json.loads((DOCS / "protocol-schema.json").read_text())["$defs"]
    seconds = parts["GiveTimeFrame"]["properties"]["seconds"]
    level = parts["LevelFrame"]["properties"]["level"]
    line = parts["ChatFrame"]["properties"]["text"]
    assert f"`seconds` ({seconds['minimum']}-{seconds['maximum']})" in text
    assert f"`level` ({level['minimum']}-{level['maximum']})" in text
    assert f"`text` ({line['minLength']}-{line['maxLength']} characters)" in text


def test_every_field_inside_a_frame_stands_in_the_docs() -> None:
    text = (DOCS / "protocol.md").read_text()
    parts = json.loads((DOCS / "protocol-schema.json").read_text())["$defs"]
    for part in ("GameInfo", "GameState", "Seated", "Pause", "Challenge", "PlayedMove"):
        missing = [field for field in parts[part]["properties"] if f"`{field}`" not in text]
        assert not missing, part


def test_kinds_are_those_that_are_sent() -> None:
    assert set(get_args(Kind)) == set(shapes._KIND.values())
    assert set(get_args(AffairKind)) == set(affairs._PLAYER_EVENTS.values())


@pytest.mark.parametrize(
    "frame",
    [
        b'{"t":"gone","game":"g1","code":"not_found","message":"No.","more":1}',
        b'{"t":"gone","game":"g1","code":"not_found"}',
        b'{"t":"gone","game":"g1","code":"lost","message":"No."}',
        b'{"t":"away","game":"g1"}',
        b'{"t":"presence","game":"g1","side":"white","gone":true,"claimIn":1.5}',
    ],
)
def test_a_frame_that_is_not_declared_so_is_found(frame: bytes) -> None:
    with pytest.raises(Undeclared):
        declared(frame)
