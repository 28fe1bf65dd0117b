"""All answers of the HTTP API, and what is made of their declarations: the schemas of the OpenAPI description."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from services.gateway.answers import games, invitations, own, people
from services.gateway.answers.answer import Ok
from services.gateway.answers.rules_page import RulesIndex, RulesPage
from services.gateway.errors import Problem
from services.gateway.protocol.server_frames import Party
from services.gateway.protocol.typescript import inside

Schema = dict[str, Any]

ANSWERS: tuple[type[Struct], ...] = (
    Ok,
    Problem,
    people.User,
    people.UserStatus,
    people.RatingDays,
    people.Ratings,
    people.HeldToken,
    people.Credential,
    people.PersonalToken,
    games.NowPlaying,
    games.ComputerGame,
    *get_args(games.GameLine),
    games.PlayedGame,
    games.WatchedGame,
    games.WatchedPosition,
    games.AmongGame,
    games.Imported,
    invitations.Challenges,
    invitations.ChallengeDone,
    invitations.AskedRematch,
    invitations.Seeks,
    invitations.Seeking,
    invitations.SeekLine,
    *get_args(invitations.PlayerEvent),
    own.Snapshot,
    own.Accepted,
    own.GamesFound,
    own.PlayerPage,
    own.Progress,
    own.ConditionalMoves,
    own.Vacation,
    own.ChatLine,
    own.Chat,
    own.Health,
    *get_args(own.PersonalData),
    Party,
    RulesIndex,
    RulesPage,
)
"""Each with all that is inside it."""

_REF = "#/components/schemas/"


def left_out(field: inspect.Field) -> bool:
    """Whether an answer may lack this field. A default that is a value is sent."""
    return not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT


def schema_of(kind: Any) -> Schema:
    """The schema of a declared type, or of a list, a table or a choice of such."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF + "{name}")
    shaped: Schema = _as_openapi(schema)
    return shaped


def schemas() -> dict[str, Schema]:
    """The schemas of all answers by name. Raises ValueError when two types have the same name."""
    _, declared = msgspec.json.schema_components(ANSWERS, ref_template=_REF + "{name}")
    if any("." in name for name in declared):  # msgspec adds the modules to such names
        raise ValueError(f"two types of answers have one name: {sorted(declared)}")
    found: dict[str, Schema] = {name: _as_openapi(part) for name, part in declared.items()}
    for kind in _structs(ANSWERS):
        found[kind.cls.__name__]["required"] = [
            *([kind.tag_field] if kind.tag_field else []),
            *(field.encode_name for field in kind.fields if not left_out(field)),
        ]
    return found


def _structs(kinds: tuple[type[Struct], ...]) -> Iterator[inspect.StructType]:
    seen: set[type] = set()
    waiting: list[inspect.Type] = list(inspect.multi_type_info(kinds))
    while waiting:
        told = waiting.pop()
        if isinstance(told, inspect.StructType) and told.cls not in seen:
            seen.add(told.cls)
            yield told
        elif isinstance(told, inspect.StructType):
            continue
        waiting += inside(told)


def _as_openapi(part: Any) -> Any:
    """A part of a JSON schema in the words of OpenAPI 3.0, which has no type null and nothing beside a reference."""
    if isinstance(part, list):
        return [_as_openapi(inner) for inner in part]
    if not isinstance(part, Mapping):
        return part
    shaped: Schema = {key: _as_openapi(inner) for key, inner in part.items()}
    choices = shaped.get("anyOf", [])
    if {"type": "null"} in choices:
        shaped["nullable"] = True
        shaped["anyOf"] = choices = [choice for choice in choices if choice != {"type": "null"}]
        if len(choices) == 1 and "$ref" not in choices[0]:
            del shaped["anyOf"]
            shaped = {**choices[0], **shaped}
    if "$ref" in shaped and len(shaped) > 1:
        shaped["allOf"] = [{"$ref": shaped.pop("$ref")}]
    if "enum" in shaped:
        shaped.setdefault("type", "string")
    return shaped
