"""What a client of the last release would miss: two descriptions of the HTTP API, and two of the WebSocket's frames."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

Document = Mapping[str, Any]
ROW = re.compile(r"^\| `(?P<frame>\w+)` \| (?P<fields>.*?) \|", re.M)
DEPTH_MAX = 8


def lost(old: Document, new: Document) -> Iterator[str]:
    """Paths, parameters and fields that are gone or mean something else; what must be given that need not be before."""
    for path, methods in old["paths"].items():
        for method, before in methods.items():
            after = new["paths"].get(path, {}).get(method)
            at = f"{method.upper()} {path}"
            if after is None:
                yield f"{at}: is gone"
                continue
            yield from _parameters(at, before, after)
            yield from _request(at, old, new, before, after)
            for status, answer in before.get("responses", {}).items():
                if status not in after.get("responses", {}):
                    yield f"{at}: no answer {status} any more"
                    continue
                for kind, content in _contents(answer).items():
                    there = _contents(after["responses"][status]).get(kind)
                    if there is None:
                        yield f"{at}: {status} is no longer {kind}"
                    else:
                        yield from _answered(f"{at}: {status}", old, new, content, there, 0)


def _contents(part: Document) -> dict[str, Document]:
    return {kind: content.get("schema", {}) for kind, content in part.get("content", {}).items()}


def _parameters(at: str, before: Document, after: Document) -> Iterator[str]:
    there = {(each["in"], each["name"]): each for each in after.get("parameters", ())}
    known = {(each["in"], each["name"]): each for each in before.get("parameters", ())}
    for key in known:
        if key not in there:
            yield f"{at}: parameter {key[1]} is gone"
    for key, each in there.items():
        if each.get("required") and not known.get(key, {}).get("required"):
            yield f"{at}: parameter {key[1]} must be given"


def _request(at: str, old: Document, new: Document, before: Document, after: Document) -> Iterator[str]:
    there = _contents(after.get("requestBody", {}))
    for kind, schema in _contents(before.get("requestBody", {})).items():
        if kind not in there:
            yield f"{at}: a body may no longer be {kind}"
            continue
        was, now = _resolved(old, schema), _resolved(new, there[kind])
        for name, field in was.get("properties", {}).items():
            if name not in now.get("properties", {}):
                yield f"{at}: field {name} is gone"
                continue
            gone = {*_values(old, field)} - {*_values(new, now["properties"][name])}
            if gone and _values(new, now["properties"][name]):
                yield f"{at}: field {name} may no longer be {sorted(map(str, gone))[0]}"
        for name in {*now.get("required", ())} - {*was.get("required", ())}:
            yield f"{at}: field {name} must be given"


def _answered(at: str, old: Document, new: Document, was: Document, now: Document, depth: int) -> Iterator[str]:
    """Fields of an answer that are gone, or are of another type."""
    was, now = _resolved(old, was), _resolved(new, now)
    if depth > DEPTH_MAX:
        return
    if not {*_types(was)} >= {*_types(now)} and _types(was):
        yield f"{at}: is {_types(now)} and was {_types(was)}"
    for name, field in was.get("properties", {}).items():
        if name not in now.get("properties", {}):
            yield f"{at}: field {name} is gone"
        else:
            yield from _answered(f"{at}.{name}", old, new, field, now["properties"][name], depth + 1)
    if "items" in was:
        yield from _answered(f"{at}[]", old, new, was["items"], now.get("items", {}), depth + 1)


def _resolved(document: Document, schema: Document) -> Document:
    """A schema without a reference, and one of several as one schema with the fields and types of each."""
    while "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].lstrip("#/").split("/"):
            found = found[part]
        schema = found
    several = [part for kind in ("allOf", "anyOf", "oneOf") for part in schema.get(kind, ())]
    if not several:
        return schema
    parts = [_resolved(document, part) for part in several]
    fields: dict[str, list[Document]] = {}
    for part in parts:
        for name, field in part.get("properties", {}).items():
            fields.setdefault(name, []).append(field)
    return {
        "type": sorted({kind for part in parts for kind in _types(part)}),
        "properties": {name: {"anyOf": alike} if len(alike) > 1 else alike[0] for name, alike in fields.items()},
        **{key: part[key] for part in parts for key in ("items", "enum") if key in part},
    }


def _types(schema: Document) -> list[str]:
    given = schema.get("type", [])
    return [given] if isinstance(given, str) else sorted(given)


def _values(document: Document, schema: Document) -> list[Any]:
    return list(_resolved(document, schema).get("enum", []))


def frames(protocol: str) -> dict[str, set[str]]:
    """The frames of docs/protocol.md and the fields that each names. A name that two tables have is one."""
    found: dict[str, set[str]] = {}
    for row in ROW.finditer(protocol):
        found.setdefault(row["frame"], set()).update(re.findall(r"`(\w+)`", row["fields"]))
    return found


def lost_frames(old: str, new: str) -> Iterator[str]:
    """Frames and fields that the old text has and the new one has not."""
    there = frames(new)
    for frame, fields in frames(old).items():
        if frame not in there:
            yield f"{frame}: is gone"
        for field in sorted(fields - there.get(frame, set())) if frame in there else ():
            yield f"{frame}.{field}: is gone"
