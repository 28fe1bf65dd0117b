"""Reads who is connecting from a request's headers: the token, the cookie, and the page's origin."""

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import cookie_parser

from services.gateway.protocol.frames import VERSION_MAX

TOKEN_COOKIE = "flagfall_token"
SECURE_COOKIE = "__Host-flagfall_token"
"""The cookie's name over TLS. Browsers accept this prefix only from this host itself, over TLS and for all paths, so no
other host of the domain can replace the cookie."""
SEQ_DIGITS_MAX = 20

Headers = Mapping[bytes, str]


def headers_of(scope: Mapping[str, Any]) -> Headers:
    """The headers by lower-case name. Of several with the same name, the last one."""
    return {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}


def bearer(headers: Headers) -> str | None:
    """The token of the header Authorization; None without one."""
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def cookie(headers: Headers, scheme: str, origins: Collection[str]) -> str | None:
    """The token of the cookie, if this host's page or an allowed origin opened the socket; else None."""
    if not own_page(headers.get(b"origin", ""), scheme, headers.get(b"host", ""), origins):
        return None
    return token_in(cookie_parser(headers.get(b"cookie", "")))


def token_in(cookies: Mapping[str, str]) -> str | None:
    """The token among a browser's cookies; None without one."""
    return cookies.get(SECURE_COOKIE) or cookies.get(TOKEN_COOKIE) or None


def own_page(origin: str, scheme: str, host: str, origins: Collection[str]) -> bool:
    """Whether an `Origin` is this host by this `scheme` (ws and wss as well), or one of the allowed `origins`."""
    page = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    return (bool(host) and origin.lower() == f"{page}://{host}".lower()) or origin in origins


def seq_of(scope: Mapping[str, Any]) -> int | None:
    """The query's `seq`: the number of the last own event that the client has seen. None when missing or invalid."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("seq", [""])[-1]
    # Check the length first: int() raises for thousands of digits.
    short = given.isascii() and given.isdigit() and len(given) <= SEQ_DIGITS_MAX
    return int(given) if short and int(given) <= VERSION_MAX else None
