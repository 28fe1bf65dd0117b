"""The page's types of the HTTP API (web/src/net/rest.gen.ts): answers from their declarations, fields of requests."""

from collections.abc import Iterable

from services.gateway.answers.listed import ANSWERS, Schema, left_out
from services.gateway.protocol.rule_sets import NAME as RULE_SET
from services.gateway.protocol.typescript import declarations, frame_types, used
from services.gateway.rest.described import FIELDS
from services.gateway.rest.export import PGN_TYPE
from services.gateway.rest.openapi import JSON
from services.gateway.rest.routes import routes

_HEAD = "// Generated from services/gateway/answers and rest/described.py by `make schema`. Do not edit.\n"
_ONE_BY_ONE = f"{RULE_SET}."
"""How forms name the fields of a rule set. The page sends JSON, where they are inside `ruleSet`."""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "object": "object"}


def typescript() -> str:
    """The TypeScript module as text. What frames have as well is taken from their module."""
    known = frame_types()
    names = sorted({*used(ANSWERS, known), *(kind.__name__ for kind in ANSWERS if kind in known)})
    shared = "import type {\n" + "".join(f"  {name},\n" for name in names) + "} from './wire.gen.ts';\n"
    declared = declarations(ANSWERS, optional=left_out, known=known)
    return "\n".join((_HEAD + shared, *declared, _fields(), _operations()))


def _operations() -> str:
    lines = []
    for method, route in routes():
        described = route.openapi_extra or {}
        parts = [f"answer: {_answer(described['responses'])}"]
        if body := described.get("requestBody"):
            parts.append(f"body: {_body(body['content'])}")
        if query := described.get("parameters"):
            asked = (f"{_key(e['name'])}{'' if e['required'] else '?'}: {_type(e['schema'])}" for e in query)
            parts.append(f"query: {{ {'; '.join(asked)} }}")
        lines.append(f"  '{method} {route.path}': {{ {'; '.join(parts)} }};\n")
    about = "/** What each request may say, and its answer in JSON; null where it has none. */\n"
    return about + "export interface Operations {\n" + "".join(lines) + "}\n"


def _answer(responses: Schema) -> str:
    (done,) = (told for status, told in responses.items() if status.startswith("2"))
    kinds = done.get("content", {})
    return _type(kinds[JSON]["schema"]) if JSON in kinds else "null"


def _body(content: Schema) -> str:
    if PGN_TYPE in content:
        return "Blob"
    if JSON not in content:
        return "string"
    schema = content[JSON]["schema"]
    needed = schema.get("required", ())
    others = [name for name in schema["properties"] if name not in needed and not name.startswith(_ONE_BY_ONE)]
    parts = [f"Pick<Fields, {_names(needed)}>"] if needed else []
    return " & ".join(parts + ([f"Partial<Pick<Fields, {_names(others)}>>"] if others else []))


def _names(names: Iterable[str]) -> str:
    return " | ".join(f"'{name}'" for name in names)


def _key(name: str) -> str:
    return name if name.isidentifier() else repr(name)


def _fields() -> str:
    lines = []
    for name, schema in FIELDS.items():
        if name.startswith(_ONE_BY_ONE):
            continue
        if "description" in schema:
            lines.append(f"  /** {schema['description']} */")
        lines.append(f"  {_key(name)}: {_type(schema)};")
    about = "/** What requests may have, by name; /docs of a running server says which ones and what is required. */\n"
    return about + "export interface Fields {\n" + "\n".join(lines) + "\n}\n"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name: str = schema["$ref"].rpartition("/")[2]
        return name
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return " | ".join(map(_type, choices)) + (" | null" if schema.get("nullable") else "")
    if schema["type"] == "array":
        return f"{_type(schema['items'])}[]"
    if "additionalProperties" in schema:
        return f"Readonly<Record<string, {_type(schema['additionalProperties'])}>>"
    if schema["type"] == "string" and "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    return _PLAIN[schema["type"]]
