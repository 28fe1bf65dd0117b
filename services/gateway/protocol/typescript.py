"""The page's types, made from declarations; those of all frames (web/src/net/wire.gen.ts)."""

from collections.abc import Callable, Collection, Iterable, Iterator
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
    inspect.DateType: "string",
}


def typescript() -> str:
    """The TypeScript module as text. Raises ValueError when two types have the same name."""
    parts = declarations((*CLIENT_FRAMES, *SERVER_FRAMES), optional=lambda field: not field.required)
    parts += [
        "/** What the page may send. */\n" + _union("ClientFrame", CLIENT_FRAMES),
        "/** What the server sends. */\n" + _union("ServerFrame", SERVER_FRAMES),
    ]
    return "\n".join((_HEAD, *parts))


def frame_types() -> set[type]:
    """All types that the module of the frames declares."""
    return set(_found((*CLIENT_FRAMES, *SERVER_FRAMES)))


def declarations(
    kinds: Iterable[type], *, optional: Callable[[inspect.Field], bool], known: Collection[type] = ()
) -> list[str]:
    """These types and all that is inside them in TypeScript, but for `known` ones.

    `optional` says whether a field may be absent. Raises ValueError when two types have the same name.
    """
    found = _found(kinds)
    if len({name_of(kind) for kind in found}) != len(found):
        raise ValueError("two types have one name")
    return [
        _enum(told) if isinstance(told, inspect.EnumType) else _interface(told, optional)
        for kind, told in found.items()
        if kind not in known
    ]


def used(kinds: Iterable[type], known: Collection[type]) -> list[str]:
    """The names of the `known` types that the others of these types are directly made of."""
    names: set[str] = set()
    waiting = list(inspect.multi_type_info([kind for kind in kinds if kind not in known]))
    seen: set[type] = set()
    while waiting:
        told = waiting.pop()
        if isinstance(told, inspect.StructType | inspect.EnumType):
            if told.cls in known:
                names.add(name_of(told.cls))
                continue
            if told.cls in seen:
                continue
            seen.add(told.cls)
        waiting += inside(told)
    return sorted(names)


def _found(kinds: Iterable[type]) -> dict[type, inspect.StructType | inspect.EnumType]:
    found: dict[type, inspect.StructType | inspect.EnumType] = {}
    for told in inspect.multi_type_info(kinds):
        _find(told, found)
    return found


def _find(told: inspect.Type, found: dict[type, inspect.StructType | inspect.EnumType]) -> None:
    """Put all structs and enums of a type into `found`, each after those that it uses."""
    if isinstance(told, inspect.StructType | inspect.EnumType) and told.cls in found:
        return
    for inner in inside(told):
        _find(inner, found)
    if isinstance(told, inspect.StructType | inspect.EnumType):
        found[told.cls] = told


def inside(told: inspect.Type) -> Iterator[inspect.Type]:
    """The types that a type is made of."""
    match told:
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields)
        case inspect.UnionType(types=types):
            yield from types
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner) | inspect.Metadata(type=inner):
            yield inner
        case inspect.DictType(value_type=inner):
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
        case inspect.VarTupleType(item_type=inner):
            one = _type(inner)
            return f"readonly ({one})[]" if "|" in one else f"readonly {one}[]"
        case inspect.DictType(value_type=inner):
            return f"Readonly<Record<string, {_type(inner)}>>"
        case inspect.Metadata(type=inner):
            return _type(inner)
        case inspect.LiteralType(values=values):
            return " | ".join(f"'{value}'" for value in values)
        case _:
            return _PLAIN[type(told)]


def _enum(told: inspect.EnumType) -> str:
    kind: type[Enum] = told.cls
    return f"{_comment(kind)}export type {name_of(kind)} = {' | '.join(repr(str(value.value)) for value in kind)};\n"


def _interface(told: inspect.StructType, optional: Callable[[inspect.Field], bool]) -> str:
    lines = [f"  {told.tag_field}: '{told.tag}';"] if told.tag_field else []
    for field in told.fields:
        if isinstance(field.type, inspect.Metadata) and (
            about := (field.type.extra_json_schema or {}).get("description")
        ):
            lines.append(f"  /** {about} */")
        lines.append(f"  {field.encode_name}{'?' if optional(field) else ''}: {_type(field.type)};")
    return f"{_comment(told.cls)}export interface {name_of(told.cls)} {{\n" + "\n".join(lines) + "\n}\n"


def _comment(kind: type) -> str:
    return f"/** {(getdoc(kind) or '').partition(chr(10))[0]} */\n"


def _union(name: str, frames: tuple[type, ...]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {name_of(frame)}" for frame in frames) + ";\n"
