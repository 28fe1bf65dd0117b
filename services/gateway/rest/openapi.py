"""Answers and tokens for the documentation at /docs: what each handler returns, and which token it needs.

Only used when the application is made, not by requests. The fields of requests are in `described`.
"""

from enum import Enum

from services.gateway.rest.described import ERROR, SECURITY, Schema
from services.gateway.streams.line_stream import MEDIA_TYPE

JSON = "application/json"

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
YES: Schema = {"type": "boolean"}
MS: Schema = {"type": "integer", "format": "int64", "description": "ms; since 1970 if it is a point in time"}
DAY: Schema = {"type": "string", "format": "date"}
ANY: Schema = {"type": "object"}
FRAME: Schema = {"type": "object", "description": "see docs/protocol.md"}
COLOUR: Schema = {"type": "string", "enum": ["white", "black"]}


class Token(Enum):
    """Whether a request has a token."""

    NEEDED = "needed"
    WELCOME = "welcome"
    UNUSED = "unused"


_SECURITY: dict[Token, list[Schema]] = {
    Token.NEEDED: [{name: []} for name in SECURITY],
    Token.WELCOME: [{}, *({name: []} for name in SECURITY)],
    Token.UNUSED: [],
}


def maybe_null(schema: Schema) -> Schema:
    """The same schema, or null."""
    return {**schema, "nullable": True}


def ref(name: str) -> Schema:
    """A reference to one of SCHEMAS."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: Schema) -> Schema:
    """The schema of an array."""
    return {"type": "array", "items": schema}


def fields(of: dict[str, Schema]) -> Schema:
    """The schema of an object. A field whose name ends in `?` is optional."""
    return {
        "type": "object",
        "required": [name for name in of if not name.endswith("?")],
        "properties": {name.rstrip("?"): schema for name, schema in of.items()},
    }


def answers(what: Schema | None, *, token: Token, scopes: tuple[str, ...] = (), status: int = 200) -> Schema:
    """A handler's successful answer, and the token that it needs (with one of `scopes`, if there are any).

    `what` maps media types to schemas; None means an answer without a body.
    """
    done: Schema = {"description": "Done" if what is None else "As asked"}
    if what is not None:
        done["content"] = {kind: {"schema": schema} for kind, schema in what.items()}
    responses: Schema = {str(status): done}
    if token is Token.NEEDED:
        responses["401"] = {**ERROR, "description": "The token is missing or not valid"}
    if scopes:
        words = " or ".join(f"`{scope}`" for scope in scopes)
        responses["403"] = {**ERROR, "description": f"The token needs the scope {words}"}
    return {"responses": responses, "security": _SECURITY[token]}


def json(schema: str | Schema) -> Schema:
    """An answer in JSON."""
    return {JSON: ref(schema) if isinstance(schema, str) else schema}


def lines(schema: str) -> Schema:
    """An answer with one JSON object in each line."""
    return {MEDIA_TYPE: ref(schema)}


def text(kind: str) -> Schema:
    """An answer with text of this media type."""
    return {kind: TEXT}
