"""The JSON schema of all frames (docs/protocol-schema.json), made from their declarations."""

import json
from typing import Any

import msgspec

from services.gateway.protocol.frames import CLIENT_FRAMES
from services.gateway.protocol.server_frames import SERVER_FRAMES
from services.gateway.protocol.shapes import PROTOCOL

_REF = "#/$defs/"


def name_of(kind: type) -> str:
    """A type's name in the schema. Client frames end in Frame, because some server frames have the same names."""
    return f"{kind.__name__}Frame" if kind in CLIENT_FRAMES else kind.__name__


def schema() -> str:
    """The schema as JSON text. Raises ValueError when two types have the same name."""
    refs, declared = msgspec.json.schema_components([*CLIENT_FRAMES, *SERVER_FRAMES], ref_template=_REF + "{name}")
    # When two types have the same name, msgspec adds their modules.
    names = {refs[i]["$ref"].removeprefix(_REF): name_of(frame) for i, frame in enumerate(CLIENT_FRAMES)}
    names = {name: names.get(name, name.rpartition(".")[2]) for name in declared}
    if len(set(names.values())) != len(names):
        raise ValueError("two types of frames have one name")
    parts = {names[name]: _renamed(part, names) for name, part in declared.items()}
    for name, part in parts.items():
        part["title"] = name
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Frames of the WebSocket protocol, version {PROTOCOL}",
        "description": "Generated (`make schema`); limits are those of the settings' defaults. protocol.md explains.",
        "anyOf": [{"$ref": f"{_REF}ClientFrame"}, {"$ref": f"{_REF}ServerFrame"}],
        "$defs": {
            "ClientFrame": {"anyOf": [{"$ref": _REF + name_of(frame)} for frame in CLIENT_FRAMES]},
            "ServerFrame": {"anyOf": [{"$ref": _REF + name_of(frame)} for frame in SERVER_FRAMES]},
            **parts,
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _renamed(part: Any, names: dict[str, str]) -> Any:
    if isinstance(part, list):
        return [_renamed(inner, names) for inner in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _REF + names[inner.removeprefix(_REF)]
        if key == "$ref" and isinstance(inner, str)
        else _renamed(inner, names)
        for key, inner in part.items()
    }
