"""Fields of requests for the documentation at /docs: one description for each field that handlers read by name."""

from collections.abc import Mapping
from enum import StrEnum

from services.domain.rule_set import DEFAULT_PRESET, PRESETS
from services.domain.time_control import CORRESPONDENCE_DAYS, PER_MOVE_MS, Speed
from services.domain.variant import Variant
from services.gateway.answers.listed import Schema, schema_of
from services.gateway.errors import Problem
from services.gateway.protocol.rule_sets import PRESET, VALUES
from services.gateway.rest.terms import FROM_POSITION

FIELDS: Mapping[str, Schema] = {
    "username": {"type": "string", "example": "anna"},
    "password": {"type": "string", "format": "password", "minLength": 8, "maxLength": 200, "example": "correct horse"},
    "oldPassword": {"type": "string", "format": "password", "maxLength": 200, "example": "correct horse"},
    "newPassword": {
        "type": "string",
        "format": "password",
        "minLength": 8,
        "maxLength": 200,
        "example": "stapled battery",
    },
    "scopes": {"type": "string", "example": "bot:play,challenge:read"},
    "description": {"type": "string", "maxLength": 100},
    "move": {"type": "string", "example": "e2e4", "description": "UCI or SAN"},
    "ply": {"type": "integer", "description": "the half-move of this move, counted from 0"},
    "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$"},
    "level": {"type": "integer", "minimum": 1, "maximum": 10, "example": 3},
    "rated": {"type": "boolean", "default": False},
    "clock.limit": {
        "type": "integer",
        "description": "seconds: 15, 30, 45, 90 or whole minutes up to 180",
        "example": 300,
    },
    "clock.increment": {"type": "integer", "minimum": 0, "maximum": 60, "example": 3},
    "days": {"type": "integer", "enum": sorted(CORRESPONDENCE_DAYS)},
    "perMove": {
        "type": "integer",
        "enum": sorted(turn_ms // 1000 for turn_ms in PER_MOVE_MS),
        "description": "seconds for each turn of a live game, instead of a clock",
    },
    "time": {"type": "number", "description": "minutes: 0.25, 0.5, 0.75, 1.5 or 1 to 180", "example": 5},
    "increment": {"type": "integer", "minimum": 0, "maximum": 60, "description": "seconds", "example": 3},
    "untimed": {"type": "boolean", "default": False, "description": "a game without any limit"},
    "ratingRange": {"type": "string", "description": "the opponent's rating; empty: any", "example": "1500-1800"},
    "color": {"type": "string", "enum": ["white", "black", "random"]},
    "variant": {"type": "string", "enum": [*Variant, FROM_POSITION], "default": Variant.STANDARD},
    "fen": {"type": "string"},
    "ruleSet": {
        "oneOf": [{"type": "string", "enum": sorted(PRESETS)}, {"type": "object"}],
        "default": DEFAULT_PRESET,
        "description": "a preset; in JSON also an object with `preset` and the fields that differ from it",
    },
    PRESET: {"type": "string", "enum": sorted(PRESETS), "description": "the same as `ruleSet`"},
    **{
        name: {"type": "string", "enum": list(kind)} if issubclass(kind, StrEnum) else {"type": "boolean"}
        for name, kind in VALUES.items()
    },
    "turnLimit": {"type": "integer", "enum": [0, 30, 60], "default": 0, "description": "seconds; 0 is none"},
    "legalMarks": {"type": "boolean", "default": True, "description": "mark the legal targets of the selected piece"},
    "swapColors": {"type": "boolean", "default": True, "description": "change colours after each game"},
    "spectator": {"type": "boolean", "default": False, "description": "only watch, without playing"},
    "player": {"type": "string", "description": "a member's id", "example": "guest-abcd2345"},
    "users": {"type": "string", "example": "anna,bob"},
    "expiresAt": {"type": "integer", "format": "int64", "description": "ms since 1970"},
    "token1": {"type": "string"},
    "token2": {"type": "string"},
    "lines": {"type": "string", "example": "e7e5 Nf3 Nc6 Bb5, c7c5 Nf3"},
    "vacationDays": {"type": "integer", "minimum": 0, "maximum": 365, "example": 7},
    "name": {"type": "string", "maxLength": 100},
    "keepAliveStream": {"type": "boolean", "default": False},
    "reason": {"type": "string", "example": "later"},
    "room": {"type": "string", "enum": ["player", "spectator"]},
    "text": {"type": "string", "minLength": 1, "maxLength": 140, "example": "Good luck!"},
    "offeringDraw": {"type": "boolean", "default": False},
    "nb": {"type": "integer", "minimum": 1},
    "ids": {"type": "string", "example": "anna,bob"},
    "speed": {"type": "string", "enum": list(Speed)},
    "before": {"type": "integer", "minimum": 1, "description": "ms since 1970"},
    "moves": {"type": "boolean", "default": True},
    "tags": {"type": "boolean", "default": True},
    "clocks": {"type": "boolean", "default": True},
    "pgnInJson": {"type": "boolean", "default": False},
    "max": {"type": "integer", "minimum": 1},
    "vs": {"type": "string", "example": "bob"},
    "perfType": {"type": "string", "example": "blitz,chess960"},
    "since": {"type": "integer", "format": "int64", "description": "ms, included"},
    "until": {"type": "integer", "format": "int64", "description": "ms"},
    "from": {"type": "integer", "format": "int64", "description": "ms, included"},
    "ongoing": {"type": "boolean", "default": False},
    "finished": {"type": "boolean", "default": True},
    "sort": {"type": "string", "enum": ["dateDesc", "dateAsc"], "default": "dateDesc"},
    "analysed": {"type": "boolean", "description": "true: no games, since no game here has an analysis"},
    "withCurrentGames": {"type": "boolean", "default": False},
    "opponent": {"type": "string", "example": "bob"},
    "result": {"type": "string", "enum": ["won", "lost", "drawn"]},
    "ended": {"type": "boolean", "default": False},
    "after": {"type": "string", "description": "`next` of the previous page"},
}

SECURITY: Schema = {"token": {"type": "http", "scheme": "bearer"}}

ERROR: Schema = {"description": "What went wrong", "content": {"application/json": {"schema": schema_of(Problem)}}}


def takes(*names: str, required: tuple[str, ...] = ()) -> Schema:
    """The OpenAPI part for a body with these fields, as JSON or as a form.

    JSON comes first, with an example, because the page sends the empty fields of a form too.
    """
    schema: Schema = {"type": "object", "properties": {name: FIELDS[name] for name in names}}
    if required:
        schema["required"] = list(required)
    example = {name: FIELDS[name]["example"] for name in names if "example" in FIELDS[name]}
    content = {
        "application/json": {"schema": schema, "example": example},
        "application/x-www-form-urlencoded": {"schema": schema},
    }
    return {"requestBody": {"content": content, "required": bool(required)}}


def asks(*names: str, required: tuple[str, ...] = (), other: Mapping[str, Schema] | None = None) -> Schema:
    """The OpenAPI part for these fields in the query; `other` has schemas that differ from the table's."""
    meant = {**FIELDS, **(other or {})}
    return {
        "parameters": [
            {"name": name, "in": "query", "required": name in required, "schema": meant[name]} for name in names
        ]
    }


def pgn_body() -> Schema:
    """The OpenAPI part for a body that is a PGN, or that has one in its field `pgn`."""
    schema: Schema = {"type": "object", "required": ["pgn"], "properties": {"pgn": {"type": "string"}}}
    pgn = '[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    content = {
        "application/json": {"schema": schema, "example": {"pgn": pgn}},
        "application/x-www-form-urlencoded": {"schema": schema},
        "application/x-chess-pgn": {"schema": {"type": "string", "example": pgn}},
        "text/plain": {"schema": {"type": "string", "example": pgn}},
    }
    return {"requestBody": {"content": content, "required": True}}


def text_body(what: str) -> Schema:
    """The OpenAPI part for a body of plain text; `what` is an example."""
    content = {"text/plain": {"schema": {"type": "string", "example": what}}}
    return {"requestBody": {"content": content, "required": True}}
