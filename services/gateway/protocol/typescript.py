"""The page's types of all frames (web/src/net/wire.gen.ts), made from their declarations."""

from collections.abc import Iterator
from enum import Enum
from inspect import getdoc

from msgspec import inspect

from services.gateway.protocol.frames import CLIENT_FRAMES
from services.gateway.protocol.schema import name_of
from services.gateway.protocol.server_frames import SERVER_FRAMES

_HEAD = "// Generated from services/gateway/protocol by `make schema`: the frames of docs/protocol.md. Do not edit.\n"
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def typescript() -> str:
    """The TypeScript module as text. Raises ValueError when two types have the same name."""
    found: dict[type, inspect.StructType | inspect.EnumType] = {}
    for frame in (*CLIENT_FRAMES, *SERVER_FRAMES):
        _find(inspect.type_info(frame), found)
    if len({name_of(kind) for kind in found}) != len(found):
        raise ValueError("two types of frames have one name")
    parts = [_enum(told) if isinstance(told, inspect.EnumType) else _interface(told) for told in found.values()]
    parts += [
        "/** What the page may send. */\n" + _union("ClientFrame", CLIENT_FRAMES),
        "/** What the server sends. */\n" + _union("ServerFrame", SERVER_FRAMES),
    ]
    return "\n".join((_HEAD, *parts))


def _find(told: inspect.Type, found: dict[type, inspect.StructType | inspect.EnumType]) -> None:
    """Put all structs and enums of a type into `found`, each after those that it uses."""
    if isinstance(told, inspect.StructType | inspect.EnumType) and told.cls in found:
        return
    for inner in _inside(told):
        _find(inner, found)
    if isinstance(told, inspect.StructType | inspect.EnumType):
        found[told.cls] = told


def _inside(told: inspect.Type) -> Iterator[inspect.Type]:
    match told:
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields)
        case inspect.UnionType(types=types):
            yield from types
        case inspect.ListType(item_type=inner) | inspect.Metadata(type=inner):
            yield inner
        case _:
            pass


def _type(told: inspect.Type) -> str:
    match told:
        case inspect.StructType(cls=kind) | inspect.EnumType(cls=kind):
            return name_of(kind)
        case inspect.UnionType(types=types):
            return " | ".join(dict.fromkeys(map(_type, types)))
        case inspect.ListType(item_type=inner):
            one = _type(inner)
            return f"({one})[]" if "|" in one else f"{one}[]"
        case inspect.Metadata(type=inner):
            return _type(inner)
        case inspect.LiteralType(values=values):
            return " | ".join(f"'{value}'" for value in values)
        case _:
            return _PLAIN[type(told)]


def _enum(told: inspect.EnumType) -> str:
    kind: type[Enum] = told.cls
    return f"{_comment(kind)}export type {name_of(kind)} = {' | '.join(repr(str(value.value)) for value in kind)};\n"


def _interface(told: inspect.StructType) -> str:
    lines = [f"  {told.tag_field}: '{told.tag}';"] if told.tag_field else []
    for field in told.fields:
        if isinstance(field.type, inspect.Metadata) and (
            about := (field.type.extra_json_schema or {}).get("description")
        ):
            lines.append(f"  /** {about} */")
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {_type(field.type)};")
    return f"{_comment(told.cls)}export interface {name_of(told.cls)} {{\n" + "\n".join(lines) + "\n}\n"


def _comment(kind: type) -> str:
    return f"/** {(getdoc(kind) or '').partition(chr(10))[0]} */\n"


def _union(name: str, frames: tuple[type, ...]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {name_of(frame)}" for frame in frames) + ";\n"
