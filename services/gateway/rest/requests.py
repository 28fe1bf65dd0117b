"""Reads request bodies once, with a size limit. Each endpoint takes a form or JSON, whatever the content type says."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.requests import ClientDisconnect, Request

from services.domain.refusal import Refusal, RefusalCode
from services.domain.text import Text, say
from services.gateway.errors import HttpProblem, Refused, malformed
from services.gateway.rest.parts import parts
from services.gateway.settings import GatewaySettings

_ID = re.compile(r"[A-Za-z0-9]{8}")
NO_GAME = say("play.no_game")
NO_CHALLENGE = say("invitations.no_challenge")
_DEPTH_MAX = 2
"""The greatest depth of nested objects: `ruleSet`, and `chaturanga` in it."""
_TRUE = frozenset(["1", "true", "on", "yes"])
_FALSE = frozenset(["0", "false", "off", "no", ""])


def checked_id(text: str, missing: Text = NO_GAME) -> str:
    """The id of a game, challenge or seek. Raises Refused (not found) with `missing` when no id has this form."""
    if _ID.fullmatch(text) is None:
        raise Refused(Refusal(RefusalCode.NOT_FOUND, missing, "id"))
    return text


def address_of(request: Request) -> str:
    """The client's address for rate limits: the connection's, or what a trusted proxy reports (`trusted_proxies`)."""
    return request.client.host if request.client else "unknown"


def origin_of(request: Request) -> str:
    """The address of this site, for links in answers."""
    url = request.url
    return parts(request).settings.public_url.rstrip("/") or f"{url.scheme}://{url.netloc}"


async def read_body(request: Request, bytes_max: int | None = None) -> bytes:
    """The body. Raises HttpProblem when it is larger than `bytes_max` (or the setting), or takes too long."""
    settings = parts(request).settings
    limit = settings.body_bytes_max if bytes_max is None else bytes_max
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_ms / 1000):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise HttpProblem(413, "too_large", say("request.body_bytes_max", most=limit))
    except ClientDisconnect as error:
        raise malformed(say("request.body_broke_off"), "body") from error
    except TimeoutError as error:
        raise HttpProblem(408, "too_late", say("request.body_too_late", ms=settings.body_ms)) from error
    return bytes(body)


async def read_text(request: Request) -> str:
    """The body as text. Raises Refused when it is not UTF-8."""
    return _text(await read_body(request))


async def read_fields(request: Request) -> "Fields":
    """The fields of query and body together; the body has priority. A null counts as missing. Raises Refused."""
    settings = parts(request).settings
    fields: dict[str, Any] = dict(request.query_params)
    body = await read_body(request) if request.method not in ("GET", "HEAD") else b""
    if body.strip():
        fields |= _flat(_json(body)) if _is_json(request, body) else _form(body)
    return _fields(fields, settings)


def read_query(request: Request) -> "Fields":
    """The fields of the query. Raises Refused when there are too many."""
    settings = parts(request).settings
    if not request.scope["query_string"]:
        return Fields({}, settings.field_chars_max)
    return _fields(dict(request.query_params), settings)


def _fields(fields: dict[str, Any], settings: GatewaySettings) -> "Fields":
    if len(fields) > settings.fields_max:
        raise malformed(say("request.fields_max", most=settings.fields_max))
    return Fields({name: value for name, value in fields.items() if value is not None}, settings.field_chars_max)


def _flat(fields: dict[str, Any], depth: int = _DEPTH_MAX) -> dict[str, Any]:
    """Turns nested fields into flat ones: `{"clock": {"limit": 60}}` becomes `{"clock.limit": 60}`."""
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict) and depth:
            flat |= {f"{name}.{inner}": entry for inner, entry in _flat(value, depth - 1).items()}
        else:
            flat[name] = value
    return flat


def is_json(content_type: str) -> bool:
    """Whether this content type means JSON."""
    return "json" in content_type


def field_of_json(body: bytes, name: str) -> str:
    """A text field of a JSON object, of any length; empty when it is missing. Raises Refused."""
    value = _json(body).get(name)
    if not isinstance(value, str | None):
        raise malformed(say("request.field_text", name=name), name)
    return value or ""


def _is_json(request: Request, body: bytes) -> bool:
    return is_json(request.headers.get("content-type", "")) or body.lstrip()[:1] in (b"{", b"[")


def _json(body: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise malformed(say("request.no_json", reason=error.msg), f"body, character {error.pos}") from error
    if not isinstance(value, dict):
        raise malformed(say("request.body_is_no_object"), "body")
    return value


def _form(body: bytes) -> dict[str, Any]:
    try:
        return dict(parse_qsl(_text(body), keep_blank_values=True, strict_parsing=True, max_num_fields=200))
    except ValueError as error:
        raise malformed(say("request.no_form"), "body") from error


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise malformed(say("request.no_utf8"), f"body, byte {error.start}") from error


class Fields:
    """Fields by name. Each method raises Refused with the field's name when its type or value is wrong."""

    def __init__(self, values: Mapping[str, Any], chars_max: int) -> None:
        self._values = values
        self._chars_max = chars_max

    def has(self, name: str) -> bool:
        """Whether the field is there."""
        return name in self._values

    def only(self, names: Iterable[str]) -> None:
        """Raise Refused if there are fields with other names."""
        known = frozenset(names)
        for name in self._values:
            if name not in known:
                beside = [other for other in known if other.startswith(name.rpartition(".")[0] + ".")]
                there = ", ".join(sorted(beside or known))
                raise malformed(say("request.field_unknown", name=name[:50], known=there), name[:50])

    def text(self, name: str, default: str | None = None, *, chars_max: int | None = None) -> str:
        """A text field. Required, unless there is a default. `chars_max` replaces the usual limit."""
        value = self._values.get(name, default)
        if value is None:
            raise malformed(say("request.field_missing", name=name), name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise malformed(say("request.field_text", name=name), name)
        limit = self._chars_max if chars_max is None else chars_max
        if len(value) > limit:
            raise malformed(say("request.field_length_max", name=name, most=limit), name)
        return value

    def integer(self, name: str, default: int | None = None, *, least: int, most: int) -> int:
        """An integer field from `least` to `most`. Required, unless there is a default."""
        value = self._values.get(name, default)
        if value is None:
            raise malformed(say("request.field_missing", name=name), name)
        if isinstance(value, str) and value.strip().lstrip("-").isascii() and len(value) <= 20:
            try:
                value = int(value)
            except ValueError:
                try:
                    value = float(value)
                except ValueError:
                    raise malformed(say("request.field_integer", name=name), name) from None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise malformed(say("request.field_integer", name=name), name)
        if not least <= value <= most:
            raise malformed(say("request.field_range", name=name, least=str(least), most=str(most)), name)
        return value

    def boolean(self, name: str, default: bool = False) -> bool:
        """A boolean field, in all spellings that clients of the public API send."""
        value = self._values.get(name, default)
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
        raise malformed(say("request.field_boolean", name=name), name)

    def choice(self, name: str, choices: Iterable[str], default: str | None = None) -> str:
        """A field with one of these values. Required, unless there is a default."""
        value = self.text(name, default)
        known = list(choices)
        if value not in known:
            raise malformed(say("request.field_choice", name=name, choices=", ".join(known)), name)
        return value
