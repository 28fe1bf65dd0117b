"""Answers and tokens for the documentation at /docs: what each handler returns, and which token it needs.

Only used when the application is made, not by requests. The fields of requests are in `described`.
"""

from enum import Enum
from typing import Any

from services.gateway.answers.listed import Schema, schema_of
from services.gateway.rest.described import ERROR, SECURITY
from services.gateway.streams.line_stream import MEDIA_TYPE

JSON = "application/json"

TEXT: Schema = {"type": "string"}


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


def json(kind: Any) -> Schema:
    """An answer in JSON, of this declared type, or of a list, a table or a choice of such."""
    return {JSON: schema_of(kind)}


def lines(*kinds: Any) -> Schema:
    """An answer with one JSON object in each line, of one of these declared types."""
    schemas = [schema_of(kind) for kind in kinds]
    return {MEDIA_TYPE: schemas[0] if len(schemas) == 1 else {"anyOf": schemas}}


def text(kind: str) -> Schema:
    """An answer with text of this media type."""
    return {kind: TEXT}
