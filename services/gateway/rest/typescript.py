"""The page's types of the HTTP API (web/src/net/rest.gen.ts): answers from their declarations, fields of requests."""

from services.gateway.answers.listed import ANSWERS, Schema, left_out
from services.gateway.protocol.typescript import declarations, frame_types, used
from services.gateway.rest.described import FIELDS

_HEAD = "// Generated from services/gateway/answers and rest/described.py by `make schema`. Do not edit.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "object": "object"}


def typescript() -> str:
    """The TypeScript module as text. What frames have as well is taken from their module."""
    known = frame_types()
    names = "\n".join(f"  {name}," for name in used(ANSWERS, known))
    shared = f"import type {{\n{names}\n}} from './wire.gen.ts';\n"
    return "\n".join((_HEAD + shared, *declarations(ANSWERS, optional=left_out, known=known), _fields()))


def _fields() -> str:
    lines = []
    for name, schema in FIELDS.items():
        if "description" in schema:
            lines.append(f"  /** {schema['description']} */")
        lines.append(f"  {name if name.isidentifier() else repr(name)}: {_type(schema)};")
    about = "/** What requests may have, by name; /docs of a running server says which ones and what is required. */\n"
    return about + "export interface Fields {\n" + "\n".join(lines) + "\n}\n"


def _type(schema: Schema) -> str:
    if "oneOf" in schema:
        return " | ".join(map(_type, schema["oneOf"]))
    if schema["type"] == "string" and "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    return _PLAIN[schema["type"]]
